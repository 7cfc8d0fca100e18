"""The search tree, shared by all sampled tables.

Option keys identify nodes on whichever table they appear. Each seat selects what is best for itself
by an upper confidence bound. Because the value of a position depends on the sampled table, nodes
store how much better or worse than the average iteration their outcomes were.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf, log, sqrt
from random import Random
from typing import Any, Final, NamedTuple

from smashup.bots.evaluation import Evaluator
from smashup.bots.information_set import InformationSet, OptionKey, option_keys
from smashup.bots.rollout_policies import POLICY_COUNT, seeded_policy
from smashup.engine.game import Game
from smashup.engine.model.constants import PLAY
from smashup.engine.model.decisions import DONE, MOVES, Decision
from smashup.engine.replay import runner

TIE_BREAK_NOISE = 0.002
"""Scale of the random prior of new nodes."""
EXPAND_AFTER = 4
"""Visits after which a one-step lookahead at the children of a node pays."""
EXPANSION_PRIOR_WEIGHT = 3.0
"""Tries that this lookahead counts for."""
MAX_BRANCHES = 12
"""Nodes with more children are not expanded: it would take too long."""
MAX_DECISIONS = 400
"""Decisions after which an iteration stops."""

_GOLDEN_RATIO: Final = 0x9E3779B97F4A7C15
"""Spreads the numbers of policies for successive deals."""


class StopRollout(Exception):
    """Raised in a policy to stop playing out a table."""


class Node:
    """A choice in the tree: its visits, its outcomes and its children."""

    __slots__ = ("children", "is_expanded", "prior", "prior_weight", "totals", "visits")

    def __init__(self, players: int, prior: float, prior_weight: float) -> None:
        self.prior = prior
        """Value relative to the average, before any visit."""
        self.prior_weight = prior_weight
        """Tries that the prior counts for."""
        self.visits = 0
        self.totals = [0.0] * players
        """For each seat, the sum of the differences to the average outcome."""
        self.children: dict[OptionKey, Node] = {}
        self.is_expanded = False
        """Whether a lookahead has set the priors of the children."""


class Playout(NamedTuple):
    """A table played up to a position to be evaluated."""

    path: list[Node]
    """The nodes whose options were chosen."""
    line: list[OptionKey]
    """The keys of the choices up to ``to_expand``."""
    to_expand: Node | None
    """A node whose children need priors."""
    deal: int
    position: Any


class SearchTree:
    """Statistics of all sequences of choices from one position."""

    def __init__(self, info: InformationSet, evaluate: Evaluator, exploration: float) -> None:
        self.info = info
        self.evaluate = evaluate
        self.exploration = exploration
        self.horizon = 0
        self.iterations = 0
        """Iterations with the current horizon; values with different horizons are not comparable.
        """
        self.value_sums = [0.0] * info.num_players
        self.squared_deviations = [0.0] * info.num_players
        """Per seat, the sum of squared differences to the running mean."""
        self._noise = Random(0)
        """Breaks ties between new nodes."""

    def set_horizon(self, horizon: int) -> None:
        """Evaluate positions this many turns ahead from now on, and reset the averages."""
        self.horizon = horizon
        self.iterations = 0
        self.value_sums = [0.0] * self.info.num_players
        self.squared_deviations = [0.0] * self.info.num_players

    def play(self, first: Node, key: OptionKey, deal: int) -> Playout:
        """Play an option on a sampled table up to the position to be evaluated."""
        info = self.info
        sampled = info.sample_seeded(deal)
        rollout_policy = seeded_policy(_policy_number(deal))
        last_turn = info.turn + self.horizon
        path = [first]
        line = [key]
        to_expand: Node | None = None
        """The node to expand, reached by the choices in ``line``."""
        children = first.children if first.visits else None
        move = info.first_move(info.keys.index(key))
        decisions = 0 if move is None else 1

        def answer(decision: Decision) -> int:
            nonlocal children, decisions, to_expand
            decisions += 1
            if decisions == 1:
                return _find_option(key, decision)
            turn = decision.table.state.turn
            if turn > last_turn or decisions > MAX_DECISIONS:
                raise StopRollout
            if children is None:
                return rollout_policy(decision)
            if len(decision.options) == 1:
                return 0
            keys = option_keys(decision)
            options = self._child_nodes(keys, children)
            last = path[-1]
            if (
                last.visits >= EXPAND_AFTER
                and not last.is_expanded
                and to_expand is None
                and decision.player == info.player
                and turn == info.turn
                and len(options) <= MAX_BRANCHES
            ):
                to_expand = last
            pick = self._select(options, decision.player)
            path.append(options[pick])
            if to_expand is None:
                line.append(keys[pick])
            children = options[pick].children if options[pick].visits else None
            return pick

        with suppress(StopRollout):
            runner.roll_out(sampled.table, answer, last_turn, move)
        return Playout(path, line, to_expand, deal, self.evaluate.read(sampled))

    def record(self, playouts: list[Playout]) -> list[float]:
        """Evaluate the positions of playouts, record them and return the values for the seat that
        decides.
        """
        evaluated = self.evaluate.evaluate_all([playout.position for playout in playouts])
        for playout, values in zip(playouts, evaluated, strict=True):
            self._backpropagate(playout.path, values)
            if playout.to_expand is not None:
                self._expand(playout.to_expand, playout.line, playout.deal)
        return [values[self.info.player] for values in evaluated]

    def _backpropagate(self, path: list[Node], values: list[float]) -> None:
        players = range(len(values))
        before = self.iterations
        deviations = [values[p] - self.value_sums[p] / before if before else 0.0 for p in players]
        self.iterations += 1
        for p in players:
            self.value_sums[p] += values[p]
            self.squared_deviations[p] += deviations[p] * deviations[p]
        for option in path:
            option.visits += 1
            totals = option.totals
            for p in players:
                totals[p] += deviations[p]

    # --- selection ----------------------------------------------------------------------------

    def _child_nodes(
        self, keys: list[OptionKey], children_by_key: dict[OptionKey, Node]
    ) -> list[Node]:
        """Return the nodes of the options of a decision, creating missing ones."""
        for key in keys:
            if key not in children_by_key:
                children_by_key[key] = Node(
                    self.info.num_players, TIE_BREAK_NOISE * self._noise.random(), 1.0
                )
        return [children_by_key[key] for key in keys]

    def _select(self, options: list[Node], player: int) -> int:
        """Return the option with the highest upper confidence bound.

        The bound scales with the standard deviation of the outcomes.
        """
        deviation = sqrt(max(self.squared_deviations[player] / max(self.iterations, 1), 1e-4))
        tries = 1.0
        for option in options:
            tries += option.visits
        bonus = self.exploration * deviation * sqrt(log(tries) + 0.1)
        best = -inf
        pick = 0
        for i, option in enumerate(options):
            n = option.visits + option.prior_weight
            score = (option.totals[player] + option.prior_weight * option.prior) / n + bonus / sqrt(
                n
            )
            if score > best:
                best = score
                pick = i
        return pick

    # --- expansion ----------------------------------------------------------------------------

    def _expand(self, option: Node, line: list[OptionKey], deal: int) -> None:
        """Set the priors of the children by a one-step lookahead."""
        option.is_expanded = True
        positions: dict[OptionKey, Any] = {}
        for key in option.children:
            table = self._play_line([*line, key], deal)
            if table is not None:
                positions[key] = self.evaluate.read(table)
        evaluated = self.evaluate.evaluate_all(list(positions.values()))
        values = [chances[self.info.player] for chances in evaluated]
        mean = sum(values) / len(values) if values else 0.0
        for key, value in zip(positions, values, strict=True):
            child = option.children[key]
            child.prior = value - mean
            child.prior_weight = EXPANSION_PRIOR_WEIGHT

    def _play_line(self, keys: list[OptionKey], deal: int) -> Game | None:
        """Return a table after these choices and the end of the turn; None if they are impossible
        there.
        """
        info = self.info
        sampled = info.sample_seeded(deal)
        rollout_policy = seeded_policy(_policy_number(deal))
        move = info.first_move(info.keys.index(keys[0]))
        position = 0 if move is None else 1

        def answer(decision: Decision) -> int:
            nonlocal position
            state = decision.table.state
            if state.turn > info.turn:
                raise StopRollout
            if position == 0 or (position < len(keys) and len(decision.options) > 1):
                index = _find_option(keys[position], decision)
                position += 1
                return index
            if decision.kind == MOVES and state.phase == PLAY and decision.options[-1].verb == DONE:
                return len(decision.options) - 1
            return rollout_policy(decision)

        with suppress(StopRollout):
            runner.roll_out(sampled.table, answer, info.turn, move)
        return sampled if position == len(keys) else None


def _policy_number(deal: int) -> int:
    """Return the number of the rollout policy for a deal."""
    return (deal * _GOLDEN_RATIO >> 32) % POLICY_COUNT


def _find_option(key: OptionKey, decision: Decision) -> int:
    """Return the index of an option in a decision; stop the rollout if it is missing."""
    keys = option_keys(decision)
    if key not in keys:
        raise StopRollout
    return keys.index(key)
