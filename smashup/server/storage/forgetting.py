"""Deletes personal data on request: a name with its chat messages and reports, or a table.

There are no accounts: several people may have used the same name. So the operator first checks
where a name occurs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from smashup.server.storage.cleanup import default_name
from smashup.server.storage.notifications import CHANNEL, OTHER_CHANGE, make_payload
from smashup.server.storage.records import EntryKind
from smashup.server.storage.schema import CHAT, LOG_ENTRIES, REPORTS, SEATS, TABLES

OPERATOR: Final = "operator"
"""The sender of notifications, instead of a worker."""


@dataclass(frozen=True)
class NameOccurrence:
    """A seat whose player used the name."""

    table: str
    seat: int
    created: float
    """When the table was created."""
    state: str
    messages: int
    """The number of chat messages with text from this seat."""


@dataclass(frozen=True)
class DeletionCounts:
    """How much was deleted."""

    names: int
    messages: int
    reports: int
    """Deleted reports of this person, and redacted ones that quoted them."""


async def find_name(
    connection: AsyncConnection, name: str, table_id: str = ""
) -> list[NameOccurrence]:
    """Return where a name occurs, at all tables or at one, the oldest first."""
    messages = (
        select(func.count())
        .select_from(CHAT)
        .where(
            CHAT.c.table_id == SEATS.c.table_id,
            CHAT.c.seat == SEATS.c.number,
            CHAT.c.text != "",
        )
        .scalar_subquery()
    )
    query = (
        select(SEATS.c.table_id, SEATS.c.number, TABLES.c.created, TABLES.c.state, messages)
        .join(TABLES, TABLES.c.id == SEATS.c.table_id)
        .where(SEATS.c.name == name)
        .order_by(TABLES.c.created, SEATS.c.table_id, SEATS.c.number)
    )
    if table_id:
        query = query.where(SEATS.c.table_id == table_id)
    return [NameOccurrence(*row) for row in await connection.execute(query)]


async def forget_name(
    connection: AsyncConnection, occurrences: Sequence[NameOccurrence]
) -> DeletionCounts:
    """Delete the names, chat texts and reports of these seats."""
    await _lock_tables(connection, {occurrence.table for occurrence in occurrences})
    names = messages = 0
    for occurrence in occurrences:
        seat = (SEATS.c.table_id == occurrence.table) & (SEATS.c.number == occurrence.seat)
        result = await connection.execute(update(SEATS).where(seat).values(name=default_name()))
        names += result.rowcount
        condition = (
            (CHAT.c.table_id == occurrence.table)
            & (CHAT.c.seat == occurrence.seat)
            & (CHAT.c.text != "")
        )
        messages += (
            await connection.execute(update(CHAT).where(condition).values(text=""))
        ).rowcount
    for table_id in sorted({occurrence.table for occurrence in occurrences}):
        await _append_forget_entry(connection, table_id)
        await _notify_workers(connection, table_id)
    return DeletionCounts(names, messages, await _forget_reports(connection, occurrences))


async def _lock_tables(connection: AsyncConnection, table_ids: set[str]) -> None:
    """Wait for writes of workers; lock in the same order as they do, to avoid deadlocks."""
    await connection.execute(
        select(TABLES.c.id)
        .where(TABLES.c.id.in_(table_ids))
        .order_by(TABLES.c.id)
        .with_for_update()
    )


async def _append_forget_entry(connection: AsyncConnection, table_id: str) -> None:
    """Append the entry after which workers load the table again."""
    entries = select(func.count()).where(LOG_ENTRIES.c.table_id == table_id)
    await connection.execute(
        insert(LOG_ENTRIES).values(
            table_id=table_id,
            number=(await connection.execute(entries)).scalar_one(),
            kind=EntryKind.FORGET.value,
            seat=None,
            message_id="",
            data="{}",
        )
    )


async def _forget_reports(
    connection: AsyncConnection, occurrences: Sequence[NameOccurrence]
) -> int:
    seats = {(occurrence.table, occurrence.seat) for occurrence in occurrences}
    count = 0
    for table_id in sorted({occurrence.table for occurrence in occurrences}):
        query = select(REPORTS.c.id, REPORTS.c.facts).where(REPORTS.c.table_id == table_id)
        for report_id, text in (await connection.execute(query)).all():
            facts = json.loads(text)
            report = REPORTS.c.id == report_id
            if (table_id, facts.get("seat")) in seats:
                await connection.execute(delete(REPORTS).where(report))
                count += 1
            elif any((table_id, message["seat"]) in seats for message in facts.get("said", ())):
                facts["said"] = [
                    _redact(message) if (table_id, message["seat"]) in seats else message
                    for message in facts["said"]
                ]
                redacted = update(REPORTS).where(report).values(facts=json.dumps(facts))
                await connection.execute(redacted)
                count += 1
    return count


def _redact(message: dict[str, Any]) -> dict[str, Any]:
    return {**message, "name": f"P{message['seat'] + 1}", "text": ""}


async def forget_table(connection: AsyncConnection, table_id: str) -> None:
    """Delete a table with all its data."""
    await connection.execute(delete(TABLES).where(TABLES.c.id == table_id))
    await connection.execute(delete(REPORTS).where(REPORTS.c.table_id == table_id))
    await _notify_workers(connection, table_id)


async def _notify_workers(connection: AsyncConnection, table_id: str) -> None:
    """Notify workers with viewers at the table when the transaction is committed."""
    if connection.dialect.name == "postgresql":
        payload = make_payload(OPERATOR, {table_id: OTHER_CHANGE})
        await connection.execute(select(func.pg_notify(CHANNEL, payload)))
