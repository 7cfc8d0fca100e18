"""Games between bots, for duels and studies."""

from __future__ import annotations

import time
from random import Random
from typing import Final

from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.bots.rollout_policies import random_policy
from smashup.engine.errors import SetupError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup
from smashup.engine.model.table import Policy

QUICK: Final = "quick"
"""Name of the random rollout policy, the fastest player."""

Teams = tuple[tuple[str, ...], ...]
"""The factions of each seat."""


class BotGame:
    """A game between bots that counts the decisions and thinking time of each."""

    def __init__(
        self, setup: Setup, bots: tuple[str, ...], cards: Catalogue, logging: bool = True
    ) -> None:
        self.game = Game(setup, cards)
        self.game.table.logging = logging
        self.decisions = [0] * setup.players
        """Decisions with more than one option, by seat."""
        self.seconds = [0.0] * setup.players
        """Thinking time spent on them."""
        self._policies = [
            self._make_policy(name, derive_seed(setup.seed, seat)) for seat, name in enumerate(bots)
        ]
        # Bots copy the table, also while a card resolves, which needs recorded answers.
        self.game.play_out(self._answer, record=any(name != QUICK for name in bots))

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(self.game.table.state.winners)

    @property
    def vp(self) -> tuple[int, ...]:
        return tuple(self.game.table.state.vp)

    @property
    def turns(self) -> int:
        return self.game.table.state.turn

    def _make_policy(self, name: str, seed: int) -> Policy:
        if name == QUICK:
            return random_policy(Random(seed).random)
        bot = make_bot(name, seed)
        bot.is_strict = True
        return lambda decision: bot.choose(InformationSet(self.game))

    def _answer(self, decision: Decision) -> int:
        if len(decision.options) == 1:
            return 0
        seat = decision.player
        self.decisions[seat] += 1
        started = time.perf_counter()
        pick = self._policies[seat](decision)
        self.seconds[seat] += time.perf_counter() - started
        return pick


def deal_random_factions(teams: Teams, players: int, seed: int, cards: Catalogue) -> Teams:
    """Complete the factions of all seats with random ones."""
    dealt = [list(team) for team in teams]
    dealt += [[] for _ in range(players - len(dealt))]
    taken = {name for team in dealt for name in team}
    free = [f.name for f in cards.factions if f.name not in taken]
    Random(f"{seed}/factions").shuffle(free)
    for team in dealt:
        while len(team) < 2:
            if not free:
                raise SetupError("There are not enough factions left for random decks.")
            team.append(free.pop())
    return tuple(tuple(team) for team in dealt)


def compute_rank(seat: int, winners: tuple[int, ...], vp: tuple[int, ...]) -> float:
    """Return the rank of a seat: winners first, then by VP; ties share the mean rank."""
    standings = [(other in winners, points) for other, points in enumerate(vp)]
    better = sum(place > standings[seat] for place in standings)
    equal = sum(place == standings[seat] for place in standings)
    return better + (equal + 1) / 2


def derive_seed(*parts: int) -> int:
    """Derive a 32-bit seed from other seeds."""
    return Random("/".join(str(part) for part in parts)).getrandbits(32)
