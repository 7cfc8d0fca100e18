"""``make messages``: update the translation catalogs from the sources and the cards.

What was translated stays translated; texts that are new stand there without a translation, those
of the cards at the end, faction by faction; texts that are gone are kept as comments until
``--prune``. ``python -m scripts.messages --check`` writes nothing and fails if a text lacks its
translation, a translation is stale or flawed, or the compiled table is not what the written one
says.
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

from scripts.extraction import Sources
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
"""What Python's own argument parser may say here."""

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
"""Why the system may refuse a file or an address."""

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
"""What may be wrong with a damaged file."""

WORDS: Final = ("nothing", " and ")
"""What `smashup.locale` itself says."""


@dataclass
class Entry:
    """A text to be translated: where it is from, and what stands for it if that is fixed."""

    text: str
    files: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    given: str = ""
    """The official translation of a name."""
    context: str = ""
    """Of a line of the log: the id of its event."""

    @property
    def key(self) -> str:
        """Its key in compiled catalogs."""
        return f"{self.context}{CONTEXT_END}{self.text}" if self.context else self.text


# --- collecting -------------------------------------------------------------------------------


@cache
def collect_entries(lang: str) -> list[Entry]:
    """Everything that can be translated: the program's words, names, then the cards' texts."""
    found: dict[str, Entry] = {}
    for text, file in Sources(ROOT, "smashup").strings():
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
    """The ids of the events that each line of the log tells of."""
    found: dict[str, list[str]] = {}
    for event, wording in WORDINGS.items():
        for text in filter(None, (wording.text, wording.caused, wording.one)):
            found.setdefault(text, []).append(event)
    return found


def _with_events(plain: Entry) -> Iterator[Entry]:
    """A text; if it is a line of the log, once for each event, and for other uses of it."""
    events = _events_by_text().get(plain.text, [])
    for event in events:
        yield Entry(plain.text, [LOG_TEXT], context=event)
    others = [file for file in plain.files if not events or file != LOG_TEXT]
    if others or plain.comments:
        yield replace(plain, files=others)


def _names(lang: str) -> Iterator[tuple[str, str, str]]:
    """Names of sets, factions and cards, where they have another in this language."""
    cards = catalogue()
    for faction in cards.factions:
        yield faction.set_name, "name of a set", ""
    for faction in cards.factions:
        given = str(getattr(faction, f"name_{lang}", ""))
        if given:
            yield faction.name, "name of a faction", given
        yield faction.blurb, f"about {faction.name}", ""
    for kind in _kinds():
        given = str(getattr(kind, f"name_{lang}", ""))
        if given:
            yield kind.name, f"name of a card of {kind.faction}", given


def _texts() -> Iterator[tuple[str, str, str]]:
    """The cards' texts, faction by faction, in both printings."""
    for kind in _kinds():
        if kind.text:
            owner = f"{kind.faction}: " if kind.faction else ""
            yield kind.text, owner + kind.name, ""


def _kinds() -> list[CardDefinition]:
    cards = catalogue()
    order = [*(f.name for f in cards.factions), cards.madness().faction]
    found = [kind for printing in PRINTINGS for kind in cards.definitions(printing)]
    place = {name: number for number, name in enumerate(order)}
    return sorted(found, key=lambda kind: place.get(kind.faction, len(order)))


# --- the tables -------------------------------------------------------------------------------


class TranslationCatalog(Catalog):
    """A table of translations whose heading says nothing that changes by itself."""

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
    """What is translated now, and what was translated and is not needed now."""
    path = catalog_path(lang)
    if not path.exists():
        return {}, {}
    with path.open("rb") as file:
        table = read_po(file, locale=lang)
    now = {_key(m): str(m.string) for m in table if m.id}
    return now, {_key(m): str(m.string) for m in table.obsolete.values()}


def _key(message: BabelMessage) -> str:
    return Entry(str(message.id), context=message.context or "").key


def merge_catalog(lang: str, prune: bool = False) -> TranslationCatalog:
    """The texts there are, with the translations there are."""
    now, before = read_translations(lang)
    table = TranslationCatalog(
        lang, header_comment=f"# {DOMAIN}: {lang}. See docs/languages.md.", fuzzy=False
    )
    known = before | {key: spoken for key, spoken in now.items() if spoken}
    entries = collect_entries(lang)
    for entry in entries:
        table.add(
            entry.text,
            entry.given or known.get(entry.key) or known.get(entry.text, ""),
            context=entry.context or None,
            locations=[(file, 0) for file in entry.files],
            auto_comments=entry.comments,
        )
    used = {key for entry in entries for key in (entry.key, entry.text)}
    for key, spoken in known.items():
        if spoken and key not in used and not prune:
            context, _, text = key.rpartition(CONTEXT_END)
            table.obsolete[key] = table.add(text, spoken, context=context or None)
            table.delete(text, context or None)
    return table


def render_po(table: Catalog) -> bytes:
    """The table as a .po file; every text on one line, so that changes are easy to see."""
    file = io.BytesIO()
    write_po(file, table, width=0, include_lineno=False)
    return file.getvalue()


# --- checking ---------------------------------------------------------------------------------


def find_problems(lang: str) -> Iterator[str]:
    """What is wrong with the tables of a language, in sentences."""
    now, _ = read_translations(lang)
    wanted = {entry.key: entry for entry in collect_entries(lang)}
    for key, entry in wanted.items():
        text = entry.text
        spoken = now.get(key, "")
        where = ", ".join([*entry.files, *entry.comments])
        if not spoken:
            yield f"«{text}» ({where}) is not translated."
        elif entry.given and spoken != entry.given:
            yield f"«{text}» is called «{entry.given}», not «{spoken}»."
        else:
            yield from (f"«{text}»: {flaw}" for flaw in find_flaws(text, spoken, lang))
    for key in now:
        if key not in wanted:
            yield f"«{key.rpartition(CONTEXT_END)[2]}» is not said any more."


def find_flaws(text: str, spoken: str, lang: str) -> Iterator[str]:
    """What is wrong with one translation."""
    if placeholders(text) != placeholders(spoken):
        yield f"the gaps are {sorted(placeholders(text))}, not {sorted(placeholders(spoken))}."
    if text[-1:].isspace() != spoken[-1:].isspace():
        yield "it ends with a space, and so should its translation (or neither)."
    if text[:1].isspace() and spoken[:1].isalnum():
        yield "it follows another word: its translation begins with a space or a mark."
    if lang == "fr":
        yield from find_faults(spoken, english_names())


@cache
def english_names() -> re.Pattern[str]:
    """A pattern for the names of sets, factions and cards, which stand in translations as well."""
    factions = catalogue().factions
    names = {f.name for f in factions} | {f.set_name for f in factions} | {k.name for k in _kinds()}
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))


def placeholders(text: str) -> set[str]:
    """The names of a text's gaps; those of Python's own texts begin with a percent sign."""
    percents = set(re.findall(r"%(?:\(\w+\))?[rs]", text))
    try:
        return percents | {name for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        return percents


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, tell what is wrong")
    parser.add_argument("--prune", action="store_true", help="forget texts that are gone")
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
