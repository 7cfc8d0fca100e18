"""Which seats are connected to which worker. A single process knows without the database."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from sqlalchemy import ColumnElement, delete, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from smashup.server.storage.schema import PRESENCE
from smashup.server.storage.statements import Statement, statements_for

if TYPE_CHECKING:
    from smashup.server.storage.store import Store

PRESENCE_SECONDS: Final = 15.0
"""Connections of a worker count for this time after its last refresh."""


class Presence:
    """Stores which seats are connected to which worker."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._has_left = False
        """Whether this worker is shutting down and has no connections any more."""
        self._unfinished: set[asyncio.Future[None]] = set()
        """One for each change that is being stored."""
        self._upsert = statements_for(store.database.dialect)[Statement.PRESENCE]

    async def set_present(self, table_id: str, seat: int, is_present: bool) -> None:
        """Store whether the owner of a seat is connected to this worker."""
        if self._has_left:
            return
        done = asyncio.get_running_loop().create_future()
        self._unfinished.add(done)
        try:
            await self._store_present(table_id, seat, is_present)
        finally:
            self._unfinished.discard(done)
            done.set_result(None)

    async def _store_present(self, table_id: str, seat: int, is_present: bool) -> None:
        async with self._store.transaction() as connection:
            if is_present:
                await connection.execute(
                    self._upsert,
                    {
                        "table_id": table_id,
                        "seat": seat,
                        "worker": self._store.worker,
                        "seen_at": (await connection.execute(select(_database_time()))).scalar(),
                    },
                )
            else:
                await connection.execute(
                    delete(PRESENCE).where(
                        PRESENCE.c.table_id == table_id,
                        PRESENCE.c.seat == seat,
                        PRESENCE.c.worker == self._store.worker,
                    )
                )

    async def refresh(self) -> None:
        """Refresh the rows of this worker, and delete those of dead workers."""
        async with self._store.transaction() as connection:
            now = _database_time()
            await connection.execute(
                update(PRESENCE).where(PRESENCE.c.worker == self._store.worker).values(seen_at=now)
            )
            await connection.execute(
                delete(PRESENCE).where(PRESENCE.c.seen_at < now - 4 * PRESENCE_SECONDS)
            )

    async def remove_all(self) -> None:
        """Delete the rows of this worker, which shuts down."""
        self._has_left = True
        if self._unfinished:
            await asyncio.wait(self._unfinished)
        async with self._store.transaction() as connection:
            await connection.execute(
                delete(PRESENCE).where(PRESENCE.c.worker == self._store.worker)
            )

    async def connected_elsewhere(self, table_ids: Collection[str]) -> dict[str, set[int]]:
        """Return the seats (-1: spectators) of tables that are connected to other workers."""
        async with self._store.reading() as connection:
            return await self.read(connection, table_ids)

    async def read(
        self, connection: AsyncConnection, table_ids: Collection[str]
    ) -> dict[str, set[int]]:
        """Return the seats that are connected to other workers; none for a single process."""
        present: dict[str, set[int]] = {}
        if self._store.is_shared and table_ids:
            query = select(PRESENCE.c.table_id, PRESENCE.c.seat).where(
                PRESENCE.c.table_id.in_(table_ids),
                PRESENCE.c.worker != self._store.worker,
                PRESENCE.c.seen_at > _database_time() - PRESENCE_SECONDS,
            )
            for id_, seat in await connection.execute(query):
                present.setdefault(id_, set()).add(seat)
        return present


def _database_time() -> ColumnElement[float]:
    """Return the SQL expression for PostgreSQL's time, which all workers share."""
    return literal_column("CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)")
