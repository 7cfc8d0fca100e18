"""Reviews of decisions: what the search thinks of the option that a player took.

A decision is judged from the information of the seat that made it: hidden cards are dealt at
random, so neither the real hidden cards nor what happened later has any influence. The option that
was taken stays in the search to the end and is compared with the best one on the same deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from typing_extensions import TypedDict

from smashup.bots.information_set import InformationSet
from smashup.bots.mcts import MctsBot, Search, compare_outcomes
from smashup.engine.game import Game
from smashup.engine.model.randomness import derive_seed
from smashup.engine.views import types
from smashup.engine.views.sentences import message

DEFAULT_ITERATIONS: Final = 250
"""Iterations of the search per decision."""
MIN_SIGMAS: Final = 2.0
"""Lead of the best option, in standard errors, from which the option taken counts as worse."""


class Verdict(StrEnum):
    """How good a choice was, by the win probability that it gave away."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


THRESHOLDS: Final = (
    (0.20, Verdict.BLUNDER),
    (0.10, Verdict.MISTAKE),
    (0.05, Verdict.INACCURACY),
)
"""The smallest loss for each verdict, largest first."""


class Review(TypedDict):
    """What the search thinks of one decision of a game."""

    number: int
    """How many answers came before it."""
    turn: int
    player: int
    question: types.Sentence
    played: int
    """The option that the player took."""
    played_label: types.Sentence
    best: int
    best_label: types.Sentence
    chance: float
    """The player's probability of winning with the best option."""
    loss: float
    """What the option taken gave away of it; 0 if the search cannot tell the two apart."""
    stake: float
    """The difference between the best and the worst option."""
    verdict: Verdict


def classify_loss(loss: float) -> Verdict:
    """Return the verdict on a choice that gave away this much win probability."""
    return next((verdict for least, verdict in THRESHOLDS if loss >= least), Verdict.GOOD)


def review_game(
    game: Game,
    numbers: Sequence[int],
    iterations: int = DEFAULT_ITERATIONS,
) -> Iterator[Review | None]:
    """Review the decisions with these numbers, in ascending order; None for one without a choice.

    The game itself is not changed: its answers are replayed.
    """
    again = game.from_start()
    again.table.logging = False
    for number in numbers:
        again.answer_all(game.answers[len(again.answers) : number])
        yield review_decision(again, game.answers[number], iterations)


def review_decision(game: Game, played: int, iterations: int) -> Review | None:
    """Review an answer to the pending decision; None if there was nothing to choose."""
    decision = game.decision
    assert decision is not None
    info = InformationSet(game)
    if info.is_draft or len(set(info.keys)) == 1:
        return None
    number = len(game.answers)
    bot = MctsBot(derive_seed(game.setup, "analysis", number), iterations=iterations)
    search = Search(bot, info, keep=played)
    search.run(lambda done: None)
    advice = search.build_advice()
    best = advice.pick
    lead, error = compare_outcomes(search.root[info.keys[best]], search.root[info.keys[played]])
    loss = lead if lead >= MIN_SIGMAS * error else 0.0
    if not loss:
        best = played
    chances = [estimate.win_probability for estimate in advice.estimates]
    return Review(
        number=number,
        turn=game.table.state.turn,
        player=decision.player,
        question=message(decision.question()),
        played=played,
        played_label=message(decision.label(played)),
        best=best,
        best_label=message(decision.label(best)),
        chance=round(chances[advice.pick], 4),
        loss=round(loss, 4),
        stake=round(max(chances) - min(chances), 4),
        verdict=classify_loss(loss),
    )
