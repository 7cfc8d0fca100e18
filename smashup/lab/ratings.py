"""Ratings by openskill: a value with its uncertainty per player, updated game by game.

The model is Plackett-Luce, for any number of seats. Bots and factions do not change over time, so
tau is 0. Factions are rated as members of teams of two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from openskill.models import PlackettLuce

from smashup.bots.statistics import Z95

MAX_GAMES: Final = 100_000
"""Only the first games are rated: more would take long and change nothing."""


@dataclass(frozen=True)
class Rating:
    """A rating: mu is 25 on average, sigma its uncertainty."""

    name: str
    mu: float
    sigma: float

    @property
    def low(self) -> float:
        return self.mu - Z95 * self.sigma

    @property
    def high(self) -> float:
        return self.mu + Z95 * self.sigma


Seat = tuple[tuple[str, ...], float]
"""The members of a team, and its final rank."""


def rate_games(games: Iterable[Sequence[Seat]]) -> list[Rating]:
    """Return the ratings after these games, best first.

    A player in several seats of a game continues with the mean of their updates.
    """
    model = PlackettLuce(tau=0.0)
    ratings: dict[str, tuple[float, float]] = {}
    start = (model.mu, model.sigma)
    for number, seats in enumerate(games):
        if number >= MAX_GAMES:
            break
        if len({team for team, _ in seats}) == 1:
            continue  # a game against oneself has no information
        teams = [
            [model.rating(*ratings.get(name, start), name=name) for name in team]
            for team, _ in seats
        ]
        after = model.rate(teams, ranks=[place for _, place in seats])
        updates: dict[str, list[tuple[float, float]]] = {}
        for (team, _), rated in zip(seats, after, strict=True):
            for name, rating in zip(team, rated, strict=True):
                updates.setdefault(name, []).append((rating.mu, rating.sigma))
        for name, values in updates.items():
            mus, sigmas = zip(*values, strict=True)
            ratings[name] = fmean(mus), fmean(sigmas)
    result = [Rating(name, mu, sigma) for name, (mu, sigma) in ratings.items()]
    return sorted(result, key=lambda rating: (-rating.mu, rating.name))
