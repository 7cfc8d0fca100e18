"""Ratings by openskill: one number for each, with how sure it is, made game by game.

The model is Plackett and Luce's, for any number of seats. Bots and factions do not change while
they play, so nothing is forgotten (tau is 0). Factions are rated as members of teams of two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

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
    """The ratings after these games, best first."""
    model = PlackettLuce(tau=0.0)
    known: dict[str, PlackettLuceRating] = {}
    for number, seats in enumerate(games):
        if number >= MOST:
            break
        names = [name for team, _ in seats for name in team]
        if len(set(names)) < len(names):
            continue  # somebody against himself tells nothing
        teams = [[known.get(name) or model.rating(name=name) for name in team] for team, _ in seats]
        after = model.rate(teams, ranks=[place for _, place in seats])
        for (team, _), rated in zip(seats, after, strict=True):
            known.update(zip(team, rated, strict=True))
    found = [Rating(name, rating.mu, rating.sigma) for name, rating in known.items()]
    return sorted(found, key=lambda rating: (-rating.mu, rating.name))
