"""Checks the art plan against the catalogue: nothing missing, nothing extra, every icon known.

    python client/art/check.py [LIST]

LIST has one icon name a line: `icons.txt` beside this file unless told, or all the collection has.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from smashup.cards import catalogue  # noqa: E402
from smashup.engine.model.catalogue import PRINTINGS  # noqa: E402

PATTERNS = {
    "dots",
    "stripes",
    "rays",
    "grid",
    "waves",
    "scales",
    "stars",
    "leaves",
    "bricks",
    "circuits",
}
WEATHERS = {"stars", "snow", "rain", "embers", "bubbles", "rays", "clouds"}
TIMES = {"day", "dusk", "night"}
TINTS = {"ground", "accent", "ink"}
CARD_KEYS = {"icon", "behind", "mark", "tint", "turn", "flip", "titan"}
BASE_KEYS = {"sky", "ground", "far", "near", "weather", "time"}
COLOR = re.compile(r"#[0-9a-f]{6}")
TEXT, LARGE = 4.5, 3.0
MADNESS = "Madness"

problems: list[str] = []


def problem(text: str) -> None:
    problems.append(text)


def read(name: str) -> Any:
    """A file of the plan; a key written twice is a problem."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in found]
        for key in sorted({key for key in keys if keys.count(key) > 1}):
            problem(f"{name}: «{key}» is there twice")
        return dict(found)

    return json.loads((HERE / name).read_text(encoding="utf-8"), object_pairs_hook=pairs)


def luminance(color: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def same_names(what: str, have: set[str], want: set[str]) -> None:
    for name in sorted(want - have):
        problem(f"{what}: «{name}» is missing")
    for name in sorted(have - want):
        problem(f"{what}: «{name}» is not in the catalogue")


def colors(what: str, *found: str) -> bool:
    wrong = [c for c in found if not COLOR.fullmatch(c)]
    for color in wrong:
        problem(f"{what}: {color} is not a color")
    return not wrong


def palette(what: str, entry: dict[str, Any]) -> None:
    """The colors are colors, and what is written in them can be read."""
    found = entry["palette"]
    if set(found) != {"ground", "paper", "ink", "accent"} or not colors(what, *found.values()):
        problem(f"{what}: the palette needs ground, paper, ink and accent")
        return
    if entry["pattern"] not in PATTERNS:
        problem(f"{what}: no such pattern, {entry['pattern']}")
    for name, one, other, least in (
        ("white on ground", "#ffffff", found["ground"], TEXT),
        ("ink on paper", found["ink"], found["paper"], TEXT),
        ("ground on paper", found["ground"], found["paper"], TEXT),
        ("accent on ground", found["accent"], found["ground"], LARGE),
    ):
        ratio = contrast(one, other)
        if ratio < least:
            problem(f"{what}: {name} has a contrast of {ratio:.2f}, not {least}")


def main(arguments: list[str]) -> int:
    own = HERE / "icons.txt"
    listed = Path(arguments[0]) if arguments else own
    names = listed.read_text(encoding="utf-8").split()
    factions, cards, bases, common = (
        read(f"{n}.json") for n in ("factions", "cards", "bases", "common")
    )
    game = catalogue()

    used: set[str] = set()
    mains: dict[str, list[str]] = {}
    marks = set(common["marks"])
    used |= marks

    wanted = {f.name for f in game.factions} | {MADNESS}
    same_names("factions.json", set(factions), wanted)
    same_names("cards.json", set(cards), wanted)
    same_names("bases.json", set(bases), wanted - {MADNESS})

    for name, entry in factions.items():
        palette(name, entry)
        used.add(entry["emblem"])
        mains.setdefault(entry["emblem"], []).append(name)
        if not entry["mood"].strip() or "\n" in entry["mood"]:
            problem(f"{name}: the mood is one line")
    for name, entry in common["backs"].items():
        palette(f"back of {name}", entry)
        used |= {entry["icon"], entry["behind"]}

    counts = {"cards": 0, "titans": 0, "bases": 0}
    for faction in sorted(wanted):
        decks = (
            [] if faction == MADNESS else [game.deck(faction, printing) for printing in PRINTINGS]
        )
        plain = {kind.name for deck in decks for kind in deck.cards}
        if faction == MADNESS:
            plain = {game.madness().name}
        titans = {kind.name for deck in decks for kind in deck.titans}
        entries = cards.get(faction, {})
        same_names(f"cards.json, {faction}", set(entries), plain | titans)
        here: dict[str, str] = {}
        for name, entry in entries.items():
            what = f"{faction}, {name}"
            if set(entry) - CARD_KEYS or not {"icon", "tint"} <= set(entry):
                problem(f"{what}: the keys are {', '.join(sorted(entry))}")
                continue
            if entry.get("titan", False) != (name in titans):
                problem(f"{what}: marked a titan or not, wrongly")
            if entry["tint"] not in TINTS:
                problem(f"{what}: no such tint, {entry['tint']}")
            if entry.get("mark", next(iter(marks))) not in marks:
                problem(f"{what}: the mark {entry['mark']} has no meaning in common.json")
            if entry["icon"] in here:
                problem(f"{what}: has the main icon of {here[entry['icon']]}")
            if entry.get("behind") == entry["icon"]:
                problem(f"{what}: the same icon twice in one picture")
            here[entry["icon"]] = name
            mains.setdefault(entry["icon"], []).append(what)
            used |= {entry[key] for key in ("icon", "behind", "mark") if key in entry}
            counts["titans" if name in titans else "cards"] += 1

        if faction == MADNESS:
            continue
        same_names(
            f"bases.json, {faction}",
            set(bases.get(faction, {})),
            {kind.name for deck in decks for kind in deck.bases},
        )
        for name, entry in bases.get(faction, {}).items():
            what = f"{faction}, base {name}"
            if set(entry) - BASE_KEYS or not BASE_KEYS - {"weather"} <= set(entry):
                problem(f"{what}: the keys are {', '.join(sorted(entry))}")
                continue
            colors(what, *entry["sky"], entry["ground"])
            if len(entry["sky"]) != 2 or entry["time"] not in TIMES:
                problem(f"{what}: the sky needs two colors, and a time of day")
            if entry.get("weather", "stars") not in WEATHERS:
                problem(f"{what}: no such weather, {entry['weather']}")
            used |= {entry["far"], entry["near"]}
            counts["bases"] += 1

    for icon in sorted(used - set(names)):
        problem(f"{listed.name}: no icon {icon}")
    if listed.resolve() == own:
        if names != sorted(set(names)):
            problem("icons.txt: not sorted, or with repeats")
        for icon in sorted(set(names) - used):
            problem(f"icons.txt: {icon} is not used")
    credited = re.findall(
        r"`([a-z0-9-]+)`", (HERE / "CREDITS.md").read_text(encoding="utf-8").partition("\n## ")[2]
    )
    for icon in sorted(used - set(credited)):
        problem(f"CREDITS.md: no author for {icon}")
    for icon in sorted({c for c in credited if c not in used or credited.count(c) > 1}):
        problem(f"CREDITS.md: {icon} is not used, or credited twice")

    repeats = {icon: places for icon, places in mains.items() if len(places) > 1}
    for icon, places in sorted(repeats.items()):
        print(f"note: {icon} is the main icon of {'; '.join(places)}")
    for text in problems:
        print(text)
    print(
        f"{len(factions) - 1} factions, {counts['cards']} cards (Madness included),"
        f" {counts['titans']} titans, {counts['bases']} bases, {len(used)} icons,"
        f" {len(repeats)} main icons repeated across factions: {len(problems) or 'no'} problems"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
