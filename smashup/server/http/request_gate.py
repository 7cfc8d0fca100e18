"""Limits the concurrent requests of each address; further ones wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from smashup.server.errors import RateLimited


class RequestGate:
    """Admits a limited number of concurrent requests per address."""

    def __init__(self, max_concurrent: int, max_waiting: int) -> None:
        self.max_concurrent = max_concurrent
        self.max_waiting = max_waiting
        self._addresses: dict[str, _Address] = {}

    @asynccontextmanager
    async def enter(self, address: str) -> AsyncIterator[None]:
        """Wait for a free slot; raise `RateLimited` if too many requests wait."""
        state = self._addresses.get(address)
        if state is None:
            state = self._addresses[address] = _Address(self.max_concurrent)
        if state.users >= self.max_concurrent + self.max_waiting:
            raise RateLimited("Too many requests; wait a moment.")
        state.users += 1
        try:
            async with state.slots:
                yield
        finally:
            state.users -= 1
            if not state.users:
                del self._addresses[address]


class _Address:
    """The requests of one address."""

    def __init__(self, max_concurrent: int) -> None:
        self.slots = asyncio.Semaphore(max_concurrent)
        self.users = 0
        """How many requests wait or have a slot."""
