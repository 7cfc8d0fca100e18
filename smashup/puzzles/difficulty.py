"""How hard a puzzle is."""

from __future__ import annotations

from typing import Final

from smashup.puzzles.model import Difficulty

RARE_SUCCESS_RATE: Final = 0.02
"""A puzzle counts as harder if random play succeeds less often than this."""
MAX_BOTS: Final = 3
"""A single play that this many bots find is always too simple."""
MEDIUM_FROM: Final = 3
HARD_FROM: Final = 5


def is_too_simple(plays: int, steps: int, bots_solving: int) -> bool:
    """Whether a puzzle is a single play that most bots find.

    ``steps``: choices that cannot be left out. ``bots_solving``: how many bots solved it.
    """
    return plays < 2 and bots_solving >= min(steps, MAX_BOTS)


def grade(steps: int, random_rate: float, bots_solving: float) -> Difficulty:
    """Grade a puzzle.

    ``steps``: choices that cannot be left out. ``bots_solving``: the share of bots that solved it.
    """
    points = (
        steps - 1 + (random_rate < RARE_SUCCESS_RATE) + (bots_solving == 0) + (bots_solving <= 0.5)
    )
    if points >= HARD_FROM:
        return Difficulty.HARD
    return Difficulty.MEDIUM if points >= MEDIUM_FROM else Difficulty.EASY
