"""An executor with worker processes on this machine.

Each worker plays one chunk at a time: it receives a chunk and returns its rows. A worker that dies
is replaced and its chunk played again.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

from smashup.bots.process_pool import ignore_interrupts
from smashup.lab.executor import MAX_ATTEMPTS, Chunk, ChunkResult, ExecutionError, Executor
from smashup.lab.game_runner import Row
from smashup.lab.study import Study

GAME_FINISHED: Final[list[Row]] = []
"""What a worker sends after each game of a chunk; a chunk itself is never empty."""


@dataclass
class Worker:
    """A process, the connection to it, and the chunk it plays."""

    process: BaseProcess
    connection: Connection
    chunk: Chunk
    finished: int = 0
    """Games of the chunk that it has played."""


class LocalPool(Executor):
    """Plays chunks in several processes, which start when there is work."""

    def __init__(self, study: Study, processes: int) -> None:
        self.study = study
        self.processes = processes
        self._workers: list[Worker] = []

    def play(self, chunks: Sequence[Chunk]) -> Generator[ChunkResult, None, None]:
        pending = list(reversed(chunks))
        failures: dict[int, int] = {}
        while pending and len(self._workers) < self.processes:
            self._spawn_worker(pending.pop())
        while self._workers:
            for worker in self._ready_workers():
                chunk = worker.chunk
                answer = _receive(worker)
                if answer == GAME_FINISHED:
                    worker.finished += 1
                    self.on_progress(sum(w.finished for w in self._workers))
                    continue
                if answer is None:
                    failures[chunk.number] = failures.get(chunk.number, 0) + 1
                    if failures[chunk.number] == MAX_ATTEMPTS:
                        raise ExecutionError(
                            "Processes that played chunk {number} died {times} times; is there"
                            " enough memory?",
                            number=chunk.number,
                            times=MAX_ATTEMPTS,
                        )
                    self._stop_worker(worker)
                    self._spawn_worker(chunk)
                    continue
                if pending:
                    self._send(worker, pending.pop())
                else:
                    self._stop_worker(worker)
                yield chunk.number, answer

    def shut_down(self) -> None:
        for worker in self._workers[:]:
            self._stop_worker(worker)

    def _spawn_worker(self, chunk: Chunk) -> None:
        context = get_context("spawn")
        with ignore_interrupts():
            ours, theirs = context.Pipe()
            process = context.Process(target=_run_worker, args=(self.study, theirs), daemon=True)
            process.start()
            theirs.close()
        worker = Worker(process, ours, chunk)
        self._workers.append(worker)
        self._send(worker, chunk)

    def _send(self, worker: Worker, chunk: Chunk) -> None:
        worker.chunk = chunk
        worker.finished = 0
        with suppress(OSError):  # the worker is dead: `_receive` will notice
            worker.connection.send(chunk)

    def _ready_workers(self) -> list[Worker]:
        ready = wait([worker.connection for worker in self._workers])
        return [worker for worker in self._workers if worker.connection in ready]

    def _stop_worker(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.process.terminate()
        worker.process.join()
        worker.process.close()
        worker.connection.close()


def _receive(worker: Worker) -> list[Row] | None:
    """Return a worker's rows, or `GAME_FINISHED` before that; None if it died."""
    try:
        answer = worker.connection.recv()
    except (EOFError, OSError):
        return None
    if isinstance(answer, str):
        raise RuntimeError(f"A worker failed to finish a game:\n{answer}")
    rows: list[Row] = [Row(*values) for values in answer]
    return rows


def _run_worker(study: Study, connection: Connection) -> None:
    """Play the chunks that arrive on the connection until the other end closes it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cards = study.cards()
    with suppress(EOFError, OSError):
        while True:
            chunk: Chunk = connection.recv()
            try:
                answer: list[tuple[object, ...]] | str = [
                    tuple(row)
                    for row in chunk.play(study, cards, lambda: connection.send(GAME_FINISHED))
                ]
            except Exception:
                answer = traceback.format_exc()
            connection.send(answer)
