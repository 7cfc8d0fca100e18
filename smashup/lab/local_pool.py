"""An executor with worker processes on this machine.

If a worker dies, the pool is started again and plays all unfinished chunks.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from typing import Final

from smashup.bots.process_pool import ProcessPool
from smashup.engine.model.catalogue import Catalogue
from smashup.lab.executor import MAX_ATTEMPTS, Chunk, ChunkResult, ExecutionError, Executor
from smashup.lab.game_runner import Row
from smashup.lab.study import Study

CHUNKS_PER_PROCESS: Final = 2
"""Queued chunks per process, so that none is idle."""
PROGRESS_SECONDS: Final = 0.2
"""How often progress is reported."""


class LocalPool(Executor):
    """Plays chunks in several processes, which start when there is work."""

    def __init__(self, study: Study, processes: int) -> None:
        self.study = study
        self.processes = processes
        self._played: Synchronized[int] = get_context("spawn").Value("q", 0)
        """Games that workers have played."""

    def play(self, chunks: Sequence[Chunk]) -> Generator[ChunkResult, None, None]:
        pending = {chunk.number: chunk for chunk in chunks}
        failures = 0
        while pending:
            try:
                for number, rows in self._play_until_broken(list(pending.values())):
                    del pending[number]
                    failures = 0
                    yield number, rows
            except BrokenProcessPool:
                failures += 1
                if failures == MAX_ATTEMPTS:
                    raise ExecutionError(
                        "Worker processes died {times} times in a row; is there enough memory?",
                        times=MAX_ATTEMPTS,
                    ) from None

    def _play_until_broken(self, chunks: list[Chunk]) -> Generator[ChunkResult, None, None]:
        pending = list(reversed(chunks))
        running: dict[Future[list[Row]], Chunk] = {}
        stored = 0
        self._played.value = 0
        with ProcessPool(self.processes, _start_worker, self.study, self._played) as pool:
            while pending or running:
                while pending and len(running) < CHUNKS_PER_PROCESS * self.processes:
                    chunk = pending.pop()
                    running[pool.submit(_play_chunk, chunk)] = chunk
                done, _ = wait(running, PROGRESS_SECONDS, FIRST_COMPLETED)
                for future in done:
                    chunk = running.pop(future)
                    stored += len(chunk.games)
                    yield chunk.number, future.result()
                self.on_progress(self._played.value - stored)

    def shut_down(self) -> None:
        """Do nothing: the workers stop when `play` ends or is closed."""


# --- inside a worker process ------------------------------------------------------------------

_STUDIES: list[tuple[Study, Catalogue, Synchronized[int]]] = []
"""The study that this process plays, its cards, and the count of played games."""


def _start_worker(study: Study, played: Synchronized[int]) -> None:
    _STUDIES.append((study, study.cards(), played))


def _play_chunk(chunk: Chunk) -> list[Row]:
    study, cards, played = _STUDIES[-1]
    return chunk.play(study, cards, partial(_count_game, played))


def _count_game(played: Synchronized[int]) -> None:
    with played.get_lock():
        played.value += 1
