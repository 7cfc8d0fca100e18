"""The rulings page: every case that the tests settle, and the printed clarifications."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from smashup.cards import catalogue
from smashup.engine.model.catalogue import PRINTED, PRINTINGS
from smashup.engine.model.editions import EDITIONS
from smashup.scenarios.document import load

ROOT: Final = Path(__file__).resolve().parents[3]
RULINGS: Final = ROOT / "tests" / "rulings"
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
"""The cards in each booklet's list of clarifications, by entry: CD-4 is the fourth of 2016."""
RULING: Final = r"(?:R-[A-Z]+|[A-Z]{2})-\d+"


@dataclass
class Ruling:
    """A case that the tests settle."""

    id: str
    title: str
    editions: list[str] = field(default_factory=list)
    printings: list[str] = field(default_factory=list)
    runs: int = 0
    covers: list[str] = field(default_factory=list)


def rulings_from_scenarios(path: Path) -> list[Ruling]:
    """Return the rulings of a scenario file, in its order."""
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


def rulings_from_tests(path: Path) -> list[Ruling]:
    """Return the rulings that test functions settle; their docstrings begin with the ids."""
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
    """Return those of these words that are string literals in a function or its decorators."""
    strings = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
    return [word for word in words if word in strings]


@cache
def rulings() -> dict[Path, list[Ruling]]:
    """Return all rulings by file."""
    paths = [*RULINGS.glob("*.yaml"), *RULINGS.glob("test_*.py")]
    paths.sort(key=lambda path: (not path.name.startswith(("rules", "test")), path.name))
    found = {
        p: (rulings_from_scenarios if p.suffix == ".yaml" else rulings_from_tests)(p) for p in paths
    }
    return {path: listed for path, listed in found.items() if listed}


@cache
def rulings_by_clarification() -> dict[str, list[str]]:
    """Return the ids of the cases that settle each printed clarification."""
    found: dict[str, list[str]] = {
        f"{booklet}-{n}": []
        for booklet, entries in CLARIFICATIONS.items()
        for n in range(1, len(entries) + 1)
    }
    for listed in rulings().values():
        for ruling in listed:
            for key in ruling.covers:
                if key not in found:
                    sys.exit(f"{ruling.id} covers “{key}”, but no booklet has such an entry.")
                found[key].append(ruling.id)
    return found


def rulings_page() -> str:
    """Render docs/rulings.md."""
    every = [r for listed in rulings().values() for r in listed]
    settling = rulings_by_clarification()
    lines = [
        "# Rulings",
        "",
        f"{len({r.id for r in every})} cases are settled, in {sum(r.runs for r in every)} runs."
        " Each is a [scenario](scenarios.md) or, where no scenario can express it, a test. Cases"
        " with “own” in their id follow from the card texts alone.",
        "",
        "## Printed clarifications",
        "",
        "The booklets end with clarifications of single cards (the 2014 booklet has none). The key"
        " is the booklet and the place in its list: BIJ-5 is the fifth of *Big in Japan*."
        f" {sum(map(bool, settling.values()))} of {len(settling)} are settled.",
    ]
    for booklet, entries in CLARIFICATIONS.items():
        keys = [f"{booklet}-{n}" for n in range(1, len(entries) + 1)]
        done = sum(bool(settling[key]) for key in keys)
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
                f" {', '.join(settling[key]) or '**nothing yet**'} |"
            )
    for path, listed in rulings().items():
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
