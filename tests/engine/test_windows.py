"""Windows for Specials at tables that ask everyone: who is asked reveals nothing about hands."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from smashup.engine.game import Game
from smashup.engine.invariants import problems
from smashup.engine.model.constants import HAND, SCORE
from smashup.engine.model.decisions import DONE, MOVES, PASS, Purpose
from smashup.engine.model.setup import Setup
from smashup.engine.rules import restrictions
from tests.random_games import new_game, random_player, random_setup, walk

FACTIONS_WITH_SPECIALS = (
    "Mega Troopers", "Super Spies", "Time Travelers", "Astroknights", "Star Roamers",
    "Anansi Tales", "Mounties", "Ancient Incas",
)  # fmt: skip


def special_setup(rng: random.Random, everyone: bool = True) -> Setup:
    """Return a setup in which many players hold Specials."""
    setup = random_setup(rng)
    names = rng.sample(FACTIONS_WITH_SPECIALS, 2 * setup.players)
    pairs = tuple(zip(names[::2], names[1::2], strict=True))
    return replace(setup, factions=pairs, ask_everyone=everyone)


def find_asked_players(game: Game) -> list[int] | None:
    """Return who is asked for a Special after the current player ends the turn, if everybody
    passes.

    None if there are other questions, or hidden cards are revealed, so that all may differ.
    """
    again = game.clone(log=True)
    decision = again.decision
    assert decision is not None
    log_start = len(again.table.log)
    again.choose(next(i for i, m in enumerate(decision.options) if m.verb == DONE))
    asked: list[int] = []
    while (decision := again.decision) is not None and decision.purpose is Purpose.SPECIAL_WINDOW:
        assert decision.kind == MOVES
        assert decision.options[-1].verb == PASS
        asked.append(decision.player)
        again.choose(len(decision.options) - 1)
    texts = {entry.message.text for entry in again.table.log[log_start:]}
    shown = any(word in text for text in texts for word in ("reveals", "looks", "discards"))
    shown |= restrictions.is_top_base_revealed(again.table)
    return None if shown or again.table.state.phase == SCORE else asked


def count_asked(everyone: bool) -> tuple[int, int]:
    """Return how many were asked, and how often others would have been with other hands."""
    asked = others = 0
    for seed in range(25):
        rng = random.Random(f"windows/{seed}")
        game = new_game(special_setup(rng, everyone))
        for decision in walk(game, rng, 400):
            if (
                not game.at_menu
                or not restrictions.bases_ready_to_score(game.table)
                or decision.options[-1].verb != DONE
            ):
                continue
            one = find_asked_players(game)
            two = find_asked_players(game.determinize(-1, rng.randrange))
            if one is not None and two is not None:
                asked += len(one)
                others += one != two
    return asked, others


def test_who_is_asked_does_not_depend_on_hands() -> None:
    asked, others = count_asked(everyone=True)
    assert asked > 50
    assert others == 0


def test_it_does_if_only_players_who_can_play_are_asked() -> None:
    _, others = count_asked(everyone=False)
    assert others > 5


@pytest.mark.parametrize("seed", range(8))
def test_such_games_are_consistent(seed: int) -> None:
    rng = random.Random(f"sound/{seed}")
    game = new_game(special_setup(rng))
    only_pass = 0
    for decision in walk(game, rng):
        assert problems(game) == []
        window = decision.purpose is Purpose.SPECIAL_WINDOW
        only_pass += window and len(decision.options) == 1
        for move in decision.options[:-1] if window else ():
            assert game.table.state.zone[move.card] == HAND or move.verb != 1
    assert game.is_over
    again = new_game(game.setup)
    again.play_out(random_player(random.Random(seed)), record=True)
    twin = Game.replay(game.setup, game.catalogue, again.answers)
    assert twin.digest() == again.digest()
    assert only_pass


def test_players_who_can_play_are_asked() -> None:
    """Every player who can play is asked: the same answers, except for passes."""
    for seed in range(10):
        rng = random.Random(f"might/{seed}")
        setup = special_setup(rng)
        game = new_game(setup)
        plain = new_game(replace(setup, ask_everyone=False))
        for decision in walk(game, rng):
            if decision.purpose is Purpose.SPECIAL_WINDOW and len(decision.options) == 1:
                continue
            other = plain.decision
            assert other is not None
            assert (other.purpose, other.player) == (decision.purpose, decision.player)
            assert len(other.options) == len(decision.options)
            before = len(game.answers)
            # The walk answers next; the other table follows it afterwards.
            pick = rng.getstate()
            answer = random.Random()
            answer.setstate(pick)
            plain.choose(answer.randrange(len(decision.options)))
            assert len(game.answers) == before
        assert plain.is_over
        assert plain.winners == game.winners
