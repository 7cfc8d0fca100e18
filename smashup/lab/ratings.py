"""Ratings by openskill: one number for each, with how sure it is, made game by game.

The model is Plackett and Luce's, for any number of seats. Bots and factions do not change while
they play, so nothing is forgotten (tau is 0). Factions are rated as members of teams of two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from openskill.models import PlackettLuce

MOST: Final = 100_000
"""Games that are rated at most, the first ones: more would take long and change nothing."""
WIDTH: Final = 1.959964


@dataclass(frozen=True)
class Rating:
    """What is known of somebody: 25 is average, and sigma how sure that is."""

    name: str
    mu: float
    sigma: float

    @property
    def low(self) -> float:
        return self.mu - WIDTH * self.sigma

    @property
    def high(self) -> float:
        return self.mu + WIDTH * self.sigma

    @property
    def ordinal(self) -> float:
        """What somebody is worth at least: what boards of ratings sort by."""
        return self.mu - 3 * self.sigma


Seat = tuple[tuple[str, ...], float]
"""Who plays there, and the rank at the end."""


def rate(games: Iterable[Sequence[Seat]]) -> list[Rating]:
    """The ratings after these games, best first.

    Who sits at a table more than once goes on with the mean of what the seats tell.
    """
    model = PlackettLuce(tau=0.0)
    known: dict[str, tuple[float, float]] = {}
    start = (model.mu, model.sigma)
    for number, seats in enumerate(games):
        if number >= MOST:
            break
        if len({team for team, _ in seats}) == 1:
            continue  # somebody against himself tells nothing
        teams = [
            [model.rating(*known.get(name, start), name=name) for name in team] for team, _ in seats
        ]
        after = model.rate(teams, ranks=[place for _, place in seats])
        told: dict[str, list[tuple[float, float]]] = {}
        for (team, _), rated in zip(seats, after, strict=True):
            for name, rating in zip(team, rated, strict=True):
                told.setdefault(name, []).append((rating.mu, rating.sigma))
        for name, values in told.items():
            mus, sigmas = zip(*values, strict=True)
            known[name] = fmean(mus), fmean(sigmas)
    found = [Rating(name, mu, sigma) for name, (mu, sigma) in known.items()]
    return sorted(found, key=lambda rating: (-rating.mu, rating.name))
