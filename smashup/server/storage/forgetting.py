"""Deleting what somebody does not want to be kept: a name with all that was said, or a table.

There are no accounts: a name is what somebody called themselves at a table, and others may have
used it too. So whoever runs the server looks first where it is found.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from smashup.server.storage.rows import OF_A_TABLE, Line


@dataclass(frozen=True)
class Place:
    """A seat at which somebody was called so, and what was said there."""

    table: str
    seat: int
    created: float
    """When the table was founded."""
    state: str
    lines: int
    """How many things were said from this seat in words."""


@dataclass(frozen=True)
class Forgotten:
    """How much was deleted."""

    names: int
    lines: int
    reports: int
    """Reports by this person, which are gone, and those that quoted them, which no longer do."""


def places(line: Line, name: str, table_id: str = "") -> list[Place]:
    """Where a name is found: everywhere, or at one table. The oldest first."""
    found = line.execute(
        "SELECT seats.table_id, seats.number, tables.created, tables.state,"
        " (SELECT count(*) FROM chat WHERE chat.table_id = seats.table_id"
        "  AND chat.seat = seats.number AND chat.text <> '')"
        " FROM seats JOIN tables ON tables.id = seats.table_id"
        " WHERE seats.name = ? AND (seats.table_id = ? OR ? = '')"
        " ORDER BY tables.created, seats.table_id, seats.number",
        (name, table_id, table_id),
    )
    return [Place(*row) for row in found.fetchall()]


def forget_name(line: Line, found: Sequence[Place]) -> Forgotten:
    """Delete names, words and reports of these places."""
    names = lines = 0
    for place in found:
        here = (place.table, place.seat)
        # Whoever has the table in memory finds that it is not theirs any more, and reads it anew:
        # otherwise the name would be written again.
        line.execute("UPDATE tables SET owner = '', epoch = epoch + 1 WHERE id = ?", (place.table,))
        names += line.execute(
            "UPDATE seats SET name = 'P' || CAST(number + 1 AS TEXT)"
            " WHERE table_id = ? AND number = ?",
            here,
        ).rowcount
        lines += line.execute(
            "UPDATE chat SET text = '' WHERE table_id = ? AND seat = ? AND text <> ''", here
        ).rowcount
    return Forgotten(names, lines, _forget_reports(line, found))


def _forget_reports(line: Line, found: Sequence[Place]) -> int:
    seats = {(place.table, place.seat) for place in found}
    count = 0
    for table_id in sorted({place.table for place in found}):
        rows = line.execute("SELECT id, facts FROM reports WHERE table_id = ?", (table_id,))
        for report_id, text in rows.fetchall():
            facts = json.loads(text)
            if (table_id, facts.get("seat")) in seats:
                line.execute("DELETE FROM reports WHERE id = ?", (report_id,))
                count += 1
            elif any((table_id, said["seat"]) in seats for said in facts.get("said", ())):
                facts["said"] = [
                    _unsaid(said) if (table_id, said["seat"]) in seats else said
                    for said in facts["said"]
                ]
                line.execute(
                    "UPDATE reports SET facts = ? WHERE id = ?", (json.dumps(facts), report_id)
                )
                count += 1
    return count


def _unsaid(said: dict[str, Any]) -> dict[str, Any]:
    return {**said, "name": f"P{said['seat'] + 1}", "text": ""}


def has_table(line: Line, table_id: str) -> bool:
    """Whether there is such a table."""
    return line.execute("SELECT 1 FROM tables WHERE id = ?", (table_id,)).fetchone() is not None


def forget_table(line: Line, table_id: str) -> None:
    """Delete a table with everything about it, whoever has it in memory."""
    # The answers of a table stay as long as the table does: so it goes first.
    line.execute("DELETE FROM tables WHERE id = ?", (table_id,))
    for name in (*OF_A_TABLE, "reports"):
        line.execute(f"DELETE FROM {name} WHERE table_id = ?", (table_id,))
