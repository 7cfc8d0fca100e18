"""Science Fiction Double Feature (2014)."""

from __future__ import annotations

from typing import Final

from smashup.cards.series_b import cyborg_apes, shapeshifters, super_spies, time_travelers
from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = (
    cyborg_apes.FACTION,
    shapeshifters.FACTION,
    super_spies.FACTION,
    time_travelers.FACTION,
)
