"""The cards: one module a faction, one package a set. `catalogue()` has them all."""

from __future__ import annotations

from functools import cache

from smashup.cards.series_b import cyborg_apes, time_travelers
from smashup.engine.catalogue import Catalogue


@cache
def catalogue() -> Catalogue:
    """All factions, in the order of their sets."""
    return Catalogue([cyborg_apes.FACTION, time_travelers.FACTION])
