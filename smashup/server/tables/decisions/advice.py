"""Advice for players whose opponents are all bots: hints and win probabilities.

Players get no help against other people. Advice depends only on what the seat knows: the bot gets
the seat's information set, and win probabilities are estimated on redealt tables.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from smashup.bots.win_probability import win_probabilities
from smashup.server.errors import NoAdvice, Refused, Stale
from smashup.server.live.protocol import Hint, HintRequest, OptionEstimate
from smashup.server.storage.records import PERSON, PLAYING
from smashup.server.tables.seats.puzzle_tables import puzzle_of

if TYPE_CHECKING:
    from smashup.server.bots.bot_pool import Task
    from smashup.server.tables.table import Table

HINT_LEVEL: Final = "hard"
"""The level of the bot that gives hints."""
REDEAL_COUNT: Final = 6
"""Redealt tables on which win probabilities are estimated."""


class Advice:
    """The last advice for the current position."""

    def __init__(self) -> None:
        self._estimated_at = -1
        """The length of the table's log when the win probabilities were estimated. A reference to
        the game would keep it in memory."""
        self._chances: list[float] | None = None
        self._hinted_at = -1
        self._hint: tuple[int, list[OptionEstimate]] | None = None
        self._hint_lock = asyncio.Lock()
        """Lets concurrent requests share one hint."""

    def chances(self, table: Table, seat: int) -> list[float] | None:
        """Return each seat's win probability; None unless all other players are bots.

        Estimated only at the seat's own play menus: estimates while cards resolve are unreliable,
        and each takes one or two milliseconds.
        """
        game = table.game
        decision = game.decision if game is not None else None
        if game is None or game.table.state.turn == 0 or not is_only_person(table, seat):
            return None
        is_at_menu = decision is not None and decision.player == seat and game.at_menu
        if len(table.log) != self._estimated_at and (is_at_menu or self._chances is None):
            self._estimated_at = len(table.log)
            self._chances = [
                round(chance, 3) for chance in win_probabilities(game, seat, REDEAL_COUNT)
            ]
        return self._chances

    async def hint(self, table: Table, seat: int, message: HintRequest) -> Hint:
        """Return the choice of a strong bot."""
        from smashup.server.tables.answering import require_decision

        decision = require_decision(table, seat, message.number)
        if not is_only_person(table, seat):
            raise Refused("Hints are for games against bots only.")
        game = table.game
        assert game is not None
        position = len(table.log)
        async with self._hint_lock:
            if self._hinted_at != position or self._hint is None:
                task = table.bot_task(game, seat, len(decision.options), HINT_LEVEL)
                self._hint = await self._request_advice(table, task)
                self._hinted_at = position
            option, opinions = self._hint
        if table.game is not game:
            raise Stale("That decision is no longer open; this is the current one.")
        return Hint(
            type="hint", id=message.id, number=message.number, option=option, opinions=opinions
        )

    async def _request_advice(self, table: Table, task: Task) -> tuple[int, list[OptionEstimate]]:
        advice = await table.bot_pool.advise(task, table.bot_claim())
        if advice is None:
            raise NoAdvice("The bot has no advice right now; try again.")
        return advice.pick, [
            OptionEstimate(option=e.option, chance=round(e.win_probability, 3), visits=e.visits)
            for e in advice.estimates
        ]


def is_only_person(table: Table, seat: int) -> bool:
    """Return whether a seat's owner plays a game against bots only; puzzles have other hints."""
    return (
        table.record.state == PLAYING
        and table.seats[seat].kind == PERSON
        and table.num_people() == 1
        and puzzle_of(table) is None
    )
