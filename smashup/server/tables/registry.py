"""All tables: loaded into memory when a request needs them, and dropped when nobody uses them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final
from weakref import WeakValueDictionary

from smashup.bots.levels import BUILT_IN_NAMES
from smashup.bots.plugins import register_bot_files
from smashup.cards.plugins import with_plugins
from smashup.engine.model.catalogue import PRINTINGS, Catalogue
from smashup.server.bots.bot_pool import BotPool
from smashup.server.errors import Damaged, EntryExists, NotFound, Refused
from smashup.server.http.lobby_listing import LobbyListing
from smashup.server.http.pages import Text
from smashup.server.http.schemas import Lobby, SeatTaken, TableForm
from smashup.server.live.protocol import TableInfo
from smashup.server.operations import logs, maintenance, metrics, timekeeping
from smashup.server.operations.reports import ReportLimits
from smashup.server.operations.settings import Settings
from smashup.server.storage.damage import check_stored, report_damage
from smashup.server.storage.records import EntryKind, LogEntry, StoredTable, TableRecord
from smashup.server.storage.store import store_at
from smashup.server.storage.write_probe import WriteProbe
from smashup.server.tables import seat_actions
from smashup.server.tables.restore import RestoredGame, restore_game
from smashup.server.tables.seating import new_table
from smashup.server.tables.synchronizer import OVERDUE_SECONDS, Synchronizer
from smashup.server.tables.table import Table, TableServices

MAX_LISTED: Final = 100
"""Tables that the lobby shows at most."""
CONCURRENT_RESTORES: Final = 2
"""Games that are replayed at a time."""
LOAD_ATTEMPTS: Final = 5
SWEEP_SECONDS: Final = 30.0


class TableRegistry:
    """The tables in a worker's memory, and the way to all others."""

    def __init__(self, settings: Settings, cards: Catalogue | None = None) -> None:
        self.settings = settings
        self.cards = cards if cards is not None else with_plugins(settings.faction_files)[0]
        register_bot_files(settings.bot_files, BUILT_IN_NAMES)
        for printing in PRINTINGS:
            self.cards.definitions(
                printing
            )  # all cards are made now: games in threads only read them
        self.store = store_at(settings.database)
        self.store.trust_clock = settings.trust_clock
        self.is_leaving = False
        """Whether this worker is shutting down."""
        self.probe = WriteProbe(self.store)
        self.report_limits = ReportLimits(settings)
        self.thinkers = BotPool(settings, metrics.thinking)
        self.tables: dict[str, Table] = {}
        self.texts: dict[tuple[str, str], Text] = {}
        """What the lobby sends everyone in the same words, once somebody has asked."""
        self.listing = LobbyListing(self._listing)
        self.synchronizer = Synchronizer(self)
        self._restoring = asyncio.Semaphore(CONCURRENT_RESTORES)
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Tables that are being loaded, as long as somebody waits for it."""
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Open the database and start the background tasks."""
        await self.store.open()
        self.store.retention.warn()
        await self.synchronizer.open()
        self._tasks = [
            asyncio.create_task(self._sweep()),
            asyncio.create_task(maintenance.run_daily(self)),
            asyncio.create_task(metrics.keep_looking(self)),
        ]

    async def leave(self) -> None:
        """Disconnect everyone, and leave what is due to the other workers."""
        if self.is_leaving:
            return
        self.is_leaving = True
        busy = [id_ for id_, table in self.tables.items() if table.is_playing_itself]
        for table in list(self.tables.values()):
            await table.stop()
        if self.store.is_shared:
            try:
                await self.store.due_times.advance(busy, timekeeping.now() - OVERDUE_SECONDS)
                await self.store.presence.remove_all()
            except Exception as error:
                logs.warn("worker_left_without_notice", error=error)

    async def close(self) -> None:
        """Stop everything; tables are loaded from the database next time."""
        await self.leave()
        for table in list(self.tables.values()):  # requests may have loaded more of them
            await table.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.synchronizer.close()
        self.thinkers.close()
        await self.store.close()

    @asynccontextmanager
    async def use(self, table_id: str) -> AsyncIterator[Table]:
        """A table, up to date, and kept in memory as long as it is used."""
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        async with lock:
            table = await self._current(table_id)
            table.users += 1
        del lock
        try:
            if not self.store.is_shared:
                table.wake()
            yield table
        finally:
            table.users -= 1
            table.used = time.monotonic()
            self.listing.invalidate()

    async def create_table(
        self, form: TableForm, address: str = ""
    ) -> tuple[TableInfo, list[SeatTaken]]:
        """A new table; it begins at once if no seat is free. Its bots think on behalf of the
        address from which it was created."""
        stored, taken = new_table(form, self.cards)
        await self.store.create_table(stored.table, stored.seats)
        async with self.use(stored.table.id) as table:
            table.address = address
            await seat_actions.start_if_ready(table)
            return table.info(), taken

    async def add_game(self, stored: StoredTable) -> TableInfo:
        """A new table whose game has begun already."""
        stored.table.due_at = timekeeping.now()
        await self.store.create_table(stored.table, stored.seats, stored.entries)
        async with self.use(stored.table.id) as table:
            table.wake()
            return table.info()

    async def listed(self, state: str) -> list[TableInfo]:
        """The tables of the lobby in this state."""
        infos: list[TableInfo] = []
        for stored in await self.store.listed(state, MAX_LISTED):
            with suppress(Damaged), report_damage(stored.table.id):
                check_stored(stored)
                known = self.tables.get(stored.table.id)
                table = self._table(stored, None)
                if known is not None and not known.is_closed:
                    table.viewers.connections = known.connections
                info = table.info()
                Lobby(tables=[info])  # a table that cannot be shown does not hide the others
                infos.append(info)
        return infos

    async def _listing(self, state: str) -> bytes:
        return Lobby(tables=await self.listed(state)).model_dump_json().encode()

    async def rematch(self, table_id: str, secret: str) -> TableInfo:
        """Agree to play again: the table of the next game, created for the first who asks."""
        async with self.use(table_id) as table:
            table.seat_of(secret)
            next_id = table.record.rematch
            if not next_id:
                seats = seat_actions.rematch_of(table.record, table.seats)
                following = TableRecord(
                    secrets.token_urlsafe(12), table.record.options, timekeeping.now()
                )
                await self.store.create_table(following, seats)
                next_id = await seat_actions.set_rematch(table, following.id)
        async with self.use(next_id) as table:
            await seat_actions.agree(table, secret)
            return table.info()

    # --- memory -----------------------------------------------------------------------------

    async def _current(self, table_id: str) -> Table:
        """A table as the database has it now."""
        for _ in range(LOAD_ATTEMPTS):
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
        raise Refused("This table is reloading. Try again in a moment.")

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
        for _ in range(LOAD_ATTEMPTS):
            with report_damage(table_id):
                stored = await self.store.load(table_id)
                if stored is None:
                    raise NotFound("There is no such table.")
                check_stored(stored)
                try:
                    return await self._restore(stored)
                except EntryExists:
                    continue  # another worker has noted the change of the rules
        raise Refused("This table is reloading. Try again in a moment.")

    async def _restore(self, stored: StoredTable) -> Table:
        if stored.table.setup is None:
            return self._table(stored, None)
        # A whole game takes a while to replay: beside the event loop, a few at a time.
        async with self._restoring:
            with metrics.REVIVALS.time():
                restored = await asyncio.to_thread(restore_game, stored, self.cards)
        if restored.record is not stored.table:
            assert restored.record is not None
            entry = LogEntry(len(stored.entries), EntryKind.RESUME)
            await self.store.append(restored.record, [entry], is_start=True)
            stored.table = restored.record
            stored.entries.append(entry)
        return self._table(stored, restored)

    def _table(self, stored: StoredTable, restored: RestoredGame | None) -> Table:
        services = TableServices(
            self.store, self.synchronizer.notifier, self.thinkers, self.cards, self.settings
        )
        return Table(stored, restored, services)

    async def _sweep(self) -> None:
        """Drop the tables that nobody has used for a while."""
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, self.settings.idle))
            for table_id, table in list(self.tables.items()):
                if self._loading.get(table_id) is not None or table.busy:
                    continue
                if table.is_closed or time.monotonic() - table.used >= self.settings.idle:
                    del self.tables[table_id]

    def in_use(self) -> set[str]:
        """The tables that must not be removed."""
        return {*self.tables, *self._loading}
