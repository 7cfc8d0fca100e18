"""Text from strangers, made harmless for the lines it is shown in."""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_MARKS: Final = 3
"""Combining marks on one letter. More would cover the lines above and below."""
JOINER: Final = "\u200d"
"""Joins two emoji into one: the only invisible character that is kept."""
_MARKS: Final = ("Mn", "Me")


def sanitize(text: str) -> str:
    """Text without control characters, characters that turn a line around, and piles of marks."""
    # What is left out does not separate marks, so it goes first.
    visible = "".join(" " if c.isspace() else c for c in text if _is_kept(c))
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", visible):
        if unicodedata.category(sign) in _MARKS:
            marks += 1
        elif sign != JOINER:
            marks = 0
        if marks <= MAX_MARKS:
            kept.append(sign)
    return " ".join("".join(kept).split())


def _is_kept(sign: str) -> bool:
    return sign.isprintable() or sign.isspace() or sign == JOINER


def sanitize_name(name: str, length: int) -> str:
    """A name of this length at most. It begins with a character for the marks that follow."""
    found = sanitize(name.replace(JOINER, ""))
    while found and unicodedata.category(found[0]) in _MARKS:
        found = found[1:].lstrip()
    return found[:length].rstrip()
