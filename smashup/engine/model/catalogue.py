"""The available cards: factions, sets and bases, in both printings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from smashup.engine.errors import SetupError, clipped
from smashup.engine.model.definitions import CardDefinition, find_hooks
from smashup.engine.model.messages import Name

_COLOR: Final = re.compile("#[0-9a-fA-F]{6}")

PRINTED: Final = "printed"
CURRENT: Final = "current"
PRINTINGS: Final = (PRINTED, CURRENT)


@dataclass(frozen=True)
class Faction:
    """Twenty cards that belong together, with their bases and titans."""

    name: str
    set_name: str
    cards: tuple[type[CardDefinition], ...]
    bases: tuple[type[CardDefinition], ...]
    titans: tuple[type[CardDefinition], ...] = ()
    name_fr: str = ""
    blurb: str = ""
    colors: tuple[str, str] | None = None
    """The main color and the accent in the browser, such as ``("#2f6b4f", "#ffd23f")``."""
    icon: str = ""
    """The name of the client's icon for this faction."""
    uses_madness: bool = False
    """Whether its cards speak of Madness: its game then has the Madness deck."""

    def __post_init__(self) -> None:
        if self.colors is not None and [
            _COLOR.fullmatch(color) is not None for color in self.colors
        ] != [True, True]:
            raise SetupError(
                "The colors of {faction} have to be two of the form #rrggbb.",
                faction=self.name,
            )


@dataclass
class FactionDeck:
    """The cards of a faction in one printing."""

    faction: Faction
    printing: str
    cards: list[CardDefinition] = field(default_factory=list)
    """The definitions with at least one copy in this printing."""
    copies: list[CardDefinition] = field(default_factory=list)
    """Every card of the deck: each definition as often as it has copies."""
    bases: list[CardDefinition] = field(default_factory=list)
    titans: list[CardDefinition] = field(default_factory=list)


class Catalogue:
    """All factions that can be played, in order, and their cards."""

    def __init__(
        self, factions: Sequence[Faction], madness: type[CardDefinition] | None = None
    ) -> None:
        self.factions = list(factions)
        self.madness_class = madness
        self._decks: dict[tuple[str, str], FactionDeck] = {}
        self._madness: CardDefinition | None = None
        names = [f.name for f in self.factions]
        if len(set(names)) != len(names):
            raise SetupError("Two factions have the same name.")

    def faction(self, name: str) -> Faction:
        """Find a faction by its English or French name or a unique prefix, ignoring case."""
        wanted = name.strip().casefold()
        for faction in self.factions:
            if wanted in (faction.name.casefold(), faction.name_fr.casefold()):
                return faction
        near = [f for f in self.factions if f.name.casefold().startswith(wanted)] if wanted else []
        if len(near) == 1:
            return near[0]
        similar = get_close_matches(wanted, [f.name.casefold() for f in self.factions], 1, 0.65)
        for number, faction in enumerate(self.factions):
            if faction.name.casefold() in similar:
                raise SetupError(
                    "There is no faction called “{name}”. Did you mean {names}?",
                    name=clipped(name),
                    names=Name("faction", number, faction.name),
                )
        raise SetupError(
            "There is no faction called “{name}”. There are: {known}.",
            name=clipped(name),
            known=[Name("faction", i, f.name) for i, f in enumerate(self.factions)],
        )

    def deck(self, faction: str, printing: str) -> FactionDeck:
        """Return the deck of a faction in a printing, which all games share."""
        deck = self._decks.get((faction, printing))
        if deck is None:
            found = self.faction(faction)
            key = (found.name, printing)
            if key not in self._decks:
                self._decks[key] = _make_deck(found, printing)
            deck = self._decks[key]
        return deck

    def madness(self) -> CardDefinition:
        """Return the Madness card of the Cthulhu set."""
        if self._madness is None:
            if self.madness_class is None:
                raise SetupError("There are no Madness cards here.")
            self._madness = make_definition(self.madness_class, PRINTED, "Madness", "Madness")
        return self._madness

    def definitions(self, printing: str) -> list[CardDefinition]:
        """Return all card definitions in a printing, including bases, titans and granted
        abilities."""
        found: list[CardDefinition] = []
        for faction in self.factions:
            deck = self.deck(faction.name, printing)
            found += deck.cards + deck.titans + deck.bases
        found += [
            granted for definition in found if (granted := definition.grants_to_host) is not None
        ]
        if self.madness_class is not None:
            found.append(self.madness())
        return found


def make_definition(
    cls: type[CardDefinition], printing: str, faction: str, set_name: str
) -> CardDefinition:
    """Create the definition of a card in a printing."""
    definition = cls()
    definition.faction = faction
    definition.set_name = set_name
    if printing == CURRENT:
        definition.has_current_text = True
        definition.apply_current_printing()
    find_hooks(definition)
    if definition.fused_action is not None:
        _prepare_fused_action(definition, definition.fused_action)
    return definition


def _prepare_fused_action(whole: CardDefinition, action: CardDefinition) -> None:
    """Make the action of a fusion card known as that card."""
    action.fused_card = whole
    action.name = whole.name
    action.text = whole.text
    action.faction = whole.faction
    action.set_name = whole.set_name
    action.has_current_text = whole.has_current_text
    find_hooks(action)


def _make_deck(faction: Faction, printing: str) -> FactionDeck:
    deck = FactionDeck(faction, printing)
    for source, target in (
        (faction.cards, deck.cards),
        (faction.bases, deck.bases),
        (faction.titans, deck.titans),
    ):
        for cls in source:
            definition = make_definition(cls, printing, faction.name, faction.set_name)
            if definition.copies:
                target.append(definition)
    deck.copies = [definition for definition in deck.cards for _ in range(definition.copies)]
    return deck
