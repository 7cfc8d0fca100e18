"""The stored times at which the server has to act at a table."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from smashup.server.storage.records import PLAYING
from smashup.server.storage.schema import TABLES

if TYPE_CHECKING:
    from smashup.server.storage.store import Store


class DueTimes:
    """Times at which a bot moves, the server passes, or a clock runs out."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def claim(self, before: float, postponed_to: float, count: int) -> list[str]:
        """Return games with actions due before a time, the oldest first.

        Their due times are postponed, so that no other worker claims them at the same time.
        """
        overdue = (
            select(TABLES.c.id)
            .where(TABLES.c.state == PLAYING, TABLES.c.due_at < before)
            .order_by(TABLES.c.due_at)
            .limit(count)
            .with_for_update(skip_locked=True)
        )
        claim = (
            update(TABLES)
            .where(TABLES.c.id.in_(overdue))
            .values(due_at=postponed_to)
            .returning(TABLES.c.id)
        )
        async with self._store.transaction() as connection:
            return list((await connection.execute(claim)).scalars())

    async def postpone(self, table_ids: Collection[str], to: float) -> None:
        """Postpone due actions that this worker is still performing."""
        if table_ids:
            async with self._store.transaction() as connection:
                await connection.execute(
                    update(TABLES)
                    .where(TABLES.c.id.in_(table_ids), TABLES.c.due_at < to)
                    .values(due_at=to)
                )

    async def advance(self, table_ids: Collection[str], at: float) -> None:
        """Set due times that are later to an earlier time."""
        if table_ids:
            async with self._store.transaction() as connection:
                await connection.execute(
                    update(TABLES)
                    .where(TABLES.c.id.in_(table_ids), TABLES.c.due_at > at)
                    .values(due_at=at)
                )

    async def load_all(self) -> list[tuple[str, str, float]]:
        """Return id, clock and due time of all games with a due action."""
        query = select(TABLES.c.id, TABLES.c.clock, TABLES.c.due_at).where(
            TABLES.c.state == PLAYING, TABLES.c.due_at.is_not(None)
        )
        async with self._store.reading() as connection:
            return [(row.id, row.clock, row.due_at) for row in await connection.execute(query)]
