"""The stored times at which the server has to act at a table."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sqlalchemy import Select, select, update
from sqlalchemy.sql.dml import ReturningUpdate

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
        )
        async with self._store.transaction() as connection:
            claimed = await connection.execute(_set_due_at(overdue, postponed_to))
            return list(claimed.scalars())

    async def postpone(self, table_ids: Collection[str], to: float) -> None:
        """Postpone due actions that this worker is still performing."""
        if table_ids:
            earlier = select(TABLES.c.id).where(TABLES.c.id.in_(table_ids), TABLES.c.due_at < to)
            async with self._store.transaction() as connection:
                await connection.execute(_set_due_at(earlier, to))

    async def advance(self, table_ids: Collection[str], at: float) -> None:
        """Set due times that are later to an earlier time."""
        if table_ids:
            later = select(TABLES.c.id).where(TABLES.c.id.in_(table_ids), TABLES.c.due_at > at)
            async with self._store.transaction() as connection:
                await connection.execute(_set_due_at(later, at))

    async def load_all(self) -> list[tuple[str, str, float]]:
        """Return id, clock and due time of all games with a due action."""
        query = select(TABLES.c.id, TABLES.c.clock, TABLES.c.due_at).where(
            TABLES.c.state == PLAYING, TABLES.c.due_at.is_not(None)
        )
        async with self._store.reading() as connection:
            return [(row.id, row.clock, row.due_at) for row in await connection.execute(query)]


def _set_due_at(tables: Select[str], due_at: float) -> ReturningUpdate[str]:
    """Set the due time of tables, and return their ids.

    Locked tables are skipped: the commit that locks a table stores its new due time, and waiting
    for it while others are locked could be a deadlock.
    """
    return (
        update(TABLES)
        .where(TABLES.c.id.in_(tables.with_for_update(skip_locked=True)))
        .values(due_at=due_at)
        .returning(TABLES.c.id)
    )
