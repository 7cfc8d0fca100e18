"""A bot that looks one step ahead: what if I do this, and then end my turn?"""

from __future__ import annotations

from contextlib import suppress
from random import Random

from smashup.bots.bot import Advice, Bot, Estimate, Progress
from smashup.bots.evaluation import WEIGHTS, Weights, chances
from smashup.bots.quick import quick_player
from smashup.bots.sight import Sight, option_keys
from smashup.engine.model.constants import PLAY
from smashup.engine.model.decisions import DONE, MOVES, Decision

DEALS = 3
"""Tables imagined for each decision."""
TRIES = 2
"""Ways to go on that are tried on each of them, where choices follow."""
TOO_LONG = 200
"""Decisions after which a look ahead gives up waiting for the turn to end."""


class TurnOver(Exception):
    """Raised to leave a table on which enough was seen."""


class Greedy(Bot):
    """Does what looks best once the turn is over."""

    name = "greedy"

    def __init__(self, seed: int = 0, weights: Weights = WEIGHTS, deals: int = DEALS) -> None:
        super().__init__(seed)
        self.weights = weights
        self.deals = deals

    def think(self, sight: Sight, progress: Progress) -> Advice:
        values = look_ahead(sight, self.rng, self.deals, self.weights)
        estimates = [Estimate(i, max(v, 0.0), self.deals) for i, v in enumerate(values)]
        best = max(values)
        pick = values.index(best)
        return Advice(pick, estimates, [], self.deals * sight.size)


def look_ahead(
    sight: Sight, rng: Random, deals: int = DEALS, weights: Weights = WEIGHTS
) -> list[float]:
    """The chance to win after each option, if nothing more is done this turn.

    Choices that follow are made at random, more than once: half counts how they come out on
    average, half how well they can.
    """
    sums = [0.0] * sight.size
    counts = [0] * sight.size
    for _ in range(deals):
        seed = rng.getrandbits(48)
        for option, key in enumerate(sight.keys):
            best = -1.0
            mean = 0.0
            tries = 0
            while tries < TRIES:
                # The same deal for every option: only what they do makes a difference.
                value, choices = _outcome(sight, Random(seed + tries), option, key, weights)
                tries += 1
                mean += value
                best = max(best, value)
                if not choices:
                    break
            sums[option] += (best + mean / tries) / 2
            counts[option] += 1
    return [total / max(count, 1) for total, count in zip(sums, counts, strict=True)]


def _outcome(
    sight: Sight, rng: Random, option: int, key: object, weights: Weights
) -> tuple[float, bool]:
    """The chance to win after an option on one table, and whether choices followed."""
    table = sight.imagine(rng)
    quick = quick_player(rng.random)
    asked = 0
    choices = False

    def answer(decision: Decision) -> int:
        nonlocal asked, choices
        asked += 1
        if asked == 1:
            keys = option_keys(decision)
            if option < len(keys) and keys[option] == key:
                return option
            if key not in keys:
                raise TurnOver
            return keys.index(key)
        state = decision.table.state
        if state.turn > sight.turn or asked > TOO_LONG:
            raise TurnOver
        if decision.kind == MOVES and state.phase == PLAY and decision.options[-1].verb == DONE:
            return len(decision.options) - 1
        choices = choices or len(decision.options) > 1
        return quick(decision)

    with suppress(TurnOver):
        table.play_out(answer)
    return chances(table, weights)[sight.player], choices
