"""The viewers of a table: connections to this worker, and players connected to others."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from smashup.engine.views.view import SPECTATOR
from smashup.server.errors import Refused
from smashup.server.live.close_codes import SERVICE_RESTART
from smashup.server.live.protocol import Hello
from smashup.server.live.streams import (
    Connection,
    Stream,
    compact_history,
    encode,
    translate_message,
)
from smashup.server.operations import logs
from smashup.server.storage.notifications import OTHER_CHANGE

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
        self._presence_tasks: set[asyncio.Task[None]] = set()

    def is_connected(self, seat: int) -> bool:
        """Return whether the owner of a seat is connected to any worker."""
        return seat in self.present or any(c.viewer == seat for c in self.connections)

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of the players connected to this worker."""
        addresses = {c.address for c in self.connections if c.viewer != SPECTATOR}
        return tuple(sorted(addresses))

    def connect(self, connection: Connection, hello: Hello) -> None:
        """Add a connection and send the updates it missed, or a snapshot."""
        table, viewer = self.table, connection.viewer
        if len(self.connections) >= table.settings.max_sockets_per_table:
            raise Refused("Too many people are watching this table.")
        if viewer == SPECTATOR and not table.record.options["spectators"]:
            raise Refused("This table does not allow spectators.")
        is_first = not any(c.viewer == viewer for c in self.connections)
        self.connections.add(connection)
        if viewer != SPECTATOR or not table.address:
            table.address = connection.address
        table.bot_pool.reclassify(table.bot_claim())
        self.publish(skip=connection)
        updates = self.streams[viewer].updates_since(hello.stream, hello.version)
        if updates is None:
            self.send_snapshot(connection)
        for text in updates or ():
            connection.send_untranslated(text, table.names)
        if is_first:
            self._store_presence_soon(viewer, True)

    def send_snapshot(self, connection: Connection) -> None:
        """Send a client the complete state as of the last update."""
        stream = self.streams[connection.viewer]
        connection.send_untranslated(stream.make_snapshot(self.table), self.table.names)

    def disconnect(self, connection: Connection) -> None:
        """Remove a connection."""
        table, viewer = self.table, connection.viewer
        self.connections.discard(connection)
        table.bot_pool.reclassify(table.bot_claim())
        table.last_used = time.monotonic()
        if viewer != SPECTATOR:
            self.last_seen[viewer] = time.monotonic()
        self.publish()
        if not any(c.viewer == viewer for c in self.connections):
            self._store_presence_soon(viewer, False)

    def update_present(self, present: set[int]) -> bool:
        """Set which seats are connected to other workers; return whether that has changed."""
        if present == self.present:
            return False
        for seat in self.present - present:
            if seat != SPECTATOR:
                self.last_seen[seat] = time.monotonic()
        self.present = present
        return True

    def publish(self, skip: Connection | None = None) -> None:
        """Send an update to every viewer whose state has changed."""
        table = self.table
        info = table.info()
        for viewer in sorted({c.viewer for c in self.connections}):
            pending = self.streams.setdefault(viewer, Stream(viewer)).make_update(table, info)
            if pending is None:
                continue
            texts: dict[str | None, str] = {None: pending.text}
            for connection in self.connections:
                if connection.viewer == viewer and connection is not skip:
                    lang = connection.lang
                    if lang is not None and lang not in texts:
                        translated = translate_message(pending.update, lang, table.names)
                        texts[lang] = encode(translated)
                    connection.send_encoded(texts[lang])
        compact_history(table, self.streams.values())

    def close(self) -> None:
        """Close all connections with a code after which clients reconnect, to any worker."""
        for connection in self.connections:
            connection.close_code = SERVICE_RESTART
            connection.send_encoded(None)

    def _store_presence_soon(self, viewer: int, is_present: bool) -> None:
        """Store the presence of a viewer, for the other workers."""
        if self.table.services.store.is_shared:
            task = asyncio.create_task(self._store_presence(viewer, is_present))
            self._presence_tasks.add(task)
            task.add_done_callback(self._presence_tasks.discard)

    async def _store_presence(self, viewer: int, is_present: bool) -> None:
        table_id, services = self.table.record.id, self.table.services
        try:
            await services.store.presence.set_present(table_id, viewer, is_present)
        except Exception as error:
            logs.warn("presence_not_stored", table_id, error)
        else:
            services.notifier.notify(table_id, OTHER_CHANGE)
