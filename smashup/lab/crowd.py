"""Processes on this machine that play chunks side by side.

Each gets one chunk at a time: its number goes out, its rows come back. A process that dies is
replaced and its chunk played again.
"""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from smashup.lab.playing import Row
from smashup.lab.study import Study
from smashup.lab.work import LIVES, Chunk, Crew, Played, WorkError


@dataclass
class Worker:
    """A process, the line to it, and what it is busy with."""

    process: BaseProcess
    line: Connection
    chunk: Chunk


class Crowd(Crew):
    """Several processes, for a start none; they are hired when there is work."""

    def __init__(self, study: Study, processes: int) -> None:
        self.study = study
        self.processes = processes
        self._workers: list[Worker] = []

    def play(self, chunks: Sequence[Chunk]) -> Generator[Played, None, None]:
        waiting = list(reversed(chunks))
        lives: dict[int, int] = {}
        while waiting and len(self._workers) < self.processes:
            self._hire(waiting.pop())
        while self._workers:
            for worker in self._ready():
                chunk = worker.chunk
                answer = _received(worker)
                if answer is None:
                    lives[chunk.number] = lives.get(chunk.number, LIVES) - 1
                    if not lives[chunk.number]:
                        raise WorkError(
                            "Processes that played chunk {number} died {times} times; is there"
                            " enough memory?",
                            number=chunk.number,
                            times=LIVES,
                        )
                    self._part_with(worker)
                    self._hire(chunk)
                    continue
                if waiting:
                    self._send(worker, waiting.pop())
                else:
                    self._part_with(worker)
                yield chunk.number, answer

    def dismiss(self) -> None:
        for worker in self._workers[:]:
            self._part_with(worker)

    def _hire(self, chunk: Chunk) -> None:
        context = get_context("spawn")
        with _deaf_to_interrupts():
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(self.study, theirs), daemon=True)
            process.start()
            theirs.close()
        worker = Worker(process, ours, chunk)
        self._workers.append(worker)
        self._send(worker, chunk)

    def _send(self, worker: Worker, chunk: Chunk) -> None:
        worker.chunk = chunk
        with suppress(OSError):  # dead already: noticed when nothing comes back
            worker.line.send(chunk)

    def _ready(self) -> list[Worker]:
        ready = wait([worker.line for worker in self._workers])
        return [worker for worker in self._workers if worker.line in ready]

    def _part_with(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.process.terminate()
        worker.process.join()
        worker.process.close()
        worker.line.close()


def _received(worker: Worker) -> list[Row] | None:
    """What a worker played; None if it died."""
    try:
        answer = worker.line.recv()
    except (EOFError, OSError):
        return None
    if isinstance(answer, str):
        raise RuntimeError(f"A game could not be played to its end:\n{answer}")
    rows: list[Row] = [Row(*values) for values in answer]
    return rows


def _work(study: Study, line: Connection) -> None:
    """The life of a process: chunks come in, rows go out, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cards = study.cards()
    with suppress(EOFError, OSError):
        while True:
            chunk: Chunk = line.recv()
            try:
                answer: list[tuple[object, ...]] | str = [
                    tuple(row) for row in chunk.play(study, cards)
                ]
            except Exception:
                answer = traceback.format_exc()
            line.send(answer)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile do not hear Ctrl-C; it is for the one that started them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
