"""Which seats are connected to which worker. A single process knows without the database."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from sqlalchemy import ColumnElement, delete, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from smashup.server.storage.schema import PRESENCE
from smashup.server.storage.statements import Statement, statements_for

if TYPE_CHECKING:
    from smashup.server.storage.store import Store

PRESENCE_SECONDS: Final = 15.0
"""After which the connections of a worker that is silent do not count any more."""


class Presence:
    """Who is connected, as the database knows it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._has_left = False
        """Whether this worker is shutting down, so that nobody is connected to it any more."""
        self._upsert = statements_for(store.database.dialect)[Statement.PRESENCE]

    async def note(self, table_id: str, seat: int, is_present: bool) -> None:
        """A seat's player has connected to this worker, or disconnected."""
        if self._has_left:
            return
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
        """This worker is alive; rows of workers that are not are removed."""
        async with self._store.transaction() as connection:
            now = _database_time()
            await connection.execute(
                update(PRESENCE).where(PRESENCE.c.worker == self._store.worker).values(seen_at=now)
            )
            await connection.execute(
                delete(PRESENCE).where(PRESENCE.c.seen_at < now - 4 * PRESENCE_SECONDS)
            )

    async def remove_all(self) -> None:
        """This worker is leaving."""
        self._has_left = True
        async with self._store.transaction() as connection:
            await connection.execute(
                delete(PRESENCE).where(PRESENCE.c.worker == self._store.worker)
            )

    async def elsewhere(self, table_ids: Collection[str]) -> dict[str, set[int]]:
        """Which seats (-1: spectators) of these tables are connected to other workers."""
        async with self._store.reading() as connection:
            return await self.read(connection, table_ids)

    async def read(
        self, connection: AsyncConnection, table_ids: Collection[str]
    ) -> dict[str, set[int]]:
        """Who is connected to other workers. A single process knows who is connected to it."""
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
    """Seconds since 1970 by PostgreSQL's clock, which all workers share."""
    return literal_column("CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)")
