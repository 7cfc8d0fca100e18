"""docs/rules.md: the reference of the rules as a page, from the same texts as in the browser.

Also the rulings that name a card, for the card browser: their titles, by card.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from smashup import rules
from smashup.cards import catalogue
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.editions import EDITIONS

HEAD = """\
# The rules

<!-- Written by `make docs`; edit smashup/rules/en/ instead. -->

The game in short pieces, in our own words. The text is how it is in the newest booklet, Culture
Shock (2019); what another edition does differently stands below it, with the edition's key.
[editions.md](editions.md) has the differences as data, and the browser client shows all this at
`/rules`, in French too, with a search and a way from every prompt and line of the log.

| key | booklet | year |
|---|---|---|
"""


def rules_page() -> str:
    """The whole page."""
    rows = "".join(f"| {e.key} | {e.title} | {e.year} |\n" for e in EDITIONS.values())
    return HEAD + rows + "\n" + "\n".join(_chapters())


def _chapters() -> Iterator[str]:
    for chapter in rules.load_chapters():
        yield f"## {chapter.title}\n"
        for section in chapter.sections:
            yield from _section(section)


def _section(section: rules.Section) -> Iterator[str]:
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
    """A text with its links as Markdown has them."""
    return "".join(
        words if not target or target.startswith("card:") else _link(target, words)
        for words, target in rules.split_links(text)
    )


def _link(target: str, words: str = "") -> str:
    title = rules.load_sections()[target].title
    anchor = re.sub(r"[^\w\- ]", "", title.casefold()).replace(" ", "-")
    return f"[{words or title}](#{anchor})"


def rulings_by_card(titles: Iterable[tuple[str, str]]) -> str:
    """Rulings, as pairs of id and title, under each card that they name."""
    names = {kind.name for printing in PRINTINGS for kind in catalogue().kinds(printing)}
    longest = sorted(names, key=lambda name: (-len(name), name))
    named = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest))
    found: dict[str, list[list[str]]] = {}
    for case, title in titles:
        for name in dict.fromkeys(named.findall(title)):
            found.setdefault(name, []).append([case, title])
    return json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
