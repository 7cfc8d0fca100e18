"""Property tests: random games of all kinds, and what must be true in all of them."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smashup.engine.game import Game
from smashup.engine.invariants import problems
from smashup.engine.model.constants import BASE_DECK, BURIED, DECK, HAND, LIMBO
from smashup.engine.model.setup import Setup
from smashup.engine.model.table import NO_SEARCH
from smashup.engine.rules import visibility
from smashup.engine.saves import files as saves
from tests.random_games import new_game, random_player, random_setup, walk

SEEDS = st.integers(0, 2**40)
few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@given(SEEDS)
@few
def test_every_moment_of_a_game_is_consistent(seed: int) -> None:
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    cards = 0
    for _ in walk(game, rng):
        assert problems(game) == []
        assert cards in (0, len(game.table.state.definition))
        cards = len(game.table.state.definition)
    assert game.is_over
    assert game.winners


@given(SEEDS)
@few
def test_a_policy_and_single_steps_play_the_same_game(seed: int) -> None:
    rng = random.Random(seed)
    setup = random_setup(rng)
    at_once = new_game(setup)
    at_once.play_out(random_player(random.Random(seed)), record=True)
    again = Game.replay(setup, at_once.catalogue, at_once.answers)
    assert again.digest() == at_once.digest()
    assert [str(e.message) for e in again.table.log] == [str(e.message) for e in at_once.table.log]
    quick = new_game(setup)
    quick.table.logging = False
    quick.play_out(random_player(random.Random(seed)))
    assert quick.digest() == at_once.digest()


def test_a_search_is_forgotten_at_the_next_play_menu() -> None:
    """A clone or replay that starts there does not know of it, and must go the same way: a card
    once found, and later left in limbo by another card, is not put back into its deck."""
    searches = 0
    for seed in range(6):
        rng = random.Random(seed)
        pairs = (("Grimms' Fairy Tales", "Shapeshifters"), ("Itty Critters", "Star Roamers"))
        game = new_game(Setup(players=2, factions=pairs, seed=seed))
        for _ in walk(game, rng):
            if game.at_menu:
                assert game.table.last_search == NO_SEARCH
            searches += game.table.last_search != NO_SEARCH
    assert searches


@given(SEEDS)
@few
def test_clones_are_faithful_and_leave_the_original_alone(seed: int) -> None:
    """Fork fidelity: clone in the middle of cards, play both on alike, compare."""
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    for number, _ in enumerate(walk(game, rng)):
        if number % 17:
            continue
        before = game.digest()
        fork = game.clone()
        other = fork.clone()
        fork.play_out(random_player(random.Random(number)))
        assert game.digest() == before
        other.play_out(random_player(random.Random(number)), record=True)
        assert other.digest() == fork.digest()
        straight = game.clone()
        for _ in walk(straight, random.Random(number)):
            pass
        assert straight.digest() == fork.digest()
        assert game.digest() == before


@given(SEEDS)
@few
def test_saves_contain_the_whole_game(seed: int) -> None:
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    for _ in walk(game, rng, steps=rng.randint(1, 200)):
        pass
    loaded = saves.from_json(saves.to_json(game), game.catalogue)
    assert loaded.warning == ""
    assert loaded.game.digest() == game.digest()
    assert loaded.game.view(0) == game.view(0)


@given(SEEDS)
@few
def test_hidden_cards_do_not_show(seed: int) -> None:
    """Two tables that differ only in what a player cannot know look the same to that player."""
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    differ = 0
    for number, decision in enumerate(walk(game, rng)):
        if number % 11:
            continue
        player = decision.player
        other = game.determinize(player, rng.randrange)
        assert other.view(player) == game.view(player)
        spectated = game.determinize(-1, rng.randrange)
        assert spectated.view(-1) == game.view(-1)
        differ += [k.name for k in other.table.state.definition] != [
            k.name for k in game.table.state.definition
        ]
    assert differ > 0


@given(SEEDS)
@few
def test_determinize_keeps_what_the_player_knows(seed: int) -> None:
    """Known cards stay, unknown ones come from the rest, and the clone can be played on."""
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    for number, decision in enumerate(walk(game, rng)):
        if number % 23:
            continue
        player = decision.player
        before = game.digest()
        other = game.determinize(player, rng.randrange)
        other.decision  # noqa: B018
        s, t = game.table.state, other.table.state
        assert sorted(k.name for k in s.definition) == sorted(k.name for k in t.definition)
        for c, zone in enumerate(s.zone):
            face_down = zone in (DECK, HAND, BASE_DECK, BURIED, LIMBO)
            if visibility.knows_card(game.table, player, c) or not face_down:
                assert s.definition[c] is t.definition[c]
                assert s.owner[c] == t.owner[c]
        twin = other.clone()
        other.play_out(random_player(random.Random(1)))
        assert other.is_over
        twin.play_out(random_player(random.Random(1)))
        assert twin.digest() == other.digest()
        assert game.digest() == before


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_end_in_reasonable_time(players: int) -> None:
    for seed in range(10):
        rng = random.Random(seed)
        game = new_game(random_setup(rng, players))
        game.play_out(random_player(rng), record=True)
        assert game.is_over
        assert len(game.answers) < 20_000
