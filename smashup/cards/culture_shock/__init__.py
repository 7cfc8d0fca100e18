"""Culture Shock (2019)."""

from __future__ import annotations

from typing import Final

from smashup.cards.culture_shock import (
    anansi_tales,
    ancient_incas,
    grimms_fairy_tales,
    polynesian_voyagers,
    russian_fairy_tales,
)
from smashup.engine.model.catalogue import Faction

FACTIONS: Final[tuple[Faction, ...]] = (
    anansi_tales.FACTION,
    ancient_incas.FACTION,
    grimms_fairy_tales.FACTION,
    polynesian_voyagers.FACTION,
    russian_fairy_tales.FACTION,
)
