"""A puzzle at the terminal: one turn, judged when it is over."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from smashup.engine.model.catalogue import Catalogue
from smashup.engine.views.sentences import message
from smashup.puzzles.explanation import build_hints, describe_goal
from smashup.puzzles.model import Puzzle
from smashup.puzzles.steps import rival_answer
from smashup.terminal.game.seats import DEFAULT_OPPONENT, HUMAN, Seat, default_name
from smashup.terminal.game.session import GameSession
from smashup.terminal.screens import pages
from smashup.terminal.translation import render, tr


class PuzzleSession(GameSession):
    """The turn of a puzzle; nothing is saved."""

    def __init__(self, puzzle: Puzzle, cards: Catalogue, console: Console) -> None:
        seats = [
            Seat(HUMAN if number == puzzle.player else DEFAULT_OPPONENT, default_name(number + 1))
            for number in range(puzzle.setup.players)
        ]
        super().__init__(puzzle.begin(cards), seats, console, None, shows_chances=False)
        self.puzzle = puzzle
        self.is_solved = False
        self.is_finished = False
        """Whether the turn was played to its end."""
        self.hints_given = 0

    def _play_on(self) -> None:
        while self.puzzle.judge(self.game) is None:
            decision = self.game.decision
            assert decision is not None
            if decision.player != self.puzzle.player:
                self.game.choose(rival_answer(decision))
            elif len(decision.options) == 1:
                self.game.choose(0)
            else:
                goal = tr("Puzzle: {goal}", goal=render(describe_goal(self.puzzle)))
                self.notice = f"{self.notice} {goal}".lstrip()
                self._ask(decision.player)

    def own_hints(self) -> list[str]:
        """Return the hints of the puzzle, one more with each call."""
        hints = [render(hint) for hint in build_hints(self.puzzle, self.game.catalogue)]
        self.hints_given = min(self.hints_given + 1, len(hints))
        return hints[: self.hints_given]

    def _show_result(self) -> None:
        outcome = self.puzzle.judge(self.game)
        assert outcome is not None
        self.is_finished = True
        self.is_solved = outcome.reaches(self.puzzle.goal)
        self.console.print(pages.render_news(self.unread_lines(self.puzzle.player)))
        goal = self.player_names.render(message(describe_goal(self.puzzle)))
        if self.is_solved:
            self.console.print(Text(tr("Solved!"), style="bold green"))
        else:
            self.console.print(Text(tr("Not solved: "), style="bold red").append_text(goal))
