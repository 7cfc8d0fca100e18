"""The cards: one module a faction, one package a set. `catalogue()` has them all."""

from __future__ import annotations

from functools import cache

from smashup.cards.big_in_japan import itty_critters, kaiju, magical_girls, mega_troopers
from smashup.cards.madness import Madness
from smashup.cards.series_b import cyborg_apes, shapeshifters, super_spies, time_travelers
from smashup.engine.catalogue import Catalogue


@cache
def catalogue() -> Catalogue:
    """All factions, in the order of their sets."""
    return Catalogue(
        [
            cyborg_apes.FACTION,
            shapeshifters.FACTION,
            super_spies.FACTION,
            time_travelers.FACTION,
            kaiju.FACTION,
            itty_critters.FACTION,
            mega_troopers.FACTION,
            magical_girls.FACTION,
        ],
        madness=Madness,
    )
