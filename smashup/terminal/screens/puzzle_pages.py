"""Puzzles at the terminal: the list, and a solution with what happens after each choice."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from smashup.engine.views.sentences import message
from smashup.puzzles.explanation import SolutionStep, describe_goal
from smashup.puzzles.model import Difficulty, Puzzle
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import tr


def difficulty_label(difficulty: Difficulty) -> str:
    """Return a difficulty in the language of the program."""
    return {
        Difficulty.EASY: tr("easy"),
        Difficulty.MEDIUM: tr("medium"),
        Difficulty.HARD: tr("hard"),
    }[difficulty]


def render_list(puzzles: Sequence[Puzzle], daily: str) -> RenderableType:
    """Render puzzles with their goals; the puzzle of the day is marked."""
    rows = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for title in (tr("puzzle"), tr("difficulty"), tr("your factions"), tr("goal")):
        rows.add_column(title)
    for puzzle in puzzles:
        names = PlayerNames([f"P{seat + 1}" for seat in range(puzzle.setup.players)])
        rows.add_row(
            Text(puzzle.id, style="bold").append(" ★" if puzzle.id == daily else ""),
            difficulty_label(puzzle.difficulty),
            Text(" + ".join(tr(name) for name in puzzle.factions[puzzle.player])),
            names.render(message(describe_goal(puzzle))),
        )
    return rows


def render_solution(steps: Sequence[SolutionStep], names: PlayerNames) -> RenderableType:
    """Render the choices of a solution, each with the log lines after it."""
    parts: list[RenderableType] = [Text(tr("The solution"), style="bold")]
    for number, step in enumerate(steps, 1):
        choice = Text(f"{number}. ")
        if step["question"] is not None:
            choice.append_text(names.render(step["question"])).append(" ")
        parts.append(choice.append_text(names.render(step["label"])))
        lines = [names.render(line) for line in step["log"]]
        parts.append(Padding(Group(*lines), (0, 0, 0, 5), style="dim"))
    return Group(*parts)
