"""A bot that searches: information-set Monte Carlo tree search.

Each iteration imagines a table (hidden cards dealt anew), walks down one tree shared by all of them
along options known by what they are, lets somebody quick play on until a few turns have passed,
and notes how good the position then looks for every seat. Seats choose in the tree what is good
for themselves. What one step of looking ahead thinks of the options at the root steers the first
tries and fades as visits grow.
"""

from __future__ import annotations

import time
from contextlib import suppress
from math import exp, inf, sqrt

from smashup.bots.bot import Advice, Bot, Estimate, Progress
from smashup.bots.evaluation import WEIGHTS, Weights, chances
from smashup.bots.greedy import look_ahead
from smashup.bots.quick import quick_player
from smashup.bots.sight import Key, Sight, option_keys
from smashup.engine.decisions import DONE, MOVES, Decision

HORIZON = 1
"""Turns after the current one before the position is judged."""
EXPLORE = 0.8
"""How much options seldom tried are tried again, against those that did well."""
SHARPNESS = 0.03
"""How much worse an option must look in one step to be tried seldom at first."""
TRUST = 0.8
"""How much of the first tries that opinion decides; the rest is shared out evenly."""
NARROW = 0.02
"""Chances closer together than this are not told apart more sharply."""
UNFORESEEN = 0.01
"""What steers towards an option that the real table does not offer."""
TELL_EVERY = 0.1
"""Seconds between two words about how far the search is."""
CHECK_EVERY = 32
"""Iterations between two looks whether the search is settled."""
TOO_LONG = 400
"""Decisions after which an iteration stops wherever it is."""


class Cut(Exception):
    """Raised to leave a table on which enough was seen."""


class Option:
    """An option in the tree: how often it was taken, how it went, and what follows."""

    __slots__ = ("following", "prior", "totals", "visits")

    def __init__(self, players: int, prior: float) -> None:
        self.prior = prior
        self.visits = 0
        self.totals = [0.0] * players
        self.following: dict[Key, Option] = {}


class Mcts(Bot):
    """Searches for so many milliseconds or iterations; the latter with the same result by seed."""

    name = "mcts"

    def __init__(
        self,
        seed: int = 0,
        milliseconds: float = 0,
        iterations: int = 0,
        weights: Weights = WEIGHTS,
        horizon: int = HORIZON,
        explore: float = EXPLORE,
        sharpness: float = SHARPNESS,
    ) -> None:
        super().__init__(seed)
        if milliseconds <= 0 and iterations <= 0:
            raise ValueError("A search needs a budget: milliseconds or iterations.")
        self.milliseconds = milliseconds
        self.iterations = iterations
        self.weights = weights
        self.horizon = horizon
        self.explore = explore
        self.sharpness = sharpness

    def think(self, sight: Sight, progress: Progress) -> Advice:
        search = Search(self, sight)
        search.run(progress)
        return search.advice()


