"""The rules for people, in our own words: a reference with what each edition does differently.

Chapters are YAML files, one folder a language. The English ones are the frame: what belongs
together and what is settled where is written there only, and every other language has to have the
same sections with the same notes. Texts know a little markup: blank lines part paragraphs, ``- ``
begins an item of a list, ``**strong**``, ``*stressed*``, ``[[card:Name]]`` is a card and
``[[section]]`` or ``[[section|words]]`` another section.

`smashup.rules.index` says on which sections a prompt or a line of the log rests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from smashup.engine.model.editions import EDITIONS

FOLDER: Final = Path(__file__).parent
ENGLISH: Final = "en"
_LINK: Final = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")


class Flawed(ValueError):
    """The files of the reference do not fit together; says where."""


@dataclass(frozen=True)
class Section:
    """One rule: what it says, an example, and how editions differ from it."""

    id: str
    title: str
    text: str
    example: str = ""
    editions: dict[str, str] = field(default_factory=dict)
    """How it is in some editions, where the text does not hold there or was not printed yet."""
    terms: tuple[str, ...] = ()
    """Words under which somebody may look for it: the glossary."""
    see: tuple[str, ...] = ()
    settles: tuple[str, ...] = ()
    """Which questions of `smashup.engine.model.editions.Edition` it answers for people."""


@dataclass(frozen=True)
class Chapter:
    """Rules that belong together."""

    id: str
    title: str
    sections: tuple[Section, ...]


@cache
def chapters(lang: str = ENGLISH) -> tuple[Chapter, ...]:
    """The whole reference in a language, checked against the English one."""
    found = tuple(
        _chapter(path, yaml.safe_load(path.read_text(encoding="utf-8")))
        for path in sorted((FOLDER / lang).glob("*.yaml"))
    )
    if lang == ENGLISH:
        _check_links(found)
        return found
    return tuple(
        _framed(english, other, lang)
        for english, other in _pairs(chapters(ENGLISH), found, f"the chapters in «{lang}»")
    )


@cache
def sections(lang: str = ENGLISH) -> dict[str, Section]:
    """Every section by its id."""
    return {section.id: section for chapter in chapters(lang) for section in chapter.sections}


@cache
def rulings() -> dict[str, list[tuple[str, str]]]:
    """Settled cases by card: id and title. `make docs` gathers them from the tests."""
    data = json.loads((FOLDER / "rulings.json").read_text(encoding="utf-8"))
    return {name: [(case, title) for case, title in cases] for name, cases in data.items()}


def links(text: str) -> Iterator[str]:
    """Where a text points: ids of sections, and ``card:`` with a name."""
    for match in _LINK.finditer(text):
        yield match[1]


def linked(text: str) -> Iterator[tuple[str, str]]:
    """A text bit by bit: plain words with an empty target, links with where they point.

    The words of a link to a section may be empty: then it is called by the section's title.
    """
    end = 0
    for match in _LINK.finditer(text):
        if match.start() > end:
            yield text[end : match.start()], ""
        target = match[1]
        name = target.removeprefix("card:") if target.startswith("card:") else ""
        yield match[2] or name, target
        end = match.end()
    if end < len(text):
        yield text[end:], ""


# --- reading --------------------------------------------------------------------------------


def _chapter(path: Path, data: Any) -> Chapter:
    name = f"{path.parent.name}/{path.name}"
    rows = _fields(data, name, {"chapter", "title", "sections"}, set())
    return Chapter(
        rows["chapter"], rows["title"], tuple(_section(row, name) for row in rows["sections"])
    )


def _section(data: Any, name: str) -> Section:
    optional = {"example", "editions", "terms", "see", "settles"}
    row = _fields(data, name, {"id", "title", "text"}, optional)
    place = f"{name}, {row['id']}"
    notes: dict[str, str] = {}
    for keys, note in row.get("editions", {}).items():
        for key in keys.split():
            if key not in EDITIONS or key in notes:
                raise Flawed(f"{place}: «{key}» is no edition, or is named twice.")
            notes[key] = _flowing(note)
    return Section(
        row["id"],
        row["title"],
        _flowing(row["text"]),
        _flowing(row.get("example", "")),
        {key: notes[key] for key in EDITIONS if key in notes},
        tuple(row.get("terms", ())),
        tuple(row.get("see", ())),
        tuple(row.get("settles", ())),
    )


def _fields(data: Any, name: str, needed: set[str], optional: set[str]) -> dict[str, Any]:
    if not isinstance(data, dict) or not needed <= set(data) <= needed | optional:
        raise Flawed(f"{name}: expected {', '.join(sorted(needed))}; found {data!r:.80}.")
    return data


def _flowing(text: str) -> str:
    """A text without the line breaks of its file: paragraphs and items on a line each."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        line = line.strip()
        if not line or line.startswith("- ") or not lines or not lines[-1]:
            lines.append(line)
        else:
            lines[-1] += f" {line}"
    return "\n".join(lines)


# --- checking -------------------------------------------------------------------------------


def _check_links(found: tuple[Chapter, ...]) -> None:
    every = [section for chapter in found for section in chapter.sections]
    known = {section.id for section in every}
    if len(known) != len(every):
        raise Flawed("Two sections have the same id.")
    for section in every:
        inside = [target for target in links(section.text) if not target.startswith("card:")]
        for target in (*section.see, *inside):
            if target not in known:
                raise Flawed(f"{section.id} points to «{target}», which there is not.")


def _pairs(english: Any, other: Any, what: str) -> list[tuple[Any, Any]]:
    ids, others = [x.id for x in english], [x.id for x in other]
    if ids != others:
        raise Flawed(f"{what}: expected {ids}, found {others}.")
    return list(zip(english, other, strict=True))


def _framed(english: Chapter, other: Chapter, lang: str) -> Chapter:
    """A chapter in another language, with what only the English one says."""
    found = []
    for first, second in _pairs(english.sections, other.sections, f"{lang}, {english.id}"):
        where = f"{lang}, {first.id}"
        if first.editions.keys() != second.editions.keys():
            raise Flawed(f"{where}: the notes are for {[*first.editions]} in English.")
        if bool(first.example) != bool(second.example):
            raise Flawed(f"{where}: there is an example in one language only.")
        if sorted(links(first.text + first.example)) != sorted(links(second.text + second.example)):
            raise Flawed(f"{where}: the links are others than in English.")
        found.append(replace(second, see=first.see, settles=first.settles))
    return Chapter(other.id, other.title, tuple(found))
