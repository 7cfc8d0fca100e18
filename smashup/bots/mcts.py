"""A bot that searches: information-set Monte Carlo tree search.

Each iteration imagines a table (hidden cards dealt anew), walks down one tree shared by all of them
along options known by what they are, lets somebody quick play on until a few turns have passed,
and notes how good the position then looks for every seat. Seats choose in the tree what is good
for themselves: what did best, or what did a little worse but so seldom that this may have been
chance. What one step of looking ahead thinks of the options at the root counts like a few tries.
The first try of each option has the same deal, so has the second, and so on: what differs is what
the options do.
"""

from __future__ import annotations

import time
from contextlib import suppress
from math import inf, log, sqrt
from random import Random

from smashup.bots.bot import Advice, Bot, Estimate, Progress
from smashup.bots.evaluation import WEIGHTS, Weights, chances
from smashup.bots.greedy import look_ahead
from smashup.bots.quick import quick_player
from smashup.bots.sight import Key, Sight, option_keys
from smashup.engine.decisions import Decision

HORIZON = 1
"""Turns after the current one before the position is judged."""
EXPLORE = 0.6
"""How much options seldom tried are tried again, against those that did well."""
TRUST = 4.0
"""How many tries what one step of looking ahead says of an option at the root is worth."""
DEALS_AHEAD = 2
"""Tables imagined for that."""
TINY = 0.002
"""What makes a difference between options of which nothing is known."""
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

    __slots__ = ("following", "hunch", "totals", "trust", "visits")

    def __init__(self, players: int, hunch: float, trust: float) -> None:
        self.hunch = hunch
        """What was thought of it beforehand: better or worse than the others, as a chance."""
        self.trust = trust
        """How many tries that is worth."""
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
        trust: float = TRUST,
    ) -> None:
        super().__init__(seed)
        if milliseconds <= 0 and iterations <= 0:
            raise ValueError("A search needs a budget: milliseconds or iterations.")
        self.milliseconds = milliseconds
        self.iterations = iterations
        self.weights = weights
        self.horizon = horizon
        self.explore = explore
        self.trust = trust

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
        self.squares = [0.0] * sight.players
        """What they thought of each seat's chances, added up, and the squares of that."""
        self.deals = self.rng.getrandbits(40) << 20
        """Where the randomness of iterations begins."""

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
        """What one step of looking ahead says of the options counts like a few tries."""
        sight = self.sight
        values = look_ahead(sight, self.rng, DEALS_AHEAD, self.bot.weights)
        mean = sum(values) / len(values)
        for key, value in zip(sight.keys, values, strict=True):
            if key not in self.root:
                self.root[key] = Option(sight.players, value - mean, self.bot.trust)

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
        first = self._best(list(self.root.values()), sight.player)
        # The same number of a try has the same deal, whichever option is tried.
        rng = Random(self.deals + first.visits)
        table = sight.imagine(rng)
        quick = quick_player(rng.random)
        until = sight.turn + self.bot.horizon
        path: list[Option] = []
        following: dict[Key, Option] | None = self.root
        asked = 0

        def answer(decision: Decision) -> int:
            nonlocal following, asked
            asked += 1
            if asked == 1:
                keys = option_keys(decision)
                for i, key in enumerate(keys):
                    if self.root.get(key) is first:
                        path.append(first)
                        following = first.following if first.visits else None
                        return i
                raise Cut
            if decision.table.state.turn > until or asked > TOO_LONG:
                raise Cut
            if following is None:
                return quick(decision)
            if len(decision.options) == 1:
                return 0
            options = self._options(decision, following)
            option = self._best(options, decision.player)
            path.append(option)
            following = option.following if option.visits else None
            return options.index(option)

        with suppress(Cut):
            table.play_out(answer)
        values = chances(table, self.bot.weights)
        self.done += 1
        for player, value in enumerate(values):
            self.sums[player] += value
            self.squares[player] += value * value
        for option in path:
            option.visits += 1
            totals = option.totals
            for player, value in enumerate(values):
                totals[player] += value

    def _best(self, options: list[Option], player: int) -> Option:
        """The option worth trying next: what did well, what looked well, what was tried little.

        What chance may have moved is judged by how much the outcomes scatter.
        """
        done = max(self.done, 1)
        mean = self.sums[player] / done if self.done else 0.5
        scatter = sqrt(max(self.squares[player] / done - mean * mean, 1e-4))
        tries = 1.0
        for option in options:
            tries += option.visits
        reach = self.bot.explore * scatter * sqrt(log(tries) + 0.1)
        best = -inf
        pick = options[0]
        for option in options:
            n = option.visits + option.trust
            score = (option.totals[player] + option.trust * (mean + option.hunch)) / n
            score += reach / sqrt(n)
            if score > best:
                best = score
                pick = option
        return pick

    def _options(self, decision: Decision, known: dict[Key, Option]) -> list[Option]:
        """The options of a decision in the tree; those never met before join it."""
        keys = option_keys(decision)
        for key in keys:
            if key not in known:
                known[key] = Option(self.sight.players, TINY * self.rng.random(), 1.0)
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
