"""Daily maintenance: backups, and deletion of old data."""

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
MAX_BACKUPS: Final = 7
"""Number of daily backups to keep."""
DELETE_BATCH: Final = 50
"""Old tables that are deleted in one transaction."""


async def run_daily(registry: TableRegistry) -> None:
    """Make a backup and delete old data, now and every day."""
    while True:
        try:
            await back_up(registry)
        except Exception as error:
            logs.fail("backup_failed", error=error)
        try:
            await remove_old_tables(registry)
            await delete_personal_data(registry)
            await registry.store.cleanup.save_clock()
        except Exception as error:
            logs.fail("cleanup_failed", error=error)
        await asyncio.sleep(DAY)


async def remove_old_tables(registry: TableRegistry) -> None:
    """Delete the tables that have not changed for a long time."""
    settings, store = registry.settings, registry.store
    limits = {
        WAITING: settings.keep_open_days,
        OVER: settings.keep_finished_days,
        PLAYING: settings.keep_unfinished_days,
    }
    for state, days in limits.items():
        before = store.retention.deletion_time() - days * DAY
        # In small batches, so that answers do not wait.
        while (
            await store.cleanup.remove_tables(
                state, before, registry.used_table_ids(), DELETE_BATCH
            )
            == DELETE_BATCH
        ):
            await asyncio.sleep(0)


async def back_up(registry: TableRegistry) -> None:
    """Make the backup of the day, and delete the oldest ones."""
    if not registry.settings.backup_folder or registry.store.is_shared:
        return
    folder = Path(registry.settings.backup_folder)
    # The retention clock: old backups are deleted by the date in their name.
    today = date.fromtimestamp(registry.store.retention.now())
    copy = folder / f"tables-{today.isoformat()}.sqlite"
    started = time.monotonic()
    await registry.store.back_up(copy)
    seconds = round(time.monotonic() - started, 2)
    logs.info("backup_made", seconds=seconds, bytes=copy.stat().st_size)
    for old in sorted(folder.glob("tables-????-??-??.sqlite"))[:-MAX_BACKUPS]:
        old.unlink(missing_ok=True)


async def delete_personal_data(registry: TableRegistry) -> None:
    """Delete old chat texts, names and reports."""
    settings, store = registry.settings, registry.store
    now = store.retention.deletion_time()
    chat_before = now - settings.keep_chat_days * DAY
    await store.cleanup.delete_chat_text(chat_before)
    for table in registry.tables.values():
        table.chat.delete_text(chat_before)
    await store.cleanup.delete_names(now - settings.keep_names_days * DAY)
    await store.cleanup.delete_reports(now - settings.keep_reports_days * DAY)
