"""Whether the database can be written: found out by writing, but not for every call."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from smashup.server.operations import logs
from smashup.server.storage.store import Store

WITHIN_SECONDS: Final = 2.0
KEPT_SECONDS: Final = 1.0
"""For how long a result counts: nobody can keep the disk busy by asking."""


class WriteProbe:
    """Asks a store to write something, at most once at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()
        self._found = ""
        self._found_at = -KEPT_SECONDS

    async def trouble(self) -> str:
        """Why the database cannot be used; empty if it can."""
        async with self._lock:
            if time.monotonic() - self._found_at >= KEPT_SECONDS:
                self._found = await self._probe()
                self._found_at = time.monotonic()
            return self._found

    async def _probe(self) -> str:
        try:
            async with asyncio.timeout(WITHIN_SECONDS):
                await self._store.probe()
        except TimeoutError:
            return "The database does not answer."
        except Exception as error:
            logs.fail("database_not_writable", error=error.__cause__ or error)
            return "The database cannot be written: is the disk full?"
        return ""
