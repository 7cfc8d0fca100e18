"""Rulings on Star Roamers that a single table cannot show."""

from __future__ import annotations

from collections import Counter

from smashup.cards import catalogue
from smashup.scenarios.document import parse
from smashup.scenarios.runner import run

ERROR = """
title: Teleport Error picks a base at random
printing: current
seed: {seed}
bases: [B1: {{P2: [V5]}}, B2, B3]
hands: {{P1: [Teleport Error]}}
do:
  - P1: [play Teleport Error, V5]
"""


def test_sr_18_teleport_error_picks_every_other_base_alike() -> None:
    """SR-18: the minion goes to any other base, each with equal probability."""
    went: Counter[str] = Counter()
    for seed in range(200):
        (scenario,) = parse(ERROR.format(seed=seed))
        game = run(scenario, catalogue())
        assert game is not None
        site = next(site for site in game.table.state.sites if site.cards)
        went[game.table.state.definition[site.base].name] += 1
    assert set(went) == {"B2", "B3"}
    assert min(went.values()) > 70
