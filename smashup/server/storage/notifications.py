"""Notifies workers of new entries of a table, with the table's id and a number.

PostgreSQL uses LISTEN/NOTIFY. Transactions that notify are serialized at their commit, so workers
send notifications after the commit, in a separate short transaction, for all changed tables. They
may be lost, so workers also poll (`smashup.server.tables.synchronizer`). With SQLite there is one
process, which needs no notifications.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from smashup.server.operations import logs

if TYPE_CHECKING:
    import psycopg

    from smashup.server.storage.postgres import PostgresDatabase

CHANNEL: Final = "smashup_tables"
MAX_TABLES: Final = 150
"""Tables in one notification: PostgreSQL limits its length to 8,000 bytes."""
HEARTBEAT_SECONDS: Final = 1.0
MAX_SILENCE_SECONDS: Final = 3.0
"""A connection that does not respond for this long counts as lost: a hanging one does not fail."""
RETRY_SECONDS: Final = 0.2
MAX_RETRY_SECONDS: Final = 2.0

OTHER_CHANGE: Final = -1
"""Sent instead of a number for changes outside the log: chat, presence, names."""
OnChange = Callable[[str, int], None]
"""Called with a table's id and its number of entries, or `OTHER_CHANGE`."""


class Notifier(Protocol):
    """Sends and receives notifications."""

    @property
    def is_listening(self) -> bool:
        """Whether notifications arrive at the moment."""

    @property
    def disconnected_seconds(self) -> float:
        """How long no notifications could arrive; 0 while they do."""

    async def open(self) -> None:
        """Start to listen."""

    async def close(self) -> None:
        """Stop."""

    def notify(self, table_id: str, number: int) -> None:
        """Notify the other workers soon that a table has this many entries."""


class LocalNotifier:
    """For a single process, which knows its own changes."""

    is_listening: Final = True
    disconnected_seconds: Final = 0.0

    async def open(self) -> None:
        """Nothing to start."""

    async def close(self) -> None:
        """Nothing to stop."""

    def notify(self, table_id: str, number: int) -> None:
        """Nothing to send."""


class PostgresNotifier:
    """LISTEN on one connection; NOTIFY on another one, batched over tables."""

    def __init__(
        self,
        database: PostgresDatabase,
        worker: str,
        on_change: OnChange,
        on_reconnect: Callable[[], None],
    ) -> None:
        self._database = database
        self._worker = worker
        self._on_change = on_change
        self._on_reconnect = on_reconnect
        """Called when listening starts again, because notifications may have been missed."""
        self._pending: dict[str, int] = {}
        self._has_pending = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._connected = asyncio.Event()
        self._last_response_at = time.monotonic()
        """When the connection last responded."""

    @property
    def is_listening(self) -> bool:
        """Whether notifications arrive at the moment."""
        return self._connected.is_set() and self._silent_seconds < MAX_SILENCE_SECONDS

    @property
    def disconnected_seconds(self) -> float:
        """How long no notifications could arrive; 0 while they do."""
        return 0.0 if self.is_listening else self._silent_seconds

    @property
    def _silent_seconds(self) -> float:
        return time.monotonic() - self._last_response_at

    async def open(self) -> None:
        """Start to listen."""
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send())]
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                await self._connected.wait()

    async def close(self) -> None:
        """Stop. Waiting notifications are lost, but other workers poll."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def notify(self, table_id: str, number: int) -> None:
        """Notify the other workers soon that a table has this many entries."""
        known = self._pending.get(table_id, number)
        self._pending[table_id] = -1 if min(number, known) < 0 else max(number, known)
        self._has_pending.set()

    async def _listen(self) -> None:
        delay = RETRY_SECONDS
        is_first = True
        while True:
            connection: psycopg.AsyncConnection[Any] | None = None
            try:
                connection = await self._database.connect(autocommit=True)
                await connection.execute("SET statement_timeout = 0")
                await connection.execute(f"LISTEN {CHANNEL}")
                self._last_response_at = time.monotonic()
                self._connected.set()
                delay = RETRY_SECONDS
                if not is_first:
                    logs.info("notifications_restored")
                    self._on_reconnect()
                is_first = False
                while True:
                    async for notification in connection.notifies(timeout=HEARTBEAT_SECONDS):
                        self._receive(notification.payload)
                    await self._check_connection(connection)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                logs.warn("notifications_lost", error=error)
            finally:
                self._connected.clear()
                if connection is not None:
                    with suppress(Exception):
                        await connection.close()
            await asyncio.sleep(delay)
            delay = min(MAX_RETRY_SECONDS, 2 * delay)

    async def _check_connection(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Wait until the database responds. Meanwhile `disconnected_seconds` increases."""
        await connection.execute(f"LISTEN {CHANNEL}")
        was_listening = self.is_listening
        self._last_response_at = time.monotonic()
        if not was_listening:
            logs.warn("notifications_restored")
            self._on_reconnect()

    def _receive(self, payload: str) -> None:
        try:
            worker, changes = json.loads(payload)
            if worker != self._worker:
                for table_id, number in changes.items():
                    self._on_change(table_id, int(number))
        except (ValueError, TypeError, AttributeError) as error:
            logs.warn("notification_malformed", error=error)

    async def _send(self) -> None:
        connection: psycopg.AsyncConnection[Any] | None = None
        try:
            while True:
                await self._has_pending.wait()
                self._has_pending.clear()
                try:
                    if connection is None or connection.closed:
                        connection = await self._database.connect(autocommit=True)
                    await self._send_pending(connection)
                except Exception as error:
                    logs.warn("notification_not_sent", error=error)
                    self._pending.clear()  # other workers poll
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            if connection is not None:
                await connection.close()

    async def _send_pending(self, connection: psycopg.AsyncConnection[Any]) -> None:
        while self._pending:
            batch = dict(list(self._pending.items())[:MAX_TABLES])
            for table_id in batch:
                del self._pending[table_id]
            payload = make_payload(self._worker, batch)
            await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))


def make_payload(sender: str, changes: dict[str, int]) -> str:
    """Return the payload of a notification: the sender, and the number of entries of tables."""
    return json.dumps([sender, changes], separators=(",", ":"))
