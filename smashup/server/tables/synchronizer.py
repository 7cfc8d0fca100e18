"""Keeps a worker's tables in memory up to date, and performs due actions.

Notifications report new entries of a table. They may be lost, so the worker also compares tables
with viewers with the database every few seconds. While it cannot receive notifications, viewers
could see an old state: after a few seconds the worker disconnects them, and they reconnect to
another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from smashup.server.errors import Refused
from smashup.server.operations import logs, metrics, timekeeping
from smashup.server.storage.notifications import LocalNotifier, Notifier, PostgresNotifier
from smashup.server.storage.records import PLAYING
from smashup.server.tables.timing.clocks import stored_due_time

if TYPE_CHECKING:
    from smashup.server.storage.store import Store
    from smashup.server.tables.registry import TableRegistry
    from smashup.server.tables.table import Table

POLL_SECONDS: Final = 2.0
PRESENCE_REFRESH_SECONDS: Final = 5.0
MAX_DISCONNECTED_SECONDS: Final = 3.0
"""How long viewers stay connected without notifications."""
DUE_POLL_SECONDS: Final = 1.0
OVERDUE_SECONDS: Final = 2.0
"""Delay after which any worker performs an action, not only the last one."""
POSTPONE_SECONDS: Final = 4.0
"""How long a worker that performs an action keeps others from it."""
CLAIM_SECONDS: Final = 30.0
MAX_CLAIMS: Final = 20
"""Overdue tables that a worker claims at once."""


def create_notifier(
    store: Store, on_change: Callable[[str, int], None], on_reconnect: Callable[[], None]
) -> Notifier:
    """Create the notifier for a database."""
    if not store.is_shared:
        return LocalNotifier()
    from smashup.server.storage.postgres import PostgresDatabase

    assert isinstance(store.database, PostgresDatabase)
    return PostgresNotifier(store.database, store.worker, on_change, on_reconnect)


class Synchronizer:
    """The background tasks of a worker: catching up with other workers, and due actions."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.store = registry.store
        self.notifier = create_notifier(self.store, self.on_change, self.on_reconnect)
        self._tasks: list[asyncio.Task[None]] = []
        self._catching_up: dict[str, asyncio.Task[None]] = {}

    async def open(self) -> None:
        """Start all background tasks."""
        await self.notifier.open()
        await self._correct_due_times()
        if not self.store.is_shared:
            self._repeat(2 * DUE_POLL_SECONDS, self._perform_overdue)
        else:
            self._repeat(DUE_POLL_SECONDS, self._perform_overdue)
            self._repeat(POLL_SECONDS, self._poll_positions)
            self._repeat(1.0, self._check_listening)
            self._repeat(PRESENCE_REFRESH_SECONDS, self.store.presence.refresh)

    async def close(self) -> None:
        """Stop everything."""
        tasks = [*self._tasks, *self._catching_up.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.notifier.close()

    def _repeat(self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async def repeat() -> None:
            while True:
                try:
                    await work()
                except Exception as error:
                    logs.fail("background_task_failed", error=error, task=work.__name__)
                await asyncio.sleep(seconds)

        self._tasks.append(asyncio.create_task(repeat()))

    # --- other workers' changes -------------------------------------------------------------

    def on_change(self, table_id: str, number: int) -> None:
        """Handle a notification that a table has this many entries."""
        table = self.registry.tables.get(table_id)
        if table is not None and (number < 0 or len(table.log) < number):
            table.is_behind = True
            if table.connections:
                self._catch_up_soon(table)

    def on_reconnect(self) -> None:
        """Mark all tables as behind, because notifications may have been lost."""
        for table in self.registry.tables.values():
            table.is_behind = True
            if table.connections:
                self._catch_up_soon(table)

    def _catch_up_soon(self, table: Table) -> None:
        table_id = table.record.id
        if table_id not in self._catching_up:
            self._catching_up[table_id] = asyncio.create_task(self._catch_up(table))

    async def _catch_up(self, table: Table) -> None:
        try:
            await self._catch_up_until_current(table)
        finally:
            # At once: a notification that follows starts the next task.
            del self._catching_up[table.record.id]

    async def _catch_up_until_current(self, table: Table) -> None:
        while table.is_behind and not table.is_closed:
            try:
                async with table.lock:
                    await table.catch_up()
            except Refused:
                return  # it is closed; viewers connect again
            except Exception as error:
                logs.fail("catch_up_failed", table.record.id, error)
                await asyncio.sleep(POLL_SECONDS)

    async def _poll_positions(self) -> None:
        """Find changes whose notifications were lost."""
        tables = {id_: t for id_, t in self.registry.tables.items() if t.connections}
        if not tables:
            return
        positions = await self.store.positions(tables)
        present = await self.store.presence.connected_elsewhere(tables)
        for table_id, table in tables.items():
            position = positions.get(table_id)
            is_behind = position is None or (
                position.entries > len(table.log) or position.chat > table.chat.next_number
            )
            if is_behind or present.get(table_id, set()) != table.viewers.present:
                table.is_behind = True
                self._catch_up_soon(table)

    async def _check_listening(self) -> None:
        """Disconnect viewers while no notifications arrive, rather than show an old state."""
        if self.notifier.disconnected_seconds > MAX_DISCONNECTED_SECONDS:
            for table in list(self.registry.tables.values()):
                table.is_behind = True
                if table.connections:
                    logs.warn("viewers_disconnected", table.record.id)
                    table.viewers.close()

    # --- due actions ------------------------------------------------------------------------

    async def _correct_due_times(self) -> None:
        """Correct stored times if the system clock was set while the server was down."""
        now = timekeeping.now()
        for table_id, clock, due_at in await self.store.due_times.load_all():
            due = stored_due_time(clock, due_at, now)
            if due < due_at:
                await self.store.due_times.advance([table_id], due)

    async def _perform_overdue(self) -> None:
        """Perform due actions of this worker, and overdue ones of other workers."""
        now = timekeeping.now()
        busy = {
            id_
            for id_, table in self.registry.tables.items()
            if table.is_autoplaying and (table.record.due_at or now) < now + POSTPONE_SECONDS
        }
        if self.registry.is_leaving:
            return
        if self.store.is_shared:
            await self.store.due_times.postpone(busy, now + POSTPONE_SECONDS)
        overdue = now - OVERDUE_SECONDS if self.store.is_shared else now
        for table_id in await self.store.due_times.claim(overdue, now + CLAIM_SECONDS, MAX_CLAIMS):
            if table_id in busy:
                continue
            metrics.OVERDUE.inc()
            try:
                async with self.registry.use(table_id) as table:
                    if table.record.state == PLAYING:
                        table.wake()
            except Refused:
                continue  # it cannot be loaded; a request for it gets the reason
            except Exception as error:
                logs.fail("overdue_table_failed", table_id, error)
