"""No viewer learns more about hidden cards than the rules allow: an oracle watches games."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from smashup.cards import catalogue
from smashup.engine import game as engine
from smashup.engine.model.setup import Setup
from tests.random_games import random_setup

if not str(engine.__file__).endswith(".py"):
    pytest.skip("A compiled game cannot be watched.", allow_module_level=True)

from tests.knowledge_oracle import play_watched

GAMES = 21
HIDING_FACTIONS = (
    "Super Spies", "Russian Fairy Tales", "Mega Troopers", "Astroknights", "Anansi Tales",
    "Grimms' Fairy Tales", "Shapeshifters",
)  # fmt: skip
"""Factions that look at cards, put them back and pass them on."""


def make_hiding_setup(rng: random.Random, number: int) -> Setup:
    """Return a setup with factions that move hidden cards, combined with all others in turn."""
    setup = random_setup(rng)
    others = [f.name for f in catalogue().factions if f.name not in HIDING_FACTIONS]
    return replace(
        setup,
        factions=tuple(
            (
                HIDING_FACTIONS[(number + p) % len(HIDING_FACTIONS)],
                others[(2 * number + p) % len(others)],
            )
            for p in range(setup.players)
        ),
        duplicates=True,
    )


@pytest.mark.parametrize("number", range(GAMES))
def test_views_reveal_no_more_than_the_rules_allow(number: int) -> None:
    rng = random.Random(f"oracle/{number}")
    play_watched(make_hiding_setup(rng, number), rng, 400)


def test_every_faction_is_watched() -> None:
    seen = {
        name
        for number in range(GAMES)
        for pair in make_hiding_setup(random.Random(f"oracle/{number}"), number).factions
        for name in pair
    }
    assert seen == {faction.name for faction in catalogue().factions}
