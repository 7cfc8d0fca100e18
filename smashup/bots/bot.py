"""A bot: somebody who sees a decision and answers it, and can say why."""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from smashup.bots.sight import Sight

LOGGER = logging.getLogger(__name__)

Progress = Callable[[float], None]
"""Told now and then how much of its thinking a bot has done, from 0 to 1."""


def no_progress(done: float) -> None:
    """Nobody is watching."""


@dataclass(frozen=True)
class Estimate:
    """What a bot thinks of one option."""

    option: int
    chance: float
    """Chance to win for the seat that decides, if it takes this option."""
    visits: int = 0
    """How often it was tried."""


@dataclass
class Advice:
    """What a bot answers, and what it thinks of every option."""

    pick: int
    estimates: list[Estimate] = field(default_factory=list)
    """One an option, in their order; empty where there was nothing to think about."""
    chances: list[float] = field(default_factory=list)
    """Each seat's chance to win from here."""
    iterations: int = 0
    seconds: float = 0.0

    def as_data(self) -> dict[str, Any]:
        """The same as plain data, for files and clients."""
        return {
            "pick": self.pick,
            "options": [
                {"option": e.option, "chance": round(e.chance, 4), "visits": e.visits}
                for e in self.estimates
            ],
            "chances": [round(chance, 4) for chance in self.chances],
            "iterations": self.iterations,
            "seconds": round(self.seconds, 3),
        }


class Bot(ABC):
    """Somebody who answers decisions. Subclasses say how they think."""

    name = "bot"

    def __init__(self, seed: int = 0) -> None:
        self.rng = Random(seed)

    def choose(self, sight: Sight, progress: Progress = no_progress) -> int:
        """The option it takes. Where there is nothing to choose it does not think.

        Whatever goes wrong with its thinking, the table gets an answer.
        """
        try:
            return self.advise(sight, progress).pick
        except Exception as error:
            # No details: they could tell of hidden cards.
            LOGGER.warning("%s could not think (%s) and guesses.", self.name, type(error).__name__)
            return self.rng.randrange(sight.size)

    def advise(self, sight: Sight, progress: Progress = no_progress) -> Advice:
        """What it would take, and what it thinks of each option."""
        began = time.perf_counter()
        if len(set(sight.keys)) == 1:
            return Advice(0)
        advice = Advice(self.rng.randrange(sight.size)) if sight.is_draft else None
        if advice is None:
            advice = self.think(sight, progress)
        advice.seconds = time.perf_counter() - began
        return advice

    @abstractmethod
    def think(self, sight: Sight, progress: Progress) -> Advice:
        """The same, where there really is something to choose."""


class RandomBot(Bot):
    """Takes any option."""

    name = "random"

    def think(self, sight: Sight, progress: Progress) -> Advice:
        return Advice(self.rng.randrange(sight.size))
