"""Search for cards, factions and sets by name."""

from __future__ import annotations

import difflib
import unicodedata
from dataclasses import dataclass, field

from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import CURRENT, PRINTED, Catalogue, Faction
from smashup.engine.model.definitions import CardDefinition
from smashup.terminal.cli.invocation import format_command
from smashup.terminal.translation import tr


def fold_name(name: str) -> str:
    """Reduce a name to lower-case letters and digits without accents, for comparison."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(c for c in plain.casefold() if c.isalnum())


@dataclass
class CardPrintings:
    """A card in both printings; None for a printing that does not contain it."""

    faction: str
    printed: CardDefinition | None = None
    current: CardDefinition | None = None

    @property
    def definition(self) -> CardDefinition:
        """The original printing, or the current one if there is no original."""
        definition = self.printed or self.current
        assert definition is not None
        return definition

    def in_printing(self, printing: str) -> CardDefinition | None:
        return self.current if printing == CURRENT else self.printed

    @property
    def printings_differ(self) -> bool:
        return visible_facts(self.printed) != visible_facts(self.current)

    @property
    def names(self) -> list[str]:
        """All names of the card, starting with its English name."""
        found: list[str] = []
        for definition in (self.printed, self.current):
            if definition is not None:
                found += [definition.name, definition.name_fr, definition.other_name]
        return [name for name in dict.fromkeys(found) if name]


def visible_facts(definition: CardDefinition | None) -> object:
    """The fields in which a reader can see that two printings differ."""
    if definition is None:
        return None
    return (
        definition.name,
        definition.text,
        definition.power,
        definition.copies,
        definition.breakpoint,
        definition.vp,
        definition.played_on,
        definition.special,
    )


@dataclass
class SearchResult:
    """The sets, factions and cards that match a name."""

    sets: list[str] = field(default_factory=list)
    factions: list[Faction] = field(default_factory=list)
    cards: list[CardPrintings] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
    """Similar names, if nothing matched."""

    @property
    def count(self) -> int:
        return len(self.sets) + len(self.factions) + len(self.cards)


class CardIndex:
    """Searches all names of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.cards = _collect_printings(catalogue)

    @property
    def sets(self) -> list[str]:
        return list(dict.fromkeys(f.set_name for f in self.catalogue.factions))

    def find(self, name: str) -> SearchResult:
        """Find exact matches; without any, names that start with or contain the text."""
        wanted = fold_name(name)
        if not wanted:
            return SearchResult()
        for matches in (str.__eq__, str.startswith, str.__contains__):
            found = SearchResult(
                sets=[s for s in self.sets if matches(fold_name(s), wanted)],
                factions=[
                    f
                    for f in self.catalogue.factions
                    if any(n and matches(fold_name(n), wanted) for n in (f.name, f.name_fr))
                ],
                cards=[
                    card
                    for card in self.cards
                    if any(matches(fold_name(n), wanted) for n in card.names)
                ],
            )
            if found.count:
                return found
        return SearchResult(suggestions=self.suggestions(name))

    def suggestions(self, name: str) -> list[str]:
        """Similar names of cards, factions and sets."""
        names = [n for card in self.cards for n in card.names]
        names += [n for f in self.catalogue.factions for n in (f.name, f.name_fr) if n]
        return closest_names(name, [*names, *self.sets])


def closest_names(name: str, names: list[str], count: int = 3) -> list[str]:
    """The known names most similar to a misspelled one."""
    by_fold: dict[str, str] = {}
    for known in names:
        by_fold.setdefault(fold_name(known), known)
    return [by_fold[n] for n in difflib.get_close_matches(fold_name(name), by_fold, count, 0.65)]


def find_faction(catalogue: Catalogue, name: str) -> Faction:
    """Find a faction by its full name or a unique part of it; raise a `SetupError` otherwise."""
    wanted = fold_name(name)
    exact = [f for f in catalogue.factions if wanted in (fold_name(f.name), fold_name(f.name_fr))]
    part = [
        f
        for f in catalogue.factions
        if wanted and any(wanted in fold_name(name) for name in (f.name, f.name_fr))
    ]
    if exact or len(part) == 1:
        return (exact or part)[0]
    known = [n for f in catalogue.factions for n in (f.name, f.name_fr) if n]
    suggestions = closest_names(name, known)
    if suggestions:
        raise SetupError(
            "There is no faction called “{name}”. Did you mean {names}?",
            name=name.strip(),
            names=tr(" or ").join(suggestions),
        )
    raise SetupError(
        "There is no faction called “{name}”. `{command}` lists them all.",
        name=name.strip(),
        command=format_command("cards"),
    )


def _collect_printings(catalogue: Catalogue) -> list[CardPrintings]:
    cards: dict[tuple[str, type[CardDefinition]], CardPrintings] = {}
    for faction in catalogue.factions:
        for printing in (PRINTED, CURRENT):
            deck = catalogue.deck(faction.name, printing)
            for definition in [*deck.cards, *deck.titans, *deck.bases]:
                card = cards.setdefault(
                    (faction.name, type(definition)), CardPrintings(faction.name)
                )
                if printing == PRINTED:
                    card.printed = definition
                else:
                    card.current = definition
    found = list(cards.values())
    if catalogue.madness_class is not None:
        madness = catalogue.madness()
        found.append(CardPrintings(madness.faction, madness, madness))
    return found
