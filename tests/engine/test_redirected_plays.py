"""A card that is being played is known to everyone, also before it is in play."""

from __future__ import annotations

import random

from smashup.cards import catalogue
from smashup.engine.model.decisions import Purpose
from smashup.scenarios.document import parse
from smashup.scenarios.table.table_builder import build_table

ENSIGN_IS_ASKED = """
title: an Ensign may take on an action
bases: [Tokyo: {P2: [V2, Ensign]}]
hands: {P1: [Splice as Nice, Shell Game, Shell Game, V2, V3]}
decks: {P1: [V4, V4, V4]}
"""


def test_a_card_is_not_dealt_again_while_it_is_being_played() -> None:
    (scenario,) = parse(ENSIGN_IS_ASKED)
    game = build_table(scenario, catalogue())
    menu = game.decision
    assert menu is not None
    labels = [str(menu.label(i)) for i in range(len(menu.options))]
    game.choose(next(i for i, label in enumerate(labels) if "Splice as Nice" in label))
    while (decision := game.decision) is not None and decision.player == 0:
        game.choose(0)
    assert decision is not None
    assert decision.purpose != Purpose.PLAY_MENU
    played = next(
        c for c, d in enumerate(game.table.state.definition) if d.name == "Splice as Nice"
    )
    for seed in range(30):
        dealt = game.determinize(1, random.Random(seed).randrange)
        assert dealt.decision is not None
        assert dealt.table.state.definition[played].name == "Splice as Nice"
        dealt.choose(0)
