"""The server in separate processes, which can be stopped, killed and restarted."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from scripts.servers import children, memory_megabytes, read_address, server_command

STOP_TIMEOUT_SECONDS: Final = 40.0
"""The server gives its workers twelve seconds to stop; a busy machine needs more."""
SETTINGS: Final = {
    "min_window_seconds": 0.3,
    "idle_table_seconds": 20,
    "bot_processes": 1,
    # All players share one address.
    "messages_per_second": 50,
    "requests_per_second": 10_000,
    "tables_per_second": 10_000,
    "max_sockets_per_address": 100_000,
    # The players share the cores with the server and may be slow.
    "hello_timeout_seconds": 60,
}


class ServerProcess:
    """A server that always uses the same port."""

    def __init__(self, database: str, workers: int, folder: Path) -> None:
        self.database = database
        self.num_workers = workers
        self.log_file = folder / "server.log"
        with socket.create_server(("127.0.0.1", 0)) as sock:
            self.port = sock.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None

    async def start(self) -> None:
        """Start the server and wait until it accepts requests."""
        command = server_command(
            database=self.database, workers=self.num_workers, port=self.port, **SETTINGS
        )
        with open(self.log_file, "a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        with self.process.stdout as stdout:
            address = await asyncio.to_thread(read_address, stdout)
        if not address:
            raise RuntimeError(f"The server did not start: see {self.log_file}.")

    async def stop(self) -> tuple[int | None, float]:
        """Stop the server. Return its exit status and the seconds it took; the status is None if
        the server did not stop in time and was killed."""
        assert self.process is not None
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = await asyncio.to_thread(self.process.wait, STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            await self.kill()
            return None, STOP_TIMEOUT_SECONDS
        return status, time.monotonic() - started

    async def kill(self) -> None:
        """Kill the supervisor, and the workers that do not stop by themselves."""
        assert self.process is not None
        pids = self.worker_pids()
        self.process.kill()
        await asyncio.to_thread(self.process.wait)
        # Workers stop when their supervisor dies. Until then, they occupy the port.
        deadline = time.monotonic() + STOP_TIMEOUT_SECONDS
        while any(map(psutil.pid_exists, pids)) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        for pid in pids:
            send_signal(pid, signal.SIGKILL)

    def terminate(self) -> None:
        """Stop the server if it is running, including stalled workers."""
        if self.process is None or self.process.poll() is not None:
            return
        for pid in (*self.worker_pids(), self.process.pid):
            send_signal(pid, signal.SIGCONT)
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(STOP_TIMEOUT_SECONDS)
        self.process.kill()

    def worker_pids(self) -> list[int]:
        """Return the process ids of the running workers."""
        if self.process is None or self.process.poll() is not None:
            return []
        if self.num_workers == 1:
            return [self.process.pid]
        return children(self.process.pid)

    def bot_pids(self) -> list[int]:
        """Return the ids of the processes that compute bot moves."""
        return [pid for worker in self.worker_pids() for pid in children(worker)]

    def memory_megabytes(self) -> float:
        """Return the memory of all workers."""
        return sum(map(memory_megabytes, self.worker_pids()))


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process, which may have ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