class Search:
    """One decision thought through."""

    def __init__(self, bot: Mcts, sight: Sight) -> None:
        self.bot = bot
        self.sight = sight
        self.rng = bot.rng
        self.root: dict[Key, Option] = {}
        self.done = 0
        """Iterations so far."""
        self.sums = [0.0] * sight.players
        """What they thought of each seat's chances, added up."""
        self.low = 1.0
        self.high = 0.0
        """The range of what options at the root came to."""

    def run(self, progress: Progress) -> None:
        """Iterate until the budget is spent, or what is left of it could change nothing."""
        bot = self.bot
        began = last = time.perf_counter()
        seconds = bot.milliseconds / 1000 or inf
        iterations = bot.iterations or inf
        self._look_first()
        while self.done < iterations:
            now = time.perf_counter()
            spent = now - began
            if spent >= seconds:
                break
            if self.done % CHECK_EVERY == CHECK_EVERY - 1 and self._is_settled(spent, seconds):
                break
            if now - last > TELL_EVERY:
                last = now
                progress(max(self.done / iterations, spent / seconds))
            self._iterate()

    def _look_first(self) -> None:
        """What one step of looking ahead says of the options steers the first tries."""
        sight = self.sight
        values = look_ahead(sight, self.rng, 1, self.bot.weights)
        best = max(values)
        weights = [exp((value - best) / self.bot.sharpness) for value in values]
        total = sum(weights)
        for key, weight in zip(sight.keys, weights, strict=True):
            prior = TRUST * weight / total + (1 - TRUST) / len(weights)
            if key in self.root:
                self.root[key].prior += prior
            else:
                self.root[key] = Option(sight.players, prior)

    def _is_settled(self, spent: float, seconds: float) -> bool:
        """Whether the rest of the budget cannot change which option was tried most."""
        visits = sorted((option.visits for option in self.root.values()), reverse=True)
        if len(visits) < 2:
            return True
        left = self.done * (seconds - spent) / spent
        if self.bot.iterations:
            left = min(left, self.bot.iterations - self.done)
        return visits[0] - visits[1] > left

    def _iterate(self) -> None:
        sight = self.sight
        table = sight.imagine(self.rng)
        quick = quick_player(self.rng.random)
        until = sight.turn + self.bot.horizon
        path: list[Option] = []
        following: dict[Key, Option] | None = self.root
        asked = 0

        def answer(decision: Decision) -> int:
            nonlocal following, asked
            asked += 1
            if asked > 1 and (decision.table.state.turn > until or asked > TOO_LONG):
                raise Cut
            if following is None:
                return quick(decision)
            if len(decision.options) == 1:
                return 0
            pick, option = self._select(decision, following)
            path.append(option)
            following = option.following if option.visits else None
            return pick

        with suppress(Cut):
            table.play_out(answer)
        values = chances(table, self.bot.weights)
        self.done += 1
        for player, value in enumerate(values):
            self.sums[player] += value
        for option in path:
            option.visits += 1
            totals = option.totals
            for player, value in enumerate(values):
                totals[player] += value
        if path:
            self._widen(path[0], sight.player)

    def _widen(self, option: Option, player: int) -> None:
        """Keep the range in which chances lie: differences are judged against it."""
        mean = option.totals[player] / option.visits
        if mean < self.low:
            self.low = mean
        if mean > self.high:
            self.high = mean

    def _select(self, decision: Decision, known: dict[Key, Option]) -> tuple[int, Option]:
        """The option worth trying next: what did well, what looked well, what was tried little."""
        options = self._options(decision, known)
        player = decision.player
        visits = 0
        for option in options:
            visits += option.visits
        base = self.sums[player] / self.done if self.done else 0.5
        spread = max(self.high - self.low, NARROW)
        explore = self.bot.explore * sqrt(visits + 1)
        best = -inf
        pick = 0
        for i, option in enumerate(options):
            n = option.visits
            mean = option.totals[player] / n if n else base
            score = (mean - base) / spread + explore * option.prior / (1 + n)
            if score > best:
                best = score
                pick = i
        return pick, options[pick]

    def _options(self, decision: Decision, known: dict[Key, Option]) -> list[Option]:
        """The options of a decision in the tree; those never met before join it."""
        keys = option_keys(decision)
        last = decision.options[-1]
        declining = decision.kind == MOVES and last.verb >= DONE
        for key, option in zip(keys, decision.options, strict=True):
            if key in known:
                continue
            if known is self.root:
                prior = UNFORESEEN  # on this table alone: it cannot be the answer
            else:
                prior = (0.9 + 0.2 * self.rng.random()) / len(keys)
                if declining and option is last:
                    prior /= 2
            known[key] = Option(self.sight.players, prior)
        return [known[key] for key in keys]

    def advice(self) -> Advice:
        """The option tried most; of equals the one that did best."""
        sight = self.sight
        player = sight.player
        done = max(self.done, 1)
        estimates = []
        best = (-1, -1.0)
        pick = 0
        for i, key in enumerate(sight.keys):
            option = self.root[key]
            n = option.visits
            chance = option.totals[player] / n if n else 0.0
            estimates.append(Estimate(i, chance, n))
            if (n, chance) > best:
                best = (n, chance)
                pick = i
        return Advice(pick, estimates, [total / done for total in self.sums], self.done)
