"""The coverage page: all factions and cards, and how many scenarios name each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from scripts.site.pages.rulings import RULINGS
from smashup.cards import catalogue
from smashup.engine.model.catalogue import CURRENT, PRINTED, PRINTINGS, Faction
from smashup.engine.model.constants import ACTION, BASE, MINION, TYPE_NAMES
from smashup.engine.model.definitions import CardDefinition
from smashup.scenarios.yaml_reader import read_yaml


def strings_of(value: Any) -> Iterator[str]:
    """Yield every string in plain data."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from strings_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)
    elif value is not None:
        yield str(value)


@cache
def count_mentions() -> Counter[str]:
    """Count the scenarios that name each card; of several matching names, the longest counts."""
    canonical: dict[str, str] = {}
    for printing in PRINTINGS:
        for kind in catalogue().definitions(printing):
            for name in (kind.name, kind.other_name, kind.name_fr):
                if name:
                    canonical.setdefault(name, _key(kind))
    names = sorted(canonical, key=len, reverse=True)
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)")
    counts: Counter[str] = Counter()
    for path in sorted(RULINGS.glob("*.yaml")):
        for scenario in read_yaml(path.read_text(encoding="utf-8"), str(path)):
            content = {
                k: v for k, v in scenario.items() if k not in ("id", "title", "note", "covers")
            }
            made_up = set(_fixtures(content))
            found = {name for text in strings_of(content) for name in pattern.findall(text)}
            counts.update({canonical[name] for name in found - made_up})
    return counts


def _fixtures(content: dict[str, Any]) -> Iterator[str]:
    """Yield the names of made-up cards in a scenario."""
    yield from content.get("fixtures") or ()
    for run in content.get("runs") or ():
        yield from run.get("fixtures") or ()


def _key(kind: CardDefinition) -> str:
    return type(kind).__qualname__ + "@" + type(kind).__module__


def both_printings(faction: Faction) -> list[tuple[CardDefinition, str]]:
    """Return the definitions of a faction, each once, and which printing it is limited to."""
    decks = {p: catalogue().deck(faction.name, p) for p in PRINTINGS}
    kinds = {p: {_key(k): k for k in (*d.cards, *d.titans, *d.bases)} for p, d in decks.items()}
    found = []
    for key in dict.fromkeys([*kinds[PRINTED], *kinds[CURRENT]]):
        kind = kinds[PRINTED].get(key) or kinds[CURRENT][key]
        only = "" if all(key in kinds[p] for p in PRINTINGS) else "printed only"
        if only and key in kinds[CURRENT]:
            only = "current only"
        found.append((kind, only))
    return found


def faction_figures(faction: Faction) -> dict[str, int]:
    """Return the numbers of a printed faction, and how many of its cards scenarios name."""
    deck = catalogue().deck(faction.name, PRINTED)
    kinds = both_printings(faction)
    return {
        "factions": 1,
        "cards": len(deck.cards),
        "copies": sum(k.copies for k in deck.cards),
        "minions": sum(k.copies for k in deck.cards if k.type == MINION),
        "bases": len(deck.bases),
        "titans": len(deck.titans),
        "named": sum(count_mentions()[_key(k)] > 0 for k, _ in kinds),
        "kinds": len(kinds),
    }


def totals(set_name: str = "") -> dict[str, int]:
    """Return the numbers of all factions together, or of those of a set."""
    found: Counter[str] = Counter()
    for faction in catalogue().factions:
        if set_name in ("", faction.set_name):
            found.update(faction_figures(faction))
    return dict(found)


def coverage_page() -> str:
    """Render docs/coverage.md."""
    whole = totals()
    lines = [
        "# Coverage: which cards there are",
        "",
        f"The project implements {whole['factions']} factions, with {whole['copies']} cards,"
        f" {whole['bases']} bases and {whole['titans']} titans. Scenarios name {whole['named']} of"
        f" {whole['kinds']} different ones.",
        "",
        "Cards and copies are those of the printed faction; a scenario is counted where it names"
        " the card. **0** marks a card that no scenario names.",
        "",
        "| set | faction | cards | copies | minions | bases | titans | named in scenarios |",
        "|---|---|---|---|---|---|---|---|",
    ]
    columns = ("cards", "copies", "minions", "bases", "titans")
    for faction in catalogue().factions:
        row = faction_figures(faction)
        anchor = faction.name.casefold().replace(" ", "-").replace("'", "")
        lines.append(
            f"| {faction.set_name} | [{faction.name}](#{anchor}) |"
            + "".join(f" {row[n]} |" for n in columns)
            + f" {row['named']} of {row['kinds']} |"
        )
    lines.append(
        f"| **all** | **{whole['factions']}** |"
        + "".join(f" **{whole[n]}** |" for n in columns)
        + f" **{whole['named']} of {whole['kinds']}** |"
    )
    madness = catalogue().madness()
    lines += [
        "",
        f"The Madness deck has {madness.copies} cards of one kind; scenarios that name it:"
        f" {count_mentions()[_key(madness)]}.",
    ]
    for faction in catalogue().factions:
        lines += ["", f"## {faction.name}", "", *_cards(faction)]
    return "\n".join(lines) + "\n"


def _cards(faction: Faction) -> Iterator[str]:
    yield "| card | is | copies | scenarios |"
    yield "|---|---|---|---|"
    for kind, only in both_printings(faction):
        count = count_mentions()[_key(kind)]
        what = TYPE_NAMES[kind.type]
        if kind.type == MINION:
            what += f" of power {kind.power}"
        elif kind.type == ACTION:
            what = ("standard action", "action on a base", "action on a minion")[kind.played_on]
        elif kind.type == BASE:
            what += f", {kind.breakpoint}: {'/'.join(map(str, kind.vp))}"
        elif kind.optional:
            what += " (optional)"
        yield (
            f"| {kind.name} | {what}{', ' + only if only else ''} | {kind.copies} |"
            f" {count or '**0**'} |"
        )
