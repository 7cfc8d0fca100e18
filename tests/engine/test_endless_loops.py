"""A loop of cards that bring each other back ends, and the game continues."""

from __future__ import annotations

from random import Random

from smashup.bots.bot_game import derive_seed
from smashup.bots.rollout_policies import random_policy
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup
from smashup.engine.rules.menu import MAX_NESTED_PLAYS
from smashup.engine.rules.play_counts import MAX_PLAYS_PER_TURN, MAX_REPLACEMENTS_PER_TURN
from smashup.engine.rules.restrictions import MAX_TITAN_PLAYS_PER_TURN
from smashup.scenarios.document import parse
from smashup.scenarios.table.table_builder import build_table

CIRCLE = """
title: copycats with the wolf's ability bring each other back
bases: [B1, B2: {P2: [Big Bad Wolf]}]
hands: {P1: [Copycat]}
discards: {P1: [Copycat]}
"""

CLASHES = """
title: a titan that loses a clash as soon as it is played
printing: current
bases: [B1: {P1: [V1, V1], P2: [V4, Rainboroc: {counters: 9}]}, B2, B3]
titans: {P1: [Dagon]}
"""

CLASHES_OF_A_SPECIAL = """
title: a titan that may be played after every card from the fifth on, and loses every clash
bases: [B1: {P2: [Rainboroc: {counters: 9}]}]
titans: {P1: [Arcane Protector]}
hands: {P1: [Time Loop, Time Loop, Time Loop, Time Loop, Winds of Change]}
"""

BOUNCES = """
title: a minion that moves instead of being destroyed, and is destroyed wherever it arrives
bases:
  - B1: {P1: [Buccaneer: {on: [Poison: {by: P2}]}], P2: [Cub Scout]}
  - B2: {P2: [Cub Scout]}
  - B3: {P2: [Cub Scout]}
hands: {P1: [Way of Deception]}
"""


def play_loop(game: Game) -> int:
    """Play a Copycat and let them bring each other back while possible; return how many were
    played."""
    plays = 0
    while (decision := game.decision) is not None and decision.player == 0:
        shown = game.view(0)["decision"]
        assert shown is not None
        options = shown["options"]
        labels = [option["label"]["english"] for option in options]
        wanted = [i for i, label in enumerate(labels) if "Copycat" in label or "Wolf" in label]
        if not wanted:
            break
        plays += labels[wanted[0]].startswith("Play Copycat")
        game.choose(wanted[0])
    return plays


def test_a_loop_of_cards_ends() -> None:
    (scenario,) = parse(CIRCLE)
    game = build_table(scenario, catalogue())
    assert play_loop(game) == MAX_NESTED_PLAYS
    assert game.decision is not None
    again = game.clone()
    again.choose(len(game.decision.options) - 1)
    assert again.decision is not None or again.is_over


def test_an_endless_turn_ends() -> None:
    """Cyberback plays All for One, which pays for itself and is destroyed each time."""
    teams = (("Grimms' Fairy Tales", "Cyborg Apes"), ("Ignobles", "Musketeers"))
    game = Game(Setup(players=2, factions=teams, seed=891671640, first=0), catalogue())
    players = [random_policy(Random(derive_seed(game.setup.seed, seat)).random) for seat in (0, 1)]
    most = asked = 0

    def answer(decision: Decision) -> int:
        nonlocal most, asked
        asked += 1
        assert asked < 5_000, "it goes on and on"
        most = max(most, *game.table.state.turn_counts.values(), 0)
        return players[decision.player](decision)

    game.play_out(answer)
    assert game.is_over
    assert MAX_PLAYS_PER_TURN <= most < MAX_PLAYS_PER_TURN + 10


def test_a_titan_that_loses_every_clash_is_played_a_limited_number_of_times() -> None:
    (scenario,) = parse(CLASHES)
    game = build_table(scenario, catalogue())
    turn = game.table.state.turn
    plays = 0
    while (decision := game.decision) is not None and game.table.state.turn == turn:
        labels = [str(decision.label(i)) for i in range(len(decision.options))]
        dagon = [i for i, label in enumerate(labels) if "Dagon" in label]
        if not dagon:
            break
        plays += 1
        assert plays < 1_000, "it goes on and on"
        game.choose(dagon[0])
    assert plays == MAX_TITAN_PLAYS_PER_TURN


def test_a_titan_that_its_own_play_brings_back_is_played_a_limited_number_of_times() -> None:
    (scenario,) = parse(CLASHES_OF_A_SPECIAL)
    game = build_table(scenario, catalogue())
    plays = 0
    while (decision := game.decision) is not None:
        labels = [str(decision.label(i)) for i in range(len(decision.options))]
        titan = [i for i, label in enumerate(labels) if "Arcane Protector" in label]
        cards = [i for i, label in enumerate(labels) if label.startswith("Play ")]
        if not cards:
            break
        plays += bool(titan)
        assert plays < 100, "it goes on and on"
        game.choose((titan or cards)[0])
    assert plays == MAX_TITAN_PLAYS_PER_TURN


def test_a_minion_that_moves_and_is_destroyed_again_and_again_is_destroyed_at_last() -> None:
    (scenario,) = parse(BOUNCES)
    game = build_table(scenario, catalogue())
    moves = 0
    while (decision := game.decision) is not None:
        labels = [str(decision.label(i)) for i in range(len(decision.options))]
        if moves and "End turn" in labels:
            break
        moves += 1
        assert moves < 1_000, "it goes on and on"
        game.choose(0)
    assert moves > MAX_REPLACEMENTS_PER_TURN
    discarded = [game.table.state.definition[c].name for c in game.table.state.discards[0]]
    assert "Buccaneer" in discarded
