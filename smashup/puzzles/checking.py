"""Checks that puzzles still have their one solution with the current rules and cards."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from smashup.engine.errors import SmashUpError
from smashup.engine.model.catalogue import Catalogue
from smashup.puzzles.model import Puzzle
from smashup.puzzles.proof import describe_line, is_certain
from smashup.puzzles.turn_search import TurnSearch, TurnTooLarge

DEAL_SEED: Final = 1
"""The seed of the tables on which a solution is checked; mining uses other ones."""
SEARCH_FACTOR: Final = 2
"""A check may visit this many times as many positions as the first proof."""


class Problem(StrEnum):
    """What is wrong with a puzzle."""

    POSITION = "position"
    """The position cannot be restored."""
    SOLUTION = "solution"
    """The solution does not reach the goal."""
    HIDDEN = "hidden"
    """The solution fails on another deal, or against another choice of an opponent."""
    SEVERAL = "several"
    """Another line reaches the goal."""
    TOO_LARGE = "too_large"
    """There are too many lines to search them all."""


def check_puzzle(puzzle: Puzzle, cards: Catalogue) -> Problem | None:
    """Prove a puzzle again; return what is wrong with it, if anything."""
    try:
        game = puzzle.begin(cards)
        if game.decision is None or game.decision.player != puzzle.player:
            return Problem.POSITION
    except (SmashUpError, LookupError):
        return Problem.POSITION
    try:
        played = puzzle.begin(cards).answer_all(puzzle.solution)
        outcome = puzzle.judge(played)
        if outcome is None or not outcome.reaches(puzzle.goal):
            return Problem.SOLUTION
        line = describe_line(game, puzzle.solution)
    except SmashUpError:
        return Problem.SOLUTION
    if not is_certain(game, line, puzzle.goal, DEAL_SEED):
        return Problem.HIDDEN
    search = TurnSearch(game, puzzle.goal, SEARCH_FACTOR * puzzle.positions + 100)
    try:
        other = search.find_other_line(line.steps)
    except TurnTooLarge:
        return Problem.TOO_LARGE
    return None if other is None else Problem.SEVERAL
