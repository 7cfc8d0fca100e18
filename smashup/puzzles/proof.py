"""The proof that a puzzle has one solution, and that it depends on nothing hidden.

Uniqueness: a solution is a set of steps. A line of only these steps reaches the goal, and no line
that leaves one of them out does. The second part is searched exhaustively on the table itself, with
its real hidden cards and with other players who help: a line without a step fails even with luck.

Certainty: the solution is played on tables whose hidden cards are dealt again, at random and with
as many Specials as possible in the hands of the other players, against all their choices. It has to
reach the goal on every table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from smashup.engine.game import Game
from smashup.engine.model.decisions import Decision, Purpose
from smashup.puzzles.deals import deal_tables
from smashup.puzzles.goals import Goal, is_turn_over, judge_turn
from smashup.puzzles.steps import NO_STEP, Step, distinct_options, identify, step_of
from smashup.puzzles.turn_search import skip_draw

MAX_REPLIES: Final = 3_000
"""Maximum number of positions that the proof visits on one table, with all replies of others."""


@dataclass(frozen=True)
class Line:
    """A way to play a turn."""

    answers: tuple[int, ...]
    choices: tuple[Step, ...]
    """The player's choices, identified equally on every deal."""
    steps: tuple[Step, ...]
    """The steps among them; one that is taken twice is listed twice."""
    plays: int
    """Number of cards played and talents used from the play menu."""


def describe_line(game: Game, answers: Sequence[int]) -> Line:
    """Return the line that the answers of a whole turn describe."""
    replay = game.clone(log=True)
    first = replay.decision
    assert first is not None
    choices: list[Step] = []
    steps: list[Step] = []
    plays = 0
    for answer in answers:
        decision = replay.decision
        assert decision is not None
        if decision.player == first.player:
            choices.append(identify(decision, answer))
            step = step_of(decision, answer)
            if step != NO_STEP:
                steps.append(step)
                plays += decision.purpose is Purpose.PLAY_MENU
        replay.choose(answer)
    replay.dispose()
    return Line(tuple(answers), tuple(choices), tuple(steps), plays)


def is_certain(game: Game, line: Line, goal: Goal, seed: int) -> bool:
    """Whether a line reaches the goal on every deal that is tried, whatever the others do."""
    decision = game.decision
    assert decision is not None
    for dealt in deal_tables(game, decision.player, seed):
        if not _LineCheck(dealt, line.choices, goal).holds(dealt, 0):
            return False
    return True


def next_choices(decision: Decision, line: Sequence[Step], done: int) -> tuple[list[int], int]:
    """Return the option that continues a line, and how many choices of the line are done then.

    Choices are matched by their meaning, without looking at hidden cards. A question that the line
    does not answer is declined; if that is impossible, all options are returned.
    """
    options = list(distinct_options(decision))
    keys = {identify(decision, option): option for option in reversed(options)}
    for at in range(done, len(line)):
        if line[at] in keys:
            return [keys[line[at]]], at + 1
    declining = [option for option in options if decision.declines(option)]
    return declining[:1] or options, done


class _LineCheck:
    """Plays a line on one table against every choice of the other players.

    If the player of the line cannot decline a question that it does not answer, every answer has to
    work.
    """

    def __init__(self, game: Game, line: Sequence[Step], goal: Goal) -> None:
        """The game is at a decision of the player of the line."""
        decision = game.decision
        assert decision is not None
        self.player = decision.player
        self.turn = game.table.state.turn
        self.line = line
        self.goal = goal
        self.left = MAX_REPLIES

    def holds(self, game: Game, done: int) -> bool:
        """Whether the goal is reached after the first ``done`` choices of the line."""
        skip_draw(game, self.turn)
        self.left -= 1
        if self.left < 0:
            return False
        if is_turn_over(game, self.turn):
            return judge_turn(game, self.player, self.turn).reaches(self.goal)
        decision = game.decision
        assert decision is not None
        if decision.player == self.player:
            options, done = next_choices(decision, self.line, done)
        else:
            options = list(distinct_options(decision))
        return all(self.holds(game.after(option, log=True), done) for option in options)
