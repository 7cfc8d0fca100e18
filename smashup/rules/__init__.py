"""The rules reference for players, in our own words, with the differences of each edition.

Chapters are YAML files, one folder per language. Only the English files contain cross-references
and the edition questions a section answers; every other language must have the same sections and
notes. Texts use a small markup: blank lines separate paragraphs, ``- `` starts a list item,
``**strong**``, ``*emphasis*``, ``[[card:Name]]`` links a card and ``[[section]]`` or
``[[section|words]]`` another section.

`smashup.rules.index` maps decisions and log lines to sections.
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

RULES_FOLDER: Final = Path(__file__).parent
ENGLISH: Final = "en"
_LINK: Final = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")


class RulesError(ValueError):
    """The files of the rules reference are invalid or inconsistent."""


@dataclass(frozen=True)
class RulesSection:
    """One rule: its text, an example, and the differences of editions."""

    id: str
    title: str
    text: str
    example: str = ""
    editions: dict[str, str] = field(default_factory=dict)
    """Notes for editions in which the text does not apply or is missing."""
    terms: tuple[str, ...] = ()
    """Search terms for this rule."""
    see: tuple[str, ...] = ()
    settles: tuple[str, ...] = ()
    """The fields of `smashup.engine.model.editions.Edition` that this rule explains."""


@dataclass(frozen=True)
class Chapter:
    """Rules that belong together."""

    id: str
    title: str
    sections: tuple[RulesSection, ...]


@cache
def load_chapters(lang: str = ENGLISH) -> tuple[Chapter, ...]:
    """Load all chapters in a language, checked against the English ones."""
    found = tuple(
        _parse_chapter(path, yaml.safe_load(path.read_text(encoding="utf-8")))
        for path in sorted((RULES_FOLDER / lang).glob("*.yaml"))
    )
    if lang == ENGLISH:
        _check_links(found)
        return found
    return tuple(
        _merge_with_english(english, other, lang)
        for english, other in _pair_by_id(
            load_chapters(ENGLISH), found, f"the chapters in “{lang}”"
        )
    )


@cache
def load_sections(lang: str = ENGLISH) -> dict[str, RulesSection]:
    """Load all sections by id."""
    return {section.id: section for chapter in load_chapters(lang) for section in chapter.sections}


@cache
def load_rulings() -> dict[str, list[tuple[str, str]]]:
    """Load the rulings of each card: id and title. `make docs` collects them from tests."""
    data = json.loads((RULES_FOLDER / "rulings.json").read_text(encoding="utf-8"))
    return {name: [(case, title) for case, title in cases] for name, cases in data.items()}


def find_links(text: str) -> Iterator[str]:
    """Yield link targets of a text: section ids, and ``card:`` with a name."""
    for match in _LINK.finditer(text):
        yield match[1]


def split_links(text: str) -> Iterator[tuple[str, str]]:
    """Split a text into plain parts (with an empty target) and links.

    The words of a section link may be empty: then show the title of the section.
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


# --- parsing --------------------------------------------------------------------------------


def _parse_chapter(path: Path, data: Any) -> Chapter:
    name = f"{path.parent.name}/{path.name}"
    rows = _check_fields(data, name, {"chapter", "title", "sections"}, set())
    return Chapter(
        rows["chapter"], rows["title"], tuple(_parse_section(row, name) for row in rows["sections"])
    )


def _parse_section(data: Any, name: str) -> RulesSection:
    optional = {"example", "editions", "terms", "see", "settles"}
    row = _check_fields(data, name, {"id", "title", "text"}, optional)
    place = f"{name}, {row['id']}"
    notes: dict[str, str] = {}
    for keys, note in row.get("editions", {}).items():
        for key in keys.split():
            if key not in EDITIONS or key in notes:
                raise RulesError(f"{place}: “{key}” is not an edition, or is named twice.")
            notes[key] = _unwrap_lines(note)
    return RulesSection(
        row["id"],
        row["title"],
        _unwrap_lines(row["text"]),
        _unwrap_lines(row.get("example", "")),
        {key: notes[key] for key in EDITIONS if key in notes},
        tuple(row.get("terms", ())),
        tuple(row.get("see", ())),
        tuple(row.get("settles", ())),
    )


def _check_fields(data: Any, name: str, needed: set[str], optional: set[str]) -> dict[str, Any]:
    if not isinstance(data, dict) or not needed <= set(data) <= needed | optional:
        raise RulesError(f"{name}: expected {', '.join(sorted(needed))}; found {data!r:.80}.")
    return data


def _unwrap_lines(text: str) -> str:
    """Join wrapped lines, so that each paragraph and list item is one line."""
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
        raise RulesError("Two sections have the same id.")
    for section in every:
        inside = [target for target in find_links(section.text) if not target.startswith("card:")]
        for target in (*section.see, *inside):
            if target not in known:
                raise RulesError(f"{section.id} points to “{target}”, which does not exist.")


def _pair_by_id(english: Any, other: Any, what: str) -> list[tuple[Any, Any]]:
    ids, others = [x.id for x in english], [x.id for x in other]
    if ids != others:
        raise RulesError(f"{what}: expected {ids}, found {others}.")
    return list(zip(english, other, strict=True))


def _merge_with_english(english: Chapter, other: Chapter, lang: str) -> Chapter:
    """Add the fields of the English chapter that translations omit."""
    found = []
    for first, second in _pair_by_id(english.sections, other.sections, f"{lang}, {english.id}"):
        where = f"{lang}, {first.id}"
        if first.editions.keys() != second.editions.keys():
            raise RulesError(f"{where}: the notes are for {[*first.editions]} in English.")
        if bool(first.example) != bool(second.example):
            raise RulesError(f"{where}: there is an example in one language only.")
        if sorted(find_links(first.text + first.example)) != sorted(
            find_links(second.text + second.example)
        ):
            raise RulesError(f"{where}: the links differ from English.")
        found.append(replace(second, see=first.see, settles=first.settles))
    return Chapter(other.id, other.title, tuple(found))
