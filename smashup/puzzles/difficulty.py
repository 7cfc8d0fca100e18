"""How hard a puzzle is."""

from __future__ import annotations

from typing import Final

from smashup.puzzles.model import Difficulty

RARE: Final = 0.02
"""Random play that succeeds less often makes a puzzle harder."""
MAX_BOTS: Final = 3
"""A single play that so many of the bots find is too simple, whatever it is about."""
MEDIUM_FROM: Final = 3
HARD_FROM: Final = 5


def is_too_simple(plays: int, steps: int, bots_solving: int) -> bool:
    """Whether a puzzle is no challenge: a single play that bots find.

    ``steps``: choices that cannot be left out. ``bots_solving``: how many bots solved it.
    """
    return plays < 2 and bots_solving >= min(steps, MAX_BOTS)


def grade(steps: int, random_rate: float, bots_solving: float) -> Difficulty:
    """Return the difficulty.

    ``steps``: choices that cannot be left out. ``bots_solving``: the share of bots that solved it.
    """
    points = steps - 1 + (random_rate < RARE) + (bots_solving == 0) + (bots_solving <= 0.5)
    if points >= HARD_FROM:
        return Difficulty.HARD
    return Difficulty.MEDIUM if points >= MEDIUM_FROM else Difficulty.EASY
