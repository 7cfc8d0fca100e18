"""Awesome Level 9000 (2013)."""

from __future__ import annotations

from typing import Final

from smashup.cards.awesome_level_9000 import bear_cavalry, ghosts, killer_plants, steampunks
from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = (
    bear_cavalry.FACTION,
    ghosts.FACTION,
    killer_plants.FACTION,
    steampunks.FACTION,
)
