"""How a game stands and stood: true to what a seat may know, and the same each time."""

from __future__ import annotations

import random

import pytest

from smashup.bots.insight import Entry, history, outlook
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.rules import visibility
from tests.bots.test_bots import positions
from tests.tables import new_game, random_setup, walk


def rearranged(game: Game, player: int, rng: random.Random) -> Game:
    """The game with cards exchanged that the player cannot tell apart; at a play menu.

    Cards that somebody else is offered are among them: only that player sees the offer.
    """
    other = game.clone()
    saved = game.table.checkpoint.copy()
    blind = game.clone()
    assert blind.decision is not None
    blind.table.pending = None
    visibility.hidden_cards(blind.table, player).deal(rng.shuffle).lay(saved)
    other.table.checkpoint = saved
    return other


def test_the_outlook_is_the_same_wherever_hidden_cards_lie() -> None:
    rng = random.Random(1)
    moved = 0
    for game in positions(25, seed=21):
        if not game.at_menu:
            continue
        for player in (-1, *range(game.table.num_players)):
            other = rearranged(game, player, rng)
            assert other.view(player) == game.view(player)
            moved += other.table.state.definition != game.table.state.definition
            assert outlook(other, player) == outlook(game, player)
    assert moved > 30


def test_the_outlook_amid_a_card_is_the_same_wherever_hidden_cards_lie() -> None:
    rng = random.Random(2)
    checked = 0
    for game in positions(40, seed=24):
        decision = game.decision
        assert decision is not None
        if not game.at_menu:
            other = game.determinize(decision.player, rng.randrange)
            other.table.answers = game.answers[:]
            assert outlook(other, decision.player) == outlook(game, decision.player)
            checked += 1
    assert checked > 5


def test_the_outlook_adds_up_and_changes_nothing() -> None:
    for game in positions(10, seed=22):
        before = game.digest()
        answers = game.answers[:]
        for player in (-1, 0):
            chances = outlook(game, player)
            assert len(chances) == game.table.num_players
            assert sum(chances) == pytest.approx(1)
            assert chances == outlook(game, player)
        assert game.digest() == before
        assert game.answers == answers


def test_seats_judge_by_what_they_hold() -> None:
    differing = sum(outlook(game, 0) != outlook(game, 1) for game in positions(5, seed=23))
    assert differing == 5


def test_there_is_an_outlook_before_the_first_card() -> None:
    game = new_game(Setup(players=3, draft=True, seed=4))
    assert sum(outlook(game, 0)) == pytest.approx(1)
    assert history(game, 0) == []


def test_the_history_is_what_the_seat_thought_then() -> None:
    rng = random.Random(3)
    game = new_game(random_setup(rng, 3))
    seen: list[Entry] = []
    turn = current = 0
    for _ in walk(game, rng):
        s = game.table.state
        if s.turn > turn > 0:
            seen.append(Entry(turn=turn, player=current, vp=s.vp[:], chances=outlook(game, 1)))
        turn, current = s.turn, s.current
        if turn == 9:
            assert history(game, 1) == seen
            assert [entry["turn"] for entry in seen] == list(range(1, 9))
            break
    assert history(game, 0) != seen


def test_the_history_ends_with_the_result() -> None:
    rng = random.Random(5)
    for players in (2, 4):
        game = new_game(random_setup(rng, players))
        for _ in walk(game, rng):
            pass
        told = history(game, -1)
        assert len(told) == game.table.state.turn
        for entry in told:
            assert sum(entry["chances"]) == pytest.approx(1)
        share = 1 / len(game.winners)
        expected = [share if p in game.winners else 0.0 for p in range(players)]
        assert told[-1]["chances"] == expected
        assert told[-1]["vp"] == game.table.state.vp
        assert told[-1]["player"] == game.table.state.current


def test_a_game_that_goes_on_from_a_snapshot_has_a_history_from_there() -> None:
    rng = random.Random(6)
    game = new_game(random_setup(rng, 2))
    for _ in walk(game, rng):
        if game.table.state.turn == 4 and game.at_menu:
            break
    later = Game(game.setup, game.catalogue, game.table.checkpoint)
    later.start = game.table.checkpoint
    later.table.titan_ids = game.table.titan_ids
    for _ in walk(later, rng):
        if later.table.state.turn == 7:
            break
    assert [entry["turn"] for entry in history(later, 0)] == [4, 5, 6]
