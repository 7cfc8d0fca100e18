"""What a worker does once a day: backups, and deleting what was kept for long enough."""

from __future__ import annotations

import asyncio
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from smashup.server.operations import logs
from smashup.server.storage.records import OVER, PLAYING, WAITING

if TYPE_CHECKING:
    from smashup.server.tables.registry import TableRegistry

DAY: Final = 86_400.0
MAX_COPIES: Final = 7
"""Backups that are kept, one a day."""
REMOVED_AT_ONCE: Final = 50
"""Old tables that are removed in one transaction."""


async def run_daily(registry: TableRegistry) -> None:
    """Now and every day, make a backup where that is wanted, and remove old data."""
    while True:
        try:
            await back_up(registry)
        except Exception as error:
            logs.fail("backup_failed", error=error)
        try:
            await remove_old_tables(registry)
            await forget(registry)
            await registry.store.cleanup.save_clock()
        except Exception as error:
            logs.fail("cleanup_failed", error=error)
        await asyncio.sleep(DAY)


async def remove_old_tables(registry: TableRegistry) -> None:
    """Remove the tables that nobody has changed for a long time."""
    settings, store = registry.settings, registry.store
    limits = {
        WAITING: settings.keep_open,
        OVER: settings.keep_over,
        PLAYING: settings.keep_playing,
    }
    for state, days in limits.items():
        before = store.retention.deleting() - days * DAY
        # A few at a time: others want to write, too.
        while (
            await store.cleanup.remove_tables(state, before, registry.in_use(), REMOVED_AT_ONCE)
            == REMOVED_AT_ONCE
        ):
            await asyncio.sleep(0)


async def back_up(registry: TableRegistry) -> None:
    """Make the copy of the day, and remove the oldest ones."""
    if not registry.settings.backups or registry.store.is_shared:
        return
    folder = Path(registry.settings.backups)
    # By the clock that nothing is deleted too early by: the oldest copies are removed by name.
    today = date.fromtimestamp(registry.store.retention.now())
    copy = folder / f"tables-{today.isoformat()}.sqlite"
    began = time.monotonic()
    await registry.store.back_up(copy)
    seconds = round(time.monotonic() - began, 2)
    logs.info("backup_made", seconds=seconds, bytes=copy.stat().st_size)
    for old in sorted(folder.glob("tables-????-??-??.sqlite"))[:-MAX_COPIES]:
        old.unlink(missing_ok=True)


async def forget(registry: TableRegistry) -> None:
    """Delete words, names and reports that were kept for long enough."""
    settings, store = registry.settings, registry.store
    now = store.retention.deleting()
    words = now - settings.keep_chat * DAY
    await store.cleanup.forget_words(words)
    for table in registry.tables.values():
        table.talk.forget_words(words)
    await store.cleanup.forget_names(now - settings.keep_names * DAY)
    await store.cleanup.forget_reports(now - settings.keep_reports * DAY)
