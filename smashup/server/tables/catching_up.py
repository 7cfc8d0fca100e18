"""Catching up: a worker applies what other workers have committed to a table it has in memory."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from smashup.server.errors import NotFound, TableReloading
from smashup.server.storage.damage import report_damage
from smashup.server.storage.records import EntryKind, LogEntry, StoredChanges
from smashup.server.tables.decisions.undo import capture_knowledge, reopen_choices
from smashup.server.tables.restore import begin_game

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

RELOAD_KINDS: Final = frozenset((EntryKind.RESUME, EntryKind.FORGET))
"""Entries after which a table has to be loaded again."""


async def catch_up(table: Table) -> None:
    """Apply what other workers have committed. The caller holds the table's lock.

    A table that cannot catch up is closed, and the next request loads it again.
    """
    if table.is_closed:
        raise TableReloading("This table is reloading. Try again in a moment.")
    table_id = table.record.id
    table.is_behind = False  # a notification from now on sets it again
    try:
        changes = await table.services.store.load_changes(table_id, table.position)
    except BaseException:
        table.is_behind = True
        raise
    if changes is None:
        close(table)
        raise NotFound("There is no such table.")
    if any(entry.kind in RELOAD_KINDS for entry in changes.entries):
        close(table)
        raise TableReloading("This table is reloading. Try again in a moment.")
    try:
        with report_damage(table_id):
            await _apply(table, changes)
    except BaseException:
        close(table)
        raise


def close(table: Table) -> None:
    """Mark a table as closed and disconnect its viewers, who reconnect."""
    table.is_closed = True
    table.viewers.close()


async def _apply(table: Table, changes: StoredChanges) -> None:
    known = table.clock
    for entry in changes.entries:
        if entry.kind is EntryKind.START:
            table.game = await asyncio.to_thread(begin_game, changes.table, table.services.cards)
        elif entry.kind is EntryKind.ANSWER:
            _apply_answer(table, entry)
            continue
        elif entry.kind is EntryKind.UNDO:
            await _apply_undo(table, entry)
            continue
        table.add_entries([entry])
    if changes.entries:
        table.set_stored(changes.table, changes.seats)
    else:
        table.clock = known
    table.chat.extend(changes.chat)
    table.viewers.update_present(changes.present)


def _apply_answer(table: Table, entry: LogEntry) -> None:
    before = table.game
    assert before is not None
    decision = before.decision
    assert decision is not None
    known = capture_knowledge(before)
    last = table.log.entries[-1] if len(table.log) else None
    is_next_pick = (
        bool(entry.message_id)
        and last is not None
        and (last.seat, last.message_id) == (entry.seat, entry.message_id)
    )
    if not is_next_pick:  # the picks of one message are one choice
        table.choices.add_answer(decision, len(before.answers), entry.message_id)
    game = before.after(entry.option, log=True)
    table.choices.update_knowledge(known, capture_knowledge(game))
    table.add_entries([entry])
    table.set_game(game)


async def _apply_undo(table: Table, entry: LogEntry) -> None:
    assert table.game is not None
    game = await asyncio.to_thread(table.game.undo, entry.undo_count)
    table.add_entries([entry])
    table.set_game(game, is_undo=True)
    if "failed" in entry.data:
        reopen_choices(table)
    else:
        table.choices.drop_last()
    table.log_history.rewind(game, entry)
