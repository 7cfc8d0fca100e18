"""The fenced code blocks of a Markdown page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@dataclass(frozen=True)
class Block:
    """A fenced block: where it begins, what it is («yaml scenario»), and its text."""

    page: Path
    line: int
    info: str
    text: str

    @property
    def label(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path, *infos: str) -> list[Block]:
    """Return the blocks of a page: of some kinds, or all."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^```(\S[^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, match.start()) + 1
        if not infos or match[1] in infos:
            found.append(Block(page, line, match[1], match[2]))
    return found
