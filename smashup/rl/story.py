"""A game with its past, for OpenSpiel: it can be copied, written down, and imagined anew.

Everything that happened is a list: answers, and where hidden cards were dealt anew. The list alone
makes the same table again, so it is all that is written down.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from smashup.cards import catalogue
from smashup.engine.events.base import GameEvent
from smashup.engine.game import Game
from smashup.engine.model.constants import SETUP
from smashup.engine.model.decisions import Decision
from smashup.engine.model.messages import EVERYBODY, LogEntry, Message
from smashup.engine.replay.dealing import Dealer
from smashup.rl.pages import page_of
from smashup.rl.picture import picture
from smashup.rl.settings import Settings
from smashup.rl.vocabulary import vocabulary

Answer = int
Deal = tuple[int, int]
"""A player for whom everything hidden was dealt anew, and the seed of that."""

_ERASED = Message("", {})


class Story:
    """A table, how it came about, and what every seat remembers of it."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.seed = seed
        self.game = Game(replace(settings.setup, seed=seed), catalogue())
        self.events: list[Answer | Deal] = []
        """What happened, in order."""
        self.actions = 0
        """How many actions were taken; looking at another page is one."""
        players = settings.players
        self.memories = [""] * players
        """What each seat remembers of the time before hidden cards were last dealt anew."""
        self.since = 0
        """The line of the log with which the time after that begins."""
        self.own: list[list[int]] = [[] for _ in range(players)]
        """What each seat itself has chosen, as far as it is known."""
        self.factions = [[0, 0] for _ in range(players)]
        self._setting_up = True
        self.page = page_of(0, settings.max_options)
        """The options that are laid out."""
        self._settle()

    # --- going on -----------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The choice to be made now; None when the game is over or was cut short."""
        decision = self.game.decision  # in any case: asking wakes a copy
        return decision if self.actions < self.settings.max_actions else None

    @property
    def winners(self) -> list[int]:
        return self.game.winners if self.game.is_over else []

    def act(self, action: int) -> None:
        """Take the option in this slot, or see the next page of options."""
        decision = self.decision
        assert decision is not None
        slots = self.settings.max_options
        option = self.page.option(action, slots)
        self.actions += 1
        self.own[decision.player].append(action)
        if option is None:
            self.page = self.page.next(len(decision.options), slots)
        else:
            self._answer(option)
            self._settle()

    def _answer(self, option: int) -> None:
        try:
            self.game.choose(option)
            self.events.append(option)
        except RecursionError:
            # Cards that call each other up in a circle: the game is cut short before that.
            before = Story.__new__(Story)
            before.__setstate__(self.__getstate__())
            self.game = before.game
            self.actions = self.settings.max_actions

    def _settle(self) -> None:
        """Take choices that are none, and lay out the options of the next."""
        while (decision := self.decision) is not None and (
            self.settings.skip_forced and len(decision.options) == 1
        ):
            self._answer(0)
        self._look()

    def _look(self) -> None:
        """Lay out the first page of the options."""
        decision = self.game.decision
        self.page = page_of(
            len(decision.options) if decision is not None else 0, self.settings.max_options
        )
        if self._setting_up:
            self.factions = vocabulary().factions_of(self.game)
            self._setting_up = self.game.table.state.phase == SETUP

    # --- what seats know ----------------------------------------------------------------------

    def seen(self, seat: int) -> str:
        """The table as a seat sees it now."""
        pages = f"\nPage {self.page.number + 1}" if self.page.pages > 1 else ""
        return picture(self.game, self.decision, seat) + pages

    def remembered(self, seat: int) -> str:
        """Everything a seat was told since the game began, and what it chose itself."""
        lines = [f"{text}\n" for _, text in self.game.events(seat, self.since)]
        return self.memories[seat] + "".join(lines)

    def known(self, seat: int) -> str:
        """All that a seat knows: what it remembers, what it chose, what it sees."""
        chosen = " ".join(map(str, self.own[seat]))
        return f"{self.remembered(seat)}Chosen: {chosen}\n{self.seen(seat)}"

    # --- copies -------------------------------------------------------------------------------

    def imagined(self, seat: int, seed: int) -> Story:
        """The same as far as the seat can know, with everything hidden dealt anew.

        Of the past of other seats nothing is left but what this seat knows of it too.
        """
        copy = self._copy()
        copy.game = Dealer(self.game, seat).deal(Random(seed))
        copy.game.table.logging = True
        count = len(self.game.table.log)
        copy.game.table.events = [GameEvent()] * len(self.game.table.events)
        copy.game.table.log = [LogEntry(n, _ERASED, EVERYBODY) for n in range(count)]
        copy.memories = [self.remembered(seat)] * len(self.memories)
        copy.since = count
        copy.own = [own[:] if p == seat else [] for p, own in enumerate(self.own)]
        copy.events.append((seat, seed))
        return copy

    def _copy(self) -> Story:
        copy = Story.__new__(Story)
        copy.__dict__.update(self.__dict__)
        copy.events = self.events[:]
        copy.own = [own[:] for own in self.own]
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Story:
        copy = self._copy()
        copy.game = self.game.clone(log=True)
        return copy

    def __getstate__(self) -> dict[str, Any]:
        return {
            "settings": self.settings,
            "seed": self.seed,
            "events": self.events,
            "actions": self.actions,
            "own": self.own,
            "page": self.page,
        }

    def __setstate__(self, written: dict[str, Any]) -> None:
        Story.__init__(self, replace(written["settings"], skip_forced=False), written["seed"])
        for event in written["events"]:
            if isinstance(event, tuple):
                self.__dict__.update(self.imagined(*event).__dict__)
            else:
                self._answer(event)
        self._look()
        self.__dict__.update(written)
