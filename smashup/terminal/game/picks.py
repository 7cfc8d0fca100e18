"""Parses the numbers a player types: one, several, or ranges, as in “2 5-7 e”."""

from __future__ import annotations

import re
from dataclasses import dataclass

FINISH = "e"
"""Ends a choice of several, or declines."""

_NUMBERS = re.compile(r"\d+(-\d+)?([\s,]+\d+(-\d+)?)*([\s,]+e)?", re.ASCII | re.IGNORECASE)
_MAX_DIGITS = 5


@dataclass(frozen=True)
class Picks:
    """Numbers of the menu, and whether the choice ends with them."""

    numbers: tuple[int, ...]
    is_final: bool = False

    def first_invalid(self, count: int) -> int | None:
        """Return the first number that is not an option of a menu."""
        return next((n for n in self.numbers if not 1 <= n <= count), None)


def parse_picks(text: str) -> Picks | None:
    """Parse numbers and ranges; None if the text is something else."""
    if not _NUMBERS.fullmatch(text.strip()):
        return None
    *words, last = re.split(r"[\s,]+", text.strip().casefold())
    is_final = last == FINISH
    numbers: list[int] = []
    for word in words if is_final else [*words, last]:
        first, _, end = word.partition("-")
        start, stop = int(first[: _MAX_DIGITS + 1]), int((end or first)[: _MAX_DIGITS + 1])
        if stop < start:
            return None
        # A huge number is not an option of any menu, so its range need not be built.
        numbers += range(start, stop + 1) if stop < 10**_MAX_DIGITS else [stop]
    return Picks(tuple(numbers), is_final)
