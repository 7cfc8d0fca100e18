"""A bot that searches: information-set Monte Carlo tree search.

Each iteration imagines a table (hidden cards dealt anew), takes an option on it, walks down one
tree shared by all tables (`smashup.bots.tree`), lets somebody steady play on, and notes how good
the position then looks for every seat.

At the root options are compared fairly: all that are left are tried on the same deals, against the
same whims of whoever plays on, so that what differs is what the options do. That goes in rounds.
The worse half is dropped after each, so that what is left is tried more often, and the more often
options can be tried, the further a round looks: what is clearly bad shows early and cheaply. What
the round before has found, and before the first what one step of looking ahead thinks, counts like
a few tries.
"""

from __future__ import annotations

import time
from math import ceil, inf, log2, sqrt

from smashup.bots.bot import Advice, Bot, Estimate, Progress
from smashup.bots.evaluation import WEIGHTS, Weights
from smashup.bots.greedy import look_ahead
from smashup.bots.sight import Key, Sight
from smashup.bots.tree import Option, Tree

ENOUGH = (20, 50)
"""Tries of each option in a round, for each opponent, from which it pays to let one turn pass
before the position is judged, and two. The further, the more the outcomes scatter."""
EXPLORE = 0.6
"""How much options seldom tried are tried again in the tree, against those that did well."""
TRUST = 4.0
"""How many tries what one step of looking ahead says of an option at the root is worth."""
CARRIED = 6.0
"""How many tries what the round before has found is worth."""
DEALS_AHEAD = 2
"""Tables imagined for the step of looking ahead."""
TELL_EVERY = 0.1
"""Seconds between two words about how far the search is."""
CHECK_EVERY = 8
"""Tries of each option between two looks whether one of them is clearly the best."""
FIRST_CHECK = 24
"""Tries of each option before the first of these looks."""
CLEARLY = 4.0
"""By how many standard errors an option has to lead to be clearly the best."""
ROUND = 1 << 20
"""Deals that belong to one round."""


class Candidate(Option):
    """An option at the root."""

    __slots__ = ("behind", "key", "seen", "tries")

    def __init__(self, key: Key, players: int, hunch: float, trust: float) -> None:
        super().__init__(players, hunch, trust)
        self.key = key
        self.seen: list[float] = []
        """How each try of this round went for who decides, in the order of the deals."""
        self.tries = 0
        """In all rounds."""
        self.behind = 0.0
        """How far it was behind the best in the last round it took part in, as a chance."""


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

    def left(self, done: int, looked: int, share: float) -> float:
        """How many iterations can be done before a share of it is spent, at the pace so far.
        What was ``looked`` at before the first counts for the pace."""
        passed = time.perf_counter() - self.began
        pace = (done + looked) / passed
        return min(share * self.iterations - done, pace * (share * self.seconds - passed))


