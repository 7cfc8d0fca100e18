"""The findings of a study: estimates with confidence intervals, ready to render."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self

from smashup.lab.ratings import Rating

TIERS: Final = (("S", 0.60), ("A", 0.53), ("B", 0.47), ("C", 0.40), ("D", 0.0))
"""Tiers and their minimum win rates; B is close to average."""


@dataclass(frozen=True)
class IntervalEstimate:
    """A value, its 95% interval, and the number of games behind it."""

    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Performance:
    """Results of a pair, a faction or a bot over all its games."""

    won: IntervalEstimate
    vp_per_turn: IntervalEstimate
    """VP per own turn."""
    turns_to_win: IntervalEstimate
    """Own turns, in games it won."""
    bases_first: IntervalEstimate
    """Bases per game where it had the most power."""
    bases_broken: IntervalEstimate
    """Bases per game that scored during its turns."""


@dataclass(frozen=True)
class PairFinding:
    """Two factions in one deck."""

    a: str
    b: str
    standing: Performance
    expected: float
    """Win rate predicted from the strengths of the two factions."""

    @property
    def synergy(self) -> float:
        """Difference between the actual and the expected win rate."""
        return self.standing.won.value - self.expected


@dataclass(frozen=True)
class FactionFinding:
    """One faction, over all its partners."""

    name: str
    strength: IntervalEstimate
    """Modeled win rate with an average partner against an average pair."""
    tier: str
    tiers: str
    """All tiers that the interval overlaps, best first."""
    standing: Performance
    curve: list[float]
    """Mean VP after each round of turns."""


@dataclass(frozen=True)
class BotFinding:
    """One bot, over all its games."""

    name: str
    standing: Performance
    elo: IntervalEstimate
    """From the strength model; the mean of the bots is 0."""
    rank: IntervalEstimate
    ms: float
    """Per decision with more than one option."""
    seats: list[IntervalEstimate]
    """Win rate in each seat."""


@dataclass(frozen=True)
class HeadToHead:
    """One bot's results in the games that the other bot played too."""

    a: str
    b: str
    won: IntervalEstimate


@dataclass(frozen=True)
class BotFactionRecord:
    """One bot's results with one faction."""

    bot: str
    faction: str
    won: IntervalEstimate


@dataclass(frozen=True)
class Curve:
    """VP after each turn of the game; finished games keep their final VP."""

    label: str
    mean: list[float]
    low: list[float]
    """10th percentile."""
    high: list[float]
    """90th percentile."""


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
    turns: IntervalEstimate
    lengths: dict[int, int]
    """Number of games by length in turns."""
    decisions: float
    """Per game, by all players, with more than one option."""
    seconds: float
    """Thinking time per game, all players together."""
    bases: IntervalEstimate
    seats: list[IntervalEstimate]
    """Win rate of each seat; seat 0 goes first."""
    curves: list[Curve]
    ratings: list[Rating]
    factions: list[FactionFinding] = field(default_factory=list)
    pairs: list[PairFinding] = field(default_factory=list)
    entrants: list[BotFinding] = field(default_factory=list)
    meetings: list[HeadToHead] = field(default_factory=list)
    hands: list[BotFactionRecord] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    def translate_names(self, name: Callable[[str], str]) -> Self:
        """Return a copy with translated faction names; bots keep their names."""
        ratings = self.ratings
        if self.factions:  # the ratings are those of factions
            ratings = [replace(row, name=name(row.name)) for row in ratings]
        return replace(
            self,
            ratings=ratings,
            factions=[replace(row, name=name(row.name)) for row in self.factions],
            pairs=[replace(row, a=name(row.a), b=name(row.b)) for row in self.pairs],
            hands=[replace(row, faction=name(row.faction)) for row in self.hands],
        )


def tier_of(rate: float) -> str:
    """Return the tier of a win rate."""
    return next(name for name, least in TIERS if rate >= least)
