"""All tables: brought into memory when somebody asks for them, and dropped when nobody does."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from smashup.cards.plugins import with_plugins
from smashup.engine.catalogue import PRINTINGS, Catalogue
from smashup.engine.game import Game
from smashup.engine.messages import Message
from smashup.server import people
from smashup.server.forms import SeatTaken, TableForm
from smashup.server.pages import Text
from smashup.server.protocol import TableInfo
from smashup.server.records import OVER, PLAYING, WAITING, Kept, TableRecord
from smashup.server.refusals import Unknown
from smashup.server.revival import revive
from smashup.server.seating import new_table
from smashup.server.settings import Settings
from smashup.server.store import Store
from smashup.server.table import Table
from smashup.server.thinking import Thinkers

LOGGER: Final = logging.getLogger(__name__)
SHOWN: Final = 100
"""Tables that the lobby shows at most."""
REVIVALS: Final = 2
"""Games that are played again at a time, to be taken up where they were left."""
DAY: Final = 86_400.0
FEW: Final = 50
"""Old tables that are removed in one go."""


class Hub:
    """The tables in memory, and the way to all others."""

    def __init__(self, settings: Settings, cards: Catalogue | None = None) -> None:
        self.settings = settings
        self.cards = cards if cards is not None else with_plugins(settings.faction_files)[0]
        for printing in PRINTINGS:
            self.cards.kinds(printing)  # all cards are made now: games in threads only read them
        self.store = Store(settings.database)
        self.thinkers = Thinkers(settings)
        self.tables: dict[str, Table] = {}
        self.texts: dict[tuple[str, str], Text] = {}
        """What the lobby tells everybody in the same words, once somebody has asked."""
        self._reviving = asyncio.Semaphore(REVIVALS)
        self._loading: dict[str, asyncio.Lock] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._remover: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the database and begin to look after the tables."""
        await self.store.open()
        self._sweeper = asyncio.create_task(self._sweep())
        self._remover = asyncio.create_task(self._remove_old())

    async def close(self) -> None:
        """Put everything away; tables go on from the database next time."""
        for task in (self._sweeper, self._remover):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
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
            # A whole game takes a while to play again: beside the event loop, a few at a time.
            async with self._reviving:
                game, record, notice = await asyncio.to_thread(revive, kept, self.cards)
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

    async def _remove_old(self) -> None:
        """Now and every day, remove the tables that nobody has touched for a long time."""
        limits = {
            WAITING: self.settings.keep_open,
            OVER: self.settings.keep_over,
            PLAYING: self.settings.keep_playing,
        }
        while True:
            try:
                for state, days in limits.items():
                    before = time.time() - days * DAY
                    # A few at a time: others want to write, too.
                    while await self.store.remove(state, before, self._in_use(), FEW) == FEW:
                        await asyncio.sleep(0)
            except Exception as error:
                LOGGER.error("Old tables could not be removed: %s.", type(error).__name__)
            await asyncio.sleep(DAY)

    def _in_use(self) -> set[str]:
        return {*self.tables, *self._loading}
