"""A bot that searches: information-set Monte Carlo tree search.

Each iteration imagines a table (hidden cards dealt anew), walks down one tree shared by all of them
along options known by what they are, lets somebody steady play on until a few turns have passed,
and notes how good the position then looks for every seat. Seats choose in the tree what is good
for themselves: what did best, or what did a little worse but so seldom that this may have been
chance.

At the root options are compared fairly: all that are left are tried on the same deals, against the
same whims of whoever plays on, so that what differs is what the options do. The worse half is
dropped a few times in the course of the budget. What one step of looking ahead thinks of an option
counts like a few tries.
"""

from __future__ import annotations

import time
from contextlib import suppress
from math import ceil, inf, log, log2, sqrt
from random import Random

from smashup.bots.bot import Advice, Bot, Estimate, Progress
from smashup.bots.evaluation import WEIGHTS, Weights, chances
from smashup.bots.greedy import look_ahead
from smashup.bots.quick import WHIMS, steady_player
from smashup.bots.sight import Key, Sight, option_keys
from smashup.engine.decisions import Decision

HORIZON = 1
"""Turns after the current one before the position is judged."""
EXPLORE = 0.6
"""How much options seldom tried are tried again in the tree, against those that did well."""
TRUST = 4.0
"""How many tries what one step of looking ahead says of an option at the root is worth."""
DEALS_AHEAD = 2
"""Tables imagined for that."""
TINY = 0.002
"""What makes a difference between options of which nothing is known."""
TELL_EVERY = 0.1
"""Seconds between two words about how far the search is."""
CHECK_EVERY = 8
"""Tries of each option between two looks whether one of them is clearly the best."""
FIRST_CHECK = 24
"""Tries of each option before the first of these looks."""
CLEARLY = 4.0
"""By how many standard errors an option has to lead to be clearly the best."""
TOO_LONG = 400
"""Decisions after which an iteration stops wherever it is."""


class Cut(Exception):
    """Raised to leave a table on which enough was seen."""


class Option:
    """An option in the tree: how often it was taken, how it went, and what follows."""

    __slots__ = ("following", "hunch", "seen", "totals", "trust", "visits")

    def __init__(self, players: int, hunch: float, trust: float) -> None:
        self.hunch = hunch
        """What was thought of it beforehand: better or worse than the others, as a chance."""
        self.trust = trust
        """How many tries that is worth."""
        self.visits = 0
        self.totals = [0.0] * players
        self.following: dict[Key, Option] = {}
        self.seen: list[float] = []
        """At the root: how each try went for who decides, in the order of the deals."""


class Budget:
    """Milliseconds, iterations or both: whichever is spent first."""

    def __init__(self, milliseconds: float, iterations: int) -> None:
        self.seconds = milliseconds / 1000 or inf
        self.iterations = iterations or inf
        self.began = self.told = time.perf_counter()

    def spent(self, done: int, progress: Progress) -> float:
        """How much of it is spent, from 0 to 1; now and then ``progress`` is told."""
        now = time.perf_counter()
        part = max(done / self.iterations, (now - self.began) / self.seconds)
        if now - self.told > TELL_EVERY:
            self.told = now
            progress(min(part, 1.0))
        return part


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
        self.best: Option

    def run(self, progress: Progress) -> None:
        """Compare the options until the budget is spent, or one of them is clearly the best."""
        budget = Budget(self.bot.milliseconds, self.bot.iterations)
        self._look_first()
        left = list(self.root.values())
        halvings = ceil(log2(len(left))) if len(left) > 1 else 0
        for number in range(1, halvings + 1):
            clear = self._compare(left, budget, number / halvings, progress)
            left.sort(key=self._worth, reverse=True)
            if clear:
                break
            left = left[: (len(left) + 1) // 2]
        self.best = left[0]

    def _compare(
        self, left: list[Option], budget: Budget, share: float, progress: Progress
    ) -> bool:
        """Try these options on the same deals, up to a share of the budget; whether one of them
        turned out clearly the best."""
        tries = left[0].visits
        while True:
            for option in left:
                if budget.spent(self.done, progress) >= share:
                    return False
                self._iterate(option)
            tries += 1
            if tries >= FIRST_CHECK and tries % CHECK_EVERY == 0 and self._is_clear(left):
                return True

    def _look_first(self) -> None:
        """What one step of looking ahead says of the options counts like a few tries."""
        sight = self.sight
        values = look_ahead(sight, self.rng, DEALS_AHEAD, self.bot.weights)
        mean = sum(values) / len(values)
        for key, value in zip(sight.keys, values, strict=True):
            if key not in self.root:
                self.root[key] = Option(sight.players, value - mean, self.bot.trust)

    def _worth(self, option: Option) -> float:
        """What an option at the root is worth, with what was thought of it beforehand."""
        player = self.sight.player
        mean = self.sums[player] / self.done if self.done else 0.5
        known = option.totals[player] + option.trust * (mean + option.hunch)
        return known / (option.visits + option.trust)

    def _is_clear(self, left: list[Option]) -> bool:
        """Whether the best option leads each of the others by more than chance may have done."""
        best = max(left, key=self._worth)
        for other in left:
            if other is not best:
                leads = [a - b for a, b in zip(best.seen, other.seen, strict=False)]
                n = len(leads)
                lead = sum(leads) / n
                scatter = sum(x * x for x in leads) / n - lead * lead
                if lead < CLEARLY * sqrt(max(scatter, 1e-9) / n):
                    return False
        return True

    def _iterate(self, first: Option) -> None:
        sight = self.sight
        # The same number of a try has the same deal, whichever option is tried.
        rng = Random(self.deals + first.visits)
        table = sight.imagine(rng)
        steady = steady_player(rng.randrange(WHIMS))
        until = sight.turn + self.bot.horizon
        path = [first]
        following: dict[Key, Option] | None = self.root
        asked = 0

        def answer(decision: Decision) -> int:
            nonlocal following, asked
            asked += 1
            if asked == 1:
                keys = option_keys(decision)
                following = first.following if first.visits else None
                for i, key in enumerate(keys):
                    if self.root.get(key) is first:
                        return i
                raise Cut
            if decision.table.state.turn > until or asked > TOO_LONG:
                raise Cut
            if following is None:
                return steady(decision)
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
        first.seen.append(values[sight.player])
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
        """The option worth trying next in the tree: what did well, or was tried little.

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
        """The option that came out best, and what was found out about the others."""
        sight = self.sight
        player = sight.player
        done = max(self.done, 1)
        estimates = []
        pick = 0
        for i, key in enumerate(sight.keys):
            option = self.root[key]
            n = option.visits
            estimates.append(Estimate(i, option.totals[player] / n if n else 0.0, n))
            if option is self.best:
                pick = i
        return Advice(pick, estimates, [total / done for total in self.sums], self.done)
