"""Statistics of a duel: win rates, ranks and their confidence intervals.

The interval of the win rate is the Wilson score interval, which stays between 0 and 1 and is
meaningful after a few games already. Both intervals assume independent games. The games of one deal
are slightly dependent (a lucky seat helps whichever bot sits there, and each side sits there once),
which mostly makes the intervals a little too wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from smashup.bots.duel import Result

Z95: Final = 1.959964
"""Standard deviations on each side of a 95% interval, used in reports."""
Z99: Final = 2.575829
"""The same for 99%, used for stopping early, because the interval is checked repeatedly.

For a bot exactly at the threshold, this stops about 5% of duels of up to 100 games and 9% of up to
400 games with an answer, half of them in each direction; with 95% it would be 20% and 30%.
"""
MIN_GAMES_TO_STOP: Final = 20
"""A duel never stops early before this number of games."""

ABOVE: Final = "above"
BELOW: Final = "below"
UNDECIDED: Final = ""


@dataclass(frozen=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


def wilson_interval(score: float, games: int, width: float = Z95) -> Interval:
    """Return the Wilson score interval for ``score`` successes (or fractions of one) in ``games``
    games.
    """
    if games == 0:
        return Interval(0.0, 1.0)
    rate = score / games
    squared = width * width
    center = rate + squared / (2 * games)
    spread = width * math.sqrt(rate * (1 - rate) / games + squared / (4 * games * games))
    scale = 1 + squared / games
    low = 0.0 if score <= 0 else (center - spread) / scale
    high = 1.0 if score >= games else (center + spread) / scale
    return Interval(low, high)


class Tally:
    """Running totals over results; values are side A's unless noted."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.games = 0
        self.score = 0.0
        """Games won; a shared victory counts as a fraction."""
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
        """Fraction of the games won."""
        return self._mean(self.score)

    def rate_interval(self, width: float = Z95) -> Interval:
        return wilson_interval(self.score, self.games, width)

    @property
    def margin(self) -> float:
        """Mean VP difference to the best opponent."""
        return self._mean(self._margin)

    @property
    def rank(self) -> float:
        """Mean final rank; 1 is the best."""
        return self._mean(self._ranks)

    def rank_interval(self, width: float = Z95) -> Interval:
        """Return the interval of the mean rank.

        Its width includes two more games, one won and one lost, so that a bot that always came
        first still has an interval.
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
        """Mean thinking time per decision with more than one option."""
        return 1000 * self._seconds[side] / max(1, self._decisions[side])

    def _mean(self, total: float) -> float:
        return total / self.games if self.games else 0.0


@dataclass(frozen=True)
class StoppingRule:
    """The question a duel answers; the duel may end when the answer is clear.

    Without a question it never ends early.
    """

    win_rate: float | None = None
    """Is A's win rate above this?"""
    better_rank: bool = False
    """Is A's mean rank better than that of equally strong bots?"""

    def verdict(self, tally: Tally) -> str:
        """Return `ABOVE` or `BELOW` if the 99% interval excludes the threshold, else `UNDECIDED`.

        Only checked after an even number of complete deals, so that a duel cannot stop when one
        side has had the better seats.
        """
        if tally.games < MIN_GAMES_TO_STOP or tally.games % (2 * tally.players):
            return UNDECIDED
        if self.win_rate is not None:
            interval = tally.rate_interval(Z99)
            return (
                ABOVE
                if interval.low > self.win_rate
                else BELOW
                if interval.high < self.win_rate
                else UNDECIDED
            )
        if self.better_rank:
            interval = tally.rank_interval(Z99)
            equal = expected_rank(tally.players)
            return ABOVE if interval.high < equal else BELOW if interval.low > equal else UNDECIDED
        return UNDECIDED


def expected_rank(players: int) -> float:
    """The mean rank among equally strong players."""
    return (players + 1) / 2
