"""The lobby's listing, which concurrent requests share.

A listing is made at most every `INTERVAL_SECONDS`. A request that follows a change made by another
request gets a listing with that change; other changes, such as a disconnected player, appear after
that interval at the latest.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from smashup.server.http.pages import CompressedText

INTERVAL_SECONDS: Final = 0.2


class _State:
    """The listing of the tables in one state."""

    def __init__(self) -> None:
        self.text: CompressedText | None = None
        """The last listing; None if it is out of date."""
        self.started_at = -INTERVAL_SECONDS
        self.next: asyncio.Task[CompressedText] | None = None
        """The next listing, until it is started."""
        self.changes = 0


class LobbyListing:
    """The listings, by state of the tables."""

    def __init__(self, make: Callable[[str], Awaitable[bytes]]) -> None:
        self._make = make
        self._states: dict[str, _State] = {}

    def invalidate(self) -> None:
        """Drop the listings, because a request may have changed a table."""
        for listing in self._states.values():
            listing.text = None
            listing.changes += 1

    async def text(self, state: str) -> CompressedText:
        """Return the listing of a state."""
        listing = self._states.setdefault(state, _State())
        is_recent = time.monotonic() - listing.started_at < INTERVAL_SECONDS
        if listing.text is not None and is_recent:
            return listing.text
        if listing.next is None:
            listing.next = asyncio.create_task(self._prepare(state, listing))
            # All clients that wait for it may have disconnected.
            listing.next.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(listing.next)

    async def _prepare(self, state: str, listing: _State) -> CompressedText:
        wait = listing.started_at + INTERVAL_SECONDS - time.monotonic()
        try:
            if wait > 0:
                await asyncio.sleep(wait)
        finally:
            listing.next = None  # later requests must not get what is read now
        listing.started_at = time.monotonic()
        changes = listing.changes
        text = CompressedText.compress(await self._make(state))
        if listing.changes == changes:
            listing.text = text
        return text
