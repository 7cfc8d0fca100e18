"""Everyone who watches a table: connections at this worker, and players connected to others."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from smashup.engine.views.view import SPECTATOR
from smashup.server.errors import Refused
from smashup.server.live.close_codes import SERVICE_RESTART
from smashup.server.live.protocol import Hello
from smashup.server.live.streams import Connection, Stream, compact_history, dumps, said
from smashup.server.operations import logs
from smashup.server.storage.notifications import SOMETHING_ELSE

if TYPE_CHECKING:
    from smashup.server.tables.table import Table


class Viewers:
    """The viewers of one table."""

    def __init__(self, table: Table, present: set[int]) -> None:
        self.table = table
        self.connections: set[Connection] = set()
        self.streams: dict[int, Stream] = {}
        self.present = present
        """Seats (-1: spectators) that are connected to other workers."""
        self.last_seen = [time.monotonic()] * len(table.seats)
        """When the owner of each seat was last connected."""
        self._announcing: set[asyncio.Task[None]] = set()

    def is_connected(self, seat: int) -> bool:
        """Whether the owner of a seat is connected, to whichever worker."""
        return seat in self.present or any(c.viewer == seat for c in self.connections)

    def addresses(self) -> tuple[str, ...]:
        """Where the players at this worker connect from."""
        here = {c.address for c in self.connections if c.viewer != SPECTATOR}
        return tuple(sorted(here))

    def connect(self, connection: Connection, hello: Hello) -> None:
        """Let someone watch: what they missed since the version they know, or everything."""
        table, viewer = self.table, connection.viewer
        if len(self.connections) >= table.settings.watchers:
            raise Refused("Too many people are watching this table.")
        if viewer == SPECTATOR and not table.record.options["spectators"]:
            raise Refused("Nobody may watch this table.")
        is_first = not any(c.viewer == viewer for c in self.connections)
        self.connections.add(connection)
        if viewer != SPECTATOR or not table.address:
            table.address = connection.address
        table.thinkers.reclassify(table.claim())
        self.publish(but=connection)
        missed = self.streams[viewer].missed(hello.stream, hello.version)
        if missed is None:
            self.send_snapshot(connection)
        for text in missed or ():
            connection.resend(text, table.names)
        if is_first:
            self._announce(viewer, True)

    def send_snapshot(self, connection: Connection) -> None:
        """Send a client everything, as of the last update."""
        stream = self.streams[connection.viewer]
        connection.resend(stream.snapshot(self.table), self.table.names)

    def disconnect(self, connection: Connection) -> None:
        """A viewer is gone."""
        table, viewer = self.table, connection.viewer
        self.connections.discard(connection)
        table.thinkers.reclassify(table.claim())
        table.used = time.monotonic()
        if viewer != SPECTATOR:
            self.last_seen[viewer] = time.monotonic()
        self.publish()
        if not any(c.viewer == viewer for c in self.connections):
            self._announce(viewer, False)

    def update_present(self, present: set[int]) -> bool:
        """Who is connected to other workers now; whether that has changed."""
        if present == self.present:
            return False
        for seat in self.present - present:
            if seat != SPECTATOR:
                self.last_seen[seat] = time.monotonic()
        self.present = present
        return True

    def publish(self, but: Connection | None = None) -> None:
        """Send every viewer what is new to them."""
        table = self.table
        info = table.info()
        for viewer in sorted({c.viewer for c in self.connections}):
            news = self.streams.setdefault(viewer, Stream(viewer)).refresh(table, info)
            if news is None:
                continue
            texts: dict[str | None, str] = {None: news.text}
            for connection in self.connections:
                if connection.viewer == viewer and connection is not but:
                    lang = connection.lang
                    if lang is not None and lang not in texts:
                        texts[lang] = dumps(said(news.update, lang, table.names))
                    connection.post(texts[lang])
        compact_history(table, self.streams.values())

    def close(self) -> None:
        """Tell everyone to connect again, to whichever worker."""
        for connection in self.connections:
            connection.close_code = SERVICE_RESTART
            connection.post(None)

    def _announce(self, viewer: int, is_present: bool) -> None:
        """Let the other workers know who is connected here."""
        if self.table.services.store.is_shared:
            task = asyncio.create_task(self._store_presence(viewer, is_present))
            self._announcing.add(task)
            task.add_done_callback(self._announcing.discard)

    async def _store_presence(self, viewer: int, is_present: bool) -> None:
        table_id, services = self.table.record.id, self.table.services
        try:
            await services.store.presence.note(table_id, viewer, is_present)
        except Exception as error:
            logs.warn("presence_not_stored", table_id, error)
        else:
            services.notifier.notify(table_id, SOMETHING_ELSE)
