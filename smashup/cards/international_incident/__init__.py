"""International Incident (2019)."""

from __future__ import annotations

from typing import Final

from smashup.cards.international_incident import luchadors, mounties, musketeers, sumo_wrestlers
from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = (
    luchadors.FACTION,
    mounties.FACTION,
    musketeers.FACTION,
    sumo_wrestlers.FACTION,
)
