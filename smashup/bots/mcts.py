"""A bot that searches: information-set Monte Carlo tree search.

Each iteration samples a table (hidden cards are dealt at random), takes an option on it, descends a
tree shared by all tables (`smashup.bots.tree`), continues with a rollout policy and records how
good the resulting position is for each seat.

At the root, all remaining options are tried on the same deals and with the same rollout policies,
so that luck cancels out of their differences (common random numbers). The search runs in rounds and
drops the worse half of the options after each (sequential halving). The more tries per option a
round can afford, the more turns it looks ahead, so clearly bad options are found early and cheaply.
The result of the previous round, or a one-step lookahead before the first, serves as prior.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil, inf, log2, sqrt

from smashup.bots.bot import Advice, Bot, Estimate, ProgressCallback
from smashup.bots.evaluation import Evaluator
from smashup.bots.greedy import evaluate_options
from smashup.bots.information_set import InformationSet, OptionKey
from smashup.bots.network.model import load_network
from smashup.bots.tree import Node, Playout, SearchTree

HORIZON_TRIES = (20, 50)
"""Tries per option and opponent in a round from which looking one turn further ahead pays, and two
turns. A longer horizon has a higher variance.
"""
EXPLORATION = 0.6
"""Weight of the exploration term (UCB) inside the tree."""
ROOT_PRIOR_WEIGHT = 4.0
"""Tries that the one-step lookahead at the root counts for."""
CARRY_WEIGHT = 6.0
"""Tries that the result of the previous round counts for."""
LOOKAHEAD_SAMPLES = 2
"""Tables sampled for the one-step lookahead."""
PROGRESS_SECONDS = 0.1
"""Interval between progress reports."""
CHECK_INTERVAL = 8
"""Tries per option between two checks for a clear leader."""
MIN_TRIES_TO_STOP = 24
"""Tries per option before the first of these checks."""
STOP_SIGMAS = 4.0
"""Lead, in standard errors, at which the search stops early."""
DEALS_PER_ROUND = 1 << 20
"""Size of the range of deal seeds reserved for a round."""

Clock = Callable[[], float]
"""Returns seconds since some fixed time."""


class RootOption(Node):
    """An option at the root of the search."""

    __slots__ = ("gap", "key", "outcomes", "tries")

    def __init__(self, key: OptionKey, players: int, prior: float, prior_weight: float) -> None:
        super().__init__(players, prior, prior_weight)
        self.key = key
        self.outcomes: list[float] = []
        """Values of this round's tries for the seat that decides, in the order of the deals."""
        self.tries = 0
        """In all rounds."""
        self.gap = 0.0
        """Distance to the best option in the last round it took part in, as a probability."""


class Budget:
    """A limit in milliseconds, iterations or both; the first one reached counts."""

    def __init__(self, milliseconds: float, iterations: int, clock: Clock) -> None:
        self.seconds = milliseconds / 1000 or inf
        self.iterations = iterations or inf
        self.clock = clock
        self.started = self.last_report = clock()

    def fraction_spent(self, iterations: int, progress: ProgressCallback) -> float:
        """Return the fraction spent, from 0 to 1, and report it to ``progress`` now and then."""
        now = self.clock()
        fraction = max(iterations / self.iterations, (now - self.started) / self.seconds)
        if now - self.last_report > PROGRESS_SECONDS:
            self.last_report = now
            progress(min(fraction, 1.0))
        return fraction

    def iterations_left(self, iterations: int, lookaheads: int, share: float) -> float:
        """Estimate the iterations left until a share of the budget is spent, at the current pace.
        The ``lookaheads`` iterations before the first iteration count for the pace.
        """
        elapsed = self.clock() - self.started
        pace = (iterations + lookaheads) / elapsed
        return min(share * self.iterations - iterations, pace * (share * self.seconds - elapsed))


class MctsBot(Bot):
    """Searches with a time or iteration budget; with iterations, the result depends only on the
    seed.
    """

    name = "mcts"

    def __init__(
        self,
        seed: int = 0,
        milliseconds: float = 0,
        iterations: int = 0,
        evaluate: Evaluator | None = None,
        horizon_tries: tuple[int, ...] = HORIZON_TRIES,
        exploration: float = EXPLORATION,
        prior_weight: float = ROOT_PRIOR_WEIGHT,
        clock: Clock = time.perf_counter,
    ) -> None:
        """``clock`` measures the milliseconds; `time.process_time` compares bots fairly on a busy
        machine.
        """
        super().__init__(seed)
        if milliseconds <= 0 and iterations <= 0:
            raise ValueError("A search needs a budget: milliseconds or iterations.")
        self.milliseconds = milliseconds
        self.iterations = iterations
        self.evaluate = evaluate or load_network().evaluate
        self.horizon_tries = horizon_tries
        self.exploration = exploration
        self.prior_weight = prior_weight
        self.clock = clock

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        search = Search(self, info)
        search.run(progress)
        return search.build_advice()


