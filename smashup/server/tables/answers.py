"""The log of answers: which of a seat's decisions is next, what was heard, and what still holds.

Nothing is ever removed from it. A choice that is taken back stays, followed by a line of its own
that says how many of the answers before it no longer hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from smashup.server.storage.records import AnswerRecord


def taking_back(number: int, seat: int, count: int, message: str) -> AnswerRecord:
    """The line that takes back the last answers that hold; ``count`` of them."""
    assert count > 0
    return AnswerRecord(number, seat, -count, message)


def taken_back(record: AnswerRecord) -> int:
    """How many answers a line takes back; 0 if it is an answer."""
    return max(0, -record.option)


def holding(records: Iterable[AnswerRecord]) -> list[AnswerRecord]:
    """The answers that hold, in order."""
    found: list[AnswerRecord] = []
    for record in records:
        if count := taken_back(record):
            assert count <= len(found), "more is taken back than was answered"
            del found[-count:]
        else:
            found.append(record)
    return found


def takers(records: Iterable[AnswerRecord]) -> list[tuple[int, int]]:
    """Who took choices back: after how many of the answers that hold, and which seat."""
    found: list[tuple[int, int]] = []
    held = 0
    for record in records:
        if count := taken_back(record):
            held -= count
            # What was taken back before at a place that is no more is past.
            found = [*((at, seat) for at, seat in found if at < held), (held, record.seat)]
        else:
            held += 1
    return found


class AnswerLog:
    """All that was answered at a table, with what is asked of it again and again."""

    def __init__(self, records: Sequence[AnswerRecord]) -> None:
        self.records: list[AnswerRecord] = []
        self._given: Counter[int] = Counter()
        self._undone = 0
        self._heard: dict[tuple[int, str], int] = {}
        self.extend(records)

    def __len__(self) -> int:
        return len(self.records)

    def extend(self, records: Sequence[AnswerRecord]) -> None:
        """Go on with these."""
        for record in records:
            self.records.append(record)
            if taken_back(record):
                self._undone += 1
            else:
                self._given[record.seat] += 1
            if record.message:
                self._heard[record.seat, record.message] = len(self.records)

    def given(self, seat: int, up_to: int | None = None) -> int:
        """Which of its decisions a seat is at, after all lines or so many.

        Taking something back counts for everybody: a question that is withdrawn, and another that
        comes in its stead, must not go by the same number.
        """
        later = self.records[len(self.records) if up_to is None else up_to :]
        after = sum(bool(taken_back(a)) or a.seat == seat for a in later)
        return self._given[seat] + self._undone - after

    def heard(self, seat: int, message: str) -> int | None:
        """How long the log was after a message of a seat; None if it was not heard yet."""
        return self._heard.get((seat, message))
