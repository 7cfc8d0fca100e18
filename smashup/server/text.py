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
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text):
        if unicodedata.category(sign) in _MARKS:
            marks += 1
            if marks > MAX_MARKS:
                continue
        elif sign.isprintable() or sign.isspace():
            marks = 0  # what is left out, or invisible, does not separate marks
        if sign.isprintable() or sign == JOINER:
            kept.append(sign)
        elif sign.isspace():
            kept.append(" ")
    return " ".join("".join(kept).split())


def sanitize_name(name: str, length: int) -> str:
    """A name of this length at most. It begins with a character for the marks that follow."""
    found = sanitize(name.replace(JOINER, ""))
    while found and unicodedata.category(found[0]) in _MARKS:
        found = found[1:].lstrip()
    return found[:length].rstrip()
