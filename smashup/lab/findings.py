"""What a study has found: numbers with intervals, ready to be shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self

from smashup.lab.ratings import Rating

TIERS: Final = (("S", 0.60), ("A", 0.53), ("B", 0.47), ("C", 0.40), ("D", 0.0))
"""Tiers and the win rates from which they begin; B is what cannot be told from the middle."""


@dataclass(frozen=True)
class Estimate:
    """A number, its interval, and how many games it rests on."""

    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Standing:
    """How a pair, a faction or a bot did over all its games."""

    won: Estimate
    vp_per_turn: Estimate
    """VP for each turn of its own."""
    turns_to_win: Estimate
    """Turns of its own, in games it won."""
    bases_first: Estimate
    """Bases in a game where it had the most power."""
    bases_broken: Estimate
    """Bases in a game that scored in its turns."""


@dataclass(frozen=True)
class PairFinding:
    """Two factions in one deck."""

    a: str
    b: str
    standing: Standing
    expected: float
    """The win rate that the strengths of the two would give without each other."""

    @property
    def together(self) -> float:
        """How much better they do than the two strengths let expect."""
        return self.standing.won.value - self.expected


@dataclass(frozen=True)
class FactionFinding:
    """One faction, over all its partners."""

    name: str
    strength: Estimate
    """The win rate with an average partner against an average pair, by the model."""
    tier: str
    tiers: str
    """All tiers that the interval touches, best first."""
    standing: Standing
    curve: list[float]
    """Its mean VP after each round of turns."""


@dataclass(frozen=True)
class BotFinding:
    """One bot, over all its games."""

    name: str
    standing: Standing
    elo: Estimate
    """By the model, 0 for the mean of the bots."""
    rank: Estimate
    ms: float
    """A decision, where there is a choice."""
    seats: list[Estimate]
    """Its win rate in each seat."""


@dataclass(frozen=True)
class Meeting:
    """One bot's games in which the other sat at the table too."""

    a: str
    b: str
    won: Estimate


@dataclass(frozen=True)
class Hand:
    """One bot's games with one faction."""

    bot: str
    faction: str
    won: Estimate


@dataclass(frozen=True)
class Curve:
    """VP after each turn of the game, those of finished games as they ended."""

    label: str
    mean: list[float]
    low: list[float]
    """One game in ten is below."""
    high: list[float]
    """One game in ten is above."""


@dataclass(frozen=True)
class Findings:
    """Everything a report shows."""

    kind: str
    command: str
    seed: int
    version: str
    fingerprint: str
    games: int
    games_wanted: int
    players: int
    bots: list[str]
    edition: str
    printing: str
    turns: Estimate
    lengths: dict[int, int]
    """How many games took so many turns."""
    decisions: float
    """In a game, by all players, where there is a choice."""
    seconds: float
    """A game, all the thinking in it."""
    bases: Estimate
    seats: list[Estimate]
    """The win rate of each seat; the first one goes first."""
    curves: list[Curve]
    ratings: list[Rating]
    factions: list[FactionFinding] = field(default_factory=list)
    pairs: list[PairFinding] = field(default_factory=list)
    entrants: list[BotFinding] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)

    def named(self, name: Callable[[str], str]) -> Self:
        """The same, with factions called what this says; bots keep their names."""
        ratings = self.ratings
        if self.factions:  # it is they who are rated
            ratings = [replace(row, name=name(row.name)) for row in ratings]
        return replace(
            self,
            ratings=ratings,
            factions=[replace(row, name=name(row.name)) for row in self.factions],
            pairs=[replace(row, a=name(row.a), b=name(row.b)) for row in self.pairs],
            hands=[replace(row, faction=name(row.faction)) for row in self.hands],
        )


def tier(rate: float) -> str:
    """The tier of a win rate."""
    return next(name for name, least in TIERS if rate >= least)
