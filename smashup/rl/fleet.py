"""Games in step, spread over processes that write what is seen into memory shared by all."""

from __future__ import annotations

import signal
import traceback
from contextlib import suppress
from itertools import pairwise
from math import prod
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smashup.engine.errors import SetupError
from smashup.rl.encoding import Encoder
from smashup.rl.settings import Settings
from smashup.rl.vector import Games, LocalGames, Step, blank
from smashup.rl.vocabulary import vocabulary

_SPAWN = get_context("spawn")
ALIGNED = 64
"""Arrays begin at multiples of this."""


class Board:
    """The arrays of a `Step`, and the actions, in one piece of shared memory."""

    def __init__(self, encoder: Encoder, count: int, memory: Any = None) -> None:
        like = blank(encoder, 1)
        arrays: dict[str, NDArray[Any]] = {
            **like.observation,
            "seats": like.seats,
            "rewards": like.rewards,
            "over": like.over,
            "cut": like.cut,
            "actions": np.zeros(1, np.int64),
        }
        places: dict[str, int] = {}
        end = 0
        for key, array in arrays.items():
            places[key] = end
            end += -(-array.nbytes * count // ALIGNED) * ALIGNED
        self.memory: Any = memory if memory is not None else _SPAWN.RawArray("b", end)
        self.arrays: dict[str, NDArray[Any]] = {
            key: np.frombuffer(
                self.memory, array.dtype, prod((count, *array.shape[1:])), places[key]
            ).reshape(count, *array.shape[1:])
            for key, array in arrays.items()
        }

    def part(self, first: int, count: int) -> Step:
        """What some of the games write to."""
        a = {key: array[first : first + count] for key, array in self.arrays.items()}
        observation = {name: a[name] for name in ("observation", "cards", "options", "action_mask")}
        return Step(observation, a["seats"], a["rewards"], a["over"], a["cut"])


class Fleet(Games):
    """Games spread evenly over processes."""

    def __init__(self, count: int, terms: Settings, processes: int) -> None:
        super().__init__(count, terms)
        encoder = Encoder(terms.players, terms.max_options, vocabulary())
        self._board = Board(encoder, count)
        self._actions = self._board.arrays["actions"]
        self._now = self._board.part(0, count)
        self._started = False
        self._workers: list[tuple[BaseProcess, Connection]] = []
        ends = [count * i // processes for i in range(processes + 1)]
        for first, end in pairwise(ends):
            ours, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(
                target=_work,
                args=(terms, self._board.memory, count, first, end - first, theirs),
                daemon=True,
            )
            process.start()
            theirs.close()
            self._workers.append((process, ours))

    def reset(self, seed: int = 0) -> Step:
        self._started = True
        return self._all(seed)

    def step(self, actions: NDArray[Any]) -> Step:
        if not self._started:
            raise SetupError("There are no games yet: call reset() first.")
        self._actions[:] = self._checked(actions)
        return self._all(None)

    def _all(self, order: int | None) -> Step:
        """Have every process do its part, and wait for all."""
        for _, line in self._workers:
            line.send(order)
        trouble = ""
        for _, line in self._workers:
            try:
                trouble = line.recv() or trouble
            except EOFError:
                trouble = "A process that played games ended."
        if trouble:
            raise RuntimeError(f"Games could not go on:\n{trouble}")
        return self._now

    def close(self) -> None:
        for process, line in self._workers:
            line.close()
            process.join(timeout=5)
            if process.is_alive():
                process.terminate()
                process.join()
            process.close()
        self._workers = []


def _work(
    terms: Settings, memory: Any, total: int, first: int, count: int, line: Connection
) -> None:
    """The life of a process: it steps its games whenever it is told to, until nobody does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    board = Board(Encoder(terms.players, terms.max_options, vocabulary()), total, memory)
    actions = board.arrays["actions"][first : first + count]
    mine = LocalGames(count, terms, first, board.part(first, count))
    with suppress(EOFError, BrokenPipeError):
        while True:
            seed: int | None = line.recv()
            trouble = ""
            try:
                if seed is None:
                    mine.step(actions)
                else:
                    mine.reset(seed)
            except Exception:
                trouble = traceback.format_exc()
            line.send(trouble)
