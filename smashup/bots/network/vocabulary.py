"""The cards and bases the network knows, and what it knows of others.

Every name has one row per zone in the table of card vectors. Cards that the network was not trained
with, such as those of a plug-in, get a vector from their properties when they first appear.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import ACTION, BASE, MINION, ON_BASE, ON_MINION, TITAN
from smashup.engine.model.definitions import KEYWORDS, CardDefinition
from smashup.engine.model.hooks import Hook

HAND_ZONE: Final = 0
PLAY_ZONE: Final = 1
DISCARD_ZONE: Final = 2
DECK_ZONE: Final = 3
ZONES: Final = 4
"""Rows per name."""
NO_TOKEN: Final = 0
"""The row of nothing: every seat has it, so that no seat is without tokens."""
NUM_FIGURES: Final = 16
"""Properties before the hooks."""
NUM_PROPERTIES: Final = NUM_FIGURES + 64
"""Leaves room for hooks to come, whose weights are zero until the next training."""


class CardVocabulary:
    """The rows of cards by name."""

    def __init__(self, names: list[str]) -> None:
        self.rows: dict[str, int] = {}
        """The first of the rows of each name."""
        self.added: list[CardDefinition] = []
        """Cards added since the last look, whose vectors are still missing."""
        for name in names:
            self.rows[name] = (len(self.rows) + 1) * ZONES

    def add_card(self, definition: CardDefinition) -> int:
        """Add a card and return its first row."""
        row = (len(self.rows) + 1) * ZONES
        self.rows[definition.name] = row
        self.added.append(definition)
        return row


def card_properties(definition: CardDefinition) -> list[float]:
    """Return what the network can know of any card: type, figures and hooks."""
    type_ = definition.type
    keywords = definition.keywords.split()
    figures = [
        float(type_ == MINION),
        float(type_ == ACTION),
        float(type_ == TITAN),
        float(type_ == BASE),
        definition.power / 5,
        float(definition.played_on == ON_BASE),
        float(definition.played_on == ON_MINION),
        float(definition.special == "only"),
        float(definition.special == "also"),
        float(definition.is_madness),
        float(definition.affects_minions),
        *(float(word in keywords) for word in KEYWORDS),
    ]
    assert len(figures) == NUM_FIGURES
    bits = definition.hooks | definition.aside_hooks
    flags = [float(bits >> hook.value & 1) for hook in Hook]
    properties = figures + flags
    return (properties + [0.0] * NUM_PROPERTIES)[:NUM_PROPERTIES]
