"""What a bot says to somebody who plays against bots only: a hint, and how the game stands.

Nobody gets help against other people. What is told is made of what the seat knows and of nothing
else: the bot has the seat's sight, and chances are judged on tables dealt anew.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from smashup.bots.win_probability import win_probabilities
from smashup.server.errors import Refused, Stale
from smashup.server.live.protocol import AskHint, Hint, Opinion
from smashup.server.storage.records import PERSON, PLAYING

if TYPE_CHECKING:
    from smashup.server.bots.bot_pool import Task
    from smashup.server.tables.table import Table

ADVISER: Final = "hard"
"""The level of the bot that is asked."""
DEALS: Final = 6
"""Tables imagined to judge how the game stands."""


class Advice:
    """What was said about the position on the table, so that it is thought about only once."""

    def __init__(self) -> None:
        self._judged = -1
        """How long the table's log was when the chances were judged. A reference to the game would
        keep it in memory."""
        self._chances: list[float] | None = None
        self._asked = -1
        self._hint: tuple[int, list[Opinion]] | None = None
        self._asking = asyncio.Lock()
        """One bot thinks about it, however often it is asked."""

    def chances(self, table: Table, seat: int) -> list[float] | None:
        """Each seat's chance to win, for somebody among bots.

        Judged anew at the seat's own play menus only: in between a table is in a muddle, and
        judging costs a millisecond or two.
        """
        game = table.game
        decision = game.decision if game is not None else None
        if game is None or game.table.state.turn == 0 or not is_alone(table, seat):
            return None
        quiet = decision is not None and decision.player == seat and game.at_menu
        if len(table.log) != self._judged and (quiet or self._chances is None):
            self._judged = len(table.log)
            self._chances = [round(chance, 3) for chance in win_probabilities(game, seat, DEALS)]
        return self._chances

    async def hint(self, table: Table, seat: int, said: AskHint) -> Hint:
        """What a strong bot would choose."""
        from smashup.server.tables.answering import decision_of

        decision = decision_of(table, seat, said.number)
        if not is_alone(table, seat):
            raise Refused("Hints are for games against bots only.")
        game = table.game
        assert game is not None
        position = len(table.log)
        async with self._asking:
            if self._asked != position or self._hint is None:
                task = table.task(game, seat, len(decision.options), ADVISER)
                self._hint = await self._think(table, task)
                self._asked = position
            option, opinions = self._hint
        if table.game is not game:
            raise Stale("That decision is past; this is the one on the table now.")
        return Hint(type="hint", id=said.id, number=said.number, option=option, opinions=opinions)

    async def _think(self, table: Table, task: Task) -> tuple[int, list[Opinion]]:
        advice = await table.thinkers.advise(task, table.claim())
        if advice is None:
            raise Refused("The bot has no advice right now; try again.")
        return advice.pick, [
            Opinion(option=e.option, chance=round(e.win_probability, 3), visits=e.visits)
            for e in advice.estimates
        ]


def is_alone(table: Table, seat: int) -> bool:
    """Whether somebody plays against bots only."""
    return (
        table.record.state == PLAYING and table.seats[seat].kind == PERSON and table.people() == 1
    )
