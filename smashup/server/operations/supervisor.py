"""The process that starts the workers, starts another one where one has died, and ends them all.

Each worker holds one end of a pipe, by which it says that it is ready. When the supervisor is
killed, the pipe breaks, and the worker shuts down. uvicorn's own ``workers`` does neither: it does
not tell when all workers are ready, and they outlive it.
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
"""Seconds in which workers have to shut down before they are killed."""
MAX_RESTART_SECONDS: Final = 10.0
"""Seconds between two attempts to start a worker that does not live, at most."""


def supervise(settings: Settings, sock: socket.socket, ready: Callable[[], None]) -> None:
    """Keep so many workers running until Ctrl-C; ``ready`` is called once all take calls."""
    Supervisor(settings, sock, ready).run()


class Worker:
    """A process, and what it has said of itself."""

    def __init__(self, process: SpawnProcess, line: Connection) -> None:
        self.process = process
        self.line = line
        self.is_ready = False
        """Whether it accepts connections."""


class Supervisor:
    """All workers."""

    def __init__(self, settings: Settings, sock: socket.socket, ready: Callable[[], None]) -> None:
        cores = os.cpu_count() or 2
        self.settings = replace(
            settings, thinkers=min(settings.thinkers, max(1, (cores - 1) // settings.workers))
        )
        self.sock = sock
        self.ready = ready
        self.workers: list[Worker] = []
        self._context = get_context("spawn")
        self._told, self._stop = self._context.Pipe(duplex=False)
        self._failures = 0
        """How many in a row have died before they took calls."""
        self._served = False
        """Whether there ever was one that took calls: then it is tried for good."""
        self._next_start = 0.0

    def run(self) -> None:
        before = {
            sign: signal.signal(sign, self._told_to_stop)
            for sign in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            for _ in range(self.settings.workers):
                self._start()
            if self._wait_until(self._all_ready):
                self.ready()
                self._wait_until(lambda: False)
        finally:
            self._end()
            for sign, handler in before.items():
                signal.signal(sign, handler)

    def _all_ready(self) -> bool:
        ready = sum(worker.is_ready for worker in self.workers)
        return ready == self.settings.workers

    def _told_to_stop(self, *_: object) -> None:
        with suppress(OSError):
            self._stop.send_bytes(b"stop")

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(self.settings, self.sock, theirs))
        process.start()
        theirs.close()
        self.workers.append(Worker(process, ours))

    def _wait_until(self, reached: Callable[[], bool]) -> bool:
        """Look after the workers; whether something was reached, and not the end."""
        while not reached():
            late = len(self.workers) < self.settings.workers
            if late and time.monotonic() >= self._next_start:
                self._start()
                continue
            happened = connection.wait(
                [
                    self._told,
                    *(worker.process.sentinel for worker in self.workers),
                    *(worker.line for worker in self.workers if not worker.line.closed),
                ],
                timeout=max(0.0, self._next_start - time.monotonic()) if late else None,
            )
            if self._told in happened:
                return False
            for worker in list(self.workers):
                if worker.line in happened:
                    self._hear(worker)
                if worker.process.sentinel in happened:
                    self._remove(worker)
        return True

    def _hear(self, worker: Worker) -> None:
        try:
            worker.is_ready = bool(worker.line.recv())
            self._failures, self._served = 0, True
        except (EOFError, OSError):
            worker.line.close()

    def _remove(self, worker: Worker) -> None:
        """A worker is dead; another one is started."""
        worker.process.join()
        metrics.gone(worker.process.pid or 0)
        worker.line.close()
        self.workers.remove(worker)
        pid, exit_code = worker.process.pid or 0, worker.process.exitcode or 0
        if worker.is_ready:
            logs.fail("worker_died", worker=pid, exit_code=exit_code)
            return
        self._failures += 1
        logs.fail("worker_start_failed", worker=pid, exit_code=exit_code, failures=self._failures)
        if self._failures > self.settings.workers and not self._served:
            raise SetupError(
                "The server cannot start: its workers end while they start, the last one with"
                " exit code {code}. The log above says why.",
                code=exit_code,
            )
        self._next_start = time.monotonic() + min(MAX_RESTART_SECONDS, 0.5 * 2**self._failures)

    def _end(self) -> None:
        for worker in self.workers:
            worker.process.terminate()
        until = time.monotonic() + SHUTDOWN_SECONDS
        for worker in self.workers:
            worker.process.join(max(0.0, until - time.monotonic()))
        for worker in self.workers:
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


# --- inside a worker --------------------------------------------------------------------------


def _work(settings: Settings, sock: socket.socket, line: Connection) -> None:
    from smashup.server.operations.running import work

    logs.configure(settings.log, settings.log_level)
    # Ctrl-C is for the supervisor, even while this is only starting.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Having shut down properly, uvicorn passes on the signal that ended it.
    signal.signal(signal.SIGTERM, lambda *_: None)
    threading.Thread(target=_stop_with_supervisor, args=(line,), daemon=True).start()

    def ready(registry: TableRegistry) -> None:
        try:
            line.send(True)
        except OSError:
            # The supervisor is gone. Its thread has said so too early for uvicorn to hear it.
            os.kill(os.getpid(), signal.SIGTERM)

    try:
        with sock:
            work(settings, None, sock, ready, supervised=True)
    except SmashUpError as error:
        # Something is wrong with the settings: no player is involved.
        logs.fail("worker_failed", error=error, reason=str(error))
        sys.exit(1)
    except Exception as error:
        # multiprocessing would print the traceback, and not as lines of the log.
        logs.fail("worker_failed", error=error)
        sys.exit(1)


def _stop_with_supervisor(line: Connection) -> None:
    """Shut down when the supervisor is gone."""
    with suppress(EOFError, OSError):
        line.recv()
    os.kill(os.getpid(), signal.SIGTERM)
