"""The log of a table in memory: decision numbers, received messages and effective answers.

Entries are never removed. An undone answer stays in the log, followed by an undo entry with the
number of answers that it takes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from smashup.server.storage.records import EntryKind, LogEntry


def answer_entry(number: int, seat: int, option: int, message_id: str = "") -> LogEntry:
    """Return the entry of an answer; without a message id, of a bot or the server."""
    return LogEntry(number, EntryKind.ANSWER, seat, message_id, _option_data(option))


@cache
def _option_data(option: int) -> dict[str, Any]:
    """Return the data of answers with this option, which all share; entries never change."""
    return {"option": option}


def undo_entry(
    number: int, seat: int, count: int, message_id: str, failed: Mapping[str, str] | None = None
) -> LogEntry:
    """Return the entry that undoes the last ``count`` effective answers: for a player, or because
    a card failed, which the arguments of the message to the players describe."""
    assert count > 0
    data = {"count": count, **({"failed": dict(failed)} if failed is not None else {})}
    return LogEntry(number, EntryKind.UNDO, seat, message_id, data)


def effective_answers(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the answers that were not undone, in order."""
    answers: list[LogEntry] = []
    for entry in entries:
        if entry.kind is EntryKind.ANSWER:
            answers.append(entry)
        elif count := entry.undo_count:
            assert count <= len(answers), "more answers are undone than exist"
            del answers[-count:]
    return answers


def undo_positions(entries: Iterable[LogEntry]) -> list[tuple[int, LogEntry]]:
    """Return the undos, each with the number of effective answers after it."""
    undos: list[tuple[int, LogEntry]] = []
    num_answers = 0
    for entry in entries:
        if count := entry.undo_count:
            num_answers -= count
            # An earlier undo after a later position is itself undone.
            kept = [(at, undo) for at, undo in undos if at < num_answers]
            undos = [*kept, (num_answers, entry)]
        elif entry.kind is EntryKind.ANSWER:
            num_answers += 1
    return undos


class TableLog:
    """All entries of a table, with indexes for frequent queries."""

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
        """Return the number of a seat's next decision, after all entries or the first ``up_to``.

        An undo counts for every seat, so that an undone decision and its replacement have different
        numbers.
        """
        later = self.entries[len(self.entries) if up_to is None else up_to :]
        after = sum(
            entry.kind is EntryKind.UNDO or (entry.kind is EntryKind.ANSWER and entry.seat == seat)
            for entry in later
        )
        return self._answers[seat] + self._undos - after

    def position_after(self, seat: int, message_id: str) -> int | None:
        """Return the length of the log after a message of a seat; None if it was not received."""
        return self._received.get((seat, message_id))
