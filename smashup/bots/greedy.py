"""A bot that looks one step ahead: it takes an option, ends the turn and evaluates the position."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from smashup.bots.bot import Advice, Bot, Estimate, ProgressCallback
from smashup.bots.evaluation import Evaluator
from smashup.bots.information_set import InformationSet, option_keys
from smashup.bots.network.model import load_network
from smashup.bots.rollout_policies import random_policy
from smashup.engine.model.constants import PLAY
from smashup.engine.model.decisions import DONE, MOVES, Decision

SAMPLES = 3
"""Tables sampled per decision."""
ROLLOUTS_PER_SAMPLE = 2
"""Random continuations per sampled table, if the option leads to further choices."""
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
    """Estimate the probability to win after each option if the player then ends the turn.

    Further choices are random. An option counts half by the mean of its continuations, half by the
    best one. Without ``evaluate``, the network judges the positions.
    """
    evaluate = evaluate or load_network().evaluate
    sums = [0.0] * info.num_options
    counts = [0] * info.num_options
    for _ in range(samples):
        seed = rng.getrandbits(48)
        for option, key in enumerate(info.keys):
            best = -1.0
            mean = 0.0
            rollouts = 0
            while rollouts < ROLLOUTS_PER_SAMPLE:
                # All options get the same deal, which reduces the variance of their differences.
                value, has_choices = _play_turn(
                    info, Random(seed + rollouts), option, key, evaluate
                )
                rollouts += 1
                mean += value
                best = max(best, value)
                if not has_choices:
                    break
            sums[option] += (best + mean / rollouts) / 2
            counts[option] += 1
    return [total / max(count, 1) for total, count in zip(sums, counts, strict=True)]


def _play_turn(
    info: InformationSet, rng: Random, option: int, key: object, evaluate: Evaluator
) -> tuple[float, bool]:
    """Return the probability to win after an option on one table, and whether choices followed."""
    table = info.sample(rng)
    policy = random_policy(rng.random)
    decisions = 0
    has_choices = False

    def answer(decision: Decision) -> int:
        nonlocal decisions, has_choices
        decisions += 1
        if decisions == 1:
            keys = option_keys(decision)
            if option < len(keys) and keys[option] == key:
                return option
            if key not in keys:
                raise StopLookahead
            return keys.index(key)
        state = decision.table.state
        if state.turn > info.turn or decisions > MAX_DECISIONS:
            raise StopLookahead
        if decision.kind == MOVES and state.phase == PLAY and decision.options[-1].verb == DONE:
            return len(decision.options) - 1
        has_choices = has_choices or len(decision.options) > 1
        return policy(decision)

    with suppress(StopLookahead):
        table.play_out(answer)
    return evaluate(table)[info.player], has_choices
