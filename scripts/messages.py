"""``make messages``: update the translation catalogs from the sources and the cards.

Existing translations are kept. New texts are added without a translation, those of the cards at the
end by faction. Removed texts become comments; ``--prune`` deletes them. ``--check`` writes nothing
and fails if a translation is missing, obsolete or flawed.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.pofile import read_po, write_po

from scripts.extraction import extract_texts
from scripts.french_style import find_faults
from smashup.cards import catalogue
from smashup.engine.events.log_text import WORDINGS
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.constants import TYPE_NAMES
from smashup.engine.model.definitions import CardDefinition
from smashup.locale import CONTEXT_END, DEFAULT_LANGUAGE, DOMAIN, LANGUAGES, catalog_path

ROOT: Final = Path(__file__).resolve().parent.parent
LOG_TEXT: Final = "smashup/engine/events/log_text.py"

ARGPARSE: Final = (
    "usage: ",
    "positional arguments",
    "options",
    "show this help message and exit",
    "argument %(argument_name)s: %(message)s",
    "the following arguments are required: %s",
    "unrecognized arguments: %s",
    "expected one argument",
    "expected at most one argument",
    "expected at least one argument",
    "expected %s argument",
    "expected %s arguments",
    "ignored explicit argument %r",
    "not allowed with argument %s",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "invalid %(type)s value: %(value)r",
)
"""Messages of Python's argument parser."""

SYSTEM: Final = (
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "Not a directory",
    "File exists",
    "File name too long",
    "No space left on device",
    "Read-only file system",
    "Input/output error",
    "Address already in use",
    "Cannot assign requested address",
)
"""Reasons of the operating system for refusing a file or an address."""

JSON: Final = (
    "Expecting value",
    "Expecting property name enclosed in double quotes",
    "Expecting ':' delimiter",
    "Expecting ',' delimiter",
    "Illegal trailing comma before end of array",
    "Illegal trailing comma before end of object",
    "Extra data",
    "Invalid control character at",
    "Invalid \\escape",
    "Invalid \\uXXXX escape",
    "Unterminated string starting at",
    "Unexpected UTF-8 BOM (decode using utf-8-sig)",
)
"""Errors of Python's JSON parser."""

WORDS: Final = ("nothing", " and ")
"""Words of `smashup.locale` itself."""


@dataclass
class Entry:
    """A text to translate, with its origin, and its translation if that is fixed."""

    text: str
    files: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    given: str = ""
    """The official translation of a name."""
    context: str = ""
    """The event id of a log line."""

    @property
    def key(self) -> str:
        """Its key in compiled catalogs."""
        return f"{self.context}{CONTEXT_END}{self.text}" if self.context else self.text


# --- collecting -------------------------------------------------------------------------------


@cache
def collect_entries(lang: str) -> list[Entry]:
    """Return everything to translate: texts of the program, names, then card texts."""
    found: dict[str, Entry] = {}
    for text, file in extract_texts(ROOT / "smashup"):
        if any(c.isalpha() or c in ":“" for c in re.sub(r"\{\w*\}", "", text)):
            entry = found.setdefault(text, Entry(text))
            if file not in entry.files:
                entry.files.append(file)
    for texts, comment in (
        (ARGPARSE, "argparse"),
        (SYSTEM, "operating system"),
        (JSON, "json"),
        (WORDS, "lists in sentences"),
        (TYPE_NAMES.values(), "type of a card"),
    ):
        for text in texts:
            found.setdefault(text, Entry(text)).comments.append(comment)
    for text, comment, given in [*_names(lang), *_texts()]:
        entry = found.setdefault(text, Entry(text))
        if comment not in entry.comments:
            entry.comments.append(comment)
        if given:
            entry.given = given
    return [entry for plain in found.values() for entry in _with_events(plain)]


@cache
def _events_by_text() -> dict[str, list[str]]:
    """Map the text of each log line to the ids of its events."""
    found: dict[str, list[str]] = {}
    for event, wording in WORDINGS.items():
        for text in filter(None, (wording.text, wording.caused, wording.one)):
            found.setdefault(text, []).append(event)
    return found


def _with_events(plain: Entry) -> Iterator[Entry]:
    """Yield a text; a log line once for each event, and once more if it has other uses."""
    events = _events_by_text().get(plain.text, [])
    for event in events:
        yield Entry(plain.text, [LOG_TEXT], context=event)
    others = [file for file in plain.files if not events or file != LOG_TEXT]
    if others or plain.comments:
        yield replace(plain, files=others)


def _names(lang: str) -> Iterator[tuple[str, str, str]]:
    """Yield the names of sets, factions and cards that differ in this language."""
    cards = catalogue()
    for faction in cards.factions:
        yield faction.set_name, "name of a set", ""
    for faction in cards.factions:
        given = str(getattr(faction, f"name_{lang}", ""))
        if given:
            yield faction.name, "name of a faction", given
        yield faction.blurb, f"about {faction.name}", ""
    for definition in _definitions():
        given = str(getattr(definition, f"name_{lang}", ""))
        if given:
            yield definition.name, f"name of a card of {definition.faction}", given


