"""The Core Set (2012)."""

from __future__ import annotations

from typing import Final

from smashup.cards.core_set import (
    aliens,
    dinosaurs,
    ninjas,
    pirates,
    robots,
    tricksters,
    wizards,
    zombies,
)
from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = (
    aliens.FACTION,
    dinosaurs.FACTION,
    ninjas.FACTION,
    pirates.FACTION,
    robots.FACTION,
    tricksters.FACTION,
    wizards.FACTION,
    zombies.FACTION,
)
