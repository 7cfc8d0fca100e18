"""Maps any number of options to a fixed number of slots.

Almost always every option has its slot. If there are more options than slots they are split into
pages, and the last slot turns the page, so every legal option is reachable.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from smashup.engine.errors import IllegalChoice

MAX_OPTIONS: Final = 128
"""Default number of option slots; enough for more than 99.99% of decisions (see docs/research.md).
"""


class Page(NamedTuple):
    """A page of the options of a decision."""

    first: int
    """The option in the first slot."""
    shown: int
    """Number of options on this page."""
    number: int
    pages: int
    """Number of pages."""

    def option(self, action: int, slots: int) -> int | None:
        """Return the option in a slot; None for the slot that turns the page."""
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
        """Return the next page; the first follows the last."""
        return make_page(options, slots, (self.number + 1) % self.pages)

    def actions(self, slots: int) -> list[int]:
        """Return the legal actions."""
        found = list(range(self.shown))
        if self.pages > 1:
            found.append(slots - 1)
        return found


def make_page(options: int, slots: int, number: int = 0) -> Page:
    """Return one page of the options."""
    if options <= slots:
        return Page(0, options, 0, 1)
    size = slots - 1
    first = number * size
    return Page(first, min(size, options - first), number, -(-options // size))
