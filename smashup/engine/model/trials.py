"""Data of trial runs: a card played on a copy of the table to see what it can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smashup.engine.model.decisions import Move
    from smashup.engine.model.events import ActiveAbility, Resolution
    from smashup.engine.model.state import State


class TrialSucceeded(Exception):
    """Raised to end a trial run that has seen what it looked for. Never seen outside."""


class AbilityIndex:
    """The abilities in force at a moment, kept with a copy of the table. Never changed."""

    __slots__ = ("by_hook", "cancelling", "doubtful")

    def __init__(
        self, by_hook: list[list[ActiveAbility]], cancelling: bool, doubtful: bool
    ) -> None:
        self.by_hook = by_hook
        self.cancelling = cancelling
        self.doubtful = doubtful


class Trial:
    """A card played by a permission that says what it must directly do, until it has done so."""

    __slots__ = (
        "answers",
        "before",
        "index",
        "move",
        "player",
        "redealt",
        "resolution",
        "seen_by",
        "witnesses",
    )  # fmt: skip

    def __init__(self, before: State, index: AbilityIndex | None, player: int, move: Move) -> None:
        self.before = before
        """The table just before the card is played; never changed."""
        self.redealt: State | None = None
        """The same with hidden cards redealt, for trials."""
        self.seen_by: list[int] = []
        """Who knew which card when they were dealt."""
        self.index = index
        """The abilities in force then."""
        self.player = player
        self.move = move
        """The card, its place and the permission."""
        self.resolution: Resolution | None = None
        """The card resolving, once it is played."""
        self.answers: list[int] = []
        """What has been chosen since it was played."""
        self.witnesses: list[list[int]] = []
        """Choices by which trials have succeeded, for the hidden cards dealt last."""


class TrialChoice:
    """A choice that a card gave its player in a trial: how many options, and what was taken."""

    __slots__ = ("count", "guess", "least", "taken")

    def __init__(self, count: int, guess: int, taken: int, least: int) -> None:
        self.count = count
        self.guess = guess
        """The option to try first."""
        self.taken = taken
        self.least = least
        """The lowest option worth trying: of several picks in any order one order is enough."""
