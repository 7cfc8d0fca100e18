"""What goes on at a table without a person: bots, what the server answers itself, and clocks."""

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
from smashup.server.tables.picks import apply_picks
from smashup.server.tables.specials_windows import is_window, passing

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

STAND_IN: Final = "normal"
"""The level of the bot for somebody whose time is up, where none was said."""
AHEAD: Final = 900.0
"""Seconds for which a table waits in memory for a clock to run out; else the registry finds it."""
NEVER: Final = float("inf")
SEARCH_MARGIN: Final = 0.25
"""Seconds that a bot may need beyond its search."""


class AutoPlayer:
    """Goes on with a table as long as nobody has to be asked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = NEVER

    @property
    def busy(self) -> bool:
        """Whether something is under way, or about to be."""
        return self._alarm is not None or (self._task is not None and not self._task.done())

    def wake(self) -> None:
        """Go on, if there is something to go on with."""
        if not self._is_stopped and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._drive())

    async def stop(self) -> None:
        """Stop for good: the table is dropped from memory, or the worker shuts down."""
        self._is_stopped = True
        self._silence()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _drive(self) -> None:
        try:
            while await self._go_on():
                self.table.publish()
        except Exception as error:
            logs.fail("table_stalled", self.table.record.id, error)
        else:
            self._set_alarm()

    async def _go_on(self) -> bool:
        """Answer one decision, if nobody has to be asked; whether there was one."""
        table = self.table
        game = table.game
        decision = game.decision if game is not None else None
        if game is None or decision is None or not table.goes_on(game):
            return False
        seat = table.seats[decision.player]
        is_passed = table.passes(decision)
        if seat.kind == BOT:
            option = await self._think(game, decision, seat.level)
        elif is_passed:
            await table.beat()
            option = passing(decision)
        elif table.is_forced(decision):
            option = 0
        elif table.is_late(decision.player):
            option = await self._think(game, decision, seat.level or STAND_IN)
        else:
            return False
        async with table.lock:
            if table.is_behind:
                await table.catch_up()
            # A player may have answered, resigned or returned in the meantime.
            is_same = (
                table.goes_on(game)
                and table.seats[decision.player].kind == seat.kind
                and table.passes(decision) == is_passed
            )
            if not is_same:
                return True
            try:
                await self._commit(game, decision, option)
            except EntryExists:
                # Another worker was faster, and goes on with what is due.
                await table.catch_up()
                table.publish()
                return False
        return True

    async def _commit(self, game: Game, decision: Decision, option: int) -> None:
        """Commit an answer; another one if a card fails after it."""
        choices = [option, *(i for i in range(len(decision.options)) if i != option)]
        for choice in choices:
            try:
                await self.table.writer.commit_answers(apply_picks(game, [choice]), decision.player)
                return
            except CardFailure as error:
                logs.fail("card_failed", self.table.record.id, error)
                if choice == choices[-1]:
                    raise

    async def _think(self, game: Game, decision: Decision, level: str) -> int:
        table = self.table
        task = table.task(game, decision.player, len(decision.options), level)
        option = await table.thinkers.pick(task, table.claim())
        if is_window(decision):
            # As long as a search takes, whether or not there was something to think about.
            searches = search_milliseconds(level) / 1000
            await table.beat(searches + SEARCH_MARGIN if searches else 0.0)
        return option

    # --- clocks -----------------------------------------------------------------------------

    def _set_alarm(self) -> None:
        """Be woken when the time of who is asked is up, if that is soon."""
        times = self.table.times
        ends = times.ends if times is not None and times.seat >= 0 else NEVER
        if self.table.is_closed or ends - timekeeping.now() > AHEAD:
            ends = NEVER
        if ends == self._alarm_at and self._alarm is not None:
            return
        self._silence()
        if ends != NEVER:
            self._alarm_at = ends
            wait = max(0.0, ends - timekeeping.now()) + 0.01
            self._alarm = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self._silence()
        self.wake()

    def _silence(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._alarm_at = None, NEVER
