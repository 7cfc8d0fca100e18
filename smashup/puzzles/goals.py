"""Goals of puzzles, which the player has to reach by the end of the turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from smashup.engine.events.course import BaseScored, TurnStarted
from smashup.engine.game import Game
from smashup.engine.model.constants import NONE


class GoalKind(StrEnum):
    """What a puzzle asks for."""

    WIN = "win"
    """Win the game this turn."""
    TAKE_BASE = "take_base"
    """Score a base this turn, alone in first place."""
    LEAD = "lead"
    """End the turn with more VP than every other player."""


@dataclass(frozen=True)
class Goal:
    """What the player has to reach this turn."""

    kind: GoalKind
    base: int = NONE
    """The serial of the site, for `TAKE_BASE`."""


@dataclass(frozen=True)
class Outcome:
    """How a turn ended for the player."""

    won: bool
    leads: bool
    taken: frozenset[int]
    """Serials of the sites that scored with the player alone in first place."""

    def reaches(self, goal: Goal) -> bool:
        """Whether the goal is reached."""
        if goal.kind is GoalKind.WIN:
            return self.won
        if goal.kind is GoalKind.LEAD:
            return self.won or self.leads
        return goal.base in self.taken


def is_turn_over(game: Game, turn: int) -> bool:
    """Whether a turn is over; the game has to be at a decision or over."""
    return game.decision is None or game.table.state.turn != turn


def judge_turn(game: Game, player: int, turn: int) -> Outcome:
    """Return how a turn ended. The game must have logged events since the turn began."""
    state = game.table.state
    others = [vp for other, vp in enumerate(state.vp) if other != player]
    taken: set[int] = set()
    for event in game.table.events:
        if isinstance(event, TurnStarted) and event.turn > turn:
            break
        if isinstance(event, BaseScored):
            first = [scorer for scorer, place, _, _ in event.places if place == 1]
            if first == [player]:
                taken.add(event.base)
    return Outcome(
        won=state.over and player in state.winners,
        leads=state.vp[player] > max(others),
        taken=frozenset(taken),
    )
