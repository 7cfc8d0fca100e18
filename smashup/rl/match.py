"""A game that is asked one decision at a time and runs nothing twice.

`Game.choose` goes back to the last checkpoint and plays a card again with the answers so far: good
for people, who want to take back and to watch. Learning wants speed: here the game runs in a
greenlet of its own and simply stands still inside the card until the answer comes.
"""

from __future__ import annotations

from typing import Final

from greenlet import getcurrent, greenlet

from smashup.engine.errors import IllegalChoice
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.constants import SETUP
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup
from smashup.rl.pages import Page, page_of
from smashup.rl.vocabulary import Vocabulary

ACTION_LIMIT: Final = 5000
"""Actions after which a game is cut short. The longest of thousands of random ones had 922."""


class _Line:
    """What the running game and the one who answers have in common.

    The game must not know the match: then it ends as soon as nobody holds the match any more.
    """

    __slots__ = ("asker", "skip_forced")

    def __init__(self, skip_forced: bool) -> None:
        self.asker: greenlet = getcurrent()
        self.skip_forced = skip_forced

    def answer(self, decision: Decision) -> int:
        if self.skip_forced and len(decision.options) == 1:
            return 0
        chosen: int = self.asker.switch(decision)
        return chosen


def _run(game: Game, line: _Line) -> None:
    game.play_out(line.answer, record=True)


class Match:
    """One game, decision by decision, with the pages of options that a fixed action space needs."""

    def __init__(
        self,
        setup: Setup,
        cards: Catalogue,
        vocabulary: Vocabulary,
        slots: int,
        skip_forced: bool = True,
        limit: int = ACTION_LIMIT,
    ) -> None:
        self.game = Game(setup, cards)
        self.game.table.logging = False
        self.vocabulary = vocabulary
        self.slots = slots
        self.limit = limit
        self.actions = 0
        """How many were taken; looking at another page is one."""
        self.factions: list[list[int]] = [[0, 0] for _ in range(setup.players)]
        """The factions of each seat, by number; 0 as long as they are not known."""
        self._setting_up = True
        self._line = _Line(skip_forced)
        self._greenlet = greenlet(_run)
        self.decision: Decision | None = None
        """The choice to be made now; None when the game is over."""
        self.page = Page(0, 0, 0, 1)
        self._take(self._greenlet.switch(self.game, self._line))

    @property
    def is_over(self) -> bool:
        return self.decision is None

    @property
    def is_cut(self) -> bool:
        """Whether the game was cut short: it is over and nobody has won."""
        return self.decision is None and not self.game.table.state.over

    @property
    def player(self) -> int:
        """Who decides; -1 when the game is over."""
        return self.decision.player if self.decision is not None else -1

    def act(self, action: int) -> None:
        """Take the option in this slot, or see the next page of options."""
        decision = self.decision
        if decision is None:
            raise IllegalChoice("The game is over: there is nothing to choose.")
        option = self.page.option(action, self.slots)
        self.actions += 1
        if self.actions >= self.limit:
            self.close()
            return
        if option is None:
            self.page = self.page.next(len(decision.options), self.slots)
            return
        self._line.asker = self._greenlet.parent = getcurrent()
        try:
            self._take(self._greenlet.switch(option))
        except RecursionError:
            # Cards that call each other up in a circle, which a player may choose to go round for
            # ever: nobody wins such a game.
            self.decision = None

    def close(self) -> None:
        """Leave the game where it stands."""
        self.decision = None
        if not self._greenlet.dead:
            self._greenlet.parent = getcurrent()
            self._greenlet.throw()

    def _take(self, decision: Decision | None) -> None:
        self.decision = decision
        if decision is None:
            return
        self.page = page_of(len(decision.options), self.slots)
        if self._setting_up:
            self.factions = self.vocabulary.factions_of(self.game)
            self._setting_up = self.game.table.state.phase == SETUP
