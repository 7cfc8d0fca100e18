"""Awesome Level 9000 (2013)."""

from __future__ import annotations

from typing import Final

from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = ()
