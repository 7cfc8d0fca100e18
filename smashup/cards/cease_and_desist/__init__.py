"""Cease and Desist (2016)."""

from __future__ import annotations

from typing import Final

from smashup.cards.cease_and_desist import astroknights, changerbots, ignobles, star_roamers
from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = (
    astroknights.FACTION,
    changerbots.FACTION,
    ignobles.FACTION,
    star_roamers.FACTION,
)
