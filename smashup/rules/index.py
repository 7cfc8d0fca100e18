"""On which rules a prompt or a line of the log rests: looked up by its English text.

What the rules themselves say is listed word for word in ``index.yaml``. What cards ask is told by
its words, so that a new card finds its rules without anybody adding it to a list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

import yaml

from smashup.rules import FOLDER, Flawed, sections

FILE: Final = FOLDER / "index.yaml"


@dataclass(frozen=True)
class Pattern:
    """Words that tell what a text is about."""

    words: str
    rules: tuple[str, ...]

    def fits(self, text: str) -> bool:
        return re.search(self.words, text) is not None


@dataclass(frozen=True)
class Index:
    """The way from texts to rules."""

    texts: dict[str, tuple[str, ...]]
    patterns: tuple[Pattern, ...]
    otherwise: tuple[str, ...]
    """For texts that nothing is known about, such as those of other people's factions."""

    def known(self, text: str) -> tuple[str, ...]:
        """The sections that a text rests on, the closest first; empty if nothing is known."""
        if text in self.texts:
            return self.texts[text]
        return next((pattern.rules for pattern in self.patterns if pattern.fits(text)), ())

    def rules(self, text: str) -> tuple[str, ...]:
        """The sections that a text rests on; there is always one."""
        return self.known(text) or self.otherwise


@cache
def index() -> Index:
    """The index, checked: every section it names is there."""
    data = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    found = Index(
        {text: tuple(rules) for text, rules in data["texts"].items()},
        tuple(Pattern(row["words"], tuple(row["rules"])) for row in data["patterns"]),
        tuple(data["otherwise"]),
    )
    named = {
        rule
        for rules in (*found.texts.values(), *(p.rules for p in found.patterns), found.otherwise)
        for rule in rules
    }
    if missing := named - sections().keys():
        raise Flawed(f"The index names sections that there are not: {', '.join(sorted(missing))}.")
    return found
