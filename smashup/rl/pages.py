"""A fixed number of slots for any number of options.

Nearly always every option has its slot. Where there are more options than slots they come in
pages, and the last slot means "show me the next page": nothing legal is out of reach.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from smashup.engine.errors import IllegalChoice

MAX_OPTIONS: Final = 128
"""Slots for options: more than 99.99 % of all decisions fit (see docs/research.md)."""


class Page(NamedTuple):
    """Some of the options of a decision."""

    first: int
    """The option in the first slot."""
    shown: int
    """How many options there are on this page."""
    number: int
    pages: int
    """How many there are."""

    def option(self, action: int, slots: int) -> int | None:
        """The option in a slot; None for the slot that turns the page."""
        if 0 <= action < self.shown:
            return self.first + int(action)
        if self.pages > 1 and action == slots - 1:
            return None
        raise IllegalChoice(
            "Action {action} is not legal now: the action mask has {shown} options.",
            action=int(action),
            shown=self.shown,
        )

    def next(self, options: int, slots: int) -> Page:
        """The page after this one; after the last comes the first again."""
        return page_of(options, slots, (self.number + 1) % self.pages)

    def actions(self, slots: int) -> list[int]:
        """The actions that are legal now."""
        found = list(range(self.shown))
        if self.pages > 1:
            found.append(slots - 1)
        return found


def page_of(options: int, slots: int, number: int = 0) -> Page:
    """One of the pages on which so many options come."""
    if options <= slots:
        return Page(0, options, 0, 1)
    size = slots - 1
    first = number * size
    return Page(first, min(size, options - first), number, -(-options // size))
