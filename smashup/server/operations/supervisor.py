"""The supervisor: starts the workers, replaces those that die, and stops them all.

Each worker holds one end of a pipe and reports on it when it is ready. If the supervisor is killed,
the pipe breaks and the worker shuts down. uvicorn's ``workers`` option offers neither: it does not
report when all workers are ready, and its workers survive their parent.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Final

from smashup.engine.errors import SetupError, SmashUpError
from smashup.server.operations import logs, metrics
from smashup.server.operations.settings import Settings

if TYPE_CHECKING:
    from smashup.server.tables.registry import TableRegistry

SHUTDOWN_SECONDS: Final = 12.0
"""Workers that take longer to shut down are killed."""
MAX_RESTART_SECONDS: Final = 10.0
"""Maximum delay between attempts to start a worker that keeps failing."""


def supervise(settings: Settings, sock: socket.socket, on_ready: Callable[[], None]) -> None:
    """Run the workers until Ctrl-C; call ``on_ready`` once all of them accept connections."""
    Supervisor(settings, sock, on_ready).run()


class Worker:
    """A worker process."""

    def __init__(self, process: SpawnProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.is_ready = False
        """Whether it accepts connections."""


class Supervisor:
    """Runs all workers."""

    def __init__(
        self, settings: Settings, sock: socket.socket, on_ready: Callable[[], None]
    ) -> None:
        cores = os.cpu_count() or 2
        self.settings = replace(
            settings,
            bot_processes=min(settings.bot_processes, max(1, (cores - 1) // settings.workers)),
        )
        self.sock = sock
        self.on_ready = on_ready
        self.workers: list[Worker] = []
        self._context = get_context("spawn")
        self._stop_reader, self._stop_writer = self._context.Pipe(duplex=False)
        self._failures = 0
        """How many workers in a row died before they were ready."""
        self._was_ready = False
        """Whether a worker was ever ready. Then the supervisor never gives up."""
        self._next_start = 0.0

    def run(self) -> None:
        """Run until a signal arrives."""
        before = {
            sign: signal.signal(sign, self._request_stop)
            for sign in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            for _ in range(self.settings.workers):
                self._start_worker()
            if self._wait_until(self._all_ready):
                self.on_ready()
                self._wait_until(lambda: False)
        finally:
            self._stop_workers()
            for sign, handler in before.items():
                signal.signal(sign, handler)

    def _all_ready(self) -> bool:
        ready = sum(worker.is_ready for worker in self.workers)
        return ready == self.settings.workers

    def _request_stop(self, *_: object) -> None:
        with suppress(OSError):
            self._stop_writer.send_bytes(b"stop")

    def _start_worker(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_run_worker, args=(self.settings, self.sock, theirs))
        process.start()
        theirs.close()
        self.workers.append(Worker(process, ours))

    def _wait_until(self, condition: Callable[[], bool]) -> bool:
        """Replace dead workers until a condition holds; False if the server has to stop."""
        while not condition():
            is_missing = len(self.workers) < self.settings.workers
            if is_missing and time.monotonic() >= self._next_start:
                self._start_worker()
                continue
            ready = connection.wait(
                [
                    self._stop_reader,
                    *(worker.process.sentinel for worker in self.workers),
                    *(worker.pipe for worker in self.workers if not worker.pipe.closed),
                ],
                timeout=max(0.0, self._next_start - time.monotonic()) if is_missing else None,
            )
            if self._stop_reader in ready:
                return False
            for worker in list(self.workers):
                if worker.pipe in ready:
                    self._read_pipe(worker)
                if worker.process.sentinel in ready:
                    self._remove(worker)
        return True

    def _read_pipe(self, worker: Worker) -> None:
        try:
            worker.is_ready = bool(worker.pipe.recv())
            self._failures, self._was_ready = 0, True
        except (EOFError, OSError):
            worker.pipe.close()

    def _remove(self, worker: Worker) -> None:
        """Remove a dead worker, which is then replaced."""
        worker.process.join()
        metrics.mark_worker_dead(worker.process.pid or 0)
        worker.pipe.close()
        self.workers.remove(worker)
        pid, exit_code = worker.process.pid or 0, worker.process.exitcode or 0
        if worker.is_ready:
            logs.fail("worker_died", worker=pid, exit_code=exit_code)
            return
        self._failures += 1
        logs.fail("worker_start_failed", worker=pid, exit_code=exit_code, failures=self._failures)
        if self._failures > self.settings.workers and not self._was_ready:
            raise SetupError(
                "The server cannot start: its workers exit during startup, the last one with code"
                " {code}. See the log above.",
                code=exit_code,
            )
        self._next_start = time.monotonic() + min(MAX_RESTART_SECONDS, 0.5 * 2**self._failures)

    def _stop_workers(self) -> None:
        for worker in self.workers:
            worker.process.terminate()
        deadline = time.monotonic() + SHUTDOWN_SECONDS
        for worker in self.workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
        for worker in self.workers:
            if worker.process.is_alive():
                logs.warn("worker_killed", worker=worker.process.pid or 0, seconds=SHUTDOWN_SECONDS)
                worker.process.kill()
                worker.process.join()


# --- inside a worker --------------------------------------------------------------------------


def _run_worker(settings: Settings, sock: socket.socket, pipe: Connection) -> None:
    from smashup.server.operations.running import run_worker

    logs.configure(settings.log_format, settings.log_level)
    # Only the supervisor handles Ctrl-C, even while this worker is starting.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_stop_with_supervisor, args=(pipe,), daemon=True).start()

    def on_ready(registry: TableRegistry) -> None:
        with suppress(OSError):  # the supervisor is gone: the thread stops this process
            pipe.send(True)

    try:
        with sock:
            run_worker(settings, None, sock, on_ready, is_supervised=True)
    except SmashUpError as error:
        # The settings are wrong. The message contains no data of players.
        logs.fail("worker_failed", error=error, reason=str(error))
        sys.exit(1)
    except Exception as error:
        # multiprocessing would print the traceback, and not as lines of the log.
        logs.fail("worker_failed", error=error)
        sys.exit(1)


def _stop_with_supervisor(pipe: Connection) -> None:
    """Shut down when the supervisor is gone."""
    with suppress(EOFError, OSError):
        pipe.recv()
    os.kill(os.getpid(), signal.SIGTERM)
