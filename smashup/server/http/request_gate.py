"""A few requests of one address at a time; the others wait, so that everyone else comes between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from smashup.server.errors import RateLimited


class RequestGate:
    """Lets so many requests of each address through at once."""

    def __init__(self, at_once: int, max_waiting: int) -> None:
        self.at_once = at_once
        self.max_waiting = max_waiting
        self._addresses: dict[str, _Address] = {}

    @asynccontextmanager
    async def enter(self, address: str) -> AsyncIterator[None]:
        """Wait for a place; `RateLimited` if too many are waiting already."""
        state = self._addresses.get(address)
        if state is None:
            state = self._addresses[address] = _Address(self.at_once)
        if state.users >= self.at_once + self.max_waiting:
            raise RateLimited("Too many requests; wait a moment.")
        state.users += 1
        try:
            async with state.places:
                yield
        finally:
            state.users -= 1
            if not state.users:
                del self._addresses[address]


class _Address:
    """The requests of one address."""

    def __init__(self, at_once: int) -> None:
        self.places = asyncio.Semaphore(at_once)
        self.users = 0
        """How many wait or have a place."""
