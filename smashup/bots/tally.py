"""What the games of a duel add up to: rates and ranks, and how far chance may have moved them.

Every interval here is one that holds in so many measurements out of a hundred. The interval of the
win rate is Wilson's, which stays between 0 and 1 and says something sensible after few games too.
Both intervals take the games as independent. The games of one deal are not quite: a lucky seat is
good for whoever sits there, and every side sits there once, which mostly makes the truth a little
more certain than the intervals say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from smashup.bots.duel import Result

SHOWN: Final = 1.959964
"""Standard deviations to each side of the interval that is shown: 95 in a hundred."""
STOPPING: Final = 2.575829
"""The same for ending early: 99 in a hundred, since the interval is looked at again and again.

For a bot that is exactly at the bar, that ends about 5 duels in a hundred of up to 100 games and 9
of up to 400 with an answer, half of them either way; with 95 it would be 20 and 30.
"""
FEWEST: Final = 20
"""No duel ends early after fewer games."""

ABOVE: Final = "above"
BELOW: Final = "below"
OPEN: Final = ""


@dataclass(frozen=True)
class Interval:
    """Where the truth lies, unless chance played a rare trick."""

    low: float
    high: float


def wilson(score: float, games: int, width: float = SHOWN) -> Interval:
    """The interval of a rate: ``score`` successes (or shares of one) in so many games."""
    if games == 0:
        return Interval(0.0, 1.0)
    rate = score / games
    squared = width * width
    centre = rate + squared / (2 * games)
    spread = width * math.sqrt(rate * (1 - rate) / games + squared / (4 * games * games))
    scale = 1 + squared / games
    low = 0.0 if score <= 0 else (centre - spread) / scale
    high = 1.0 if score >= games else (centre + spread) / scale
    return Interval(low, high)


class Tally:
    """Adds results up, one by one; the numbers are side A's where nothing else is said."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.games = 0
        self.score = 0.0
        """Games won; a shared victory counts as a share."""
        self._margin = 0
        self._ranks = 0.0
        self._squares = 0.0
        self._turns = 0
        self._decisions = [0, 0]
        self._seconds = [0.0, 0.0]

    def add(self, result: Result) -> None:
        others = [vp for seat, vp in enumerate(result.vp) if seat != result.seat]
        self.games += 1
        if result.seat in result.winners:
            self.score += 1 / len(result.winners)
        self._margin += result.vp[result.seat] - max(others)
        self._ranks += result.rank
        self._squares += result.rank * result.rank
        self._turns += result.turns
        for side in (0, 1):
            self._decisions[side] += result.decisions[side]
            self._seconds[side] += result.seconds[side]

    @property
    def rate(self) -> float:
        """The share of the games it won."""
        return self._mean(self.score)

    def rate_interval(self, width: float = SHOWN) -> Interval:
        return wilson(self.score, self.games, width)

    @property
    def margin(self) -> float:
        """Its VP minus those of the best other, on average."""
        return self._mean(self._margin)

    @property
    def rank(self) -> float:
        """Its rank at the end, on average; 1 is the best."""
        return self._mean(self._ranks)

    def rank_interval(self, width: float = SHOWN) -> Interval:
        """The interval of the mean rank.

        It is as wide as if two more games had been played, one won and one lost: a bot that always
        came first has not shown that it always will.
        """
        if self.games == 0:
            return Interval(1.0, float(self.players))
        count = self.games + 2
        total = self._ranks + 1 + self.players
        squares = self._squares + 1 + self.players**2
        variance = (squares - total * total / count) / (count - 1)
        spread = width * math.sqrt(variance / self.games)
        return Interval(max(1.0, self.rank - spread), min(self.players, self.rank + spread))

    @property
    def turns(self) -> float:
        return self._mean(self._turns)

    def milliseconds(self, side: int) -> float:
        """Time to think, on average over the decisions with more than one option."""
        return 1000 * self._seconds[side] / max(1, self._decisions[side])

    def _mean(self, total: float) -> float:
        return total / self.games if self.games else 0.0


@dataclass(frozen=True)
class Bar:
    """What a duel is to find out; it may end as soon as that is known.

    Without either question it never ends early.
    """

    above: float | None = None
    """Is A's win rate above this?"""
    best: bool = False
    """Is A's mean rank better than that of equals?"""

    def verdict(self, tally: Tally) -> str:
        """`ABOVE` or `BELOW` once 99 in a hundred such intervals would say so, `OPEN` before.

        Looked at after an even number of complete deals only, so that nobody stops at the moment
        at which one side has had the better seats.
        """
        if tally.games < FEWEST or tally.games % (2 * tally.players):
            return OPEN
        if self.above is not None:
            interval = tally.rate_interval(STOPPING)
            return (
                ABOVE
                if interval.low > self.above
                else BELOW
                if interval.high < self.above
                else OPEN
            )
        if self.best:
            interval = tally.rank_interval(STOPPING)
            equal = rank_of_equals(tally.players)
            return ABOVE if interval.high < equal else BELOW if interval.low > equal else OPEN
        return OPEN


def rank_of_equals(players: int) -> float:
    """The mean rank at a table where nobody plays better than the others."""
    return (players + 1) / 2
