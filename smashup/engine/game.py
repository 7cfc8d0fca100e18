"""A game as programs use it: ask for the decision, choose an option, look at a player's view."""

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
    from smashup.engine.model.setup import Setup


def _catch_up(table: Table) -> None:
    """Bring a table up to the last answer; a `CardFailure` names a card that fails."""
    try:
        runner.catch_up(table)
    except Exception as error:
        failure = None if isinstance(error, SmashUpError) else explain_failure(error)
        if failure is None:
            raise
        raise failure from error


class _Rollback:
    """What a table goes back to if a card fails."""

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

    def __init__(self, setup: Setup, catalogue: Catalogue, checkpoint: State | None = None) -> None:
        """A new game; or one that goes on from a checkpoint that others share."""
        if checkpoint is None:
            setup.check(catalogue)
        self.table = Table(setup, catalogue, SERVICES, checkpoint)
        self.start: State | None = None
        """Where the answers begin, for a game that goes on from a snapshot."""

    @property
    def setup(self) -> Setup:
        """What the game was set up with."""
        return self.table.setup

    @property
    def catalogue(self) -> Catalogue:
        """The cards and rules it is played with."""
        return self.table.catalogue

    @property
    def answers(self) -> list[int]:
        """Every answer since the game began."""
        return self.table.answers

    # --- step by step -----------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The choice to be made now, or None when the game is over."""
        _catch_up(self.table)
        return self.table.pending

    @property
    def at_menu(self) -> bool:
        """Whether the pending decision is a play menu: the table is quiet."""
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
        """Who won, once the game is over (more than one only by the Madness rule)."""
        return self.table.state.winners

    def choose(self, option: int) -> None:
        """Answer the pending decision by the position of an option."""
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

    # --- all at once ------------------------------------------------------------------------

    def play_out(self, policy: Policy, record: bool = False) -> None:
        """Play to the end with a policy that answers every decision at once.

        Without ``record`` nothing is kept but the outcome: the way of rollouts. With it the game
        can be cloned, saved and replayed afterwards, and cloned by the policy while it thinks.
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
        """The same game again, exactly."""
        return cls(setup, catalogue).answer_all(answers)

    def answer_all(self, answers: Iterable[int]) -> Game:
        """Give recorded answers one by one; a `ReplayMismatch` says which does not fit."""
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
        """This game before its first answer."""
        if self.start is None:
            return Game(self.table.setup, self.table.catalogue)
        game = Game(self.table.setup, self.table.catalogue, self.start)
        game.start = self.start
        game.table.titan_ids = self.table.titan_ids
        game.table.has_madness = self.table.has_madness
        return game

    def undo(self, steps: int = 1) -> Game:
        """The game as it was some answers ago: a replay of a shorter log."""
        if not 0 <= steps <= len(self.table.answers):
            raise IllegalChoice(
                "Cannot take back {steps} answers: {given} were given.",
                steps=steps,
                given=len(self.table.answers),
            )
        return self.from_start().answer_all(self.table.answers[: len(self.table.answers) - steps])

    def log_lines(self, player: int, since: int = 0) -> list[tuple[int, Message]]:
        """Numbered log lines as a player (-1: a spectator) may read them."""
        _catch_up(self.table)
        return [(e.number, e.for_player(player)) for e in self.table.log[since:]]

    def events(self, player: int, since: int = 0) -> list[dict[str, Any]]:
        """Numbered from 0: what happened, as a player (-1: a spectator) may know it."""
        _catch_up(self.table)
        return visible_to(self.table, player, since)

    def compact_history(self, shown: int) -> None:
        """Keep less of what happened: for programs that hold many games in memory.

        Lines of the log are packed. Events are forgotten, the visible ones up to a number: from
        then on `events` leaves them out, and the others keep their numbers.
        """
        table = self.table
        for entry in reversed(table.log):
            if entry.is_packed:
                break
            entry.pack()
        table.events = [FORGOTTEN_EVENT] * len(table.events)
        shown = min(shown, len(table.visible_events))
        table.visible_events[:shown] = [FORGOTTEN] * shown
        table.faces = table.board_numbers = None  # views make them again

    def digest(self) -> str:
        """A fingerprint of the whole table and of what is being asked."""
        _catch_up(self.table)
        return self.table.state.digest()

    def view(self, player: int = -1) -> View:
        """What a player (-1: a spectator) may see, as plain data."""
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
        """An independent copy, at any moment, also in the middle of a card.

        It shares the checkpoint, which nobody changes, and catches up when it is used.
        """
        g = Game(self.table.setup, self.table.catalogue, self.table.checkpoint)
        g.table.script = self.table.script[:]
        g.table.redeals = self.table.redeals[:]
        g.table.answers = self.table.answers[:]
        g.table.checkpoint_index = self.table.checkpoint_index
        g.table.chosen_move = self.table.chosen_move
        g.table.titan_ids = self.table.titan_ids
        g.table.has_madness = self.table.has_madness
        g.table.table_script = self.table.table_script
        g.start = self.start
        g.table.last_menu = self.table.last_menu
        g.table.special_timings = self.table.special_timings
        g.table.logging = log
        if log:
            g.table.events = self.table.events[:]
            g.table.log = self.table.log[:]
            g.table.visible_events = self.table.visible_events[:]
        return g

    def after(self, option: int, log: bool = False) -> Game:
        """A clone in which one of the options of the pending decision has been chosen."""
        g = self.clone(log)
        g.table.script.append(option)
        g.table.answers.append(option)
        return g

    def dispose(self) -> None:
        """Break the reference cycles of a game that is no longer needed.

        Its handles refer to the table; without this, its memory is free only after a collection.
        """
        self.table.cards = []
        self.table.player_handles = []
        self.table.base_handles = {}
        self.table.resolutions = []
        self.table.trigger_queues = []
        self.table.trials = []
        self.table.after_replacement = []
        self.table.window = None
        self.table.trial_window = None
        self.table.pending = None
        self.table.trial_table = None
        self.table.spot_cache = {}
        self.table.board_numbers = None

    def determinize(self, player: int, random_below: Callable[[int], int]) -> Game:
        """A clone with everything the player cannot know redealt, and fresh randomness.

        The same randomness deals the same cards wherever hidden ones really are. For many deals
        from one position use a `Dealer`.
        """
        return Dealer(self, player).deal(Random(random_below(1 << 62)))
