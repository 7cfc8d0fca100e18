"""Deleting what somebody does not want to be kept: a name with all that was said, or a table.

There are no accounts: a name is what somebody called themselves at a table, and others may have
used it too. So the operator checks first where it is found.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from smashup.server.storage.cleanup import default_name
from smashup.server.storage.notifications import CHANNEL, SOMETHING_ELSE, make_payload
from smashup.server.storage.records import EntryKind
from smashup.server.storage.schema import CHAT, LOG_ENTRIES, REPORTS, SEATS, TABLES

OPERATOR: Final = "operator"
"""The sender of our notifications, in place of a worker."""


@dataclass(frozen=True)
class Place:
    """A seat whose player had the name, and what was said there."""

    table: str
    seat: int
    created: float
    """When the table was created."""
    state: str
    lines: int
    """How many chat messages with words came from this seat."""


@dataclass(frozen=True)
class Forgotten:
    """How much was deleted."""

    names: int
    lines: int
    reports: int
    """Reports by this person, which are gone, and those that quoted them, which no longer do."""


async def find_name(connection: AsyncConnection, name: str, table_id: str = "") -> list[Place]:
    """Where a name is found: everywhere, or at one table. The oldest first."""
    lines = (
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
        select(SEATS.c.table_id, SEATS.c.number, TABLES.c.created, TABLES.c.state, lines)
        .join(TABLES, TABLES.c.id == SEATS.c.table_id)
        .where(SEATS.c.name == name)
        .order_by(TABLES.c.created, SEATS.c.table_id, SEATS.c.number)
    )
    if table_id:
        query = query.where(SEATS.c.table_id == table_id)
    return [Place(*row) for row in await connection.execute(query)]


async def forget_name(connection: AsyncConnection, found: Sequence[Place]) -> Forgotten:
    """Delete names, words and reports of these places."""
    await _lock_tables(connection, {place.table for place in found})
    names = lines = 0
    for place in found:
        seat = (SEATS.c.table_id == place.table) & (SEATS.c.number == place.seat)
        result = await connection.execute(update(SEATS).where(seat).values(name=default_name()))
        names += result.rowcount
        said = (CHAT.c.table_id == place.table) & (CHAT.c.seat == place.seat) & (CHAT.c.text != "")
        lines += (await connection.execute(update(CHAT).where(said).values(text=""))).rowcount
    for table_id in sorted({place.table for place in found}):
        await _append_forget_entry(connection, table_id)
        await _notify_workers(connection, table_id)
    return Forgotten(names, lines, await _forget_reports(connection, found))


async def _lock_tables(connection: AsyncConnection, table_ids: set[str]) -> None:
    """Let workers finish what they are writing, in the order in which they lock tables, too."""
    await connection.execute(
        select(TABLES.c.id)
        .where(TABLES.c.id.in_(table_ids))
        .order_by(TABLES.c.id)
        .with_for_update()
    )


async def _append_forget_entry(connection: AsyncConnection, table_id: str) -> None:
    """Let workers that have the table in memory read it again."""
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


async def _forget_reports(connection: AsyncConnection, found: Sequence[Place]) -> int:
    seats = {(place.table, place.seat) for place in found}
    count = 0
    for table_id in sorted({place.table for place in found}):
        query = select(REPORTS.c.id, REPORTS.c.facts).where(REPORTS.c.table_id == table_id)
        for report_id, text in (await connection.execute(query)).all():
            facts = json.loads(text)
            report = REPORTS.c.id == report_id
            if (table_id, facts.get("seat")) in seats:
                await connection.execute(delete(REPORTS).where(report))
                count += 1
            elif any((table_id, said["seat"]) in seats for said in facts.get("said", ())):
                facts["said"] = [
                    _redact(said) if (table_id, said["seat"]) in seats else said
                    for said in facts["said"]
                ]
                redacted = update(REPORTS).where(report).values(facts=json.dumps(facts))
                await connection.execute(redacted)
                count += 1
    return count


def _redact(said: dict[str, Any]) -> dict[str, Any]:
    return {**said, "name": f"P{said['seat'] + 1}", "text": ""}


async def forget_table(connection: AsyncConnection, table_id: str) -> None:
    """Delete a table with everything about it."""
    await connection.execute(delete(TABLES).where(TABLES.c.id == table_id))
    await connection.execute(delete(REPORTS).where(REPORTS.c.table_id == table_id))
    await _notify_workers(connection, table_id)


async def _notify_workers(connection: AsyncConnection, table_id: str) -> None:
    """Let workers with viewers at the table know at once, when the transaction is committed."""
    if connection.dialect.name == "postgresql":
        payload = make_payload(OPERATOR, {table_id: SOMETHING_ELSE})
        await connection.execute(select(func.pg_notify(CHANNEL, payload)))
