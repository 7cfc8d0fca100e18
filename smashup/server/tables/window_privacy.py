"""Keep a Specials window from revealing who is being asked.

The rules ask one player after the other. While the window is open, a viewer who is not being asked
gets the same updates whether or not anyone can act: the decision number stays what it was when the
window opened (automatic passes show only after it has closed), and nothing can be undone.

Everything here follows from the answer log and the open decision, so a table that is loaded in the
middle of a window shows the same as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from smashup.engine.game import Game
from smashup.server.storage.records import PERSON, EntryKind, LogEntry
from smashup.server.tables.specials_windows import is_window

if TYPE_CHECKING:
    from smashup.server.tables.table import Table


def has_open_window(game: Game | None) -> bool:
    """Whether the game asks for a Special right now."""
    decision = game.decision if game is not None else None
    return decision is not None and is_window(decision)


def is_concealed(table: Table) -> bool:
    """Whether a window is open in which players must not learn who is being asked."""
    return table.people() > 1 and has_open_window(table.game)


def is_asked(table: Table, seat: int) -> bool:
    """Whether the owner of a seat is shown the open window's question."""
    decision = table.game.decision if table.game is not None else None
    if decision is None or decision.player != seat or table.passes(decision):
        return False
    return table.people() < 2 or table.seats[seat].kind == PERSON


def shown_number(table: Table, seat: int) -> int:
    """Which of its decisions a seat is at, as far as its owner may know."""
    if not is_concealed(table) or is_asked(table, seat):
        return table.given(seat)
    # What the owners answered themselves, they know; what the server passed for them, they do not.
    known = table.window_start
    entries = table.log.entries
    for number in range(len(entries) - 1, known - 1, -1):
        entry = entries[number]
        if entry.kind is EntryKind.ANSWER and entry.seat == seat and entry.message_id:
            known = number + 1
            break
    return table.given(seat, known)


class WindowTracker:
    """Finds the first answer of the window that is open at the end of a replayed game."""

    def __init__(self) -> None:
        self._first: int | None = None

    def look_at(self, game: Game, number: int) -> None:
        """Note the decision that the log's record with this number answers, or will answer."""
        if not has_open_window(game):
            self._first = None
        elif self._first is None:
            self._first = number

    def window_start(self, entries: Sequence[LogEntry]) -> int:
        """The number of that answer; an undo is public and counts as a new beginning."""
        first = len(entries) if self._first is None else self._first
        undone = next((e.number for e in reversed(entries) if e.undo_count), -1)
        return max(first, undone + 1)
