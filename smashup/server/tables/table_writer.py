"""Commits changes of a table: log entries, with the new state of the table and its seats.

Each method computes the change, commits it, and only then applies it in memory. `EntryExists` means
that another worker was faster: nothing has changed, and the caller catches up.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
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
from smashup.server.tables.decisions.undo import capture_knowledge
from smashup.server.tables.table_log import answer_entry, undo_entry
from smashup.server.tables.timing.clocks import TurnClock, clock_after
from smashup.server.tables.timing.due import due_time

if TYPE_CHECKING:
    from smashup.server.tables.table import Table


class TableWriter:
    """Commits changes of one table. The caller holds the table's lock."""

    def __init__(self, table: Table) -> None:
        self.table = table

    async def commit_answers(self, game: Game, seat: int, message_id: str = "") -> None:
        """Commit the answers that lead from the current game to this one.

        Forced answers that follow are committed as well, so that no player sees such a question.
        """
        table = self.table
        before = table.game
        assert before is not None
        assert before.decision is not None
        known, choices, num_answers = (
            capture_knowledge(before),
            table.choices.copy(),
            len(before.answers),
        )
        choices.add_answer(before.decision, num_answers, message_id)
        entries: list[LogEntry] = []
        clock = table.clock
        if clock is not None and table.is_out_of_time(seat) and seat not in clock.up:
            entries.append(LogEntry(len(table.log), EntryKind.CLOCK, seat))
            clock = clock.run_out(seat)
        for option in game.answers[num_answers:]:
            number = len(table.log) + len(entries)
            entries.append(answer_entry(number, seat, option, message_id))
        while (asked := game.decision) is not None and table.is_forced(asked):
            choices.add_answer(asked, len(game.answers))
            game.choose(0)
            entries.append(answer_entry(len(table.log) + len(entries), asked.player, 0))
        choices.update_knowledge(known, capture_knowledge(game))
        await self._commit_game(game, entries, clock, game.at_menu)
        table.choices = choices

    async def commit_undo(
        self, game: Game, seat: int, message_id: str = "", failed: Mapping[str, str] | None = None
    ) -> None:
        """Commit an undo, after which this is the game."""
        table = self.table
        assert table.game is not None
        count = len(table.game.answers) - len(game.answers)
        # Store a menu in any case, because the stored one may be undone as well.
        entry = undo_entry(len(table.log), seat, count, message_id, failed)
        await self._commit_game(game, [entry], table.clock, is_menu=True)
        table.choices.drop_last()
        table.log_history.rewind(game, entry)

    async def commit_time_up(self, seat: int) -> None:
        """Commit that a seat has run out of time, unless that is stored already."""
        table = self.table
        if table.clock is None or seat in table.clock.up:
            return
        record, clock = replace(table.record), table.clock.run_out(seat)
        record.clock = clock.to_json()
        record.due_at = due_time(record, table.game, table.seats, clock, table.settings)
        entry = LogEntry(len(table.log), EntryKind.CLOCK, seat)
        await self._append(record, [entry])
        table.record, table.clock = record, clock
        table.add_entries([entry])

    async def commit_entry(
        self, kind: EntryKind, seat: int, message_id: str, data: dict[str, Any]
    ) -> None:
        """Commit an entry that changes only the log."""
        table = self.table
        entry = LogEntry(len(table.log), kind, seat, message_id, data)
        await self._append(table.record, [entry])
        table.add_entries([entry])

    async def commit_seats(
        self, record: TableRecord, seats: list[SeatRecord], game: Game | None
    ) -> None:
        """Commit changes of the table and its seats, and the start of a game if there is one."""
        table = self.table
        kind, clock = EntryKind.SEATS, table.clock
        if game is not table.game:
            kind = EntryKind.START
        elif record.state == OVER != table.record.state:
            kind = EntryKind.OVER
        if game is not None and clock is not None:
            clock = clock_after(clock, table.game, game, seats)
            record.clock = clock.to_json()
        record.due_at = due_time(record, game, seats, clock, table.settings)
        changed = [
            seat.number for seat, before in zip(seats, table.seats, strict=True) if seat != before
        ]
        entry = LogEntry(len(table.log), kind, data={"seats": changed, "state": record.state})
        await self._append(record, [entry], seats, is_start=kind is EntryKind.START)
        if kind is EntryKind.START:
            metrics.GAMES.labels("begun").inc()
            logs.info("game_started", record.id, seats=len(seats))
            table.asked_at = time.monotonic()
        table.record, table.seats, table.game, table.clock = record, seats, game, clock
        table.add_entries([entry])

    async def _commit_game(
        self, game: Game, entries: Sequence[LogEntry], clock: TurnClock | None, is_menu: bool
    ) -> None:
        """Commit the entries that lead to this game, and make it the current one."""
        table = self.table
        record = replace(table.record)
        if game.is_over:
            record.state, record.winners = OVER, list(game.winners)
        if clock is not None:
            clock = clock_after(clock, table.game, game, table.seats)
            record.clock = clock.to_json()
        record.due_at = due_time(record, game, table.seats, clock, table.settings)
        snapshot = None
        if is_menu and game.table.last_menu is not None:
            facts = game.table.last_menu.to_dict()
            snapshot = StoredSnapshot(len(table.log) + len(entries), fingerprint(facts), facts)
        await self._append(record, entries, snapshot=snapshot)
        table.record, table.clock = record, clock
        table.add_entries(entries)
        metrics.count_answers(entries, table.seats)
        if record.state == OVER:
            metrics.GAMES.labels("over").inc()
            logs.info("game_over", record.id, entries=len(table.log))
        table.set_game(game, is_undo=any(entry.undo_count for entry in entries))

    async def _append(
        self,
        record: TableRecord,
        entries: Sequence[LogEntry],
        seats: Sequence[SeatRecord] = (),
        snapshot: StoredSnapshot | None = None,
        is_start: bool = False,
    ) -> None:
        """Commit entries and notify the other workers."""
        table = self.table
        try:
            await table.services.store.append(record, entries, seats, snapshot, is_start)
        except EntryExists:
            table.is_behind = True
            raise
        except BaseException:
            # The outcome is unknown: viewers reconnect and get what is stored.
            table.is_behind = True
            table.viewers.close()
            raise
        table.services.notifier.notify(record.id, len(table.log) + len(entries))
