"""The lobby's listing, made once for everyone who asks at about the same time.

A listing is made at most every `INTERVAL_SECONDS`, however many ask. Who asks after a request has
changed something gets one that shows the change; other changes, like a player who disconnects,
show that many seconds later at most.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from smashup.server.http.pages import Text

INTERVAL_SECONDS: Final = 0.2


class _State:
    """The listing of the tables in one state."""

    def __init__(self) -> None:
        self.text: Text | None = None
        """The last one; None if it is out of date."""
        self.begun_at = -INTERVAL_SECONDS
        self.next: asyncio.Task[Text] | None = None
        """The next one, as long as it has not been begun."""
        self.changes = 0


class LobbyListing:
    """The listings, by state of the tables."""

    def __init__(self, make: Callable[[str], Awaitable[bytes]]) -> None:
        self._make = make
        self._states: dict[str, _State] = {}

    def invalidate(self) -> None:
        """A request may have changed something."""
        for listing in self._states.values():
            listing.text = None
            listing.changes += 1

    async def text(self, state: str) -> Text:
        """The listing, ready to be sent."""
        listing = self._states.setdefault(state, _State())
        is_recent = time.monotonic() - listing.begun_at < INTERVAL_SECONDS
        if listing.text is not None and is_recent:
            return listing.text
        if listing.next is None:
            listing.next = asyncio.create_task(self._prepare(state, listing))
            # Everyone who asked may have gone.
            listing.next.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(listing.next)

    async def _prepare(self, state: str, listing: _State) -> Text:
        wait = listing.begun_at + INTERVAL_SECONDS - time.monotonic()
        try:
            if wait > 0:
                await asyncio.sleep(wait)
        finally:
            listing.next = None  # who asks from now on must not get what is read now
        listing.begun_at = time.monotonic()
        changes = listing.changes
        text = Text.of(await self._make(state))
        if listing.changes == changes:
            listing.text = text
        return text
