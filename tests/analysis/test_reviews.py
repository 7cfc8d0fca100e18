"""Reviews of decisions: deterministic, fair, and right about obvious blunders."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from smashup.analysis.better_lines import play_better_line
from smashup.analysis.parallel import review_in_processes
from smashup.analysis.reviews import Verdict, classify_loss, review_decision, review_game
from smashup.engine.game import Game
from tests.analysis.games import find_missed_wins, play_bot_game
from tests.bots.test_bots import positions
from tests.bots.test_win_probability import swap_hidden_cards


@pytest.fixture(scope="module")
def game() -> Game:
    return play_bot_game()


def test_verdicts_follow_the_loss() -> None:
    assert classify_loss(0.0) is Verdict.GOOD
    assert classify_loss(0.049) is Verdict.GOOD
    assert classify_loss(0.05) is Verdict.INACCURACY
    assert classify_loss(0.10) is Verdict.MISTAKE
    assert classify_loss(0.5) is Verdict.BLUNDER


def test_reviews_are_deterministic_and_leave_the_game_alone(game: Game) -> None:
    numbers = range(20, 32)
    before = game.digest(), game.answers[:]
    first = list(review_game(game, numbers, 20))
    assert list(review_game(game, numbers, 20)) == first
    assert (game.digest(), game.answers) == before
    assert sum(review is not None for review in first) > 4
    for number, review in zip(numbers, first, strict=True):
        assert review is None or review["number"] == number
        assert review is None or review["played"] == game.answers[number]


def test_several_processes_find_the_same_as_one(game: Game) -> None:
    numbers = range(10, 24)
    alone = list(review_in_processes(game, numbers, 8, 1))
    assert list(review_in_processes(game, numbers, 8, 2)) == alone


def test_a_forced_decision_has_no_review(game: Game) -> None:
    again = game.from_start()
    forced = []
    for number, answer in enumerate(game.answers):
        decision = again.decision
        if decision is not None and len(decision.options) == 1:
            forced.append(number)
        again.choose(answer)
    assert forced
    assert list(review_game(game, forced[:3], 8)) == [None] * len(forced[:3])


def test_hidden_cards_influence_neither_reviews_nor_better_lines() -> None:
    rng = random.Random(5)
    moved = 0
    for position in positions(24, seed=31):
        decision = position.decision
        assert decision is not None
        if not position.at_menu:
            continue
        other = swap_hidden_cards(position, decision.player, rng)
        moved += other.table.state.definition != position.table.state.definition
        played = len(decision.options) - 1
        assert review_decision(other, played, 12) == review_decision(position, played, 12)
        assert play_better_line(other, 0, 4) == play_better_line(position, 0, 4)
    assert moved > 3


def missed_wins() -> Iterator[tuple[Game, int]]:
    """Yield a missed win of each game of bots that has one."""
    for seed in range(1, 40):
        game = play_bot_game(seed, ("classic:easy", "classic:easy"))
        yield from islice(find_missed_wins(game), 1)


def test_not_taking_a_won_game_is_a_blunder() -> None:
    found = list(islice(missed_wins(), 3))
    assert len(found) == 3
    for position, end_turn in found:
        review = review_decision(position, end_turn, 100)
        assert review is not None
        assert 0.9 < review["chance"] <= 1
        assert review["best"] != end_turn
        assert review["verdict"] in (Verdict.MISTAKE, Verdict.BLUNDER)
        line = play_better_line(position, review["best"], 20)
        assert line[0]["label"] == review["best_label"]
        assert line[0]["player"] == review["player"]
