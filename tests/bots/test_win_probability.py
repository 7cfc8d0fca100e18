"""Win probabilities use only what a seat can know, and are deterministic."""

from __future__ import annotations

import random

import pytest

from smashup.bots.win_probability import TurnEntry, win_probabilities, win_probability_history
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.rules import visibility
from tests.bots.test_bots import positions
from tests.random_games import new_game, random_setup, walk


def swap_hidden_cards(game: Game, player: int, rng: random.Random) -> Game:
    """Return the game with cards swapped that the player cannot tell apart; at a play menu.

    This includes cards offered to another player: only that player sees the offer.
    """
    other = game.clone()
    saved = game.table.checkpoint.copy()
    blind = game.clone()
    assert blind.decision is not None
    blind.table.pending = None
    visibility.hidden_cards(blind.table, player).deal(rng.shuffle).lay(saved)
    other.table.checkpoint = saved
    return other


def test_hidden_cards_do_not_influence_win_probabilities() -> None:
    rng = random.Random(1)
    moved = 0
    for game in positions(25, seed=21):
        if not game.at_menu:
            continue
        for player in (-1, *range(game.table.num_players)):
            other = swap_hidden_cards(game, player, rng)
            assert other.view(player) == game.view(player)
            moved += other.table.state.definition != game.table.state.definition
            assert win_probabilities(other, player) == win_probabilities(game, player)
    assert moved > 30


def test_hidden_cards_do_not_influence_win_probabilities_during_a_card() -> None:
    rng = random.Random(2)
    checked = 0
    for game in positions(40, seed=24):
        decision = game.decision
        assert decision is not None
        if not game.at_menu:
            other = game.determinize(decision.player, rng.randrange)
            other.table.answers = game.answers[:]
            assert win_probabilities(other, decision.player) == win_probabilities(
                game, decision.player
            )
            checked += 1
    assert checked > 5


def test_win_probabilities_add_up_and_change_nothing() -> None:
    for game in positions(10, seed=22):
        before = game.digest()
        answers = game.answers[:]
        for player in (-1, 0):
            chances = win_probabilities(game, player)
            assert len(chances) == game.table.num_players
            assert sum(chances) == pytest.approx(1)
            assert chances == win_probabilities(game, player)
        assert game.digest() == before
        assert game.answers == answers


def test_seats_judge_by_their_own_hands() -> None:
    differing = sum(
        win_probabilities(game, 0) != win_probabilities(game, 1) for game in positions(5, seed=23)
    )
    assert differing == 5


def test_win_probabilities_during_the_draft() -> None:
    game = new_game(Setup(players=3, draft=True, seed=4))
    assert sum(win_probabilities(game, 0)) == pytest.approx(1)
    assert win_probability_history(game, 0) == []


def test_the_history_repeats_earlier_estimates() -> None:
    rng = random.Random(3)
    game = new_game(random_setup(rng, 3))
    seen: list[TurnEntry] = []
    turn = current = 0
    for _ in walk(game, rng):
        s = game.table.state
        if s.turn > turn > 0:
            seen.append(
                TurnEntry(turn=turn, player=current, vp=s.vp[:], chances=win_probabilities(game, 1))
            )
        turn, current = s.turn, s.current
        if turn == 9:
            assert win_probability_history(game, 1) == seen
            assert [entry["turn"] for entry in seen] == list(range(1, 9))
            break
    assert win_probability_history(game, 0) != seen


def test_the_history_ends_with_the_result() -> None:
    rng = random.Random(5)
    for players in (2, 4):
        game = new_game(random_setup(rng, players))
        for _ in walk(game, rng):
            pass
        entries = win_probability_history(game, -1)
        assert len(entries) == game.table.state.turn
        for entry in entries:
            assert sum(entry["chances"]) == pytest.approx(1)
        share = 1 / len(game.winners)
        expected = [share if p in game.winners else 0.0 for p in range(players)]
        assert entries[-1]["chances"] == expected
        assert entries[-1]["vp"] == game.table.state.vp
        assert entries[-1]["player"] == game.table.state.current


def test_a_game_resumed_from_a_snapshot_has_a_history_from_there() -> None:
    rng = random.Random(6)
    game = new_game(random_setup(rng, 2))
    for _ in walk(game, rng):
        if game.table.state.turn == 4 and game.at_menu:
            break
    later = Game(game.setup, game.catalogue, game.table.checkpoint)
    later.start = game.table.checkpoint
    for _ in walk(later, rng):
        if later.table.state.turn == 7:
            break
    assert [entry["turn"] for entry in win_probability_history(later, 0)] == [4, 5, 6]
