"""Everything a card is written with, in one import.

`Minion`, `Action`, `ActionOnBase`, `ActionOnMinion`, `BaseCard` and `Titan` are the classes to
write; `Card`, `Base`, `Player`, `Event` and `Cause` are what their methods are handed.
"""

from smashup.engine.card_api import Base, Card, Player
from smashup.engine.model.catalogue import Faction
from smashup.engine.model.constants import (
    ACTION,
    ANYONE,
    DECK_BOTTOM,
    DECK_TOP,
    DESTROYED,
    DISCARD,
    HAND,
    MINION,
    NOWHERE,
    ON_BASE,
    ON_MINION,
    OTHERS,
    RETURNED,
    SCORED,
    TITAN,
    YOURS,
)
from smashup.engine.model.definitions import (
    Action,
    ActionOnBase,
    ActionOnMinion,
    BaseCard,
    CardDefinition,
    Minion,
    Titan,
    ability,
)
from smashup.engine.model.events import Cause, Event
from smashup.engine.model.hooks import Hook, hooks
from smashup.engine.model.permissions import PlayPermission

__all__ = [
    "ACTION",
    "ANYONE",
    "DECK_BOTTOM",
    "DECK_TOP",
    "DESTROYED",
    "DISCARD",
    "HAND",
    "MINION",
    "NOWHERE",
    "ON_BASE",
    "ON_MINION",
    "OTHERS",
    "RETURNED",
    "SCORED",
    "TITAN",
    "YOURS",
    "Action",
    "ActionOnBase",
    "ActionOnMinion",
    "Base",
    "BaseCard",
    "Card",
    "CardDefinition",
    "Cause",
    "Event",
    "Faction",
    "Hook",
    "Minion",
    "PlayPermission",
    "Player",
    "Titan",
    "ability",
    "hooks",
]
