"""The keywords of a card say what its text contains."""

from __future__ import annotations

import re

import pytest

from smashup.cards import catalogue
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.definitions import KEYWORDS, CardDefinition

PATTERNS = {
    "talent": r"\bTalent:",
    "special": r"\bSpecial:|as a Special",
    "ongoing": r"\bOngoing:",
    "counters": r"\bcounters?\b",
    "extra": r"\bextra\b",
}
DEFINITIONS = {
    (kind.name, printing): kind
    for printing in PRINTINGS
    for kind in catalogue().definitions(printing)
    if kind.type
}


@pytest.mark.parametrize("kind", DEFINITIONS.values(), ids=lambda kind: kind.name)
def test_keywords_match_the_text(kind: CardDefinition) -> None:
    expected = [word for word in KEYWORDS if re.search(PATTERNS[word], kind.text)]
    assert kind.keywords.split() == expected
