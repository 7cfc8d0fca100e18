"""Puzzles in sentences: the goal, the hints, and the solution step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.constants import DRAW, NONE
from smashup.engine.model.decisions import MOVES, Decision, Purpose
from smashup.engine.model.messages import Message, Name, card_name
from smashup.engine.views import types
from smashup.engine.views.sentences import message
from smashup.puzzles.goals import GoalKind
from smashup.puzzles.model import Puzzle
from smashup.puzzles.proof import describe_line, next_choices
from smashup.puzzles.steps import NO_STEP, Step, distinct_options, rival_answer, step_of

OMITTED_EVENTS: Final = frozenset(
    (
        "turn_started", "cards_drawn", "base_played", "card_leaves_play.discarded_from_base",
        "card_leaves_play.discarded_with_host",
    )
)  # fmt: skip
"""Events that explanations omit, because they follow every scoring or every turn."""


class SolutionStep(TypedDict):
    """A choice of the solution, and its consequences."""

    question: types.Sentence | None
    """What the label answers; None if the label says it all, as “Play A on B” does."""
    label: types.Sentence
    log: list[types.Sentence]
    """The log lines that follow, as the player reads them."""


def describe_goal(puzzle: Puzzle) -> Message:
    """Return the goal as a sentence."""
    goal = puzzle.goal
    if goal.kind is GoalKind.WIN:
        return Message("Win the game this turn.", {})
    if goal.kind is GoalKind.LEAD:
        return Message("End this turn with more VP than every other player.", {})
    card = next(base for serial, base, _ in puzzle.start["sites"] if serial == goal.base)
    name = Name("base", goal.base, puzzle.start["definition"][card])
    return Message("Score {base} this turn, alone in first place.", {"base": name})


def build_hints(puzzle: Puzzle, cards: Catalogue) -> list[Message]:
    """Return hints, each more specific: a card of the solution, then what to do with it."""
    game = puzzle.begin(cards)
    hints: list[Message] = []
    for answer in puzzle.solution:
        decision = game.decision
        assert decision is not None
        if decision.player == puzzle.player and step_of(decision, answer) != NO_STEP:
            card = _card_played(decision, answer)
            if card != NONE and not hints:
                hints.append(Message("Begin with {card}.", {"card": card_name(game.table, card)}))
            hints.append(decision.label(answer))
            if len(hints) == 2:
                break
        game.choose(answer)
    return hints


def explain_solution(puzzle: Puzzle, cards: Catalogue) -> list[SolutionStep]:
    """Play the solution and return the player's choices with the log lines after each.

    The other players decline what they can, as when a person plays the puzzle. Only the log shows
    what they do: it names no card that the player cannot see.
    """
    game = puzzle.begin(cards)
    line = describe_line(game, puzzle.solution).choices
    steps: list[SolutionStep] = []
    done = 0
    while puzzle.judge(game) is None:
        decision = game.decision
        assert decision is not None
        answer, now_done = _next_answer(puzzle, decision, line, done)
        if not steps or _is_worth_showing(puzzle, game, answer, line, now_done):
            question = None if decision.kind == MOVES else message(decision.question())
            label = message(decision.label(answer))
            steps.append(SolutionStep(question=question, label=label, log=[]))
        done = now_done
        seen = len(game.log_lines(puzzle.player))
        game.choose(answer)
        steps[-1]["log"] += [
            message(line)
            for (_, line), entry in zip(
                game.log_lines(puzzle.player, seen), game.table.log[seen:], strict=True
            )
            if entry.event not in OMITTED_EVENTS
        ]
    return steps


def _next_answer(
    puzzle: Puzzle, decision: Decision, line: Sequence[Step], done: int
) -> tuple[int, int]:
    """Return the next answer of a line, and how many of its choices are done then."""
    if decision.player != puzzle.player:
        return rival_answer(decision), done
    (answer, *_), done = next_choices(decision, line, done)
    return answer, done


def _is_worth_showing(
    puzzle: Puzzle, game: Game, answer: int, line: Sequence[Step], done: int
) -> bool:
    """Whether to show a choice: not if it is forced, declines, or makes no difference."""
    decision = game.decision
    assert decision is not None
    is_own = decision.player == puzzle.player and game.table.state.phase != DRAW
    if not is_own or len(decision.options) == 1:
        return False
    if decision.purpose is Purpose.PLAY_MENU or step_of(decision, answer) != NO_STEP:
        return True
    if decision.declines(answer):
        return False
    return not all(
        _reaches_goal(puzzle, game.after(option, log=True), line, done)
        for option in distinct_options(decision)
    )


def _reaches_goal(puzzle: Puzzle, game: Game, line: Sequence[Step], done: int) -> bool:
    """Whether the rest of a line reaches the goal."""
    while (outcome := puzzle.judge(game)) is None:
        decision = game.decision
        assert decision is not None
        answer, done = _next_answer(puzzle, decision, line, done)
        game.choose(answer)
    return outcome.reaches(puzzle.goal)


def _card_played(decision: Decision, answer: int) -> int:
    """Return the card that an option of the play menu plays or uses, or none."""
    if decision.purpose is not Purpose.PLAY_MENU:
        return NONE
    card: int = decision.options[answer].card
    return card
