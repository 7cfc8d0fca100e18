"""Tables for tests: random setups, a random player, a checked walk through a game."""

from __future__ import annotations

import random
from collections.abc import Iterator

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.decisions import Decision
from smashup.engine.model.editions import EDITIONS
from smashup.engine.model.setup import Setup
from smashup.engine.model.table import Policy


def random_setup(rng: random.Random, players: int = 0) -> Setup:
    """Return any valid setup: 2-4 players, every edition, printing and option."""
    count = players or rng.randint(2, 4)
    names = [f.name for f in catalogue().factions]
    return Setup(
        players=count,
        factions=tuple(tuple(rng.sample(names, 2)) for _ in range(count)),
        edition=rng.choice(list(EDITIONS)),
        printing=rng.choice(PRINTINGS),
        seed=rng.getrandbits(60),
        optional_titans=rng.random() < 0.5,
        madness=rng.random() < 0.2,
    )


def new_game(setup: Setup) -> Game:
    return Game(setup, catalogue())


def random_player(rng: random.Random) -> Policy:
    """Return a policy that answers at random."""

    def answer(decision: Decision) -> int:
        return rng.randrange(len(decision.options))

    return answer


def walk(game: Game, rng: random.Random, steps: int = 100_000) -> Iterator[Decision]:
    """Play step by step at random; yield each decision before it is answered."""
    for _ in range(steps):
        decision = game.decision
        if decision is None:
            return
        yield decision
        game.choose(rng.randrange(len(decision.options)))
