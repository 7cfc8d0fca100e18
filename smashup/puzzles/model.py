"""A puzzle: a position at the start of a turn, a goal for the turn, and the only solution."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.setup import Setup
from smashup.engine.saves.snapshots import restore
from smashup.puzzles.goals import Goal, GoalKind, Outcome, is_turn_over, judge_turn


class Difficulty(StrEnum):
    """How hard a puzzle is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True)
class Puzzle:
    """A position with one solution. The answers and the snapshot are secret until it is solved."""

    id: str
    setup: Setup
    """Without a seed: the snapshot has the hidden cards."""
    start: dict[str, Any]
    """The snapshot of the first play menu of the turn."""
    player: int
    goal: Goal
    solution: tuple[int, ...]
    """The answers of the whole turn; other players' answers, if they are asked, are among them."""
    plays: int
    """Cards played and talents used from the play menu."""
    steps: int
    """Choices that cannot be left out, with those about what a card affects."""
    positions: int
    """Positions that the proof of uniqueness looked at."""
    random_rate: float
    """How often random play reaches the goal."""
    bots_solving: int
    """How many of the bots that tried the puzzle reached the goal."""
    difficulty: Difficulty

    @property
    def turn(self) -> int:
        """The number of the turn to be played."""
        turn: int = self.start["turn"]
        return turn

    @property
    def factions(self) -> tuple[tuple[str, ...], ...]:
        return self.setup.factions

    def begin(self, cards: Catalogue) -> Game:
        """Create the game at the position, with a log."""
        return restore(json.loads(json.dumps(self.start)), self.setup, cards)

    def judge(self, game: Game) -> Outcome | None:
        """Return how the turn ended in a game that began here; None while it continues."""
        if not is_turn_over(game, self.turn):
            return None
        return judge_turn(game, self.player, self.turn)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for the file."""
        setup = self.setup.to_json()
        defaults = Setup().to_json()
        return {
            "id": self.id,
            "setup": {key: setup[key] for key in setup if setup[key] != defaults[key]},
            "start": self.start,
            "player": self.player,
            "goal": [self.goal.kind, self.goal.base],
            "solution": list(self.solution),
            "plays": self.plays,
            "steps": self.steps,
            "positions": self.positions,
            "random_rate": self.random_rate,
            "bots_solving": self.bots_solving,
            "difficulty": self.difficulty,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Puzzle:
        """Create a puzzle from the data of the file."""
        kind, base = data["goal"]
        return cls(
            **{
                **data,
                "setup": Setup.from_json(data["setup"]),
                "goal": Goal(GoalKind(kind), base),
                "solution": tuple(data["solution"]),
                "difficulty": Difficulty(data["difficulty"]),
            }
        )


def puzzle_id(start: dict[str, Any], goal: Goal) -> str:
    """Return an id that stays the same as long as position and goal do."""
    facts = json.dumps([start, goal.kind, goal.base], sort_keys=True).encode()
    return hashlib.blake2b(facts, digest_size=4).hexdigest()
