"""Plays for bots, passes and answers automatically, and enforces clocks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from smashup.engine.errors import CardFailure
from smashup.engine.game import Game
from smashup.engine.model.decisions import Decision
from smashup.server.bots.bot_pool import search_milliseconds
from smashup.server.errors import EntryExists
from smashup.server.operations import logs, timekeeping
from smashup.server.storage.records import BOT
from smashup.server.tables.decisions.picks import apply_picks
from smashup.server.tables.decisions.specials_windows import is_window, pass_option
from smashup.server.tables.decisions.undo import undo_failure
from smashup.server.tables.seats.puzzle_tables import answer_for_rival, puzzle_of

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

DEFAULT_LEVEL: Final = "normal"
"""The level of the bot that plays for a player who ran out of time."""
MAX_ALARM_SECONDS: Final = 900.0
"""Later clocks have no timer; the synchronizer finds them when they are due."""
NEVER: Final = float("inf")
SEARCH_MARGIN_SECONDS: Final = 0.25
"""Time that a bot may need beyond its search."""


class AutoPlayer:
    """Continues a table as long as no person has to be asked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = NEVER

    @property
    def is_busy(self) -> bool:
        """Whether an action is in progress or scheduled."""
        return self._alarm is not None or (self._task is not None and not self._task.done())

    def wake(self) -> None:
        """Perform the next actions, if there are any."""
        if not self._is_stopped and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop permanently, because the table is dropped from memory or the worker shuts down."""
        self._is_stopped = True
        self._cancel_alarm()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        try:
            while await self._play_next():
                self.table.publish()
        except Exception as error:
            logs.fail("table_stalled", self.table.record.id, error)
        else:
            self._set_alarm()

    async def _play_next(self) -> bool:
        """Answer one decision if no person has to be asked; return whether to continue."""
        table = self.table
        game = table.game
        decision = game.decision if game is not None else None
        if game is None or decision is None or not table.is_current(game):
            return False
        seat = table.seats[decision.player]
        is_passed = table.is_auto_passed(decision)
        puzzle = puzzle_of(table)
        if seat.kind == BOT and puzzle is not None:
            reply = answer_for_rival(puzzle, game, decision)
            if reply is None:
                return False
            option = reply
        elif seat.kind == BOT:
            option = await self._choose_with_bot(game, decision, seat.level)
        elif is_passed:
            await table.wait_for_window()
            option = pass_option(decision)
        elif table.is_forced(decision):
            option = 0
        elif table.is_out_of_time(decision.player):
            option = await self._choose_with_bot(game, decision, seat.level or DEFAULT_LEVEL)
        else:
            return False
        async with table.lock:
            if table.is_behind:
                await table.catch_up()
            # A player may have answered, resigned or returned in the meantime.
            is_same = (
                table.is_current(game)
                and table.seats[decision.player].kind == seat.kind
                and table.is_auto_passed(decision) == is_passed
            )
            if not is_same:
                return True
            try:
                await self._commit(game, decision, option)
            except EntryExists:
                # Another worker was faster and performs the next due action.
                await table.catch_up()
                table.publish()
                return False
        return True

    async def _commit(self, game: Game, decision: Decision, option: int) -> None:
        """Commit an answer; another one if a card fails; if all fail, undo the choice before."""
        choices = [option, *(i for i in range(len(decision.options)) if i != option)]
        for choice in choices:
            try:
                await self.table.writer.commit_answers(apply_picks(game, [choice]), decision.player)
                return
            except CardFailure as error:
                logs.fail("card_failed", self.table.record.id, error)
                if choice == choices[-1]:
                    await undo_failure(self.table, error)

    async def _choose_with_bot(self, game: Game, decision: Decision, level: str) -> int:
        table = self.table
        task = table.bot_task(game, decision.player, len(decision.options), level)
        option = await table.bot_pool.pick(task, table.bot_claim())
        if is_window(decision):
            # Always take the search time, so that it does not reveal whether the bot had a choice.
            search_seconds = search_milliseconds(level) / 1000
            await table.wait_for_window(
                search_seconds + SEARCH_MARGIN_SECONDS if search_seconds else 0.0
            )
        return option

    # --- clocks -----------------------------------------------------------------------------

    def _set_alarm(self) -> None:
        """Set a timer for the running clock, if it ends soon."""
        clock = self.table.clock
        ends = clock.ends if clock is not None and clock.seat >= 0 else NEVER
        if self.table.is_closed or ends - timekeeping.now() > MAX_ALARM_SECONDS:
            ends = NEVER
        if ends == self._alarm_at and self._alarm is not None:
            return
        self._cancel_alarm()
        if ends != NEVER:
            self._alarm_at = ends
            wait = max(0.0, ends - timekeeping.now()) + 0.01
            self._alarm = asyncio.get_running_loop().call_later(wait, self._on_alarm)

    def _on_alarm(self) -> None:
        self._cancel_alarm()
        self.wake()

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._alarm_at = None, NEVER
