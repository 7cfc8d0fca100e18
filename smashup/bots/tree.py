"""The tree of a search: one for all tables that are imagined, of what is chosen after an option.

Options are known by what they are, on whatever table they are met. Seats choose in the tree what is
good for themselves: what did best, or what did a little worse but so seldom that this may have been
chance. What is worth most on an imagined table depends on that table; so all that the tree notes is
how much better or worse a table turned out than tables do on average.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf, log, sqrt
from random import Random

from smashup.bots.evaluation import Weights, chances
from smashup.bots.quick import WHIMS, steady_player
from smashup.bots.sight import Key, Sight, option_keys
from smashup.engine.model.constants import PLAY
from smashup.engine.model.decisions import DONE, MOVES, Decision

TINY = 0.002
"""What makes a difference between options of which nothing is known."""
RIPE = 4
"""Tries after which one step of looking ahead at what can follow an option pays."""
FORESIGHT = 3.0
"""How many tries what that step says is worth."""
MANY = 12
"""Options of one decision at which it would take too long."""
TOO_LONG = 400
"""Decisions after which an iteration stops wherever it is."""


class Cut(Exception):
    """Raised to leave a table on which enough was seen."""


class Option:
    """Something that can be chosen: how often it was, how it went, and what can follow."""

    __slots__ = ("following", "foreseen", "hunch", "totals", "trust", "visits")

    def __init__(self, players: int, hunch: float, trust: float) -> None:
        self.hunch = hunch
        """What was thought of it beforehand: better or worse than the others, as a chance."""
        self.trust = trust
        """How many tries that is worth."""
        self.visits = 0
        self.totals = [0.0] * players
        """For each seat, how much better than on average all tables turned out, added up."""
        self.following: dict[Key, Option] = {}
        self.foreseen = False
        """Whether what can follow was looked at."""


class Tree:
    """What is known of the choices that follow each other, from one position on."""

    def __init__(self, sight: Sight, weights: Weights, explore: float) -> None:
        self.sight = sight
        self.weights = weights
        self.explore = explore
        self.horizon = 0
        self.done = 0
        """Iterations with this horizon; with another one, positions are judged otherwise."""
        self.sums = [0.0] * sight.players
        self.squares = [0.0] * sight.players
        """How they turned out for each seat, added up, and how far from the average, squared."""

    def look_to(self, horizon: int) -> None:
        """Judge positions so many turns after the current one from now on."""
        self.horizon = horizon
        self.done = 0
        self.sums = [0.0] * self.sight.players
        self.squares = [0.0] * self.sight.players

    def iterate(self, first: Option, key: Key, deal: int) -> float:
        """Take an option on an imagined table, and see how that turns out for who decides."""
        sight = self.sight
        rng = Random(deal)
        table = sight.imagine(rng)
        steady = steady_player(rng.randrange(WHIMS))
        until = sight.turn + self.horizon
        path = [first]
        taken = [key]
        ripe: Option | None = None
        """What is to be looked at, after the choices in ``taken``."""
        following = first.following if first.visits else None
        asked = 0

        def answer(decision: Decision) -> int:
            nonlocal following, asked, ripe
            asked += 1
            if asked == 1:
                return _place(key, decision)
            turn = decision.table.state.turn
            if turn > until or asked > TOO_LONG:
                raise Cut
            if following is None:
                return steady(decision)
            if len(decision.options) == 1:
                return 0
            keys = option_keys(decision)
            options = self._options(keys, following, rng)
            last = path[-1]
            if (
                last.visits >= RIPE
                and not last.foreseen
                and ripe is None
                and decision.player == sight.player
                and turn == sight.turn
                and len(options) <= MANY
            ):
                ripe = last
            pick = self._best(options, decision.player)
            path.append(options[pick])
            if ripe is None:
                taken.append(keys[pick])
            following = options[pick].following if options[pick].visits else None
            return pick

        with suppress(Cut):
            table.play_out(answer)
        values = chances(table, self.weights)
        self._note(path, values)
        if ripe is not None:
            self._foresee(ripe, taken, deal)
        return values[sight.player]

    def _note(self, path: list[Option], values: list[float]) -> None:
        players = range(len(values))
        before = self.done
        off = [values[p] - self.sums[p] / before if before else 0.0 for p in players]
        self.done += 1
        for p in players:
            self.sums[p] += values[p]
            self.squares[p] += off[p] * off[p]
        for option in path:
            option.visits += 1
            totals = option.totals
            for p in players:
                totals[p] += off[p]

    # --- choosing ---------------------------------------------------------------------------

    def _options(self, keys: list[Key], known: dict[Key, Option], rng: Random) -> list[Option]:
        """The options of a decision; those never met before join the tree."""
        for key in keys:
            if key not in known:
                known[key] = Option(self.sight.players, TINY * rng.random(), 1.0)
        return [known[key] for key in keys]

    def _best(self, options: list[Option], player: int) -> int:
        """The option worth trying next: what did well, or was tried little.

        What chance may have moved is judged by how much the outcomes scatter.
        """
        scatter = sqrt(max(self.squares[player] / max(self.done, 1), 1e-4))
        tries = 1.0
        for option in options:
            tries += option.visits
        reach = self.explore * scatter * sqrt(log(tries) + 0.1)
        best = -inf
        pick = 0
        for i, option in enumerate(options):
            n = option.visits + option.trust
            score = (option.totals[player] + option.trust * option.hunch) / n + reach / sqrt(n)
            if score > best:
                best = score
                pick = i
        return pick

    # --- looking ahead ----------------------------------------------------------------------

    def _foresee(self, option: Option, taken: list[Key], deal: int) -> None:
        """What one step of looking ahead says of what can follow counts like a few tries."""
        option.foreseen = True
        values = {key: self._outcome([*taken, key], deal) for key in option.following}
        known = [value for value in values.values() if value is not None]
        mean = sum(known) / len(known) if known else 0.0
        for key, value in values.items():
            if value is not None:
                option.following[key].hunch = value - mean
                option.following[key].trust = FORESIGHT

    def _outcome(self, keys: list[Key], deal: int) -> float | None:
        """How a table looks to who decides if these choices are made on it and nothing more is
        done this turn; None if they cannot be made there."""
        sight = self.sight
        rng = Random(deal)
        table = sight.imagine(rng)
        steady = steady_player(rng.randrange(WHIMS))
        at = 0

        def answer(decision: Decision) -> int:
            nonlocal at
            state = decision.table.state
            if state.turn > sight.turn:
                raise Cut
            if at == 0 or (at < len(keys) and len(decision.options) > 1):
                place = _place(keys[at], decision)
                at += 1
                return place
            if decision.kind == MOVES and state.phase == PLAY and decision.options[-1].verb == DONE:
                return len(decision.options) - 1
            return steady(decision)

        with suppress(Cut):
            table.play_out(answer)
        return chances(table, self.weights)[sight.player] if at == len(keys) else None


def _place(key: Key, decision: Decision) -> int:
    """Where an option is among those of a decision."""
    keys = option_keys(decision)
    if key not in keys:
        raise Cut
    return keys.index(key)