class Search:
    """The search for one decision.

    The option ``keep`` stays in every round, so that its value is comparable with the best one.
    """

    def __init__(self, bot: MctsBot, info: InformationSet, keep: int | None = None) -> None:
        self.bot = bot
        self.kept_key = info.keys[keep] if keep is not None else None
        self.info = info
        self.tree = SearchTree(info, bot.evaluate, bot.exploration)
        self.iterations = 0
        """Iterations so far."""
        self.first_deal = bot.rng.getrandbits(40) * DEALS_PER_ROUND
        """The first deal seed of this round."""
        self.baseline = 0.5
        """Value of the position before the first try."""
        self.root: dict[OptionKey, RootOption] = {}
        self.candidates: list[RootOption] = []
        """Options not dropped yet; sorted, best first, at the end of a round."""

    def run(self, progress: ProgressCallback) -> None:
        """Compare the options until the budget is spent or one of them leads clearly."""
        budget = Budget(self.bot.milliseconds, self.bot.iterations, self.bot.clock)
        self._set_root_priors()
        rounds = ceil(log2(len(self.candidates)))
        for number in range(1, rounds + 1):
            self._start_round(budget, number / rounds)
            has_leader = self._run_round(budget, number / rounds, progress)
            self._sort_candidates()
            if has_leader:
                break
            if number < rounds:
                self._drop_worse_half()

    def _drop_worse_half(self) -> None:
        """Drop the worse half of the candidates, except for the option to keep."""
        half = (len(self.candidates) + 1) // 2
        dropped = self.candidates[half:]
        del self.candidates[half:]
        self.candidates += [option for option in dropped if option.key == self.kept_key]

    def _set_root_priors(self) -> None:
        """Set the priors of the options by a one-step lookahead."""
        info = self.info
        values = evaluate_options(info, self.bot.rng, LOOKAHEAD_SAMPLES, self.bot.evaluate)
        self.baseline = sum(values) / len(values)
        for key, value in zip(info.keys, values, strict=True):
            if key not in self.root:
                prior = value - self.baseline
                self.root[key] = RootOption(key, info.num_players, prior, self.bot.prior_weight)
        self.candidates = list(self.root.values())
        self._sort_candidates()

    def _start_round(self, budget: Budget, share: float) -> None:
        """Start a round up to a share of the budget, with new deals and the longest horizon that
        pays.
        """
        self.first_deal += DEALS_PER_ROUND
        lookaheads = LOOKAHEAD_SAMPLES * self.info.num_options
        tries = budget.iterations_left(self.iterations, lookaheads, share) / len(self.candidates)
        opponents = self.info.num_players - 1
        self.tree.set_horizon(
            sum(tries >= min_tries * opponents for min_tries in self.bot.horizon_tries)
        )
        mean = sum(option.gap for option in self.candidates) / len(self.candidates)
        for option in self.candidates:
            if option.tries:
                option.prior = mean - option.gap
                option.prior_weight = CARRY_WEIGHT
            option.visits = 0
            option.outcomes = []

    def _run_round(self, budget: Budget, share: float, progress: ProgressCallback) -> bool:
        """Try the candidates on the same deals up to a share of the budget; return whether one of
        them leads clearly.
        """
        tries = 0
        while True:
            playouts: list[Playout] = []
            for option in self.candidates:
                if budget.fraction_spent(self.iterations, progress) >= share:
                    break
                playouts.append(self.tree.play(option, option.key, self.first_deal + tries))
                self.iterations += 1
            values = self.tree.record(playouts)  # evaluating them together is faster
            for option, value in zip(self.candidates, values, strict=False):
                option.outcomes.append(value)
                option.tries += 1
            if len(playouts) < len(self.candidates):
                return False
            tries += 1
            if (
                tries >= MIN_TRIES_TO_STOP
                and tries % CHECK_INTERVAL == 0
                and self._has_clear_leader()
            ):
                return True

    def _sort_candidates(self) -> None:
        """Sort the best first, and record the gap of the others."""
        self.candidates.sort(key=self._value, reverse=True)
        best = self._value(self.candidates[0])
        for option in self.candidates:
            option.gap = best - self._value(option)

    def _value(self, option: RootOption) -> float:
        """Return the estimated probability of winning with an option, including its prior."""
        tree = self.tree
        mean = (
            tree.value_sums[self.info.player] / tree.iterations
            if tree.iterations
            else self.baseline
        )
        total = sum(option.outcomes) + option.prior_weight * (mean + option.prior)
        return total / (len(option.outcomes) + option.prior_weight)

    def _has_clear_leader(self) -> bool:
        """Return whether the best option leads all others by `STOP_SIGMAS` standard errors."""
        best = max(self.candidates, key=self._value)
        for other in self.candidates:
            if other is not best:
                lead, error = compare_outcomes(best, other)
                if lead < STOP_SIGMAS * error:
                    return False
        return True

    def build_advice(self) -> Advice:
        """Return the best option and the estimates of all options."""
        tree = self.tree
        best = self.candidates[0]
        best_value = self._value(best)
        options = [self.root[key] for key in self.info.keys]
        estimates = [
            Estimate(i, min(max(best_value - option.gap, 0.0), 1.0), option.tries)
            for i, option in enumerate(options)
        ]
        seats = [total / tree.iterations for total in tree.value_sums] if tree.iterations else []
        return Advice(options.index(best), estimates, seats, self.iterations)


def compare_outcomes(better: RootOption, other: RootOption) -> tuple[float, float]:
    """Return how far one option leads another on the same deals, and the standard error of that."""
    leads = [a - b for a, b in zip(better.outcomes, other.outcomes, strict=False)]
    count = len(leads)
    if not count:
        return 0.0, inf
    lead = sum(leads) / count
    variance = sum(x * x for x in leads) / count - lead * lead
    return lead, sqrt(max(variance, 1e-9) / count)
