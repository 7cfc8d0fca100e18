"""Driving a game from outside: a game is (setup, seed, answers).

Step by step (`decision`, `choose`) the table runs until it needs an answer nobody has given; when
the answer comes, the last checkpoint is restored and the card runs again with the answers so far.
With a `Policy` the answers come at once and nothing runs twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any

from smashup.engine.asking import Waiting
from smashup.engine.attempts import Attempt, Choice, Found, Index
from smashup.engine.changes import told
from smashup.engine.core import Policy
from smashup.engine.dealing import Dealer, HiddenCards
from smashup.engine.decisions import CARDS, MOVES, PLAYERS, SITES, Decision, Move
from smashup.engine.errors import Divergence, IllegalChoice
from smashup.engine.events import Cause
from smashup.engine.handles import Card
from smashup.engine.kinds import H_HOST_BONUS, H_HOST_PRINTED_POWER, H_PLAYED, H_REDIRECTS
from smashup.engine.knowledge import viewer_bit
from smashup.engine.labels import describe_asker, label_options
from smashup.engine.messages import Message
from smashup.engine.opening import Opening
from smashup.engine.state import State
from smashup.engine.words import (
    ACTION,
    ANY_MINION,
    AT_BASE,
    BASE_DECK,
    BURIED,
    DECK,
    DRAW,
    END,
    HAND,
    LIMBO,
    NONE,
    PLAY,
    SCORE,
    SETUP,
    START,
)  # fmt: skip

if TYPE_CHECKING:
    from smashup.engine.catalogue import Catalogue
    from smashup.engine.events import Event
    from smashup.engine.rights import Right
    from smashup.engine.setup import Setup


MAX_TRIALS = 250
"""How many branches of a card are tried before it is taken to be impossible."""
MAX_TRIALS_PER_CHOICE = 1500
"""How many trials may be spent on the options of one choice."""
MAX_PICKS = 2
"""How many cards are picked one by one where any number may be."""
MAX_TRIAL_DEPTH = 12
"""How many choices deep a trial goes."""


_FACE_DOWN = frozenset((DECK, HAND, BURIED, LIMBO, BASE_DECK))
_STRENGTHENS_HOST = 1 << H_HOST_BONUS | 1 << H_HOST_PRINTED_POWER


class Game(Opening):
    """A table ready to play."""

    __slots__ = (
        "awake", "last_menu", "open_window", "saved", "saved_index", "start", "succeeded",
        "trial", "trials", "viable",
    )  # fmt: skip

    def __init__(self, setup: Setup, catalogue: Catalogue, saved: State | None = None) -> None:
        """A new game; or one that goes on from a checkpoint that others share."""
        if saved is None:
            setup.check(catalogue)
        super().__init__(setup, catalogue)
        if saved is None:
            saved = self.state.copy()
        self.last_menu: State | None = saved if saved.phase == PLAY else None
        """The checkpoint of the last play menu, from which other rules could go on."""
        self.open_window: Event | None = None
        """For a trial: the scoring window in which it takes place."""
        self.trial: Game | None = None
        """The table for trial runs, kept from one to the next."""
        self.succeeded = False
        """On a trial table: whether the last trial succeeded."""
        self.trials = 0
        """On a trial table: how many trials the last search took."""
        self.viable: dict[int, list[int] | None] = {}
        """By position in the script: the options that trials have left of a choice."""
        self.start: State | None = None
        """Where the answers begin, for a game that goes on from a snapshot."""
        self.saved = saved
        """The last checkpoint. Never changed, so that clones share it."""
        self.saved_index: Index | None = None
        """The abilities in force then, where they were known."""
        self.awake = False
        """Whether the live state has caught up with checkpoint and answers."""

    # --- running ----------------------------------------------------------------------------

    def _step(self) -> None:
        """Any phase but Play Cards, from its beginning to its end."""
        phase = self.state.phase
        if phase == SCORE:
            self.score_bases()
        elif phase == START:
            self.start_turn()
        elif phase == DRAW:
            self.draw_phase()
        elif phase == END:
            self.end_turn()
        elif phase == SETUP:
            self.open_game()

    def _mark(self) -> None:
        """Checkpoint: the play menu, and each time bases are looked at for scoring."""
        self.saved = self.state.copy()
        self.saved_index = self.index_now()
        if self.saved.phase == PLAY:
            self.last_menu = self.saved
        self.viable = {}
        if self.cursor:
            self.script = self.script[self.cursor :]
            self.redeals = []
            self.cursor = 0

    def _run(self) -> None:
        """Go on until the game is over or an answer is missing."""
        s = self.state
        try:
            while not s.over:
                if s.phase == PLAY:
                    if self.recording:
                        self._mark()
                    self.play_phase()
                else:
                    if self.recording and s.phase == SCORE:
                        self._mark()
                    self._step()
        except Waiting:
            pass
        self.awake = True

    def _restore(self) -> None:
        """Back to the checkpoint, with nothing running."""
        self.state = self.saved.copy()
        for c in range(len(self.cards), len(self.state.kind)):
            self.cards.append(Card(self, c))
        self.frames = []
        self.destinations = {}
        self.queues = []
        self.attempts = []
        self.arrivals = []
        self.next_bases = []
        self.after_replacing = []
        self.window = None
        self.tested = None
        self.scoring_used = set()
        self.last_site = {}
        self.last_power = {}
        self.last_host = {}
        self._renew_handles()
        self.cursor = 0
        self.pending = None
        self.several = None
        self._spots_at = (NONE, NONE)
        self.touch_abilities()
        if self.saved_index is not None:
            self.take_index(self.saved_index)

    def _wake(self) -> None:
        if not self.awake:
            self._restore()
            self._run()

    # --- trial runs -------------------------------------------------------------------------

    def aimed(self, player: int, moves: list[Move], right: Right) -> list[Move]:
        """Those of the moves that can do what the right demands.

        Each is tried on copies of the table, along every branch of its choices up to a bound.
        """
        if self.on_trial:
            return moves  # one trial inside another would tell nothing more
        table: Game | None = None
        found: list[Move] = []
        for move in moves:
            if not self._might(move, right):
                continue
            if self._surely(player, move, right):
                found.append(move)
                continue
            tried = Move(move.verb, move.card, move.place, move.hosted, right)
            attempt = Attempt(self.state, self.index_now(), player, tried)
            if table is None:
                table = self._trial_table(attempt)
            if table.find_success(attempt, []) is not None:
                found.append(move)
        return found

    def _might(self, move: Move, right: Right) -> bool:
        """Whether a move is worth a trial: some cards say themselves that they cannot do it."""
        kind = self.state.kind[move.card]
        if not move.hosted and not kind.affects_minions:
            return False
        if right.must_raise and not (kind.raises_minions or kind.hooks & _STRENGTHENS_HOST):
            return False
        acts = kind.hooks >> H_PLAYED & 1
        # What only lies there must lie where it should.
        return bool(acts) or (move.hosted and right.must_affect in (NONE, ANY_MINION, move.place))

    def _surely(self, player: int, move: Move, right: Right) -> bool:
        """Whether a move needs no trial: an action on the very minion, that takes hold there."""
        host = move.place
        if not move.hosted or right.must_affect not in (NONE, ANY_MINION, host):
            return False
        if self.listeners(H_REDIRECTS) or self.is_protected(
            host, Cause(move.card, player, ACTION, True)
        ):
            return False
        if not right.must_raise:
            return True
        kind = self.state.kind[move.card]
        return (
            self.state.controller[host] == player
            and bool(kind.hooks >> H_HOST_BONUS & 1)
            and kind.host_bonus(self.cards[move.card], self.cards[host]) > 0
        )

    def promising(self, player: int, count: int) -> list[int] | None:
        """Of a card's choices, those after which it can still do what its right demands."""
        attempt = self.attempts[-1]
        if count < 2 or player != attempt.player or attempt.frame is not self.frames[-1]:
            return None
        position = self.cursor
        if self.policy is None and position in self.viable:
            return self.viable[position]
        found = self._viable_options(attempt, count)
        if self.policy is None:  # the card runs again up to here after each answer
            self.viable[position] = found
        return found

    def _viable_options(self, attempt: Attempt, count: int) -> list[int] | None:
        """The options after which a trial succeeds; None when all do, or none can any more.

        None can where hidden cards turned out differently than in the trials before. As long as
        they did not, the choices that made the card playable remain, whatever the bounds.
        """
        table = self._trial_table(attempt)
        known = attempt.witnesses
        witnesses: list[list[int]] = []
        viable: list[int] = []
        left = MAX_TRIALS_PER_CHOICE
        for option in range(count):
            chosen = [*attempt.answers, option]
            witness = next((w for w in known if w[: len(chosen)] == chosen), None)
            if witness is None and left > 0:
                witness = table.find_success(attempt, chosen, min(left, MAX_TRIALS))
                left -= table.trials
            if witness is not None:
                viable.append(option)
                witnesses.append(witness)
        attempt.witnesses = witnesses
        return viable if 0 < len(viable) < count else None

    def find_success(
        self, attempt: Attempt, chosen: list[int], limit: int = MAX_TRIALS
    ) -> list[int] | None:
        """On a trial table: choices, beginning with these, by which a card does what it must.

        None when there are none, or the limit is reached. Branches that depart least from the
        best guesses are tried first.
        """
        start = len(chosen)
        prefixes: list[list[int]] = [chosen]
        self.trials = 0
        while self.trials < len(prefixes):  # breadth first
            prefix = prefixes[self.trials]
            self.trials += 1
            choices = self.attempt(attempt, start, prefix)
            taken = [choice.taken for choice in choices]
            if self.succeeded:
                return taken
            if self.trials >= limit:
                return None
            if len(prefixes) < limit:
                for number in range(len(prefix), len(choices)):
                    choice = choices[number]
                    for i in range(1, choice.count):
                        option = (choice.guess + i) % choice.count
                        if option >= choice.least:
                            prefixes.append([*taken[:number], option])
        return None

    def _trial_table(self, attempt: Attempt) -> Game:
        """A copy of the table on which the branches of a card can be tried one by one."""
        dealt = attempt.dealt
        if dealt is None or attempt.seen != self.state.seen or self._went_on(attempt):
            dealt = attempt.dealt = attempt.before.copy()
            attempt.seen = self.state.seen[:]
            attempt.witnesses = []
            self._deal_for_trial(attempt, dealt)
        trial = self.trial
        if trial is None:
            trial = self.trial = Game(self.setup, self.catalogue, dealt)
            trial.titan_ids = self.titan_ids
            trial.logging = False
            trial.recording = False
            trial.on_trial = True
        trial.saved = dealt
        trial.saved_index = attempt.index
        trial.open_window = self.window
        trial._timings = self._timings
        return trial

    def attempt(self, attempt: Attempt, chosen: int, script: list[int]) -> list[Choice]:
        """One trial, by a script and then by best guesses; `succeeded` says how it ended.

        Returns the card's choices, of which the first were really ``chosen``.
        """
        self._restore()
        self.window = self.open_window
        self.succeeded = False
        choices: list[Choice] = []
        asked = ""

        def answer(decision: Decision) -> int:
            nonlocal asked
            number = len(choices)
            again = decision.prompt == asked
            asked = decision.prompt
            count = len(decision.options)
            if number >= chosen + MAX_TRIAL_DEPTH:
                raise Waiting
            if number >= chosen and decision.kind == MOVES:
                # What is played amid the card is not what the card does: pass.
                choices.append(Choice(1, count - 1, count - 1, 0))
                return count - 1
            guess = 0
            least = 0
            if number >= chosen:
                guess = self._best_guess(decision, attempt, again)
                several = decision.several
                if several is not None and several.picked and not several.ordered and choices:
                    # In one order is enough; and two picks show what more of them could do.
                    least = choices[-1].taken if several.picked < MAX_PICKS else count
            taken = script[number] if number < len(script) else guess
            if taken >= count:
                raise Waiting
            least = max(least, self._first_alternative(decision, attempt))
            choices.append(Choice(count, guess, taken, least))
            return taken

        self.policy = answer
        move = attempt.move
        try:
            self.play(attempt.player, move.card, move.place, move.hosted, move.right)
        except Found:
            self.succeeded = True
        except Waiting:
            pass
        return choices

    def _first_alternative(self, decision: Decision, attempt: Attempt) -> int:
        """The lowest option of a choice that is worth a trial beside the best guess.

        None in the middle of another card, which does not count. Of what other players choose
        only the last, by which they decline: nobody can tell what they pick.
        """
        if any(frame.cause.playing for frame in self.frames[1:]):
            return len(decision.options)
        return 0 if decision.player == attempt.player else len(decision.options) - 1

    def _best_guess(self, decision: Decision, attempt: Attempt, again: bool) -> int:
        """Where to begin with a choice: at what the right demands, if it is among the options.

        Asked the same ``again``, one is enough of what may be declined.
        """
        right = attempt.move.right
        if decision.kind == CARDS and right is not None:
            for i, c in enumerate(decision.options):
                if c == right.must_affect or (
                    right.must_affect == NONE
                    and c != NONE
                    and self.state.zone[c] == AT_BASE
                    and self.state.controller[c] == attempt.player
                ):
                    return i
            if again and decision.options[-1] == NONE:
                return len(decision.options) - 1
        elif decision.kind == PLAYERS and right is not None and right.must_affect >= 0:
            controller = self.state.controller[right.must_affect]
            if controller in decision.options:
                return decision.options.index(controller)
        elif decision.kind == SITES and right is not None:
            for i, serial in enumerate(decision.options):
                if serial != NONE and (
                    serial == self.site_serial(right.must_affect)
                    if right.must_affect >= 0
                    else self.count_minions(attempt.player, serial) > 0
                ):
                    return i
        return 0

    def _deal_for_trial(self, attempt: Attempt, s: State) -> None:
        """Hidden cards are dealt anew for a trial, so that what is legal tells nothing of them:
        the same cards wherever they really are.

        Not once the card has come to draw, show or shuffle some: what it did stays done.
        """
        now = self.state
        s.kind = now.kind[:]
        s.owner = now.owner[:]
        if self._went_on(attempt):
            return
        s.reseed(s.stamp)
        self.hidden_cards(attempt.player).deal(s.shuffle).lay(s)

    def _went_on(self, attempt: Attempt) -> bool:
        """Whether a card that is tried has come to draw or shuffle cards since it was played."""
        before = attempt.before
        return before.rng != self.state.rng or before.decks != self.state.decks

    # --- step by step -----------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The choice to be made now, or None when the game is over."""
        self._wake()
        return self.pending

    @property
    def at_menu(self) -> bool:
        """Whether the pending decision is a play menu: the table is quiet."""
        return self.decision is not None and self.cursor == 0 and self.state.phase == PLAY

    @property
    def is_over(self) -> bool:
        self._wake()
        return self.state.over

    @property
    def winners(self) -> list[int]:
        """Who won, once the game is over (more than one only by the Madness rule)."""
        return self.state.winners

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
        self.script.append(option)
        self.answers.append(option)
        if not (self.cursor == 0 and self.state.phase == PLAY):
            self._restore()
        self.pending = None
        self._run()

    # --- all at once ------------------------------------------------------------------------

    def play_out(self, policy: Policy, record: bool = False) -> None:
        """Play to the end with somebody who answers at once.

        Without ``record`` nothing is kept but the outcome: the way of rollouts. With it the game
        can be cloned, saved and replayed afterwards, and cloned by the policy while it thinks.
        """
        if self.awake and self.pending is None and self.state.over:
            return
        if self.awake and self.cursor == 0 and self.state.phase == PLAY:
            self.pending = None
        else:
            self._restore()
        self.recording = record
        self.policy = policy
        self.awake = True
        try:
            self._run()
        finally:
            self.policy = None
            self.recording = True

    # --- log and replay ---------------------------------------------------------------------

    @classmethod
    def replay(cls, setup: Setup, catalogue: Catalogue, answers: Iterable[int]) -> Game:
        """The same game again, exactly."""
        return cls(setup, catalogue).answer_all(answers)

    def answer_all(self, answers: Iterable[int]) -> Game:
        """Give recorded answers one by one; a `Divergence` says which does not fit."""
        for number, answer in enumerate(answers, 1):
            try:
                self.choose(answer)
            except IllegalChoice as error:
                raise Divergence(
                    "Answer number {number} does not fit: {reason}",
                    number=number,
                    reason=error.message,
                ) from error
        return self

    def fresh(self) -> Game:
        """This game before its first answer."""
        if self.start is None:
            return Game(self.setup, self.catalogue)
        game = Game(self.setup, self.catalogue, self.start)
        game.start = self.start
        game.titan_ids = self.titan_ids
        return game

    def undo(self, steps: int = 1) -> Game:
        """The game as it was some answers ago: a replay of a shorter log."""
        if not 0 <= steps <= len(self.answers):
            raise IllegalChoice(
                "Cannot take back {steps} answers: {given} were given.",
                steps=steps,
                given=len(self.answers),
            )
        return self.fresh().answer_all(self.answers[: len(self.answers) - steps])

    def events(self, player: int, since: int = 0) -> list[tuple[int, Message]]:
        """Numbered log lines as a player (-1: a spectator) may read them."""
        self._wake()
        return [(e.number, e.for_player(player)) for e in self.entries[since:]]

    def happened(self, player: int, since: int = 0) -> list[dict[str, Any]]:
        """What visibly happened, from a number on, as a player (-1: a spectator) may know it."""
        self._wake()
        return told(self, player, since)

    def digest(self) -> str:
        """A fingerprint of the whole table and of what is being asked."""
        self._wake()
        return self.state.digest()

    def view(self, player: int = -1) -> dict[str, Any]:
        """What a player (-1: a spectator) may see, as plain data."""
        from smashup.engine.views import view

        return view(self, player)

    # --- copies -----------------------------------------------------------------------------

    def clone(self, log: bool = False) -> Game:
        """An independent copy, at any moment, also in the middle of a card.

        It shares the checkpoint, which nobody changes, and catches up when it is used.
        """
        g = Game(self.setup, self.catalogue, self.saved)
        g.script = self.script[:]
        g.redeals = self.redeals[:]
        g.answers = self.answers[:]
        g.saved_index = self.saved_index
        g.titan_ids = self.titan_ids
        g.director = self.director
        g.start = self.start
        g.last_menu = self.last_menu
        g._timings = self._timings
        g.logging = log
        if log:
            g.entries = self.entries[:]
            g.changes = self.changes[:]
        return g

    def after(self, option: int, log: bool = False) -> Game:
        """A clone in which one of the options of the pending decision has been chosen."""
        g = self.clone(log)
        g.script.append(option)
        g.answers.append(option)
        return g

    def put_away(self) -> None:
        """Nobody will look at this table again. Its handles, which know it, let go of it, so that
        its memory is free at once instead of waiting to be found."""
        self.cards = []
        self.seats = []
        self._bases = {}
        self.frames = []
        self.queues = []
        self.attempts = []
        self.after_replacing = []
        self.window = None
        self.open_window = None
        self.pending = None
        self.trial = None
        self._spots = {}

    def determinize(self, player: int, random_below: Callable[[int], int]) -> Game:
        """A clone with everything the player cannot know dealt anew, and fresh randomness.

        The same randomness deals the same cards wherever hidden ones really are. For many deals
        from one position use a `Dealer`.
        """
        return Dealer(self, player).deal(Random(random_below(1 << 62)))

    def label_options(self, decision: Decision) -> list[Message]:
        return label_options(self, decision)

    def describe_asker(self, decision: Decision) -> Message | None:
        """Which card asks, where several of its name might; one just played is known."""
        if decision.source == NONE or (self.frames and self.frames[-1].cause.playing):
            return None
        return describe_asker(self, decision.source, decision.player)

    def knows(self, player: int, c: int) -> bool:
        """Whether a player (-1: spectators) knows which card this is."""
        s = self.state
        if s.seen[c] & viewer_bit(player):
            return True
        # A base turned up in the middle of a card is seen at once.
        return s.zone[c] == BASE_DECK and s.base_deck[-1] == c and self.top_base_is_up()

    def hidden_groups(self, player: int) -> list[list[int]]:
        """Cards a player cannot tell apart: groups whose faces may be exchanged.

        Unknown cards of a player's deck and (for others) hand hide among each other; so do cards
        that were mixed up. More than that is possible: `hidden_cards` knows it all.
        """
        hidden = self.hidden_cards(player)
        groups = [[c for c in pool if c not in hidden.in_mix] for pool in hidden.pools]
        return [*(group for group in groups if group), *(cards for cards, _ in hidden.mixes)]

    def hidden_cards(self, player: int) -> HiddenCards:
        """What a player (-1: a spectator) cannot tell of the table.

        What a pending question of somebody else offers stays as it is: they have seen it.
        """
        s = self.state
        offered: set[int] = set()
        decision = self.pending
        if decision is not None and decision.player != player:
            if decision.kind == CARDS:
                offered = set(decision.options)
            elif decision.kind == MOVES:
                offered = {m.card for m in decision.options}
        bit = viewer_bit(player)
        hidden = [
            c
            for c, zone in enumerate(s.zone)
            if zone in _FACE_DOWN
            and not s.seen[c] & bit
            and c not in offered
            and not (zone == BASE_DECK and self.knows(player, c))
        ]
        return HiddenCards(s, hidden, player)
