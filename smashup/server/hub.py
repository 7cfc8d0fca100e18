"""All tables: brought into memory when somebody asks for them, and dropped when nobody does."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from smashup.cards.plugins import with_plugins
from smashup.engine.catalogue import Catalogue
from smashup.engine.game import Game
from smashup.engine.messages import Message
from smashup.server import people
from smashup.server.forms import SeatTaken, TableForm
from smashup.server.protocol import TableInfo
from smashup.server.records import Kept, TableRecord
from smashup.server.refusals import Unknown
from smashup.server.revival import revive
from smashup.server.seating import new_table
from smashup.server.settings import Settings
from smashup.server.store import Store
from smashup.server.table import Table
from smashup.server.thinking import Thinkers

SHOWN: Final = 100
"""Tables that the lobby shows at most."""


class Hub:
    """The tables in memory, and the way to all others."""

    def __init__(self, settings: Settings, cards: Catalogue | None = None) -> None:
        self.settings = settings
        self.cards = cards if cards is not None else with_plugins(settings.faction_files)[0]
        self.store = Store(settings.database)
        self.thinkers = Thinkers(settings)
        self.tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the database and begin to look after the tables."""
        await self.store.open()
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Put everything away; tables go on from the database next time."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for table in list(self.tables.values()):
            await table.stop()
        self.thinkers.close()
        await self.store.close()

    @asynccontextmanager
    async def use(self, table_id: str) -> AsyncIterator[Table]:
        """A table, kept in memory as long as it is used."""
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        try:
            async with lock:
                table = self.tables.get(table_id)
                if table is None or table.lost:
                    self.tables.pop(table_id, None)
                    table = self.tables.setdefault(table_id, await self._load(table_id))
                table.users += 1
        finally:
            if not lock.locked():
                self._loading.pop(table_id, None)
        try:
            table.wake()
            yield table
        finally:
            table.users -= 1
            table.used = time.monotonic()

    async def found(self, form: TableForm) -> tuple[TableInfo, list[SeatTaken]]:
        """A new table; it begins at once if no seat is free."""
        kept, taken = new_table(form, self.cards)
        await self.store.write(kept.table, kept.seats)
        async with self.use(kept.table.id) as table:
            async with table.changing():
                pass  # begins if everybody is there
            return table.info(), taken

    async def listed(self, state: str) -> list[TableInfo]:
        """The tables of the lobby in this state."""
        return [
            self.tables[kept.table.id].info()
            if kept.table.id in self.tables
            else self._table(kept).info()
            for kept in await self.store.listed(state, SHOWN)
        ]

    async def rematch(self, table_id: str, secret: str) -> TableInfo:
        """Agree to play again: the table of the next game, founded by who asks first."""
        async with self.use(table_id) as table:
            table.seat_of(secret)
            if not table.record.rematch:
                async with table.changing() as (record, seats):
                    if not record.rematch:
                        again = people.rematch_of(record, seats)
                        following = TableRecord(
                            secrets.token_urlsafe(12), record.options, time.time()
                        )
                        await self.store.write(following, again)
                        record.rematch = following.id
            next_id = table.record.rematch
        async with self.use(next_id) as table:
            await people.agree(table, secret)
            return table.info()

    async def _load(self, table_id: str) -> Table:
        kept = await self.store.load(table_id)
        if kept is None:
            raise Unknown("There is no such table.")
        game: Game | None = None
        notice: Message | None = None
        if kept.table.setup is not None:
            # A whole game takes a few hundredths of a second to play again.
            game, record, notice = revive(kept, self.cards)
            if record is not kept.table:
                await self.store.write(record)
                kept = replace(kept, table=record)
        return self._table(kept, game, notice)

    def _table(self, kept: Kept, game: Game | None = None, notice: Message | None = None) -> Table:
        return Table(kept, game, notice, self.store, self.thinkers, self.cards, self.settings)

    async def _sweep(self) -> None:
        """Drop the tables that nobody has used for a while."""
        while True:
            await asyncio.sleep(min(30.0, self.settings.idle))
            for table_id, table in list(self.tables.items()):
                loading = self._loading.get(table_id)
                if loading is not None or table.busy:
                    continue
                if time.monotonic() - table.used >= self.settings.idle:
                    del self.tables[table_id]
