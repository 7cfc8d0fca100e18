"""``make docs``: write the generated pages, docs/rulings.md and docs/coverage.md.

``python -m scripts.coverage --check`` writes nothing and fails if one of them is stale.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from scripts.rules_page import rules_page, rulings_by_card
from smashup.cards import catalogue
from smashup.engine.model.catalogue import CURRENT, PRINTED, PRINTINGS, Faction
from smashup.engine.model.constants import ACTION, BASE, MINION, TYPE_NAMES
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.editions import EDITIONS
from smashup.scenarios.document import load
from smashup.scenarios.yaml_reader import read_yaml

ROOT: Final = Path(__file__).resolve().parent.parent
RULINGS: Final = ROOT / "tests" / "rulings"
GENERATED_MARK: Final = "<!-- Written by `make docs`; edit scripts/coverage.py instead. -->"
CLARIFICATIONS: Final[dict[str, tuple[str, ...]]] = {
    "CD": (
        "Activate the Spy; Banner Call; Foot of the King; Inevitable Betrayal",
        "Alien Guru",
        "Betrothed",
        "Bruiser; The Touch",
        "Changing Room",
        "Ensign",
        "Science Officer; Teleport Overflow",
        "Scoundrel",
        "Ship's Engineer; Whiplash Maneuver",
        "Solarshout",
        "Space Prince; Walking Carpet; Alien Guru; Hive of Scum and Villainy",
        "Spikey Chair Room",
        "Teleport Overflow",
        "Weird New Worlds",
        "Wintersquashed",
    ),
    "BIJ": (
        "Bewitching Gal; Sakura Warrior",
        "Black Magicat; Critter Champion; Critter Coach; Evolution; I Select You!; White Magicat",
        "Black Trooper",
        "Critter Coach; Critter Champion",
        "Critter Cube",
        "Gorgodzolla; Megabot; Walking Castle",
        "Kaijookey; Wade through the Buildings; Gorgodzolla",
        "Kaiju Island",
        "Moon Dumpster",
        "Purge the Demon",
        "Q Point",
    ),
    "II": (
        "All for One",
        "Always Get Our Man",
        "Aramis",
        "Capa Roja",
        "Cheap Pop; Reversal; Yellow Demon",
        "D'Artagnan",
        "Fighting Spirit Prize",
        "Grasp the Belt",
        "Great White North, Eh?",
        "Mountie Major",
        "Pin",
        "Powerful Set-Up",
        "Top Tier",
    ),
    "CS": (
        "Anansi the Spider; The Perfect Gift",
        "Anansi's Web",
        "Big Bad Wolf; Red Riding Hood; The Woodsman's Axe",
        "The Birch",
        "The Birch Woman",
        "Collecting Stories; Anansi the Spider; The Birch; The Birch Woman; Llama; Mboro Hornet",
        "Finist the Falcon",
        "The Frog Princess",
        "Gingerbread House",
        "Grimms' Blessing",
        "Island Chain",
        "Island Peak; Island Chain; Tropical Paradise",
        "Mboro Hornet; Onini the Python",
        "Signs in the Stars",
        "Storyteller's Hut",
        "Transformation Spring",
        "Volcanic Uprising; Island Chain; Maui",
    ),
}
"""What each booklet's list of clarifications is about, entry by entry; CD-4 is 2016's fourth."""
TOTALS: Final = {"factions": 21, "copies": 420, "bases": 43, "titans": 8}
"""How much there is in the boxes of the five sets, and in the event kit."""
RULING: Final = r"(?:R-[A-Z]+|[A-Z]{2})-\d+"


# --- rulings ----------------------------------------------------------------------------------


@dataclass
class Ruling:
    """A case that the tests settle."""

    id: str
    title: str
    editions: list[str] = field(default_factory=list)
    printings: list[str] = field(default_factory=list)
    runs: int = 0
    covers: list[str] = field(default_factory=list)


def from_scenarios(path: Path) -> list[Ruling]:
    """The rulings of a scenario file, in its order."""
    found: dict[str, Ruling] = {}
    for scenario in load(path):
        if scenario.problem is not None:
            raise scenario.problem
        ruling = found.setdefault(scenario.id, Ruling(scenario.id, scenario.title))
        ruling.runs += 1
        ruling.covers = list(scenario.covers)
        ruling.editions.append(scenario.edition)
        ruling.printings.append(scenario.printing)
    return list(found.values())


def from_tests(path: Path) -> list[Ruling]:
    """The rulings that test functions settle: their docstrings begin with the ids."""
    found: dict[str, Ruling] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        head, _, title = (ast.get_docstring(node) or "").partition(": ")
        for name in re.findall(RULING, head.partition(", covers ")[0]):
            ruling = found.setdefault(name, Ruling(name, title.split("\n\n")[0].strip()))
            keys = re.findall(r"[A-Z]+-\d+", head.partition(", covers ")[2])
            ruling.covers += [key for key in keys if key not in ruling.covers]
            editions = _mentioned(node, EDITIONS)
            ruling.editions += editions
            ruling.printings += _mentioned(node, PRINTINGS) or [PRINTED]
            ruling.runs += max(1, len(editions))
    return list(found.values())


def _mentioned(node: ast.FunctionDef, words: Any) -> list[str]:
    """Which of these words stand in a function or its decorators, as strings of their own."""
    strings = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
    return [word for word in words if word in strings]


@cache
def collect_rulings() -> dict[Path, list[Ruling]]:
    """All rulings, by file."""
    paths = [*RULINGS.glob("*.yaml"), *RULINGS.glob("test_*.py")]
    paths.sort(key=lambda path: (not path.name.startswith(("rules", "test")), path.name))
    found = {p: (from_scenarios if p.suffix == ".yaml" else from_tests)(p) for p in paths}
    return {path: listed for path, listed in found.items() if listed}


@cache
def settled_cases() -> dict[str, list[str]]:
    """The printed clarifications, each with the cases that settle it."""
    found: dict[str, list[str]] = {
        f"{booklet}-{n}": []
        for booklet, entries in CLARIFICATIONS.items()
        for n in range(1, len(entries) + 1)
    }
    for listed in collect_rulings().values():
        for ruling in listed:
            for key in ruling.covers:
                if key not in found:
                    sys.exit(f"{ruling.id} covers «{key}», but no booklet has such an entry.")
                found[key].append(ruling.id)
    return found


def rulings_page() -> str:
    """docs/rulings.md."""
    every = [r for listed in collect_rulings().values() for r in listed]
    lines = [
        "# Rulings",
        "",
        GENERATED_MARK,
        "",
        f"{len({r.id for r in every})} cases are settled, in {sum(r.runs for r in every)} runs."
        " Each is a [scenario](scenarios.md) or, where no scenario can tell it, a test. Cases with"
        " «own» in their id follow from the cards' texts alone.",
        "",
        "## Printed clarifications",
        "",
        "The booklets end with clarifications of single cards (that of 2014 has none). The key is"
        " the booklet and the place in its list: BIJ-5 is the fifth of *Big in Japan*."
        f" {sum(map(bool, settled_cases().values()))} of {len(settled_cases())} are settled.",
    ]
    for booklet, entries in CLARIFICATIONS.items():
        keys = [f"{booklet}-{n}" for n in range(1, len(entries) + 1)]
        done = sum(bool(settled_cases()[key]) for key in keys)
        lines += [
            "",
            f"**{EDITIONS[booklet].title}** ({EDITIONS[booklet].year}): {done} of {len(keys)}.",
            "",
            "| key | about | settled by |",
            "|---|---|---|",
        ]
        for key, cards in zip(keys, entries, strict=True):
            lines.append(
                f"| {key} | {', '.join(cards.split('; '))} |"
                f" {', '.join(settled_cases()[key]) or '**nothing yet**'} |"
            )
    for path, listed in collect_rulings().items():
        lines += ["", *_section(path, listed)]
    return "\n".join(lines) + "\n"


def _section(path: Path, listed: list[Ruling]) -> Iterator[str]:
    yield f"## {_heading(path)}"
    yield ""
    name = path.relative_to(ROOT).as_posix()
    yield f"[{name}](../{name}): {len(listed)} cases, {sum(r.runs for r in listed)} runs."
    yield ""
    yield "| case | what it settles | editions | printing | runs | clarifies |"
    yield "|---|---|---|---|---|---|"
    for r in listed:
        editions = [key for key in EDITIONS if key in r.editions] or ["CS"]
        printings = [p for p in PRINTINGS if p in r.printings]
        yield (
            f"| {r.id} | {_cell(r.title)} | {' '.join(editions)} | {', '.join(printings)} |"
            f" {r.runs} | {', '.join(r.covers)} |"
        )


def _heading(path: Path) -> str:
    words = path.stem.removeprefix("test_").replace("_", " ")
    for faction in catalogue().factions:
        if faction.name.casefold().replace("'", "") == words:
            return faction.name
    sort, _, rest = words.partition(" ")
    return f"{sort.capitalize()}: {rest}" if sort == "rules" else words.capitalize()


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


# --- cards ------------------------------------------------------------------------------------


def strings_of(value: Any) -> Iterator[str]:
    """Every string in plain data."""
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
    """In how many scenarios each card is named; the longest name that fits counts."""
    canonical: dict[str, str] = {}
    for printing in PRINTINGS:
        for kind in catalogue().kinds(printing):
            for name in (kind.name, kind.other_name, kind.name_fr):
                if name:
                    canonical.setdefault(name, _key(kind))
    names = sorted(canonical, key=len, reverse=True)
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)")
    counts: Counter[str] = Counter()
    for path in sorted(RULINGS.glob("*.yaml")):
        for scenario in read_yaml(path.read_text(encoding="utf-8"), str(path)):
            scenario = {
                k: v for k, v in scenario.items() if k not in ("id", "title", "note", "covers")
            }
            made_up = set(_fixtures(scenario))
            found = {name for text in strings_of(scenario) for name in pattern.findall(text)}
            counts.update({canonical[name] for name in found - made_up})
    return counts


def _fixtures(scenario: dict[str, Any]) -> Iterator[str]:
    """Names that mean made-up cards in a scenario."""
    yield from scenario.get("fixtures") or ()
    for run in scenario.get("runs") or ():
        yield from run.get("fixtures") or ()


def _key(kind: CardDefinition) -> str:
    return type(kind).__qualname__ + "@" + type(kind).__module__


def both_printings(faction: Faction) -> list[tuple[CardDefinition, str]]:
    """The kinds of a faction, each once, and which printings have it."""
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


def figures(faction: Faction) -> dict[str, int]:
    """A faction in numbers: the printed one, and how many of its cards scenarios name."""
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


def totals() -> dict[str, int]:
    """All factions together."""
    found: Counter[str] = Counter()
    for faction in catalogue().factions:
        found.update(figures(faction))
    return dict(found)


def coverage_page() -> str:
    """docs/coverage.md."""
    whole = totals()
    lines = [
        "# Coverage: which cards there are",
        "",
        GENERATED_MARK,
        "",
        f"Of the five sets {whole['factions']} of {TOTALS['factions']} factions are here, with"
        f" {whole['copies']} of {TOTALS['copies']} cards,"
        f" {whole['bases']} of {TOTALS['bases']} bases"
        f" and {whole['titans']} of {TOTALS['titans']} titans; scenarios name {whole['named']} of"
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
        row = figures(faction)
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


# --- writing ----------------------------------------------------------------------------------

PAGES: Final[dict[str, Callable[[], str]]] = {
    "docs/rulings.md": rulings_page,
    "docs/coverage.md": coverage_page,
    "docs/rules.md": rules_page,
    "smashup/rules/rulings.json": lambda: rulings_by_card(
        (ruling.id, ruling.title) for listed in collect_rulings().values() for ruling in listed
    ),
}


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Write the pages; the exit code is 1 if they should be fresh and are not."""
    parser = argparse.ArgumentParser(prog="python -m scripts.coverage", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether they are fresh")
    options = parser.parse_args(argv)
    stale = []
    for name, make in PAGES.items():
        path = root / name
        text = make()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"Wrote {name}.")
    if options.check and stale:
        print(f"Stale: {', '.join(stale)}. Run «make docs».", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
