"""The report on a game: each player's accuracy, and the turning points with a better line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from smashup.analysis.better_lines import LINE_ITERATIONS, LineStep, play_better_line
from smashup.analysis.reviews import Review, Verdict
from smashup.engine.game import Game

TURNING_POINTS: Final = 3
FORMAT_VERSION: Final = 1


class PlayerReport(TypedDict):
    """How well one player chose."""

    player: int
    decisions: int
    """Decisions with a choice."""
    accuracy: float | None
    """From 0 to 1: the share of what was at stake that the player's choices kept; None without a
    decision.
    """
    verdicts: dict[Verdict, int]


class TurningPoint(TypedDict):
    """A decision that gave away much, and what could have been done instead."""

    review: Review
    line: list[LineStep]


class GameReport(TypedDict):
    """The analysis of a game as plain data."""

    version: int
    iterations: int
    players: list[PlayerReport]
    reviews: list[Review]
    turning_points: list[TurningPoint]


def build_report(
    reviews: Sequence[Review], players: int, iterations: int, points: Sequence[TurningPoint]
) -> GameReport:
    """Sum up the reviews of a game with this many players."""
    return GameReport(
        version=FORMAT_VERSION,
        iterations=iterations,
        players=[summarize_player(reviews, p) for p in range(players)],
        reviews=list(reviews),
        turning_points=list(points),
    )


def summarize_player(reviews: Sequence[Review], player: int) -> PlayerReport:
    """Return a player's accuracy and how many of the decisions were good, mistakes and so on."""
    own = [review for review in reviews if review["player"] == player]
    stake = sum(review["stake"] for review in own)
    # A loss is measured in the last round of the search, a stake over all rounds.
    kept = sum(max(review["stake"] - review["loss"], 0.0) for review in own)
    accuracy = round(kept / stake, 4) if stake else 1.0
    counts = Counter(review["verdict"] for review in own)
    return PlayerReport(
        player=player,
        decisions=len(own),
        accuracy=accuracy if own else None,
        verdicts={verdict: counts[verdict] for verdict in Verdict},
    )


def find_turning_points(reviews: Sequence[Review]) -> list[Review]:
    """Return the decisions that gave away most, in the order of the game; one per turn."""
    worst: dict[int, Review] = {}
    for review in reviews:
        if review["verdict"] != Verdict.GOOD:
            known = worst.get(review["turn"])
            if known is None or review["loss"] > known["loss"]:
                worst[review["turn"]] = review
    ranked = sorted(worst.values(), key=lambda review: -review["loss"])
    return sorted(ranked[:TURNING_POINTS], key=lambda review: review["number"])


def build_turning_point(
    game: Game, review: Review, iterations: int = LINE_ITERATIONS
) -> TurningPoint:
    """Play the better line of a decision that was reviewed."""
    again = game.from_start()
    again.table.logging = False
    again.answer_all(game.answers[: review["number"]])
    return TurningPoint(review=review, line=play_better_line(again, review["best"], iterations))
