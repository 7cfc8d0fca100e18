"""Checks whether the database can be written, by writing to it, at most once per second."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from smashup.server.operations import logs
from smashup.server.storage.store import Store

TIMEOUT_SECONDS: Final = 2.0
CACHE_SECONDS: Final = 1.0
"""How long a result is reused, so that health checks cannot keep the disk busy."""


class WriteProbe:
    """Writes a probe to a store, one at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()
        self._problem = ""
        self._checked_at = -CACHE_SECONDS

    async def find_problem(self) -> str:
        """Return why the database cannot be written; empty if it can."""
        async with self._lock:
            if time.monotonic() - self._checked_at >= CACHE_SECONDS:
                self._problem = await self._probe()
                self._checked_at = time.monotonic()
            return self._problem

    async def _probe(self) -> str:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._store.probe()
        except TimeoutError:
            return "The database does not respond."
        except Exception as error:
            logs.fail("database_not_writable", error=error.__cause__ or error)
            return "The database cannot be written: is the disk full?"
        return ""
