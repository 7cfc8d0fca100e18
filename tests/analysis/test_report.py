"""The report sums up reviews: accuracy, verdicts, turning points."""

from __future__ import annotations

from smashup.analysis.report import (
    build_report,
    build_turning_point,
    find_turning_points,
    summarize_player,
)
from smashup.analysis.reviews import Review, Verdict, classify_loss, review_game
from smashup.engine.views import types
from tests.analysis.games import play_bot_game

SENTENCE: types.Sentence = {"text": "", "args": {}, "english": ""}


def make_review(number: int, turn: int, player: int, loss: float, stake: float) -> Review:
    return Review(
        number=number,
        turn=turn,
        player=player,
        question=SENTENCE,
        played=1,
        played_label=SENTENCE,
        best=0,
        best_label=SENTENCE,
        chance=0.5,
        loss=loss,
        stake=stake,
        verdict=classify_loss(loss),
    )


def test_accuracy_is_the_share_of_the_stakes_that_was_kept() -> None:
    reviews = [
        make_review(0, 1, 0, 0.0, 0.2),
        make_review(1, 1, 0, 0.1, 0.2),
        make_review(2, 2, 1, 0.3, 0.3),
    ]
    first = summarize_player(reviews, 0)
    assert first["accuracy"] == 0.75
    assert first["decisions"] == 2
    assert first["verdicts"] == {
        Verdict.GOOD: 1, Verdict.INACCURACY: 0, Verdict.MISTAKE: 1, Verdict.BLUNDER: 0,
    }  # fmt: skip
    assert summarize_player(reviews, 1)["accuracy"] == 0.0


def test_a_player_without_a_choice_has_no_accuracy() -> None:
    """As in a game that is given up in its first turn."""
    assert summarize_player([], 0)["accuracy"] is None
    assert summarize_player([make_review(0, 1, 0, 0.0, 0.0)], 0)["accuracy"] == 1.0


def test_turning_points_are_the_three_worst_turns_in_order() -> None:
    losses = {0: (1, 0.06), 1: (1, 0.2), 2: (2, 0.3), 3: (3, 0.04), 4: (4, 0.1), 5: (5, 0.07)}
    reviews = [make_review(n, turn, 0, loss, 1.0) for n, (turn, loss) in losses.items()]
    assert [review["number"] for review in find_turning_points(reviews)] == [1, 2, 4]


def test_small_losses_are_no_turning_points() -> None:
    assert find_turning_points([make_review(0, 1, 0, 0.049, 1.0)]) == []


def test_better_players_are_more_accurate() -> None:
    game = play_bot_game(2)
    reviews = [r for r in review_game(game, range(0, len(game.answers), 2), 60) if r is not None]
    points = [build_turning_point(game, review, 10) for review in find_turning_points(reviews)]
    report = build_report(reviews, 2, 60, points)
    random_bot, normal_bot = report["players"]
    assert random_bot["accuracy"] is not None
    assert normal_bot["accuracy"] is not None
    assert random_bot["accuracy"] < normal_bot["accuracy"] - 0.05
    for point in report["turning_points"]:
        assert point["line"][0]["label"] == point["review"]["best_label"]
        for step in point["line"]:
            is_play = step["label"]["text"].startswith(("Play ", "Use ", "End "))
            assert (step["question"] is None) == is_play, "an answer needs its question"
