"""All tables: loaded when a request needs them, and dropped from memory when they are idle."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final
from weakref import WeakValueDictionary

from smashup.bots.levels import BUILT_IN_NAMES
from smashup.bots.network.model import load_network
from smashup.bots.plugins import register_bot_files
from smashup.cards.plugins import with_plugins
from smashup.engine.model.catalogue import PRINTINGS, Catalogue
from smashup.server.bots.bot_pool import BotPool
from smashup.server.errors import Damaged, EntryExists, NotFound, Refused, TableReloading
from smashup.server.http.lobby_listing import LobbyListing
from smashup.server.http.pages import CompressedText
from smashup.server.http.schemas import Lobby, SeatTaken, TableForm
from smashup.server.live.protocol import TableInfo
from smashup.server.operations import logs, maintenance, metrics, timekeeping
from smashup.server.operations.reports import ReportLimits
from smashup.server.operations.settings import Settings
from smashup.server.storage.damage import check_stored, report_damage
from smashup.server.storage.records import EntryKind, LogEntry, StoredTable, TableRecord
from smashup.server.storage.store import store_at
from smashup.server.storage.write_probe import WriteProbe
from smashup.server.tables.restore import RestoredGame, restore_game
from smashup.server.tables.seats import seat_actions
from smashup.server.tables.seats.puzzle_tables import without_puzzle
from smashup.server.tables.seats.seating import new_table
from smashup.server.tables.synchronizer import OVERDUE_SECONDS, Synchronizer
from smashup.server.tables.table import Table, TableServices

MAX_LISTED: Final = 100
"""Maximum number of tables in the lobby's listing."""
MAX_CONCURRENT_RESTORES: Final = 2
"""Games that are replayed concurrently."""
MAX_LOAD_ATTEMPTS: Final = 5
DROP_INTERVAL_SECONDS: Final = 30.0


