"""A bot that looks one step ahead: it takes an option, ends the turn and evaluates the position."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any, Final

from smashup.bots.bot import Advice, Bot, Estimate, ProgressCallback
from smashup.bots.evaluation import Evaluator
from smashup.bots.information_set import InformationSet, option_keys
from smashup.bots.network.model import load_network
from smashup.bots.rollout_policies import random_policy
from smashup.engine.game import Game
from smashup.engine.model.decisions import Decision
from smashup.engine.model.table import Policy
from smashup.engine.replay import runner

SAMPLES = 3
"""Tables sampled per decision."""
ROLLOUTS_PER_SAMPLE = 2
"""Random continuations per sampled table, if the option leads to further choices."""
PICKS_SEED: Final = 1 << 50
"""What is added to the seed of a deal for random picks: they do not depend on the deal."""
MAX_DECISIONS = 200
"""Decisions after which a lookahead stops even if the turn has not ended."""


class StopLookahead(Exception):
    """Raised in a policy to stop playing out a table."""


class GreedyBot(Bot):
    """Picks the option with the best evaluation at the end of the turn."""

    name = "greedy"

    def __init__(
        self, seed: int = 0, evaluate: Evaluator | None = None, samples: int = SAMPLES
    ) -> None:
        super().__init__(seed)
        self.evaluate = evaluate or load_network().evaluate
        self.samples = samples

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        values = evaluate_options(info, self.rng, self.samples, self.evaluate)
        estimates = [Estimate(i, max(v, 0.0), self.samples) for i, v in enumerate(values)]
        best = max(values)
        pick = values.index(best)
        return Advice(pick, estimates, [], self.samples * info.num_options)


def evaluate_options(
    info: InformationSet,
    rng: Random,
    samples: int = SAMPLES,
    evaluate: Evaluator | None = None,
) -> list[float]:
    """Estimate the probability of winning after each option if the player then ends the turn.

    Further choices are random. An option counts half by the mean of its continuations, half by the
    best one. Without ``evaluate``, the network judges the positions.
    """
    evaluate = evaluate or load_network().evaluate
    positions: list[Any] = []
    picks = Random()
    tries: list[tuple[int, int]] = []
    """For each sample and option: the option, and how many of the positions are its results."""
    for _ in range(samples):
        seed = rng.getrandbits(48)
        for option, key in enumerate(info.keys):
            rollouts = 0
            has_choices = True
            while has_choices and rollouts < ROLLOUTS_PER_SAMPLE:
                # All options get the same deal, which reduces the variance of their differences.
                picks.seed(seed + rollouts + PICKS_SEED)
                sampled = info.sample_seeded(seed + rollouts)
                policy = random_policy(picks.random)
                has_choices = _play_turn(info, sampled, option, key, policy)
                positions.append(evaluate.read(sampled))
                rollouts += 1
            tries.append((option, rollouts))
    values = [chances[info.player] for chances in evaluate.evaluate_all(positions)]
    sums = [0.0] * info.num_options
    start = 0
    for option, rollouts in tries:
        results = values[start : start + rollouts]
        sums[option] += (max(results) + sum(results) / rollouts) / 2
        start += rollouts
    return [total / samples for total in sums]


def _play_turn(
    info: InformationSet, sampled: Game, option: int, key: object, policy: Policy
) -> bool:
    """Take an option and play to the end of the turn; return whether choices followed."""
    first = info.first_move(option)
    is_chosen = first is not None
    decisions = 0
    has_choices = False

    def answer(decision: Decision) -> int:
        nonlocal decisions, has_choices, is_chosen
        if not is_chosen:
            is_chosen = True
            keys = option_keys(decision)
            if option < len(keys) and keys[option] == key:
                return option
            if key not in keys:
                raise StopLookahead
            return keys.index(key)
        decisions += 1
        if decision.table.state.turn > info.turn or decisions > MAX_DECISIONS:
            raise StopLookahead
        has_choices = has_choices or len(decision.options) > 1
        return policy(decision)

    with suppress(StopLookahead):
        runner.roll_out(sampled.table, answer, info.turn, first, skips_menus=True)
    return has_choices
