"""Sanitizes text of players for display."""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_MARKS: Final = 3
"""Maximum number of combining marks on a letter. More would cover the lines above and below."""
JOINER: Final = "\u200d"
"""Joins emoji: the only invisible character that is kept."""
_MARKS: Final = ("Mn", "Me")


def sanitize(text: str) -> str:
    """Remove control characters, direction overrides and stacked combining marks."""
    # Removed characters do not separate marks, so remove them first.
    visible = "".join(" " if c.isspace() else c for c in text if _is_kept(c))
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", visible):
        if unicodedata.category(char) in _MARKS:
            marks += 1
        elif char != JOINER:
            marks = 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return " ".join("".join(kept).split())


def _is_kept(char: str) -> bool:
    return char.isprintable() or char.isspace() or char == JOINER


def sanitize_name(name: str, length: int) -> str:
    """Sanitize a name and limit its length. It does not start with a combining mark."""
    clean = sanitize(name.replace(JOINER, ""))
    while clean and unicodedata.category(clean[0]) in _MARKS:
        clean = clean[1:].lstrip()
    return clean[:length].rstrip()
