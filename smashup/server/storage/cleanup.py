"""Deleting what was kept for long enough, by a clock that cannot be wrong by much."""

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
    """Removes old tables, words, names and reports."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._upsert = statements_for(store.database.dialect)[Statement.STATE]

    async def remove_tables(
        self, state: str, before: float, but: Collection[str], most: int
    ) -> int:
        """Remove a few of the tables in this state that nobody has changed since then, with
        everything about them, unless someone is connected; how many were found."""
        old = (
            select(TABLES.c.id)
            .where(
                TABLES.c.state == state,
                TABLES.c.changed.between(EARLIEST, before),
                TABLES.c.id.not_in(but),
                TABLES.c.id.not_in(select(PRESENCE.c.table_id)),
            )
            .order_by(TABLES.c.changed)
            .limit(most)
            .with_for_update(skip_locked=True)
        )
        async with self._store.transaction() as connection:
            ids = list((await connection.execute(old)).scalars())
            if ids:
                await connection.execute(delete(TABLES).where(TABLES.c.id.in_(ids)))
        return len(ids)

    async def forget_words(self, before: float) -> int:
        """Delete the words of everything said before then; how much that was."""
        forget = update(CHAT).where(CHAT.c.at < before, CHAT.c.text != "").values(text="")
        async with self._store.transaction() as connection:
            return (await connection.execute(forget)).rowcount

    async def forget_reports(self, before: float) -> int:
        """Delete the reports made before then; how many there were."""
        async with self._store.transaction() as connection:
            forget = delete(REPORTS).where(REPORTS.c.created < before)
            return (await connection.execute(forget)).rowcount

    async def forget_names(self, before: float) -> int:
        """Delete the names of people at tables that were over before then; how many there were."""
        over = select(TABLES.c.id).where(
            TABLES.c.state == OVER, TABLES.c.changed.between(EARLIEST, before)
        )
        forget = (
            update(SEATS)
            .where(
                SEATS.c.secret != "",
                SEATS.c.name != default_name(),
                SEATS.c.table_id.in_(over),
            )
            .values(name=default_name())
        )
        async with self._store.transaction() as connection:
            return (await connection.execute(forget)).rowcount

    async def save_clock(self) -> None:
        """Remember the time; never an earlier one than before, unless that cannot be right."""
        at = self._store.retention.now()
        async with self._store.transaction() as connection:
            query = select(SERVER_STATE.c.at).where(SERVER_STATE.c.name == CLOCK)
            known = (await connection.execute(query)).scalar_one_or_none()
            if not isinstance(known, int | float) or not at <= known <= at + MAX_FUTURE:
                await connection.execute(self._upsert, {"name": CLOCK, "at": at, "data": b""})
            # A table whose time is damaged gets old from now on.
            await connection.execute(
                update(TABLES).where(TABLES.c.changed < EARLIEST).values(changed=at)
            )

    async def newest_time(self, now: float) -> float | None:
        """When the database was last used, as far as that can be true; None if nothing in it says
        so. ``now`` is the time by the system clock, which may be wrong as well."""
        async with self._store.reading() as connection:
            changed = await _last_change(connection, now + MAX_FUTURE)
            if changed is None:
                changed = await _last_change(connection, LATEST)
            query = select(SERVER_STATE.c.at).where(SERVER_STATE.c.name == CLOCK)
            found = (await connection.execute(query)).first()
        if found is None:
            return changed
        # A clock that was set back makes everything look far ahead, but the tables agree.
        latest = min(LATEST, max(now, changed or 0.0) + MAX_FUTURE)
        if isinstance(found.at, int | float) and EARLIEST <= found.at <= latest:
            return float(found.at)
        logs.fail("remembered_time_damaged", hint="the newest time of the tables is used instead")
        return changed


async def _last_change(connection: AsyncConnection, latest: float) -> float | None:
    """When a table was last changed, ignoring impossible times."""
    query = select(func.max(TABLES.c.changed)).where(TABLES.c.changed.between(EARLIEST, latest))
    at = (await connection.execute(query)).scalar_one_or_none()
    return None if at is None else float(at)


def default_name() -> ColumnElement[str]:
    """What a player without a name is called: P1, P2 and so on."""
    return literal_column("'P' || CAST(number + 1 AS TEXT)")
