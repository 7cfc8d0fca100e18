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
from smashup.server.tables.decisions.specials_windows import is_window

if TYPE_CHECKING:
    from smashup.server.tables.table import Table
    from smashup.server.tables.table_log import TableLog


def has_open_window(game: Game | None) -> bool:
    """Return whether a Specials window is open."""
    decision = game.decision if game is not None else None
    return decision is not None and is_window(decision)


def is_concealed(table: Table) -> bool:
    """Return whether a window is open in which players must not learn who is being asked."""
    return table.num_people() > 1 and has_open_window(table.game)


def is_asked(table: Table, seat: int) -> bool:
    """Return whether the owner of a seat sees the question of the open window."""
    decision = table.game.decision if table.game is not None else None
    if decision is None or decision.player != seat or table.is_auto_passed(decision):
        return False
    return table.num_people() < 2 or table.seats[seat].kind == PERSON


def visible_decision_number(table: Table, seat: int) -> int:
    """Return the number of a seat's next decision, as far as its owner may know it."""
    if not is_concealed(table) or is_asked(table, seat):
        return table.decision_number(seat)
    return concealed_decision_number(table.log, table.window_start, seat)


def concealed_decision_number(log: TableLog, window_start: int, seat: int) -> int:
    """Return the number of a seat's next decision, without the answers that the server has given
    for it since the window opened: owners know only their own.
    """
    known = window_start
    for number in range(len(log) - 1, known - 1, -1):
        entry = log.entries[number]
        if entry.kind is EntryKind.ANSWER and entry.seat == seat and entry.message_id:
            known = number + 1
            break
    return log.decision_number(seat, known)


class WindowTracker:
    """Finds the first answer of the window that is open at the end of a replayed game."""

    def __init__(self) -> None:
        self._first: int | None = None

    def observe(self, game: Game, number: int) -> None:
        """Observe the decision that the log entry with this number answers."""
        if not has_open_window(game):
            self._first = None
        elif self._first is None:
            self._first = number

    def window_start(self, entries: Sequence[LogEntry]) -> int:
        """Return the number of that answer. An undo is public and restarts the count."""
        first = len(entries) if self._first is None else self._first
        last_undo = next((e.number for e in reversed(entries) if e.undo_count), -1)
        return max(first, last_undo + 1)
