"""A game with its history, for OpenSpiel: it can be copied, serialized and resampled.

The events (answers and resampling points) alone reproduce the table, so only they are serialized.
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
from smashup.engine.model.messages import EVERYBODY, LogLine, Message
from smashup.engine.replay.dealing import Dealer
from smashup.rl.pages import make_page
from smashup.rl.settings import Settings
from smashup.rl.text_view import render_text
from smashup.rl.vocabulary import vocabulary

Answer = int
Deal = tuple[int, int]
"""The player for whom hidden cards were resampled, and the seed."""

_ERASED = Message("", {})


class GameHistory:
    """A game, its events, and what every seat remembers."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.seed = seed
        self.game = Game(replace(settings.setup, seed=seed), catalogue())
        self.events: list[Answer | Deal] = []
        """Answers and resampling points, in order."""
        self.actions = 0
        """Actions taken; turning a page is one."""
        players = settings.players
        self.memories = [""] * players
        """Per seat: what it remembers from before hidden cards were last resampled."""
        self.since = 0
        """First log line after that point."""
        self.own: list[list[int]] = [[] for _ in range(players)]
        """Actions of each seat, as far as known."""
        self.factions = [[0, 0] for _ in range(players)]
        self._setting_up = True
        self.page = make_page(0, settings.max_options)
        """The current page of options."""
        self._skip_forced()

    # --- going on -----------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None when the game is over or truncated."""
        decision = self.game.decision  # always evaluated: it brings a copy up to date
        return decision if self.actions < self.settings.max_actions else None

    @property
    def winners(self) -> list[int]:
        return self.game.winners if self.game.is_over else []

    def act(self, action: int) -> None:
        """Take the option in this slot, or turn the page."""
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
            self._skip_forced()

    def _answer(self, option: int) -> None:
        try:
            self.game.choose(option)
            self.events.append(option)
        except RecursionError:
            # Cards that trigger each other in an endless loop: truncate the game before that.
            before = GameHistory.__new__(GameHistory)
            before.__setstate__(self.__getstate__())
            self.game = before.game
            self.actions = self.settings.max_actions

    def _skip_forced(self) -> None:
        """Answer forced decisions, then show the first page of the next decision."""
        while (decision := self.decision) is not None and (
            self.settings.skip_forced and len(decision.options) == 1
        ):
            self._answer(0)
        self._show_first_page()

    def _show_first_page(self) -> None:
        """Show the first page of the options."""
        decision = self.game.decision
        self.page = make_page(
            len(decision.options) if decision is not None else 0, self.settings.max_options
        )
        if self._setting_up:
            self.factions = vocabulary().factions_of(self.game)
            self._setting_up = self.game.table.state.phase == SETUP

    # --- what seats know ----------------------------------------------------------------------

    def observation_text(self, seat: int) -> str:
        """Return the table as the seat sees it now."""
        pages = f"\nPage {self.page.number + 1}" if self.page.pages > 1 else ""
        return render_text(self.game, self.decision, seat) + pages

    def memory_text(self, seat: int) -> str:
        """Return the log as the seat saw it since the start of the game."""
        lines = [f"{text}\n" for _, text in self.game.log_lines(seat, self.since)]
        return self.memories[seat] + "".join(lines)

    def information_state(self, seat: int) -> str:
        """Return the seat's log, its own actions and its current view."""
        chosen = " ".join(map(str, self.own[seat]))
        return f"{self.memory_text(seat)}Chosen: {chosen}\n{self.observation_text(seat)}"

    # --- copies -------------------------------------------------------------------------------

    def resample(self, seat: int, seed: int) -> GameHistory:
        """Return a copy that the seat cannot distinguish, with hidden cards resampled.

        The other seats' memories are reduced to what this seat knows.
        """
        copy = self._copy()
        copy.game = Dealer(self.game, seat).deal(Random(seed))
        copy.game.table.logging = True
        count = len(self.game.table.log)
        copy.game.table.events = [GameEvent()] * len(self.game.table.events)
        copy.game.table.log = [LogLine(n, _ERASED, EVERYBODY) for n in range(count)]
        copy.memories = [self.memory_text(seat)] * len(self.memories)
        copy.since = count
        copy.own = [own[:] if p == seat else [] for p, own in enumerate(self.own)]
        copy.events.append((seat, seed))
        return copy

    def _copy(self) -> GameHistory:
        copy = GameHistory.__new__(GameHistory)
        copy.__dict__.update(self.__dict__)
        copy.events = self.events[:]
        copy.own = [own[:] for own in self.own]
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> GameHistory:
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
        GameHistory.__init__(self, replace(written["settings"], skip_forced=False), written["seed"])
        for event in written["events"]:
            if isinstance(event, tuple):
                self.__dict__.update(self.resample(*event).__dict__)
            else:
                self._answer(event)
        self._show_first_page()
        self.__dict__.update(written)
