"""The server in separate processes, which can be stopped, killed and restarted."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

STOP_TIMEOUT_SECONDS: Final = 40.0
"""The server gives its workers twelve seconds to stop; a busy machine needs more."""


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
        arguments = [self.database, str(self.num_workers), str(self.port)]
        with open(self.log_file, "a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "scripts.chaos.server_main", *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        with self.process.stdout as stdout:
            line = await asyncio.to_thread(stdout.readline)
        if not line.startswith("http://"):
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
        while any(_is_alive(pid) for pid in pids) and time.monotonic() < deadline:
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
        return _spawned_children(self.process.pid)

    def bot_pids(self) -> list[int]:
        """Return the ids of the processes that compute bot moves."""
        return [pid for worker in self.worker_pids() for pid in _spawned_children(worker)]

    def memory_megabytes(self) -> float:
        """Return the memory of all workers."""
        return sum(_memory_megabytes(pid) for pid in self.worker_pids())


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process, which may have ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _spawned_children(pid: int) -> list[int]:
    """Return the child processes that run Python code, without resource trackers."""
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in children.split() if _is_spawned(int(child))]
    return []


def _is_spawned(pid: int) -> bool:
    with suppress(OSError):
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _memory_megabytes(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1000
    return 0.0
