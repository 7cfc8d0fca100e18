"""The public interface of a game: get the decision, choose an option, get a player's view."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any

from smashup.engine.errors import IllegalChoice, ReplayMismatch, SmashUpError
from smashup.engine.events.visible_events import FORGOTTEN, FORGOTTEN_EVENT, visible_to
from smashup.engine.model.card_failures import explain_failure
from smashup.engine.model.constants import PLAY
from smashup.engine.model.decisions import Decision
from smashup.engine.model.messages import Message
from smashup.engine.model.state import State
from smashup.engine.model.table import Policy, Table
from smashup.engine.replay import runner
from smashup.engine.replay.dealing import Dealer
from smashup.engine.services import SERVICES
from smashup.engine.views.types import View
from smashup.engine.views.view import view

if TYPE_CHECKING:
    from smashup.engine.model.catalogue import Catalogue
    from smashup.engine.model.game_traits import GameTraits
    from smashup.engine.model.setup import Setup


def _catch_up(table: Table) -> None:
    """Run a table up to the last answer; raise a `CardFailure` that names a failing card."""
    try:
        runner.catch_up(table)
    except Exception as error:
        failure = None if isinstance(error, SmashUpError) else explain_failure(error)
        if failure is None:
            raise
        raise failure from error


class _Rollback:
    """The data to restore if a card fails."""

    __slots__ = ("answers", "checkpoint", "index", "lengths", "menu", "move", "redeals", "script")

    def __init__(self, table: Table) -> None:
        self.checkpoint = table.checkpoint
        self.index = table.checkpoint_index
        self.menu = table.last_menu
        self.move = table.chosen_move
        self.script = table.script[:]
        self.redeals = table.redeals
        self.answers = len(table.answers)
        self.lengths = (len(table.events), len(table.log), len(table.visible_events))

    def restore(self, table: Table) -> None:
        table.checkpoint = self.checkpoint
        table.checkpoint_index = self.index
        table.last_menu = self.menu
        table.chosen_move = self.move
        table.script = self.script
        table.redeals = self.redeals
        del table.answers[self.answers :]
        events, log, visible = self.lengths
        del table.events[events:]
        del table.log[log:]
        del table.visible_events[visible:]
        table.is_up_to_date = False


class Game:
    """A game of Smash Up, from its setup to its end."""

    __slots__ = ("start", "table")

    def __init__(
        self,
        setup: Setup,
        catalogue: Catalogue,
        checkpoint: State | None = None,
        traits: GameTraits | None = None,
    ) -> None:
        """Create a new game, or one that continues from a shared checkpoint."""
        if checkpoint is None:
            setup.check(catalogue)
        self.table = Table(setup, catalogue, SERVICES, checkpoint, traits)
        self.start: State | None = None
        """The number of answers before this game, if it continues from a snapshot."""

    @property
    def setup(self) -> Setup:
        """The setup of the game."""
        return self.table.setup

    @property
    def catalogue(self) -> Catalogue:
        """The cards the game is played with."""
        return self.table.catalogue

    @property
    def answers(self) -> list[int]:
        """All answers since the game began."""
        return self.table.answers

    # --- step by step -----------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The pending decision, or None when the game is over."""
        _catch_up(self.table)
        return self.table.pending

    @property
    def at_menu(self) -> bool:
        """Whether the pending decision is a play menu, so that no card is resolving."""
        return (
            self.decision is not None and self.table.cursor == 0 and self.table.state.phase == PLAY
        )

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        _catch_up(self.table)
        return self.table.state.over

    @property
    def winners(self) -> list[int]:
        """The winners once the game is over; several only share a win by the Madness rule."""
        return self.table.state.winners

    def choose(self, option: int) -> None:
        """Answer the pending decision with the position of an option."""
        decision = self.decision
        if decision is None:
            raise IllegalChoice("The game is over: there is nothing to choose.")
        if isinstance(option, bool) or not isinstance(option, int):
            raise IllegalChoice(
                "An answer is the number of an option, not {option}.", option=repr(option)
            )
        if not 0 <= option < len(decision.options):
            raise IllegalChoice(
                "{option} is not one of the {count} options (0 to {last}).",
                option=option,
                count=len(decision.options),
                last=len(decision.options) - 1,
            )
        table = self.table
        before = _Rollback(table)
        try:
            table.script.append(option)
            table.answers.append(option)
            table.pending = None
            if table.cursor == 0 and table.state.phase == PLAY:
                table.chosen_move = decision.options[option]
                runner.run(table)
            else:
                runner.restore_checkpoint(table)
                runner.run(table, is_restored=True)
        except Exception as error:
            before.restore(table)
            failure = None if isinstance(error, SmashUpError) else explain_failure(error)
            if failure is None:
                raise
            raise failure from error

    # --- playing to the end ------------------------------------------------------------------

    def play_out(self, policy: Policy, record: bool = False) -> None:
        """Play to the end with a policy that answers every decision.

        Without ``record``, only the outcome is kept, which is fast enough for rollouts. With it,
        the game can be cloned, saved and replayed afterwards, and the policy can clone it at each
        decision.
        """
        if self.table.is_up_to_date and self.table.pending is None and self.table.state.over:
            return
        if self.table.is_up_to_date and self.table.cursor == 0 and self.table.state.phase == PLAY:
            self.table.pending = None
        else:
            runner.restore_checkpoint(self.table)
        self.table.recording = record
        self.table.policy = policy
        self.table.is_up_to_date = True
        try:
            runner.run(self.table)
        finally:
            self.table.policy = None
            self.table.recording = True

    # --- log and replay ---------------------------------------------------------------------

    @classmethod
    def replay(cls, setup: Setup, catalogue: Catalogue, answers: Iterable[int]) -> Game:
        """Play a game again from its setup and answers."""
        return cls(setup, catalogue).answer_all(answers)

    def answer_all(self, answers: Iterable[int]) -> Game:
        """Apply recorded answers one by one; a `ReplayMismatch` says which one does not fit."""
        for number, answer in enumerate(answers, 1):
            try:
                self.choose(answer)
            except IllegalChoice as error:
                raise ReplayMismatch(
                    "Answer number {number} does not fit: {reason}",
                    number=number,
                    reason=error.message,
                ) from error
        return self

    def from_start(self) -> Game:
        """Return this game as it was before its first answer."""
        if self.start is None:
            return Game(self.table.setup, self.table.catalogue)
        game = Game(self.table.setup, self.table.catalogue, self.start)
        game.start = self.start
        return game

    def undo(self, steps: int = 1) -> Game:
        """Return the game without its last answers: a replay of a shorter list."""
        if not 0 <= steps <= len(self.table.answers):
            raise IllegalChoice(
                "Cannot take back {steps} answers: {given} were given.",
                steps=steps,
                given=len(self.table.answers),
            )
        return self.from_start().answer_all(self.table.answers[: len(self.table.answers) - steps])

    def log_lines(self, player: int, since: int = 0) -> list[tuple[int, Message]]:
        """Return the log lines with their numbers, as a player (-1: a spectator) may read them."""
        _catch_up(self.table)
        return [(e.number, e.for_player(player)) for e in self.table.log[since:]]

    def events(self, player: int, since: int = 0) -> list[dict[str, Any]]:
        """Return what happened, numbered from 0, as a player (-1: a spectator) may know it."""
        _catch_up(self.table)
        return visible_to(self.table, player, since)

    def compact_history(self, shown: int) -> None:
        """Free memory used by the history, for programs that hold many games.

        Log lines are packed and events are dropped. Visible events are dropped up to ``shown``:
        from then on `events` leaves those out, and the others keep their numbers.
        """
        table = self.table
        for entry in reversed(table.log):
            if entry.is_packed:
                break
            entry.pack()
        table.events = [FORGOTTEN_EVENT] * len(table.events)
        shown = min(shown, len(table.visible_events))
        table.visible_events[:shown] = [FORGOTTEN] * shown
        table.faces = table.board_numbers = None  # the next view computes them again

    def digest(self) -> str:
        """Return a hash of the whole table and of the pending decision."""
        _catch_up(self.table)
        return self.table.state.digest()

    def view(self, player: int = -1) -> View:
        """Return what a player (-1: a spectator) may see, as plain data."""
        _catch_up(self.table)
        try:
            return view(self.table, player)
        except Exception as error:
            failure = None if isinstance(error, SmashUpError) else explain_failure(error)
            if failure is None:
                raise
            raise failure from error

    # --- copies -----------------------------------------------------------------------------

    def clone(self, log: bool = False) -> Game:
        """Return an independent copy, even in the middle of a card.

        The copy shares the checkpoint, which never changes, and catches up when it is used.
        """
        t = self.table
        g = Game(t.setup, t.catalogue, t.checkpoint, t.traits)
        g.table.script = self.table.script[:]
        g.table.redeals = self.table.redeals[:]
        g.table.answers = self.table.answers[:]
        g.table.checkpoint_index = self.table.checkpoint_index
        g.table.chosen_move = self.table.chosen_move
        g.table.table_script = self.table.table_script
        g.start = self.start
        g.table.last_menu = self.table.last_menu
        g.table.logging = log
        if log:
            g.table.events = self.table.events[:]
            g.table.log = self.table.log[:]
            g.table.visible_events = self.table.visible_events[:]
        return g

    def after(self, option: int, log: bool = False) -> Game:
        """Return a clone in which an option of the pending decision has been chosen."""
        g = self.clone(log)
        g.table.script.append(option)
        g.table.answers.append(option)
        return g

    def dispose(self) -> None:
        """Break the reference cycles of a game that is no longer needed.

        Its handles refer to the table; without this call only the garbage collector frees the
        memory.
        """
        self.table.cards = []
        self.table.player_handles = []
        self.table.base_handles = {}
        self.table.resolutions = []
        self.table.trigger_queues = []
        self.table.follow_ups = []
        self.table.trials = []
        self.table.after_replacement = []
        self.table.window = None
        self.table.trial_window = None
        self.table.pending = None
        self.table.trial_table = None
        self.table.spot_cache = {}
        self.table.board_numbers = None

    def determinize(self, player: int, random_below: Callable[[int], int]) -> Game:
        """Return a clone with new randomness in which all cards the player cannot know are redealt.

        The same ``random_below`` deals the same cards, wherever the hidden ones really are. To deal
        many tables from one position, use a `Dealer`.
        """
        return Dealer(self, player).deal(Random(random_below(1 << 62)))
