"""A better line: how a turn could have gone with the option that the search prefers.

The line is played on a table with random hidden cards, as the player could have imagined it, so it
shows no card that the player did not know.
"""

from __future__ import annotations

from random import Random
from typing import Final

from typing_extensions import TypedDict

from smashup.bots.information_set import InformationSet, option_keys
from smashup.bots.mcts import MctsBot
from smashup.engine.game import Game
from smashup.engine.model.constants import DRAW
from smashup.engine.model.decisions import MOVES, Decision, Purpose
from smashup.engine.model.randomness import derive_seed
from smashup.engine.views import types
from smashup.engine.views.sentences import message

MAX_STEPS: Final = 12
"""Choices shown of a line."""
MAX_DECISIONS: Final = 60
"""Decisions after which a line ends, shown or not."""
LINE_ITERATIONS: Final = 150
"""Iterations of the search for each later choice of a line."""


class LineStep(TypedDict):
    """A choice in a better line."""

    player: int
    question: types.Sentence | None
    """What the label answers; None if the label says it all, as “Play A on B” does."""
    label: types.Sentence


def play_better_line(game: Game, option: int, iterations: int = LINE_ITERATIONS) -> list[LineStep]:
    """Take an option of the pending decision and let the search play on until cards are drawn."""
    decision = game.decision
    assert decision is not None
    key = option_keys(decision)[option]
    seed = derive_seed(game.setup, "better line", len(game.answers))
    sampled = game.determinize(decision.player, Random(seed).randrange)
    sampled.table.logging = False
    bot = MctsBot(seed, iterations=iterations)
    steps: list[LineStep] = []
    turn = game.table.state.turn
    for number in range(MAX_DECISIONS):
        pending = sampled.decision
        state = sampled.table.state
        if pending is None or state.turn != turn or state.phase == DRAW or len(steps) == MAX_STEPS:
            break
        if number == 0:
            keys = option_keys(pending)
            if key not in keys:
                break  # the option depends on a hidden card
            pick = keys.index(key)
        elif len(pending.options) == 1:
            sampled.choose(0)
            continue
        else:
            pick = bot.choose(InformationSet(sampled))
        # “Yes” or “Pass” is no part of a plan.
        if number == 0 or pending.purpose is Purpose.PLAY_MENU or pending.label(pick).args:
            steps.append(_describe_step(pending, pick))
        sampled.choose(pick)
    return steps


def _describe_step(decision: Decision, option: int) -> LineStep:
    return LineStep(
        player=decision.player,
        question=None if decision.kind == MOVES else message(decision.question()),
        label=message(decision.label(option)),
    )
