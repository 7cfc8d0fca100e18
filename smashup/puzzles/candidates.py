"""Positions that may be puzzles: random play finds goals and narrows down the necessary steps."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from smashup.bots.greedy import StopLookahead
from smashup.bots.rollout_policies import random_policy
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.constants import DECK, MINION, NO_LIMIT
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup
from smashup.engine.replay.dealing import Dealer
from smashup.engine.rules import queries
from smashup.engine.saves.snapshots import restore
from smashup.puzzles.goals import Goal, GoalKind, Outcome, judge_turn
from smashup.puzzles.steps import NO_STEP, Step, step_of

PROBES: Final = 60
"""Random turns that are played to see which goals are within reach."""
FIRST_PROBES: Final = 14
"""Random turns after which a position is skipped if none of them reached a goal."""
MAX_PROBE_RATE: Final = 0.2
"""A goal that random play reaches more often than this makes no puzzle."""
HAND_SIZES: Final = (2, 3, 3, 3, 4)
"""Sizes of the hands that are dealt to make further positions from one table."""
MAX_BONUS: Final = 5
"""The most power that a turn is expected to add to a base, besides the strongest minion in hand."""


@dataclass
class RandomTurn:
    """A turn that was played at random."""

    outcome: Outcome
    steps: frozenset[Step]


@dataclass
class ReachedGoal:
    """A goal that random play reached, and the steps that all lines to it share."""

    goal: Goal
    hits: int = 0
    steps: frozenset[Step] = field(default_factory=frozenset)

    def add(self, steps: frozenset[Step]) -> None:
        """Count one more line to the goal."""
        self.steps = self.steps & steps if self.hits else steps
        self.hits += 1


def deal_other_hand(dealer: Dealer, rng: Random) -> Game:
    """Deal the current player another hand, at most as large, from the player's hidden cards."""
    dealt = dealer.deal(rng)
    state = dealt.table.checkpoint
    hand, deck = state.hands[state.current], state.decks[state.current]
    size = min(len(hand), rng.choice(HAND_SIZES))
    while len(hand) > size:
        card = hand.pop(rng.randrange(len(hand)))
        deck.insert(rng.randrange(len(deck) + 1), card)
        state.zone[card] = DECK
        state.seen_by[card] = 0
    dealt.table.is_up_to_date = False
    return dealt


def power_needed(game: Game) -> int:
    """Return the least power that the current player has to add to some base to take it."""
    table = game.table
    player = table.state.current
    needed: list[int] = []
    for site in table.state.sites:
        totals = queries.player_totals(table, site.serial)
        missing = queries.breakpoint(table, site.serial) - sum(totals)
        rival = max(total for other, total in enumerate(totals) if other != player)
        needed.append(max(missing, rival + 1 - totals[player]))
    return min(needed, default=NO_LIMIT)


def power_in_hand(game: Game) -> int:
    """Return how much power the current player may be able to add to a base."""
    state = game.table.checkpoint
    hand = [state.definition[card] for card in state.hands[state.current]]
    return MAX_BONUS + max((kind.power for kind in hand if kind.type == MINION), default=0)


class Candidate:
    """A position at the first play menu of a turn, restored from its snapshot."""

    def __init__(self, setup: Setup, start: dict[str, Any], cards: Catalogue) -> None:
        self.setup = setup
        self.start = start
        self.cards = cards
        self.game = self.begin()
        decision = self.game.decision
        assert decision is not None
        self.player = decision.player
        self.turn = self.game.table.state.turn

    @classmethod
    def from_game(cls, game: Game) -> Candidate:
        """Take the position of a game that is at a play menu."""
        old = game.setup
        setup = Setup(
            players=old.players, factions=old.factions, edition=old.edition, printing=old.printing
        )
        start = json.loads(json.dumps(game.table.checkpoint.to_dict()))
        return cls(setup, start, game.catalogue)

    def begin(self) -> Game:
        """Create the game at the position, with a log."""
        return restore(json.loads(json.dumps(self.start)), self.setup, self.cards)

    def find_goals(self, rng: Random) -> list[ReachedGoal]:
        """Return the goals that random play rarely reaches, the most important one first."""
        vp = self.game.table.state.vp
        is_ahead = vp[self.player] > max(v for p, v in enumerate(vp) if p != self.player)
        found: dict[Goal, ReachedGoal] = {}
        for number in range(PROBES):
            if number == FIRST_PROBES and not found:
                return []
            turn = self.play_at_random(rng)
            for goal in _goals_reached(turn.outcome):
                if goal.kind is not GoalKind.LEAD or not is_ahead:
                    found.setdefault(goal, ReachedGoal(goal)).add(turn.steps)
        order = list(GoalKind)
        goals = sorted(found.values(), key=lambda r: (order.index(r.goal.kind), r.goal.base))
        if goals and goals[0].goal.kind is GoalKind.WIN:
            goals = goals[:1]  # a player who can win does not care about bases
        return [reach for reach in goals if reach.hits <= PROBES * MAX_PROBE_RATE]

    def play_at_random(
        self, rng: Random, without: Step = NO_STEP, steps: frozenset[Step] = frozenset()
    ) -> RandomTurn:
        """Play the turn at random without the step ``without``, preferring the other ``steps``."""
        game = self.game.clone(log=True)
        policy = random_policy(rng.random)
        taken: set[Step] = set()

        def answer(decision: Decision) -> int:
            if decision.table.state.turn != self.turn:
                raise StopLookahead
            option = policy(decision)
            if decision.player != self.player or len(decision.options) == 1:
                return option
            if without != NO_STEP:
                option = _avoid(decision, option, without, steps, rng)
            taken.add(step_of(decision, option))
            return option

        with suppress(StopLookahead):
            game.play_out(answer)
        outcome = judge_turn(game, self.player, self.turn)
        game.dispose()
        return RandomTurn(outcome, frozenset(taken - {NO_STEP}))


def _avoid(
    decision: Decision, option: int, without: Step, steps: frozenset[Step], rng: Random
) -> int:
    """Replace a forbidden option; half the time, take a step of the solution instead."""
    keys = [step_of(decision, number) for number in range(len(decision.options))]
    allowed = [number for number, key in enumerate(keys) if key != without]
    wanted = [number for number in allowed if keys[number] in steps]
    if wanted and rng.random() < 0.5:
        return rng.choice(wanted)
    return option if option in allowed or not allowed else rng.choice(allowed)


def _goals_reached(outcome: Outcome) -> list[Goal]:
    goals = [Goal(GoalKind.TAKE_BASE, base) for base in sorted(outcome.taken)]
    if outcome.leads:
        goals.append(Goal(GoalKind.LEAD))
    if outcome.won:
        goals.append(Goal(GoalKind.WIN))
    return goals
