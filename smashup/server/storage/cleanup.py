"""Deletes old data, by the retention clock."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from sqlalchemy import ColumnElement, delete, func, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from smashup.server.operations import logs
from smashup.server.storage.records import OVER
from smashup.server.storage.retention import EARLIEST, LATEST, MAX_FUTURE
from smashup.server.storage.schema import CHAT, PRESENCE, REPORTS, SEATS, SERVER_STATE, TABLES
from smashup.server.storage.statements import Statement, statements_for

if TYPE_CHECKING:
    from smashup.server.storage.store import Store

CLOCK: Final = "clock"


class Cleanup:
    """Deletes old tables, chat texts, names and reports."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._upsert = statements_for(store.database.dialect)[Statement.STATE]

    async def remove_tables(
        self, state: str, before: float, exclude: Collection[str], limit: int
    ) -> int:
        """Delete the oldest tables in a state that have not changed since a time and have no
        connected players. Return how many were deleted."""
        old = (
            select(TABLES.c.id)
            .where(
                TABLES.c.state == state,
                TABLES.c.changed.between(EARLIEST, before),
                TABLES.c.id.not_in(exclude),
                TABLES.c.id.not_in(select(PRESENCE.c.table_id)),
            )
            .order_by(TABLES.c.changed)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        async with self._store.transaction() as connection:
            ids = list((await connection.execute(old)).scalars())
            if ids:
                await connection.execute(delete(TABLES).where(TABLES.c.id.in_(ids)))
        return len(ids)

    async def delete_chat_text(self, before: float) -> int:
        """Delete the texts of chat messages before a time; return their number."""
        statement = update(CHAT).where(CHAT.c.at < before, CHAT.c.text != "").values(text="")
        async with self._store.transaction() as connection:
            return (await connection.execute(statement)).rowcount

    async def delete_reports(self, before: float) -> int:
        """Delete the reports before a time; return their number."""
        async with self._store.transaction() as connection:
            statement = delete(REPORTS).where(REPORTS.c.created < before)
            return (await connection.execute(statement)).rowcount

    async def delete_names(self, before: float) -> int:
        """Delete the names of people at tables that ended before a time; return their number."""
        over = select(TABLES.c.id).where(
            TABLES.c.state == OVER, TABLES.c.changed.between(EARLIEST, before)
        )
        statement = (
            update(SEATS)
            .where(
                SEATS.c.secret != "",
                SEATS.c.name != default_name(),
                SEATS.c.table_id.in_(over),
            )
            .values(name=default_name())
        )
        async with self._store.transaction() as connection:
            return (await connection.execute(statement)).rowcount

    async def save_clock(self) -> None:
        """Store the time, unless a later plausible one is stored."""
        at = self._store.retention.now()
        async with self._store.transaction() as connection:
            query = select(SERVER_STATE.c.at).where(SERVER_STATE.c.name == CLOCK)
            stored = (await connection.execute(query)).scalar_one_or_none()
            if not isinstance(stored, int | float) or not at <= stored <= at + MAX_FUTURE:
                await connection.execute(self._upsert, {"name": CLOCK, "at": at, "data": b""})
            # The age of a table with an invalid time counts from now.
            await connection.execute(
                update(TABLES).where(TABLES.c.changed < EARLIEST).values(changed=at)
            )

    async def newest_time(self, now: float) -> float | None:
        """Return the newest plausible time in the database; None if there is none. ``now`` is the
        system time, which may be wrong as well."""
        async with self._store.reading() as connection:
            changed = await _last_change(connection, now + MAX_FUTURE)
            if changed is None:
                changed = await _last_change(connection, LATEST)
            query = select(SERVER_STATE.c.at).where(SERVER_STATE.c.name == CLOCK)
            row = (await connection.execute(query)).first()
        if row is None:
            return changed
        # If the system clock was set back, everything looks far ahead, but the tables agree.
        latest = min(LATEST, max(now, changed or 0.0) + MAX_FUTURE)
        if isinstance(row.at, int | float) and EARLIEST <= row.at <= latest:
            return float(row.at)
        logs.fail("stored_time_invalid", hint="the newest time of the tables is used instead")
        return changed


async def _last_change(connection: AsyncConnection, latest: float) -> float | None:
    """Return the time of the newest change of a table, ignoring impossible times."""
    query = select(func.max(TABLES.c.changed)).where(TABLES.c.changed.between(EARLIEST, latest))
    at = (await connection.execute(query)).scalar_one_or_none()
    return None if at is None else float(at)


def default_name() -> ColumnElement[str]:
    """Return the SQL expression for the default name of a seat: P1, P2 and so on."""
    return literal_column("'P' || CAST(number + 1 AS TEXT)")
