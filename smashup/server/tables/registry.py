"""All tables: brought into memory when somebody asks for them, and dropped when nobody does."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from smashup.cards.plugins import with_plugins
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS, Catalogue
from smashup.engine.model.messages import Message
from smashup.server.bots.bot_pool import Thinkers
from smashup.server.errors import Damaged, Elsewhere, Refused, Unknown
from smashup.server.http.lobby_listing import LobbyListing
from smashup.server.http.pages import Text
from smashup.server.http.schemas import Lobby, SeatTaken, TableForm
from smashup.server.live.protocol import TableInfo
from smashup.server.operations import logs, maintenance, metrics, timekeeping
from smashup.server.operations.reports import ReportLimits
from smashup.server.operations.settings import Settings
from smashup.server.storage.damage import check_stored, damage_told
from smashup.server.storage.records import OVER, PLAYING, WAITING, Kept, TableRecord
from smashup.server.storage.store import Hold, Ledger, store_at
from smashup.server.storage.write_probe import WriteProbe
from smashup.server.tables import seat_actions
from smashup.server.tables.restore import revive
from smashup.server.tables.seating import new_table
from smashup.server.tables.table import Table

if TYPE_CHECKING:
    from smashup.server.crowd.neighbours import Neighbours

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
        self.name = secrets.token_hex(6) if settings.redis else ""
        """What this worker is called among others; one that is alone needs no name."""
        self.store = store_at(settings.database, shared=bool(settings.redis))
        self.store.trust_clock = settings.trust_clock
        self.neighbours = _neighbours(self) if settings.redis else None
        self.leaving = False
        """Whether nothing is taken up here any more."""
        self.probe = WriteProbe(self.store)
        self.report_limits = ReportLimits(settings)
        self.thinkers = Thinkers(settings, metrics.thinking)
        self.tables: dict[str, Table] = {}
        self.texts: dict[tuple[str, str], Text] = {}
        """What the lobby tells everybody in the same words, once somebody has asked."""
        self.listing = LobbyListing(self._listing)
        self._holds: dict[str, Hold] = {}
        """Under which claims the tables were taken up."""
        self._interrupted: set[str] = set()
        """Games that stand still because the database could not be used for a moment."""
        self._reviving = asyncio.Semaphore(REVIVALS)
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Tables that are being read, as long as somebody waits for it."""
        self._sweeper: asyncio.Task[None] | None = None
        self._remover: asyncio.Task[None] | None = None
        self._measurer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the database and begin to look after the tables."""
        await self.store.open()
        self.store.retention.warn()
        if self.neighbours is not None:
            await self.neighbours.open(self.store.identity)
        self._sweeper = asyncio.create_task(self._sweep())
        self._remover = asyncio.create_task(self._remove_old())
        self._measurer = asyncio.create_task(metrics.keep_looking(self))

    async def leave(self) -> None:
        """Leave everything to the other workers, who go on with the games at once."""
        if self.neighbours is None or self.leaving:
            return
        self.leaving = True
        for table_id, table in list(self.tables.items()):
            await self._drop(table_id)
            # What is played is taken over at once, since its owner is gone.
            if table.record.state != PLAYING:
                await self._let_go(table_id)
        await self.neighbours.exchange.leave()

    async def close(self) -> None:
        """Put everything away; tables go on from the database next time."""
        await self.leave()
        for task in (self._sweeper, self._remover, self._measurer):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        for table in list(self.tables.values()):
            await table.stop()
        self.thinkers.close()
        if self.neighbours is not None:
            await self.neighbours.exchange.close()
        await self.store.close()

    def has(self, table_id: str) -> bool:
        """Whether a table is here, as far as is known."""
        table = self.tables.get(table_id)
        return table is not None and not table.lost

    @asynccontextmanager
    async def use(self, table_id: str) -> AsyncIterator[Table]:
        """A table, kept in memory as long as it is used; `Elsewhere` if another worker has it."""
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        async with lock:
            await self._make_sure(table_id)
            table = self.tables.get(table_id)
            if table is None or table.lost:
                self.tables.pop(table_id, None)
                table = self.tables[table_id] = await self._load(table_id)
            table.users += 1
        del lock
        try:
            table.wake()
            yield table
        finally:
            table.users -= 1
            table.used = time.monotonic()
            self.listing.invalidate()

    async def found(self, form: TableForm, address: str = "") -> tuple[TableInfo, list[SeatTaken]]:
        """A new table; it begins at once if no seat is free. Its bots think on behalf of the
        address from which it was created."""
        kept, taken = new_table(form, self.cards)
        await self.store.write(kept.table, kept.seats)
        async with self.use(kept.table.id) as table:
            table.address = address
            async with table.changing():
                pass  # begins if everybody is there
            return table.info(), taken

    async def listed(self, state: str) -> list[TableInfo]:
        """The tables of the lobby in this state."""
        listed = {kept.table.id: kept for kept in await self.store.listed(state, SHOWN)}
        infos = {id_: self.tables[id_].info() for id_ in listed if self.has(id_)}
        if self.neighbours is not None:
            infos |= await self.neighbours.infos(listed.keys() - infos.keys())
        for id_, kept in listed.items():
            if id_ not in infos:
                with suppress(Damaged), damage_told(id_):
                    check_stored(kept)
                    info = self._table(kept, Hold("", 0)).info()
                    Lobby(tables=[info])  # what cannot be told of one table keeps no other away
                    infos[id_] = info
        return [infos[id_] for id_ in listed if id_ in infos]

    async def _listing(self, state: str) -> bytes:
        return Lobby(tables=await self.listed(state)).model_dump_json().encode()

    async def rematch(self, table_id: str, secret: str) -> TableInfo:
        """Agree to play again: the table of the next game, founded by who asks first."""
        async with self.use(table_id) as table:
            table.seat_of(secret)
            if not table.record.rematch:
                async with table.changing() as (record, seats):
                    if not record.rematch:
                        again = seat_actions.rematch_of(record, seats)
                        following = TableRecord(
                            secrets.token_urlsafe(12), record.options, timekeeping.now()
                        )
                        await self.store.write(following, again)
                        record.rematch = following.id
            next_id = table.record.rematch
        try:
            async with self.use(next_id) as table:
                await seat_actions.agree(table, secret)
                return table.info()
        except Elsewhere as elsewhere:
            assert self.neighbours is not None
            return await self.neighbours.agree(elsewhere.owner, next_id, secret)

    # --- who has a table --------------------------------------------------------------------

    async def give(self, table_id: str) -> bool:
        """Let go of a table that another worker wants; not if somebody here is busy with it."""
        table = self.tables.get(table_id)
        if table is None or table_id in self._loading or table.users or table.connections:
            return False
        await self._drop(table_id)
        await self._let_go(table_id)
        return True

    async def free(self, table_id: str) -> None:
        """Let any worker have a table of one that died."""
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            if table_id not in self.tables:
                try:
                    await self._claim(table_id)
                finally:
                    await self._let_go(table_id)

    async def check(self, table_id: str, hold: Hold | None) -> None:
        """Drop a table if, as the database has it, it is not here any more."""
        if table_id in self.tables and self._holds.get(table_id) != hold:
            self._holds.pop(table_id, None)
            await self._drop(table_id)

    async def _make_sure(self, table_id: str) -> None:
        """A worker that stood still may have been taken for dead: nobody is to see here how a
        table was before another worker took it over."""
        if self.neighbours is None or self.neighbours.is_sure or table_id not in self.tables:
            return
        await self.check(table_id, await self.store.hold(table_id))

    async def _drop(self, table_id: str) -> None:
        """Put a table out of memory. Who is connected is told to come back."""
        table = self.tables.pop(table_id, None)
        if table is not None:
            table.lost = True
            await table.stop()

    async def _let_go(self, table_id: str) -> None:
        """Let any worker have a table."""
        hold = self._holds.pop(table_id, None)
        if hold is None or not hold.owner:
            return
        try:
            await self.store.release(table_id, hold)
        except Exception as error:
            logs.warn("a table is not released", table_id, error)

    async def _claim(self, table_id: str) -> Hold:
        """Be the one who has a table: since nobody has it, or whoever has is dead."""
        while True:
            seen = await self.store.hold(table_id)
            if seen is None:
                raise Unknown("There is no such table.")
            if self.leaving or not await self._is_free(seen):
                raise Elsewhere(seen.owner)
            hold = await self.store.claim(table_id, self.name, seen)
            if hold is None:
                continue  # somebody was faster
            self._holds[table_id] = hold
            if self.neighbours is not None and seen.owner not in ("", self.name):
                metrics.TAKEOVERS.inc()
                logs.write_line("a table is taken over", table_id)
                await self.neighbours.took(table_id, seen.owner)
            return hold

    async def _is_free(self, seen: Hold) -> bool:
        if self.neighbours is None or seen.owner in ("", self.name):
            return True
        return await self.neighbours.is_gone(seen.owner)

    # --- memory -----------------------------------------------------------------------------

    async def _load(self, table_id: str) -> Table:
        try:
            return await self._read(table_id, await self._claim(table_id))
        except BaseException:
            await self._let_go(table_id)
            raise

    async def _read(self, table_id: str, hold: Hold) -> Table:
        with damage_told(table_id):
            kept = await self.store.load(table_id)
            if kept is None:
                raise Unknown("There is no such table.")
            check_stored(kept)
            return await self._opened(kept, hold)

    async def _opened(self, kept: Kept, hold: Hold) -> Table:
        game: Game | None = None
        notice: Message | None = None
        if kept.table.setup is not None:
            # A whole game takes a while to play again: beside the event loop, a few at a time.
            async with self._reviving:
                with metrics.REVIVALS.time():
                    game, record, notice = await asyncio.to_thread(revive, kept, self.cards)
            if record is not kept.table:
                await self.store.write(record, epoch=hold.epoch)
                kept = replace(kept, table=record)
        return self._table(kept, hold, game, notice)

    def _table(
        self, kept: Kept, hold: Hold, game: Game | None = None, notice: Message | None = None
    ) -> Table:
        ledger = Ledger(self.store, hold)
        return Table(kept, game, notice, ledger, self.thinkers, self.cards, self.settings)

    async def _sweep(self) -> None:
        """Drop the tables that nobody has used for a while, and go on with those on the clock."""
        while True:
            await maintenance.wake_due(self)
            await asyncio.sleep(min(30.0, self.settings.idle))
            for table_id, table in list(self.tables.items()):
                loading = self._loading.get(table_id)
                if loading is not None or table.busy:
                    continue
                if table.lost and table.record.state == PLAYING:
                    self._interrupted.add(table_id)
                if table.lost or time.monotonic() - table.used >= self.settings.idle:
                    del self.tables[table_id]
                    await self._let_go(table_id)
            for table_id in list(self._interrupted):
                await self._take_up_again(table_id)

    async def _take_up_again(self, table_id: str) -> None:
        """Go on with a game, though nobody asks for it."""
        try:
            async with self.use(table_id):
                self._interrupted.discard(table_id)
        except Refused:
            self._interrupted.discard(table_id)  # another worker has it
        except Exception as error:
            logs.fail("a table does not go on", table_id, error)

    async def _remove_old(self) -> None:
        """Now and every day, make a backup where that is wanted, and remove the tables that
        nobody has touched for a long time."""
        limits = {
            WAITING: self.settings.keep_open,
            OVER: self.settings.keep_over,
            PLAYING: self.settings.keep_playing,
        }
        while True:
            try:
                await maintenance.back_up(self)
            except Exception as error:
                logs.fail("no backup could be made", error=error)
            try:
                for state, days in limits.items():
                    before = self.store.retention.deleting() - days * DAY
                    # A few at a time: others want to write, too.
                    while await self.store.remove(state, before, self._in_use(), FEW) == FEW:
                        await asyncio.sleep(0)
                await maintenance.forget(self)
                await self.store.keep_clock()
            except Exception as error:
                logs.fail("old tables could not be removed", error=error)
            await asyncio.sleep(DAY)

    def _in_use(self) -> set[str]:
        return {*self.tables, *self._loading}


def _neighbours(hub: Hub) -> Neighbours:
    # Only where there are several workers: it needs more than else is installed.
    from smashup.server.crowd.neighbours import Neighbours

    return Neighbours(hub)
