"""What a hub sees to now and then: clocks that run out, and what is not to be kept for long."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from smashup.server.errors import Refused
from smashup.server.operations import logs, timekeeping
from smashup.server.storage.sqlite import SqliteStore

if TYPE_CHECKING:
    from smashup.server.tables.registry import Hub

SOON: Final = 120.0
"""Seconds before a clock runs out at which its table is brought into memory."""
DAY: Final = 86_400.0
COPIES: Final = 7
"""Backups that are kept, one a day."""


async def wake_due(hub: Hub) -> None:
    """Go on with the games whose clock has run out, or is about to, with nobody there."""
    try:
        due = await hub.store.due(timekeeping.now() + SOON)
    except Exception as error:
        logs.fail("clocks could not be looked at", error=error)
        return
    for table_id in due:
        if hub.has(table_id):
            hub.tables[table_id].wake()
            continue
        try:
            async with hub.use(table_id):
                pass  # that is enough to wake it
        except Refused:
            continue  # another worker has it, or it cannot be opened under the present rules
        except Exception as error:
            logs.fail("a table does not go on", table_id, error)


async def back_up(hub: Hub) -> None:
    """Make the copy of the day, and remove the oldest ones."""
    if not hub.settings.backups or not isinstance(hub.store, SqliteStore):
        return
    folder = Path(hub.settings.backups)
    # By the clock that nothing is deleted too early by: the oldest copies are removed by name.
    today = date.fromtimestamp(hub.store.retention.now())
    copy = folder / f"tables-{today.isoformat()}.sqlite"
    began = time.monotonic()
    await hub.store.back_up(copy)
    logs.write_line(
        "a backup is made", seconds=round(time.monotonic() - began, 2), bytes=copy.stat().st_size
    )
    for old in sorted(folder.glob("tables-????-??-??.sqlite"))[:-COPIES]:
        old.unlink(missing_ok=True)


async def forget(hub: Hub) -> None:
    """Delete words, names and reports that were kept for long enough."""
    settings, now = hub.settings, hub.store.retention.deleting()
    words = now - settings.keep_chat * DAY
    await hub.store.forget_words(words)
    for table in hub.tables.values():
        table.talk.forget_words(words)
    await hub.store.forget_names(now - settings.keep_names * DAY)
    await hub.store.forget_reports(now - settings.keep_reports * DAY)
