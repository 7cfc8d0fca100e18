"""Batches of games in worker processes, which write observations to shared memory."""

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
from smashup.rl.settings import GameFactory, Settings
from smashup.rl.vector import Games, LocalGames, Step, empty_step

_SPAWN = get_context("spawn")
ALIGNMENT = 64
"""Alignment of the arrays in bytes."""


class SharedBuffers:
    """The arrays of a `Step` and the actions, in one block of shared memory."""

    def __init__(self, encoder: Encoder, count: int, memory: Any = None) -> None:
        like = empty_step(encoder, 1)
        arrays: dict[str, NDArray[Any]] = {
            **like.observation,
            "seats": like.seats,
            "rewards": like.rewards,
            "done": like.done,
            "truncated": like.truncated,
            "actions": np.zeros(1, np.int64),
        }
        places: dict[str, int] = {}
        end = 0
        for key, array in arrays.items():
            places[key] = end
            end += -(-array.nbytes * count // ALIGNMENT) * ALIGNMENT
        self.memory: Any = memory if memory is not None else _SPAWN.RawArray("b", end)
        self.arrays: dict[str, NDArray[Any]] = {
            key: np.frombuffer(
                self.memory, array.dtype, prod((count, *array.shape[1:])), places[key]
            ).reshape(count, *array.shape[1:])
            for key, array in arrays.items()
        }

    def part(self, first: int, count: int) -> Step:
        """Return the slice of the arrays for some of the games."""
        a = {key: array[first : first + count] for key, array in self.arrays.items()}
        observation = {name: a[name] for name in ("observation", "cards", "options", "action_mask")}
        return Step(observation, a["seats"], a["rewards"], a["done"], a["truncated"])


class ProcessGames(Games):
    """Games distributed evenly over processes."""

    def __init__(self, count: int, settings: Settings, processes: int) -> None:
        super().__init__(count, settings)
        self._buffers = SharedBuffers(GameFactory(settings).encoder, count)
        self._actions = self._buffers.arrays["actions"]
        self._now = self._buffers.part(0, count)
        self._started = False
        self._workers: list[tuple[BaseProcess, Connection]] = []
        ends = [count * i // processes for i in range(processes + 1)]
        for first, end in pairwise(ends):
            ours, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(
                target=_run_worker,
                args=(settings, self._buffers.memory, count, first, end - first, theirs),
                daemon=True,
            )
            process.start()
            theirs.close()
            self._workers.append((process, ours))

    def reset(self, seed: int = 0) -> Step:
        self._started = True
        return self._run_all(seed)

    def step(self, actions: NDArray[Any]) -> Step:
        if not self._started:
            raise SetupError("There are no games yet: call reset() first.")
        self._actions[:] = self._check_actions(actions)
        return self._run_all(None)

    def _run_all(self, order: int | None) -> Step:
        """Let every process advance its games, and wait for all."""
        for _, connection in self._workers:
            connection.send(order)
        error_text = ""
        for _, connection in self._workers:
            try:
                error_text = connection.recv() or error_text
            except EOFError:
                error_text = "A worker process exited."
        if error_text:
            raise RuntimeError(f"A worker process failed:\n{error_text}")
        return self._now

    def close(self) -> None:
        for process, connection in self._workers:
            connection.close()
            process.join(timeout=5)
            if process.is_alive():
                process.terminate()
                process.join()
            process.close()
        self._workers = []


def _run_worker(
    settings: Settings, memory: Any, total: int, first: int, count: int, connection: Connection
) -> None:
    """Advance the games on request until the other end closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    buffers = SharedBuffers(GameFactory(settings).encoder, total, memory)
    actions = buffers.arrays["actions"][first : first + count]
    mine = LocalGames(count, settings, first, buffers.part(first, count))
    with suppress(EOFError, BrokenPipeError):
        while True:
            seed: int | None = connection.recv()
            error_text = ""
            try:
                if seed is None:
                    mine.step(actions)
                else:
                    mine.reset(seed)
            except Exception:
                error_text = traceback.format_exc()
            connection.send(error_text)
