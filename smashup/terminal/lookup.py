"""Finding cards, factions and sets by the names people type."""

from __future__ import annotations

import difflib
import unicodedata
from dataclasses import dataclass, field

from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import CURRENT, PRINTED, Catalogue, Faction
from smashup.engine.model.definitions import CardDefinition
from smashup.terminal.translation import tr


def folded(name: str) -> str:
    """A name without case, accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(c for c in plain.casefold() if c.isalnum())


@dataclass
class Printings:
    """One card in both printings; None where a printing lacks it."""

    faction: str
    printed: CardDefinition | None = None
    current: CardDefinition | None = None

    @property
    def kind(self) -> CardDefinition:
        """The card as in the box, or as reprinted where the box lacks it."""
        kind = self.printed or self.current
        assert kind is not None
        return kind

    def of(self, printing: str) -> CardDefinition | None:
        return self.current if printing == CURRENT else self.printed

    @property
    def differ(self) -> bool:
        return facts(self.printed) != facts(self.current)

    @property
    def names(self) -> list[str]:
        """Every name the card is known by, its own first."""
        found: list[str] = []
        for kind in (self.printed, self.current):
            if kind is not None:
                found += [kind.name, kind.name_fr, kind.other_name]
        return [name for name in dict.fromkeys(found) if name]


def facts(kind: CardDefinition | None) -> object:
    """What a person could see to be different between two printings."""
    if kind is None:
        return None
    return (
        kind.name, kind.text, kind.power, kind.copies, kind.breakpoint, kind.vp, kind.played_on,
        kind.special,
    )  # fmt: skip


@dataclass
class Found:
    """What a name may stand for."""

    sets: list[str] = field(default_factory=list)
    factions: list[Faction] = field(default_factory=list)
    cards: list[Printings] = field(default_factory=list)
    near: list[str] = field(default_factory=list)
    """Names much like the one asked for, when nothing was found."""

    @property
    def count(self) -> int:
        return len(self.sets) + len(self.factions) + len(self.cards)


class Index:
    """All names of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.cards = _all_printings(catalogue)

    @property
    def sets(self) -> list[str]:
        return list(dict.fromkeys(f.set_name for f in self.catalogue.factions))

    def find(self, name: str) -> Found:
        """What a name stands for: exact names first, then beginnings, then parts of names."""
        wanted = folded(name)
        if not wanted:
            return Found()
        for matches in (str.__eq__, str.startswith, str.__contains__):
            found = Found(
                sets=[s for s in self.sets if matches(folded(s), wanted)],
                factions=[
                    f
                    for f in self.catalogue.factions
                    if any(n and matches(folded(n), wanted) for n in (f.name, f.name_fr))
                ],
                cards=[
                    card
                    for card in self.cards
                    if any(matches(folded(n), wanted) for n in card.names)
                ],
            )
            if found.count:
                return found
        return Found(near=self.near(name))

    def near(self, name: str) -> list[str]:
        """Names of anything that look like this one."""
        names = [n for card in self.cards for n in card.names]
        names += [n for f in self.catalogue.factions for n in (f.name, f.name_fr) if n]
        return closest(name, [*names, *self.sets])


def closest(name: str, names: list[str], count: int = 3) -> list[str]:
    """The names most like a misspelt one."""
    by_fold: dict[str, str] = {}
    for known in names:
        by_fold.setdefault(folded(known), known)
    return [by_fold[n] for n in difflib.get_close_matches(folded(name), by_fold, count, 0.65)]


def find_faction(catalogue: Catalogue, name: str) -> Faction:
    """The faction a person means, or one sentence about it."""
    wanted = folded(name)
    exact = [f for f in catalogue.factions if wanted in (folded(f.name), folded(f.name_fr))]
    part = [
        f
        for f in catalogue.factions
        if wanted and any(wanted in folded(name) for name in (f.name, f.name_fr))
    ]
    if exact or len(part) == 1:
        return (exact or part)[0]
    known = [n for f in catalogue.factions for n in (f.name, f.name_fr) if n]
    near = closest(name, known)
    if near:
        raise SetupError(
            "There is no faction called «{name}». Did you mean {names}?",
            name=name.strip(),
            names=tr(" or ").join(near),
        )
    raise SetupError(
        "There is no faction called «{name}». `smashup cards` lists them all.", name=name.strip()
    )


def _all_printings(catalogue: Catalogue) -> list[Printings]:
    cards: dict[tuple[str, type[CardDefinition]], Printings] = {}
    for faction in catalogue.factions:
        for printing in (PRINTED, CURRENT):
            deck = catalogue.deck(faction.name, printing)
            for kind in [*deck.cards, *deck.titans, *deck.bases]:
                card = cards.setdefault((faction.name, type(kind)), Printings(faction.name))
                if printing == PRINTED:
                    card.printed = kind
                else:
                    card.current = kind
    found = list(cards.values())
    if catalogue.madness_class is not None:
        madness = catalogue.madness()
        found.append(Printings(madness.faction, madness, madness))
    return found
