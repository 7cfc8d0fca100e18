"""The Obligatory Cthulhu Set (2013)."""

from __future__ import annotations

from typing import Final

from smashup.cards.obligatory_cthulhu import (
    elder_things,
    innsmouth,
    minions_of_cthulhu,
    miskatonic_university,
)
from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = (
    elder_things.FACTION,
    innsmouth.FACTION,
    minions_of_cthulhu.FACTION,
    miskatonic_university.FACTION,
)
