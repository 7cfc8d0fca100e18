"""The strength of each faction (or bot), estimated from all games.

Each seat has a team: two factions, or one bot. A team's strength is the sum of its members'
strengths plus that of its seat, and the win probability is the softmax of the strengths at the
table: the Bradley-Terry model for two players, Luce's choice model for more. A small ridge penalty
regularizes strengths when games are few, and makes their mean 0.

Intervals come from a bootstrap over deals, because the games of a deal are dependent. Instead of
refitting for every draw, each draw takes one Newton step from the fit (the score bootstrap of Kline
and Santos); with enough data both agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from smashup.bots.statistics import Interval

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

RIDGE: Final = 1.0
"""Strength of the penalty: a normal prior with standard deviation 1."""
DRAWS: Final = 1000
MAX_GROUPS: Final = 20_000
"""Number of bootstrap groups; with more deals, several share a group."""
BLOCK_SIZE: Final = 20_000
"""Games per matrix operation: fast, and small enough for memory."""
TOLERANCE: Final = 1e-9
ELO: Final = 400 / math.log(10)
"""Elo points per unit of strength."""


@dataclass(frozen=True)
class GameData:
    """Input of the model."""

    members: IntArray
    """By game, seat and place in the team: the number of the member."""
    won: FloatArray
    """By game and seat: the share of the victory."""
    deals: IntArray
    """By game: its deal."""
    num_members: int

    @property
    def seats(self) -> int:
        return int(self.members.shape[1])


@dataclass(frozen=True)
class StrengthModel:
    """Fitted strengths (mean 0, in logits) with their bootstrap draws."""

    members: FloatArray
    seats: FloatArray
    member_draws: FloatArray
    """By draw and member."""

    def interval(self, member: int) -> Interval:
        return _quantiles(self.member_draws[:, member])

    def win_rate(self, member: int) -> float:
        """Return the win rate in an average team against one average team."""
        return win_probability(float(self.members[member]))

    def win_rate_interval(self, member: int) -> Interval:
        found = self.interval(member)
        return Interval(win_probability(found.low), win_probability(found.high))

    def pair_win_rate(self, members: tuple[int, int]) -> float:
        """Return the win rate of two members together against one average team."""
        return win_probability(float(self.members[list(members)].sum()))


def win_probability(strength: float) -> float:
    """Convert a difference in strength to a probability of winning."""
    return 1 / (1 + math.exp(-strength))


def fit(games: GameData, seed: int = 1, draws: int = DRAWS) -> StrengthModel:
    """Fit the model by Newton's method (maximum a posteriori) and draw bootstrap samples."""
    size = games.num_members + games.seats
    theta = np.zeros(size)
    for _ in range(50):
        gradient, hessian, _ = _derivatives(games, theta)
        step = np.linalg.solve(hessian, gradient)
        theta += step
        if np.abs(step).max() < TOLERANCE:
            break
    _, hessian, scores = _derivatives(games, theta)
    drawn = theta + _bootstrap_gradients(scores, seed, draws) @ np.linalg.inv(hessian)
    parts = slice(games.num_members), slice(games.num_members, None)
    return StrengthModel(theta[parts[0]], theta[parts[1]], drawn[:, parts[0]])


def _derivatives(games: GameData, theta: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return gradient and Hessian of the negative log posterior, and the gradient by deal."""
    size = len(theta)
    gradient = -RIDGE * theta
    hessian = RIDGE * np.eye(size)
    names, place = np.unique(games.deals, return_inverse=True)
    place %= MAX_GROUPS
    scores = np.zeros((min(len(names), MAX_GROUPS), size))
    for start in range(0, len(games.won), BLOCK_SIZE):
        block = slice(start, start + BLOCK_SIZE)
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


def _features(games: GameData, block: slice) -> FloatArray:
    """Return indicator features by game and seat: team members and seat."""
    members = games.members[block]
    found = np.zeros((*members.shape[:2], games.num_members + games.seats))
    rows, seats = np.indices(members.shape[:2])
    for place in range(members.shape[2]):
        np.add.at(found, (rows, seats, members[:, :, place]), 1.0)
    found[rows, seats, games.num_members + seats] = 1.0
    return found


def _bootstrap_gradients(scores: FloatArray, seed: int, draws: int) -> FloatArray:
    """Return the gradient of each bootstrap draw; each deal has weight Poisson(1).

    The gradients of the deals sum to the ridge term, so their mean is subtracted.
    """
    rng = np.random.default_rng(seed)
    scores = scores - scores.mean(axis=0)
    found = np.empty((draws, scores.shape[1]))
    for start in range(0, draws, 50):
        rows = slice(start, min(start + 50, draws))
        times = rng.poisson(1.0, (rows.stop - rows.start, len(scores))).astype(np.float64)
        found[rows] = times @ scores
    return found


def _quantiles(draws: FloatArray) -> Interval:
    low, high = np.quantile(draws, (0.025, 0.975))
    return Interval(float(low), float(high))
