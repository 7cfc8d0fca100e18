"""`smashup cards --text` and `--json`: cards with their texts, one per line or as plain data."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.constants import BASE, MINION, ON_BASE, ON_MINION, TITAN, TYPE_NAMES
from smashup.engine.model.definitions import CardDefinition
from smashup.terminal.card_index import CardIndex, CardPrintings
from smashup.terminal.commands.cards import describe_card, describe_printing
from smashup.terminal.translation import tr

_HOSTS: Final = {ON_BASE: "base", ON_MINION: "minion"}


@dataclass(frozen=True)
class CardText:
    """A card as it reads in one printing, or in both."""

    card: CardPrintings
    definition: CardDefinition
    printings: tuple[str, ...]


def select_cards(index: CardIndex, words: str, in_texts: bool, printing: str) -> list[CardText]:
    """Find cards by name, faction or set; all for no words.

    ``in_texts`` looks for each word in all of these and in the texts. ``printing`` is empty for
    both, where they differ.
    """
    cards = index.cards
    if words.strip() and not in_texts:
        found = index.find(words)
        factions = [faction.name for faction in found.factions]
        factions += [f.name for f in index.catalogue.factions if f.set_name in found.sets]
        cards = [card for card in cards if card in found.cards or card.faction in factions]
    wanted = _fold_text(words).split() if in_texts else []
    return [
        row
        for card in cards
        for row in _read_printings(card, printing)
        if all(word in _searchable_text(row) for word in wanted)
    ]


def _read_printings(card: CardPrintings, printing: str) -> Iterator[CardText]:
    if not printing and not card.printings_differ:
        yield CardText(card, card.definition, PRINTINGS)
        return
    for name in PRINTINGS:
        definition = card.in_printing(name)
        if definition is not None and printing in ("", name):
            yield CardText(card, definition, (name,) if card.printings_differ else PRINTINGS)


def _searchable_text(row: CardText) -> str:
    """Names and text, in English and in the current language."""
    definition = row.definition
    texts = [*row.card.names, row.card.faction, definition.set_name, definition.text]
    return _fold_text(" ".join([*texts, *map(tr, texts)]))


def _fold_text(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return "".join(c for c in plain.casefold() if not unicodedata.combining(c))


def print_card_texts(rows: list[CardText], console: Console) -> None:
    """Print each card with its text on one line."""
    for row in rows:
        line = Text(tr(row.definition.name), style="bold")
        facts = [tr(row.card.faction), *describe_card(row.definition)]
        if len(row.printings) == 1:
            facts.append(describe_printing(row.printings[0]))
        line.append(f" ({', '.join(facts)})", style="not bold dim")
        if row.definition.text:
            line.append(tr(": ") + tr(row.definition.text), style="not bold")
        console.print(line, soft_wrap=True)


def print_cards_json(rows: list[CardText]) -> None:
    """Print the cards as a JSON array, one object for each printing that differs."""
    print(json.dumps([_to_dict(row) for row in rows], ensure_ascii=False, indent=1))


def _to_dict(row: CardText) -> dict[str, Any]:
    definition = row.definition
    data: dict[str, Any] = {
        "name": definition.name,
        "name_fr": definition.name_fr or None,
        "faction": row.card.faction,
        "set": definition.set_name,
        "printings": list(row.printings),
        "type": TYPE_NAMES[definition.type],
        "copies": definition.copies,
        "text": tr(definition.text),
    }
    if definition.type == BASE:
        data |= {"breakpoint": definition.breakpoint, "vp": list(definition.vp)}
    elif definition.type == MINION or definition.power:
        data["power"] = definition.power
    if definition.type == TITAN:
        data["optional"] = definition.optional
    if definition.played_on in _HOSTS:
        data["played_on"] = _HOSTS[definition.played_on]
    if definition.special:
        data["special"] = definition.special
    return data
