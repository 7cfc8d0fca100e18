"""The cards: one module per faction, one package per set; `catalogue()` returns them all."""

from __future__ import annotations

from functools import cache
from typing import Final

from smashup.cards import (
    awesome_level_9000,
    big_in_japan,
    cease_and_desist,
    core_set,
    culture_shock,
    international_incident,
    obligatory_cthulhu,
    series_b,
)
from smashup.cards.madness import Madness
from smashup.engine.model.catalogue import Catalogue, Faction

SETS: Final[tuple[tuple[Faction, ...], ...]] = (
    series_b.FACTIONS,
    cease_and_desist.FACTIONS,
    big_in_japan.FACTIONS,
    international_incident.FACTIONS,
    culture_shock.FACTIONS,
    core_set.FACTIONS,
    awesome_level_9000.FACTIONS,
    obligatory_cthulhu.FACTIONS,
)
"""The factions of each set. New sets go to the end: saved drafts and learning encodings refer to
factions and cards by their numbers."""


@cache
def catalogue() -> Catalogue:
    """Return the catalogue of all factions, in the order of their sets."""
    return Catalogue([faction for factions in SETS for faction in factions], madness=Madness)
