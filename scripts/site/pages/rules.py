"""The rules page: the reference that the browser client shows, as one page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smashup import rules
from smashup.engine.model.editions import EDITIONS

HEAD = """\
# The rules

The rules of the game in short sections, in our own words. The text follows the newest rulebook,
Culture Shock (2019); differences of other editions are listed below it with the edition's key.
[Editions](editions.md) has the differences as data. The browser client shows the same text at
`/rules`, in English and French, with a search and links from every prompt and log line.

| key | booklet | year |
|---|---|---|
"""


def rules_page() -> str:
    """Render docs/rules.md."""
    rows = "".join(f"| {e.key} | {e.title} | {e.year} |\n" for e in EDITIONS.values())
    return HEAD + rows + "\n" + "\n".join(_chapters())


def _chapters() -> Iterator[str]:
    for chapter in rules.load_chapters():
        yield f"## {chapter.title}\n"
        for section in chapter.sections:
            yield from _section(section)


def _section(section: rules.RulesSection) -> Iterator[str]:
    yield f"### {section.title}\n"
    yield _linked(section.text) + "\n"
    if section.example:
        yield f"> Example: {_linked(section.example)}\n"
    notes: dict[str, list[str]] = {}
    for key, note in section.editions.items():
        notes.setdefault(note, []).append(key)
    for note, keys in notes.items():
        yield f"- **{', '.join(keys)}:** {_linked(note)}"
    if notes:
        yield ""
    if section.see:
        yield "See " + ", ".join(_link(target) for target in section.see) + ".\n"


def _linked(text: str) -> str:
    """Convert the links of a text to Markdown."""
    return "".join(
        words if not target or target.startswith("card:") else _link(target, words)
        for words, target in rules.split_links(text)
    )


def _link(target: str, words: str = "") -> str:
    title = rules.load_sections()[target].title
    anchor = re.sub(r"[^\w\- ]", "", title.casefold()).replace(" ", "-")
    return f"[{words or title}](#{anchor})"
