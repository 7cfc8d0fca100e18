"""Big in Japan (2017)."""

from __future__ import annotations

from typing import Final

from smashup.cards.big_in_japan import itty_critters, kaiju, magical_girls, mega_troopers
from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = (
    kaiju.FACTION,
    itty_critters.FACTION,
    mega_troopers.FACTION,
    magical_girls.FACTION,
)