class TableRegistry:
    """The tables in a worker's memory; loads others from the database."""

    def __init__(self, settings: Settings, cards: Catalogue | None = None) -> None:
        self.settings = settings
        self.cards = cards if cards is not None else with_plugins(settings.faction_files)[0]
        register_bot_files(settings.bot_files, BUILT_IN_NAMES)
        for printing in PRINTINGS:
            # Create all definitions now, so that threads only read them.
            self.cards.definitions(printing)
        load_network()  # so that no player waits for it
        self.store = store_at(settings.database)
        self.store.trust_clock = settings.trust_clock
        self.is_leaving = False
        """Whether this worker is shutting down."""
        self.probe = WriteProbe(self.store)
        self.report_limits = ReportLimits(settings)
        self.bot_pool = BotPool(settings, metrics.time_bot_task)
        self.tables: dict[str, Table] = {}
        self.cached_texts: dict[tuple[str, str], CompressedText] = {}
        """Responses of the lobby that never change."""
        self.listing = LobbyListing(self._encode_listing)
        self.synchronizer = Synchronizer(self)
        self._restoring = asyncio.Semaphore(MAX_CONCURRENT_RESTORES)
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Locks of tables that are being loaded."""
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Open the database and start the background tasks."""
        await self.store.open()
        self.store.retention.warn()
        await self.synchronizer.open()
        self._tasks = [
            asyncio.create_task(self._drop_idle_tables()),
            asyncio.create_task(maintenance.run_daily(self)),
            asyncio.create_task(metrics.sample_periodically(self)),
        ]

    async def leave(self) -> None:
        """Disconnect all viewers, and let other workers perform due actions."""
        if self.is_leaving:
            return
        self.is_leaving = True
        busy = [id_ for id_, table in self.tables.items() if table.is_autoplaying]
        for table in list(self.tables.values()):
            await table.stop()
        if self.store.is_shared:
            try:
                await self.store.due_times.advance(busy, timekeeping.now() - OVERDUE_SECONDS)
                await self.store.presence.remove_all()
            except Exception as error:
                logs.warn("worker_leave_not_stored", error=error)

    async def close(self) -> None:
        """Stop everything and close the database."""
        await self.leave()
        for table in list(self.tables.values()):  # requests may have loaded more tables
            await table.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.synchronizer.close()
        self.bot_pool.close()
        await self.store.close()

    @asynccontextmanager
    async def use(self, table_id: str) -> AsyncIterator[Table]:
        """Use a table, which is up to date and stays in memory meanwhile."""
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        async with lock:
            table = await self._get_table(table_id)
            table.users += 1
        del lock
        try:
            if not self.store.is_shared:
                table.wake()
            yield table
        finally:
            table.users -= 1
            table.last_used = time.monotonic()
            self.listing.invalidate()

    async def create_table(
        self, form: TableForm, address: str = ""
    ) -> tuple[TableInfo, list[SeatTaken]]:
        """Create a table. The game starts at once if no seat is free. Its bots are charged to the
        address of the creator."""
        stored, taken = new_table(form, self.cards)
        await self.store.create_table(stored.table, stored.seats)
        async with self.use(stored.table.id) as table:
            table.address = address
            await seat_actions.start_if_ready(table)
            return table.info(), taken

    async def add_game(self, stored: StoredTable) -> TableInfo:
        """Create a table whose game has already started."""
        stored.table.due_at = timekeeping.now()
        await self.store.create_table(stored.table, stored.seats, stored.entries)
        async with self.use(stored.table.id) as table:
            table.wake()
            return table.info()

    async def list_tables(self, state: str) -> list[TableInfo]:
        """Return the listed tables in a state."""
        infos: list[TableInfo] = []
        for stored in await self.store.list_tables(state, MAX_LISTED):
            with suppress(Damaged), report_damage(stored.table.id):
                check_stored(stored)
                known = self.tables.get(stored.table.id)
                table = self._make_table(stored, None)
                if known is not None and not known.is_closed:
                    table.viewers.connections = known.connections
                info = table.info()
                Lobby(tables=[info])  # an invalid table must not hide the others
                infos.append(info)
        return infos

    async def _encode_listing(self, state: str) -> bytes:
        return Lobby(tables=await self.list_tables(state)).model_dump_json().encode()

    async def rematch(self, table_id: str, secret: str) -> TableInfo:
        """Agree to a rematch; return its table, which the first request creates."""
        async with self.use(table_id) as table:
            table.seat_of(secret)
            next_id = table.record.rematch
            if not next_id:
                seats = seat_actions.rematch_seats(table.record, table.seats)
                next_table = TableRecord(
                    secrets.token_urlsafe(12),
                    without_puzzle(table.record.options),
                    timekeeping.now(),
                )
                await self.store.create_table(next_table, seats)
                next_id = await seat_actions.set_rematch(table, next_table.id)
        async with self.use(next_id) as table:
            await seat_actions.set_ready(table, secret)
            return table.info()

    # --- memory -----------------------------------------------------------------------------

    async def _get_table(self, table_id: str) -> Table:
        """Return a table that is up to date with the database."""
        for _ in range(MAX_LOAD_ATTEMPTS):
            table = self.tables.get(table_id)
            if table is None or table.is_closed:
                table = self.tables[table_id] = await self._load(table_id)
            elif self.store.is_shared:
                await self._refresh(table)
            elif table.is_behind:
                async with table.lock:
                    with suppress(Refused):
                        await table.catch_up()
            if not table.is_closed:
                return table
            del self.tables[table_id]
            await table.stop()
        raise TableReloading("This table is reloading. Try again in a moment.")

    async def _refresh(self, table: Table) -> None:
        """Catch up if another worker has committed something."""
        position = (await self.store.positions([table.record.id])).get(table.record.id)
        if position == table.position and not table.is_behind:
            return
        async with table.lock:
            with suppress(Refused):  # it is closed then
                await table.catch_up()

    async def _load(self, table_id: str) -> Table:
        self.tables.pop(table_id, None)
        for _ in range(MAX_LOAD_ATTEMPTS):
            with report_damage(table_id):
                stored = await self.store.load(table_id)
                if stored is None:
                    raise NotFound("There is no such table.")
                check_stored(stored)
                try:
                    return await self._restore(stored)
                except EntryExists:
                    continue  # another worker has stored the change of the rules
        raise TableReloading("This table is reloading. Try again in a moment.")

    async def _restore(self, stored: StoredTable) -> Table:
        if stored.table.setup is None:
            return self._make_table(stored, None)
        # In a thread, because replaying a game takes a while.
        async with self._restoring:
            with metrics.RESTORE_SECONDS.time():
                restored = await asyncio.to_thread(restore_game, stored, self.cards)
        if restored.record is not stored.table:
            assert restored.record is not None
            entry = LogEntry(len(stored.entries), EntryKind.RESUME)
            await self.store.append(restored.record, [entry], is_start=True)
            stored.table = restored.record
            stored.entries.append(entry)
        return self._make_table(stored, restored)

    def _make_table(self, stored: StoredTable, restored: RestoredGame | None) -> Table:
        services = TableServices(
            self.store, self.synchronizer.notifier, self.bot_pool, self.cards, self.settings
        )
        return Table(stored, restored, services)

    async def _drop_idle_tables(self) -> None:
        """Drop idle tables from memory periodically."""
        while True:
            await asyncio.sleep(min(DROP_INTERVAL_SECONDS, self.settings.idle_table_seconds))
            for table_id, table in list(self.tables.items()):
                if self._loading.get(table_id) is not None or table.is_busy:
                    continue
                if (
                    table.is_closed
                    or time.monotonic() - table.last_used >= self.settings.idle_table_seconds
                ):
                    del self.tables[table_id]

    def used_table_ids(self) -> set[str]:
        """Return the tables that must not be deleted."""
        return {*self.tables, *self._loading}
