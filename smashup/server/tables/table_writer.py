"""Commits changes of a table: log entries, with the table and its seats as they are then.

Each method computes the change, commits it, and only then shows it. `EntryExists` means that
another worker was faster: nothing has changed, and the caller catches up.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from smashup.engine.game import Game
from smashup.engine.model.state import fingerprint
from smashup.server.errors import EntryExists
from smashup.server.operations import logs, metrics
from smashup.server.storage.records import (
    OVER,
    EntryKind,
    LogEntry,
    SeatRecord,
    StoredSnapshot,
    TableRecord,
)
from smashup.server.tables.clocks import Times, clock_after
from smashup.server.tables.due import due_time
from smashup.server.tables.table_log import answer_entry, undo_entry
from smashup.server.tables.undo import knowledge

if TYPE_CHECKING:
    from smashup.server.tables.table import Table


class TableWriter:
    """Commits changes of one table. The caller holds the table's lock."""

    def __init__(self, table: Table) -> None:
        self.table = table

    async def commit_answers(self, game: Game, seat: int, message_id: str = "") -> None:
        """Commit the answers by which a game has come this far from the one on the table.

        What is forced then goes with it: no player is shown a question that answers itself.
        """
        table = self.table
        before = table.game
        assert before is not None
        assert before.decision is not None
        known, choices, held = knowledge(before), table.choices.copy(), len(before.answers)
        choices.note_answer(before.decision, held, message_id)
        entries: list[LogEntry] = []
        times = table.times
        if times is not None and table.is_late(seat) and seat not in times.up:
            entries.append(LogEntry(len(table.log), EntryKind.CLOCK, seat))
            times = times.run_out(seat)
        for option in game.answers[held:]:
            number = len(table.log) + len(entries)
            entries.append(answer_entry(number, seat, option, message_id))
        while (asked := game.decision) is not None and table.is_forced(asked):
            choices.note_answer(asked, len(game.answers))
            game.choose(0)
            entries.append(answer_entry(len(table.log) + len(entries), asked.player, 0))
        choices.learn(known, knowledge(game))
        await self._commit_game(game, entries, times, game.at_menu)
        table.choices = choices

    async def commit_undo(self, game: Game, seat: int, message_id: str) -> None:
        """Commit that a choice is undone, and make this the game again."""
        table = self.table
        assert table.game is not None
        count = len(table.game.answers) - len(game.answers)
        # A menu in any case: the one that is stored may be undone as well.
        entry = undo_entry(len(table.log), seat, count, message_id)
        await self._commit_game(game, [entry], table.times, menu=True)
        table.choices.drop_last()
        table.story.rewind(game, seat)

    async def commit_entry(
        self, kind: EntryKind, seat: int, message_id: str, data: dict[str, Any]
    ) -> None:
        """Commit an entry that changes nothing but the log."""
        table = self.table
        entry = LogEntry(len(table.log), kind, seat, message_id, data)
        await self._append(table.record, [entry])
        table.note_entries([entry])

    async def commit_seats(
        self, record: TableRecord, seats: list[SeatRecord], game: Game | None
    ) -> None:
        """Commit changes of the table and its seats, and perhaps the start of a game."""
        table = self.table
        kind, times = EntryKind.SEATS, table.times
        if game is not table.game:
            kind = EntryKind.START
        elif record.state == OVER != table.record.state:
            kind = EntryKind.OVER
        if game is not None and times is not None:
            times = clock_after(times, table.game, game, seats)
            record.clock = times.to_json()
        record.due_at = due_time(record, game, seats, times, table.settings)
        changed = [
            seat.number for seat, before in zip(seats, table.seats, strict=True) if seat != before
        ]
        entry = LogEntry(len(table.log), kind, data={"seats": changed, "state": record.state})
        await self._append(record, [entry], seats, is_start=kind is EntryKind.START)
        if kind is EntryKind.START:
            metrics.GAMES.labels("begun").inc()
            logs.info("game_started", record.id, seats=len(seats))
            table.asked_at = time.monotonic()
        table.record, table.seats, table.game, table.times = record, seats, game, times
        table.note_entries([entry])

    async def _commit_game(
        self, game: Game, entries: Sequence[LogEntry], times: Times | None, menu: bool
    ) -> None:
        """Commit how the game came to this, and make it the game."""
        table = self.table
        record = replace(table.record)
        if game.is_over:
            record.state, record.winners = OVER, list(game.winners)
        if times is not None:
            times = clock_after(times, table.game, game, table.seats)
            record.clock = times.to_json()
        record.due_at = due_time(record, game, table.seats, times, table.settings)
        snapshot = None
        if menu and game.table.last_menu is not None:
            facts = game.table.last_menu.to_dict()
            snapshot = StoredSnapshot(len(table.log) + len(entries), fingerprint(facts), facts)
        await self._append(record, entries, snapshot=snapshot)
        table.record, table.times = record, times
        table.note_entries(entries)
        metrics.count_answers(entries, table.seats)
        if record.state == OVER:
            metrics.GAMES.labels("over").inc()
            logs.info("game_over", record.id, entries=len(table.log))
        table.show_game(game, is_undo=any(entry.undo_count for entry in entries))

    async def _append(
        self,
        record: TableRecord,
        entries: Sequence[LogEntry],
        seats: Sequence[SeatRecord] = (),
        snapshot: StoredSnapshot | None = None,
        is_start: bool = False,
    ) -> None:
        """Commit, and let the other workers know."""
        table = self.table
        try:
            await table.services.store.append(record, entries, seats, snapshot, is_start)
        except EntryExists:
            table.is_behind = True
            raise
        except BaseException:
            # Whether it is committed is not known: everyone comes back to what is stored.
            table.is_behind = True
            table.viewers.close()
            raise
        table.services.notifier.notify(record.id, len(table.log) + len(entries))