class Mcts(Bot):
    """Searches for so many milliseconds or iterations; the latter with the same result by seed."""

    name = "mcts"

    def __init__(
        self,
        seed: int = 0,
        milliseconds: float = 0,
        iterations: int = 0,
        weights: Weights = WEIGHTS,
        enough: tuple[int, ...] = ENOUGH,
        explore: float = EXPLORE,
        trust: float = TRUST,
    ) -> None:
        super().__init__(seed)
        if milliseconds <= 0 and iterations <= 0:
            raise ValueError("A search needs a budget: milliseconds or iterations.")
        self.milliseconds = milliseconds
        self.iterations = iterations
        self.weights = weights
        self.enough = enough
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
        self.tree = Tree(sight, bot.weights, bot.explore)
        self.done = 0
        """Iterations so far."""
        self.deals = bot.rng.getrandbits(40) * ROUND
        """Where the deals of this round begin."""
        self.guess = 0.5
        """What the position is worth before anything was tried."""
        self.root: dict[Key, Candidate] = {}
        self.left: list[Candidate] = []
        """Those not dropped yet, the best first once a round is over."""

    def run(self, progress: Progress) -> None:
        """Compare the options until the budget is spent, or one of them is clearly the best."""
        budget = Budget(self.bot.milliseconds, self.bot.iterations)
        self._look_first()
        rounds = ceil(log2(len(self.left)))
        for number in range(1, rounds + 1):
            self._begin_round(budget, number / rounds)
            clear = self._compare(budget, number / rounds, progress)
            self._rank()
            if clear:
                break
            if number < rounds:
                del self.left[(len(self.left) + 1) // 2 :]

    def _look_first(self) -> None:
        """What one step of looking ahead says of the options counts like a few tries."""
        sight = self.sight
        values = look_ahead(sight, self.bot.rng, DEALS_AHEAD, self.bot.weights)
        self.guess = sum(values) / len(values)
        for key, value in zip(sight.keys, values, strict=True):
            if key not in self.root:
                hunch = value - self.guess
                self.root[key] = Candidate(key, sight.players, hunch, self.bot.trust)
        self.left = list(self.root.values())
        self._rank()

    def _begin_round(self, budget: Budget, share: float) -> None:
        """A round up to a share of the budget: on other deals, and with as far a look as pays."""
        self.deals += ROUND
        looked = DEALS_AHEAD * self.sight.size
        tries = budget.left(self.done, looked, share) / len(self.left)
        opponents = self.sight.players - 1
        self.tree.look_to(sum(tries >= enough * opponents for enough in self.bot.enough))
        mean = sum(option.behind for option in self.left) / len(self.left)
        for option in self.left:
            if option.tries:
                option.hunch = mean - option.behind
                option.trust = CARRIED
            option.visits = 0
            option.seen = []

    def _compare(self, budget: Budget, share: float, progress: Progress) -> bool:
        """Try the options that are left on the same deals, up to a share of the budget; whether
        one of them turned out clearly the best."""
        tries = 0
        while True:
            for option in self.left:
                if budget.spent(self.done, progress) >= share:
                    return False
                option.seen.append(self.tree.iterate(option, option.key, self.deals + tries))
                option.tries += 1
                self.done += 1
            tries += 1
            if tries >= FIRST_CHECK and tries % CHECK_EVERY == 0 and self._is_clear():
                return True

    def _rank(self) -> None:
        """Put the best first, and note how far the others are behind."""
        self.left.sort(key=self._worth, reverse=True)
        best = self._worth(self.left[0])
        for option in self.left:
            option.behind = best - self._worth(option)

    def _worth(self, option: Candidate) -> float:
        """The chance to win with an option, with what was thought of it beforehand."""
        tree = self.tree
        mean = tree.sums[self.sight.player] / tree.done if tree.done else self.guess
        known = sum(option.seen) + option.trust * (mean + option.hunch)
        return known / (len(option.seen) + option.trust)

    def _is_clear(self) -> bool:
        """Whether the best option leads each of the others by more than chance may have done."""
        best = max(self.left, key=self._worth)
        for other in self.left:
            if other is not best:
                leads = [a - b for a, b in zip(best.seen, other.seen, strict=False)]
                n = len(leads)
                lead = sum(leads) / n
                scatter = sum(x * x for x in leads) / n - lead * lead
                if lead < CLEARLY * sqrt(max(scatter, 1e-9) / n):
                    return False
        return True

    def advice(self) -> Advice:
        """The option that came out best, and what was found out about the others."""
        tree = self.tree
        best = self.left[0]
        chance = self._worth(best)
        found = [self.root[key] for key in self.sight.keys]
        estimates = [
            Estimate(i, max(chance - option.behind, 0.0), option.tries)
            for i, option in enumerate(found)
        ]
        seats = [total / tree.done for total in tree.sums] if tree.done else []
        return Advice(found.index(best), estimates, seats, self.done)
