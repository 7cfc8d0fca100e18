"""A game that stops at each decision without replaying anything.

`Game.choose` returns to the last checkpoint and replays a card with the answers so far, which
supports undo and watching. Learning needs speed: here the game runs in a greenlet of its own and
suspends inside the card until the answer arrives.
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
from smashup.rl.pages import Page, make_page
from smashup.rl.vocabulary import Vocabulary

ACTION_LIMIT: Final = 5000
"""Actions after which a game is truncated. The longest of thousands of random games had 922."""


class _Channel:
    """Connects the running game with its caller.

    The game must not reference the match, so that it is freed with the match.
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


def _run(game: Game, channel: _Channel) -> None:
    game.play_out(channel.answer, record=True)


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
        """Actions taken; turning a page is one."""
        self.factions: list[list[int]] = [[0, 0] for _ in range(setup.players)]
        """Faction numbers of each seat; 0 while unknown."""
        self._setting_up = True
        self._channel = _Channel(skip_forced)
        self._greenlet = greenlet(_run)
        self.decision: Decision | None = None
        """The pending decision; None when the game is over."""
        self.page = Page(0, 0, 0, 1)
        self._set_decision(self._greenlet.switch(self.game, self._channel))

    @property
    def is_over(self) -> bool:
        return self.decision is None

    @property
    def is_truncated(self) -> bool:
        """Whether the game ended at the action limit, without a winner."""
        return self.decision is None and not self.game.table.state.over

    @property
    def player(self) -> int:
        """The player who decides; -1 when the game is over."""
        return self.decision.player if self.decision is not None else -1

    def act(self, action: int) -> None:
        """Take the option in this slot, or turn the page."""
        decision = self.decision
        if decision is None:
            raise IllegalChoice("The game is over: there is nothing to choose.")
        option = self.page.option(action, self.slots)
        if option is not None:
            self.choose(option)
        elif self._count_action():
            self.page = self.page.next(len(decision.options), self.slots)

    def choose(self, option: int) -> None:
        """Take an option of any page."""
        if not self._count_action():
            return
        self._channel.asker = self._greenlet.parent = getcurrent()
        try:
            self._set_decision(self._greenlet.switch(option))
        except RecursionError:
            # Cards that trigger each other in an endless loop: the game ends without a winner.
            self.decision = None

    def _count_action(self) -> bool:
        """Count an action; end the game and return False if it was the last one."""
        self.actions += 1
        if self.actions < self.limit:
            return True
        self.close()
        return False

    def close(self) -> None:
        """Abandon the game."""
        self.decision = None
        if not self._greenlet.dead:
            self._greenlet.parent = getcurrent()
            self._greenlet.throw()

    def _set_decision(self, decision: Decision | None) -> None:
        self.decision = decision
        if decision is None:
            return
        self.page = make_page(len(decision.options), self.slots)
        if self._setting_up:
            self.factions = self.vocabulary.factions_of(self.game)
            self._setting_up = self.game.table.state.phase == SETUP
