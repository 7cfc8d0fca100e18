"""The log of a table in memory: which of a seat's decisions is next, which messages were received,
and which answers still count.

Nothing is ever removed from it. An undone answer stays, followed by an entry that says how many of
the answers before it no longer count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from smashup.server.storage.records import EntryKind, LogEntry


def answer_entry(number: int, seat: int, option: int, message_id: str = "") -> LogEntry:
    """An answer; without a message id, of a bot or the server."""
    return LogEntry(number, EntryKind.ANSWER, seat, message_id, _option_data(option))


@cache
def _option_data(option: int) -> dict[str, Any]:
    """Return the data of answers with this option, which all share; entries never change."""
    return {"option": option}


def undo_entry(number: int, seat: int, count: int, message_id: str) -> LogEntry:
    """The entry that takes back the last ``count`` answers that count."""
    assert count > 0
    return LogEntry(number, EntryKind.UNDO, seat, message_id, {"count": count})


def effective_answers(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """The answers that count, in order."""
    found: list[LogEntry] = []
    for entry in entries:
        if entry.kind is EntryKind.ANSWER:
            found.append(entry)
        elif count := entry.undo_count:
            assert count <= len(found), "more is undone than was answered"
            del found[-count:]
    return found


def undo_positions(entries: Iterable[LogEntry]) -> list[tuple[int, int]]:
    """Undos: after how many of the answers that count, and by which seat."""
    found: list[tuple[int, int]] = []
    held = 0
    for entry in entries:
        if count := entry.undo_count:
            held -= count
            assert entry.seat is not None
            # An undo at a place that is itself undone no longer shows.
            found = [*((at, seat) for at, seat in found if at < held), (held, entry.seat)]
        elif entry.kind is EntryKind.ANSWER:
            held += 1
    return found


class TableLog:
    """All entries of a table, with what is asked of them again and again."""

    def __init__(self, entries: Sequence[LogEntry]) -> None:
        self.entries: list[LogEntry] = []
        self._answers: Counter[int] = Counter()
        self._undos = 0
        self._received: dict[tuple[int | None, str], int] = {}
        self.extend(entries)

    def __len__(self) -> int:
        return len(self.entries)

    def extend(self, entries: Sequence[LogEntry]) -> None:
        """Append entries."""
        for entry in entries:
            assert entry.number == len(self.entries), "the log has a gap"
            self.entries.append(entry)
            if entry.kind is EntryKind.UNDO:
                self._undos += 1
            elif entry.kind is EntryKind.ANSWER and entry.seat is not None:
                self._answers[entry.seat] += 1
            if entry.message_id:
                self._received[entry.seat, entry.message_id] = len(self.entries)

    def decision_number(self, seat: int, up_to: int | None = None) -> int:
        """Which of its decisions a seat is at, after all entries or so many.

        An undo counts for every seat: a decision that is withdrawn, and the one that replaces it,
        must not have the same number.
        """
        later = self.entries[len(self.entries) if up_to is None else up_to :]
        after = sum(
            entry.kind is EntryKind.UNDO or (entry.kind is EntryKind.ANSWER and entry.seat == seat)
            for entry in later
        )
        return self._answers[seat] + self._undos - after

    def received(self, seat: int, message_id: str) -> int | None:
        """How long the log was after a message of a seat; None if it was not received yet."""
        return self._received.get((seat, message_id))
