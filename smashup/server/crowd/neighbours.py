"""What a worker does for the others, and what it does about those that are gone."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from smashup.server.crowd.exchange import Cut, Exchange, Unreached
from smashup.server.errors import Elsewhere, Refused
from smashup.server.live.protocol import TableInfo
from smashup.server.operations import logs
from smashup.server.storage.records import PLAYING
from smashup.server.storage.store import OutOfReach
from smashup.server.tables import seat_actions

if TYPE_CHECKING:
    from smashup.server.tables.registry import Hub

SOON: Final = 2.0
"""Seconds in which another worker has to answer a short question."""


class Neighbours:
    """The other workers, as one of them sees them."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.exchange = Exchange(hub.settings.redis, hub.name, hub.settings.lease)
        self.exchange.asks |= {
            "give": self._give, "infos": self._infos, "agree": self._agree, "taken": self._taken
        }  # fmt: skip
        self.exchange.tells |= {"taken": self._heard_taken}
        self.exchange.lapsed = self._lapsed
        self.exchange.missed = self._missed
        self._look_around = asyncio.Event()

    async def open(self, space: str) -> None:
        """Begin to talk to the others who share a database."""
        await self.exchange.open(space)
        self.exchange.do(self._adopt_orphans())

    @property
    def is_sure(self) -> bool:
        """Whether none of them can have taken this worker for dead."""
        return self.exchange.is_sure

    async def is_gone(self, worker: str) -> bool:
        """Whether a worker is dead for sure."""
        return await self.exchange.is_gone(worker)

    # --- asking them ------------------------------------------------------------------------

    async def ask_for(self, table_id: str, owner: str) -> bool:
        """Ask for a table for which there is somebody here; whether its owner has let go of it.

        Where nobody is connected to a table at its owner, it had better be where somebody is.
        """
        try:
            given, _ = await self.exchange.inquire(owner, "give", table_id, within=SOON)
        except (Unreached, Cut, TimeoutError):
            return False
        return bool(given)

    async def infos(self, table_ids: Collection[str]) -> dict[str, TableInfo]:
        """What the others know of tables that they have: who is there now."""
        wanted: dict[str, list[str]] = {}
        for table_id, hold in (await self.hub.store.holds(list(table_ids))).items():
            if hold.owner not in ("", self.hub.name):
                wanted.setdefault(hold.owner, []).append(table_id)
        answers = await asyncio.gather(
            *(
                self.exchange.inquire(owner, "infos", ids, within=SOON)
                for owner, ids in wanted.items()
            ),
            return_exceptions=True,
        )
        found: dict[str, TableInfo] = {}
        for answer in answers:
            if not isinstance(answer, BaseException):
                found |= json.loads(answer[1])
        return found

    async def agree(self, owner: str, table_id: str, secret: str) -> TableInfo:
        """Be ready to begin at a table that another worker has."""
        with suppress(Unreached, Cut, TimeoutError):
            _, found = await self.exchange.inquire(owner, "agree", (table_id, secret))
            if found:
                info: TableInfo = json.loads(found)
                return info
        raise Elsewhere(owner)

    async def took(self, table_id: str, owner: str) -> None:
        """Tell a worker that was taken for dead that a table of its is not there any more.

        If it lives after all, it has to know before the table goes on here: somebody who has seen
        that could come back to it and be shown how the table was.
        """
        self.exchange.tell(owner, "taken", table_id)
        until = time.monotonic() + self.hub.settings.lease
        while not await self.is_gone(owner) and time.monotonic() < until:
            try:
                await self.exchange.inquire(owner, "taken", table_id, within=SOON)
                return
            except (Unreached, Cut, TimeoutError):
                await asyncio.sleep(0.1)

    # --- being asked ------------------------------------------------------------------------

    async def _give(self, sender: str, about: Any, body: bytes) -> tuple[Any, bytes]:
        return await self.hub.give(about), b""

    async def _infos(self, sender: str, about: Any, body: bytes) -> tuple[Any, bytes]:
        tables = self.hub.tables
        found = {table_id: tables[table_id].info() for table_id in about if table_id in tables}
        return None, json.dumps(found).encode()

    async def _agree(self, sender: str, about: Any, body: bytes) -> tuple[Any, bytes]:
        table_id, secret = about
        try:
            async with self.hub.use(table_id) as table:
                await seat_actions.agree(table, secret)
                return None, json.dumps(table.info()).encode()
        except Refused:
            return None, b""

    async def _taken(self, sender: str, about: Any, body: bytes) -> tuple[Any, bytes]:
        await self._check([about])
        return None, b""

    def _heard_taken(self, sender: str, about: Any, body: bytes) -> None:
        self.exchange.do(self._check([about]))

    # --- those that are gone ----------------------------------------------------------------

    def _missed(self) -> None:
        self._look_around.set()

    async def _adopt_orphans(self) -> None:
        """Take up the games of workers that died: bots and clocks go on without anybody asking."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._look_around.wait(), self.hub.settings.lease / 2)
            self._look_around.clear()
            try:
                for owner in await self.hub.store.owners() - {self.hub.name}:
                    if await self.is_gone(owner):
                        self.exchange.lose(owner)
                        await self._adopt(owner)
            except Exception as error:
                logs.fail("tables are not taken over", error=error)

    async def _adopt(self, owner: str) -> None:
        """Take up the games of a worker that died, those that nobody else takes up meanwhile."""
        logs.write_line("a worker is gone: its tables are taken over")
        tables = list((await self.hub.store.owned(owner)).items())
        random.shuffle(tables)  # others do the same
        for table_id, state in tables:
            try:
                if state == PLAYING:
                    async with self.hub.use(table_id):
                        pass  # that it is in use lets it go on
                else:
                    await self.hub.free(table_id)
            except Refused:
                continue  # somebody else has it, or it is gone
            except Exception as error:
                logs.fail("a table is not taken over", table_id, error)

    async def _lapsed(self) -> bool:
        """Others may have taken this worker for dead: see what is still its own, if that can be
        seen now."""
        logs.warn("this worker was not heard of for a while")
        try:
            await self._check(list(self.hub.tables))
        except OutOfReach:
            return False
        return True

    async def _check(self, table_ids: list[str]) -> None:
        """Let go of tables that others have taken over."""
        holds = await self.hub.store.holds(table_ids)
        for table_id in table_ids:
            await self.hub.check(table_id, holds.get(table_id))