def _texts() -> Iterator[tuple[str, str, str]]:
    """Yield the card texts of both printings, by faction."""
    for definition in _definitions():
        if definition.text:
            owner = f"{definition.faction}: " if definition.faction else ""
            yield definition.text, owner + definition.name, ""


def _definitions() -> list[CardDefinition]:
    cards = catalogue()
    order = [*(f.name for f in cards.factions), cards.madness().faction]
    found = [definition for printing in PRINTINGS for definition in cards.definitions(printing)]
    place = {name: number for number, name in enumerate(order)}
    return sorted(found, key=lambda definition: place.get(definition.faction, len(order)))


# --- the catalogs -----------------------------------------------------------------------------


class TranslationCatalog(Catalog):
    """A catalog whose header contains no dates or versions."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Project-Id-Version", DOMAIN),
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def read_translations(lang: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the translations in use and the obsolete ones."""
    path = catalog_path(lang)
    if not path.exists():
        return {}, {}
    with path.open("rb") as file:
        catalog = read_po(file, locale=lang)
    now = {_key(m): str(m.string) for m in catalog if m.id}
    return now, {_key(m): str(m.string) for m in catalog.obsolete.values()}


def _key(message: BabelMessage) -> str:
    return Entry(str(message.id), context=message.context or "").key


def merge_catalog(lang: str, prune: bool = False) -> TranslationCatalog:
    """Combine the current texts with the existing translations."""
    now, before = read_translations(lang)
    catalog = TranslationCatalog(
        lang, header_comment=f"# {DOMAIN}: {lang}. See docs/languages.md.", fuzzy=False
    )
    known = before | {key: translation for key, translation in now.items() if translation}
    entries = collect_entries(lang)
    for entry in entries:
        catalog.add(
            entry.text,
            entry.given or known.get(entry.key) or known.get(entry.text, ""),
            context=entry.context or None,
            locations=[(file, 0) for file in entry.files],
            auto_comments=entry.comments,
        )
    used = {key for entry in entries for key in (entry.key, entry.text)}
    for key, translation in known.items():
        if translation and key not in used and not prune:
            context, _, text = key.rpartition(CONTEXT_END)
            catalog.obsolete[key] = catalog.add(text, translation, context=context or None)
            catalog.delete(text, context or None)
    return catalog


def render_po(catalog: Catalog) -> bytes:
    """Render a catalog as a .po file with each text on one line, so that diffs are readable."""
    file = io.BytesIO()
    write_po(file, catalog, width=0, include_lineno=False)
    return file.getvalue()


# --- checking ---------------------------------------------------------------------------------


def find_problems(lang: str) -> Iterator[str]:
    """Yield the problems of a language's catalog as sentences."""
    now, _ = read_translations(lang)
    wanted = {entry.key: entry for entry in collect_entries(lang)}
    for key, entry in wanted.items():
        text = entry.text
        translation = now.get(key, "")
        where = ", ".join([*entry.files, *entry.comments])
        if not translation:
            yield f"«{text}» ({where}) is not translated."
        elif entry.given and translation != entry.given:
            yield f"«{text}» is called «{entry.given}», not «{translation}»."
        else:
            yield from (f"«{text}»: {flaw}" for flaw in find_flaws(text, translation, lang))
    for key in now:
        if key not in wanted:
            yield f"«{key.rpartition(CONTEXT_END)[2]}» is obsolete."


def find_flaws(text: str, translation: str, lang: str) -> Iterator[str]:
    """Yield the flaws of one translation."""
    if placeholders(text) != placeholders(translation):
        yield (
            f"the placeholders are {sorted(placeholders(text))},"
            f" not {sorted(placeholders(translation))}."
        )
    if text[-1:].isspace() != translation[-1:].isspace():
        yield "the text and its translation must both end with a space, or neither."
    if text[:1].isspace() and translation[:1].isalnum():
        yield "it follows a word, so its translation must begin with a space or a punctuation mark."
    if lang == "fr":
        yield from find_faults(translation, english_names())


@cache
def english_names() -> re.Pattern[str]:
    """Return a pattern for English names, which translations may contain."""
    factions = catalogue().factions
    names = (
        {f.name for f in factions}
        | {f.set_name for f in factions}
        | {k.name for k in _definitions()}
    )
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))


def placeholders(text: str) -> set[str]:
    """Return the placeholders of a text; those of Python's own texts begin with a percent sign."""
    percents = set(re.findall(r"%(?:\(\w+\))?[rs]", text))
    try:
        return percents | {name for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        return percents


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing, only report problems")
    parser.add_argument("--prune", action="store_true", help="delete removed texts")
    options = parser.parse_args(argv)
    found = 0
    for lang in LANGUAGES:
        if lang == DEFAULT_LANGUAGE:
            continue
        if not options.check:
            catalog_path(lang).parent.mkdir(parents=True, exist_ok=True)
            catalog_path(lang).write_bytes(render_po(merge_catalog(lang, options.prune)))
        for problem in find_problems(lang):
            found += 1
            print(f"{lang}: {problem}")
    return 1 if found and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
