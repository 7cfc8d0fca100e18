"""How strong each faction (or bot) is, all games taken together.

Every seat is a team of members: two factions, or one bot. A team's strength is the sum of its
members' strengths plus that of its seat, and the chance to win is the softmax of the strengths at
the table: with two players the model of Bradley and Terry, with more that of Luce for the first
place. A small ridge holds strengths together where games are few, and makes their mean 0.

Intervals come from a bootstrap over deals, since the games of one deal share their luck. Instead of
fitting again for every draw, each draw makes one Newton step from the fit (the score bootstrap of
Kline and Santos); with enough games to say anything both agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from smashup.bots.statistics import Interval

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

RIDGE: Final = 1.0
"""How strongly strengths are drawn to 0: as if each had a prior of standard deviation 1."""
DRAWS: Final = 1000
GROUPS: Final = 20_000
"""Deals are drawn one by one up to so many, and in so many groups where there are more."""
BLOCK: Final = 20_000
"""Games reckoned with at once: enough to be fast, few enough to fit in memory."""
ENOUGH: Final = 1e-9
ELO: Final = 400 / math.log(10)
"""Points of an Elo rating for one unit of strength."""


@dataclass(frozen=True)
class Games:
    """What the model looks at."""

    members: Ints
    """By game, seat and place in the team: the number of the member."""
    won: Floats
    """By game and seat: the share of the victory."""
    deals: Ints
    """By game: its deal."""
    count: int
    """How many members there are."""

    @property
    def seats(self) -> int:
        return int(self.members.shape[1])


@dataclass(frozen=True)
class Fit:
    """Strengths with their bootstrap draws; 0 is the mean, a unit is that of a logit."""

    members: Floats
    seats: Floats
    member_draws: Floats
    """By draw and member."""
    seat_draws: Floats

    def interval(self, member: int) -> Interval:
        return _quantiles(self.member_draws[:, member])

    def win_rate(self, member: int) -> float:
        """How often it would win for an average team against one average team."""
        return chance(float(self.members[member]))

    def win_rate_interval(self, member: int) -> Interval:
        found = self.interval(member)
        return Interval(chance(found.low), chance(found.high))

    def pair_rate(self, members: tuple[int, int]) -> float:
        """How often two members together would win against one average team."""
        return chance(float(self.members[list(members)].sum()))


def chance(strength: float) -> float:
    """The chance to win of whoever is so much stronger."""
    return 1 / (1 + math.exp(-strength))


def fit(games: Games, seed: int = 1, draws: int = DRAWS) -> Fit:
    """The likeliest strengths, by Newton's method, and bootstrap draws of them."""
    size = games.count + games.seats
    theta = np.zeros(size)
    for _ in range(50):
        gradient, hessian, _ = _sums(games, theta)
        step = np.linalg.solve(hessian, gradient)
        theta += step
        if np.abs(step).max() < ENOUGH:
            break
    _, hessian, scores = _sums(games, theta)
    drawn = theta + _draws(scores, seed, draws) @ np.linalg.inv(hessian)
    parts = slice(games.count), slice(games.count, None)
    return Fit(theta[parts[0]], theta[parts[1]], drawn[:, parts[0]], drawn[:, parts[1]])


def _sums(games: Games, theta: Floats) -> tuple[Floats, Floats, Floats]:
    """Gradient and Hessian of the (negative) log posterior, and the gradient of each deal."""
    size = len(theta)
    gradient = -RIDGE * theta
    hessian = RIDGE * np.eye(size)
    names, place = np.unique(games.deals, return_inverse=True)
    place %= GROUPS
    scores = np.zeros((min(len(names), GROUPS), size))
    for start in range(0, len(games.won), BLOCK):
        block = slice(start, start + BLOCK)
        features = _features(games, block)
        strength = features @ theta
        weight = np.exp(strength - strength.max(axis=1, keepdims=True))
        p = weight / weight.sum(axis=1, keepdims=True)
        score = np.einsum("gs,gsk->gk", games.won[block] - p, features)
        mean = np.einsum("gs,gsk->gk", p, features)
        flat = features.reshape(-1, size)
        gradient += score.sum(axis=0)
        hessian += flat.T @ (flat * p.reshape(-1, 1)) - mean.T @ mean
        np.add.at(scores, place[block], score)
    return gradient, hessian, scores


def _features(games: Games, block: slice) -> Floats:
    """By game and seat: which members are in its team, and which seat it is."""
    members = games.members[block]
    found = np.zeros((*members.shape[:2], games.count + games.seats))
    rows, seats = np.indices(members.shape[:2])
    for place in range(members.shape[2]):
        np.add.at(found, (rows, seats, members[:, :, place]), 1.0)
    found[rows, seats, games.count + seats] = 1.0
    return found


def _draws(scores: Floats, seed: int, draws: int) -> Floats:
    """The gradient as each draw of deals would have it; every deal is drawn about once.

    Together the deals pull as strongly as the ridge holds, so their mean is taken off.
    """
    rng = np.random.default_rng(seed)
    scores = scores - scores.mean(axis=0)
    found = np.empty((draws, scores.shape[1]))
    for start in range(0, draws, 50):
        rows = slice(start, min(start + 50, draws))
        times = rng.poisson(1.0, (rows.stop - rows.start, len(scores))).astype(np.float64)
        found[rows] = times @ scores
    return found


def _quantiles(draws: Floats) -> Interval:
    low, high = np.quantile(draws, (0.025, 0.975))
    return Interval(float(low), float(high))
