"""The interface of a bot: it receives a decision and returns an answer with its estimates."""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from smashup.bots.information_set import InformationSet

LOGGER = logging.getLogger(__name__)

ProgressCallback = Callable[[float], None]
"""Receives the fraction of the thinking done so far, from 0 to 1."""


def ignore_progress(done: float) -> None:
    """Discard progress reports."""


@dataclass(frozen=True)
class Estimate:
    """A bot's assessment of one option."""

    option: int
    win_probability: float
    """Of the seat that decides, if it takes this option."""
    visits: int = 0
    """How often the search tried the option."""


@dataclass
class Advice:
    """A bot's answer, with its assessment of every option."""

    pick: int
    estimates: list[Estimate] = field(default_factory=list)
    """One per option, in order; empty if the bot did not compare them."""
    win_probabilities: list[float] = field(default_factory=list)
    """Each seat's probability of winning from here."""
    iterations: int = 0
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for files and clients."""
        return {
            "pick": self.pick,
            "options": [
                {"option": e.option, "chance": round(e.win_probability, 4), "visits": e.visits}
                for e in self.estimates
            ],
            "chances": [round(p, 4) for p in self.win_probabilities],
            "iterations": self.iterations,
            "seconds": round(self.seconds, 3),
        }


class Bot(ABC):
    """Base class of bots. Subclasses implement `think`; see docs/your-bot.md."""

    name = "bot"
    is_strict = False
    """Whether an error in `think` is raised instead of answered at random, as in duels."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Random(seed)

    def choose(self, info: InformationSet, progress: ProgressCallback = ignore_progress) -> int:
        """Return the chosen option; a forced decision is answered without thinking.

        If thinking fails, the bot answers at random so that the game can continue, unless it
        `is_strict`.
        """
        try:
            return self.advise(info, progress).pick
        except Exception as error:
            if self.is_strict:
                raise
            # Log no details: they could reveal hidden cards.
            cause = type(error.__cause__ or error).__name__
            LOGGER.warning("%s failed to think (%s) and answers at random.", self.name, cause)
            LOGGER.debug("The traceback of %s:", self.name, exc_info=True)
            return self.rng.randrange(info.num_options)

    def advise(self, info: InformationSet, progress: ProgressCallback = ignore_progress) -> Advice:
        """Return the chosen option with an estimate for each option."""
        began = time.perf_counter()
        if len(set(info.keys)) == 1:
            return Advice(0)
        advice = Advice(self.rng.randrange(info.num_options)) if info.is_draft else None
        if advice is None:
            answer = self.think(info, progress)
            advice = answer if isinstance(answer, Advice) else Advice(answer)
        advice.seconds = time.perf_counter() - began
        return advice

    @abstractmethod
    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice | int:
        """Compare the options of a decision that has at least two different ones.

        Return the number of the chosen option, or advice with an estimate for each option.
        """


class RandomBot(Bot):
    """Chooses uniformly at random."""

    name = "random"

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        return Advice(self.rng.randrange(info.num_options))
