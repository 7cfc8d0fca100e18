"""The cards: one module a faction, one package a set. `catalogue()` has them all."""

from __future__ import annotations

from functools import cache

from smashup.cards.big_in_japan import itty_critters, kaiju, magical_girls, mega_troopers
from smashup.cards.cease_and_desist import astroknights, changerbots, ignobles, star_roamers
from smashup.cards.culture_shock import (
    anansi_tales,
    ancient_incas,
    grimms_fairy_tales,
    polynesian_voyagers,
    russian_fairy_tales,
)
from smashup.cards.international_incident import luchadors, mounties, musketeers, sumo_wrestlers
from smashup.cards.madness import Madness
from smashup.cards.series_b import cyborg_apes, shapeshifters, super_spies, time_travelers
from smashup.engine.model.catalogue import Catalogue


@cache
def catalogue() -> Catalogue:
    """All factions, in the order of their sets."""
    return Catalogue(
        [
            cyborg_apes.FACTION,
            shapeshifters.FACTION,
            super_spies.FACTION,
            time_travelers.FACTION,
            astroknights.FACTION,
            changerbots.FACTION,
            ignobles.FACTION,
            star_roamers.FACTION,
            kaiju.FACTION,
            itty_critters.FACTION,
            mega_troopers.FACTION,
            magical_girls.FACTION,
            luchadors.FACTION,
            mounties.FACTION,
            musketeers.FACTION,
            sumo_wrestlers.FACTION,
            anansi_tales.FACTION,
            ancient_incas.FACTION,
            grimms_fairy_tales.FACTION,
            polynesian_voyagers.FACTION,
            russian_fairy_tales.FACTION,
        ],
        madness=Madness,
    )
