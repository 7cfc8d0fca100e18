"""A circle of cards that bring each other back comes to an end, and the game goes on."""

from __future__ import annotations

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.moves import DEEPEST
from smashup.scenarios.document import parse
from smashup.scenarios.stage import stage

CIRCLE = """
title: copycats with the wolf's ability bring each other back
bases: [B1, B2: {P2: [Big Bad Wolf]}]
hands: {P1: [Copycat]}
discards: {P1: [Copycat]}
"""


def round_and_round(game: Game) -> int:
    """Play the Copycat and let them bring each other back as long as they can; how many were played."""
    plays = 0
    while (decision := game.decision) is not None and decision.player == 0:
        options = game.view(0)["decision"]["options"]
        labels = [option["label"]["english"] for option in options]
        wanted = [i for i, label in enumerate(labels) if "Copycat" in label or "Wolf" in label]
        if not wanted:
            break
        plays += labels[wanted[0]].startswith("Play Copycat")
        game.choose(wanted[0])
    return plays


def test_a_circle_ends() -> None:
    (scenario,) = parse(CIRCLE)
    game = stage(scenario, catalogue())
    assert round_and_round(game) == DEEPEST
    assert game.decision is not None
    again = game.clone()
    again.choose(len(game.decision.options) - 1)
    assert again.decision is not None or again.is_over
