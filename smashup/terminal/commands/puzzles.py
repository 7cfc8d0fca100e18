"""`smashup puzzles`: list and play puzzles, find new ones in bot games, prove them again."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from smashup.cards import catalogue
from smashup.engine.errors import SetupError
from smashup.puzzles.checking import Problem
from smashup.puzzles.daily import choose_daily
from smashup.puzzles.explanation import build_hints, explain_solution
from smashup.puzzles.mining import Mining
from smashup.puzzles.model import Difficulty, Puzzle
from smashup.puzzles.parallel import check_in_processes, mine_in_processes
from smashup.puzzles.puzzle_file import (
    SHIPPED,
    Origin,
    PuzzleFile,
    load_puzzle_file,
    save_puzzle_file,
)
from smashup.terminal.cli.invocation import format_command
from smashup.terminal.cli.options import Parser, add_language_option
from smashup.terminal.commands.duel import available_cores
from smashup.terminal.game.puzzle_session import PuzzleSession
from smashup.terminal.game.seats import default_name
from smashup.terminal.screens.console import open_console, progress_bar
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.screens.puzzle_pages import difficulty_label, render_list, render_solution
from smashup.terminal.translation import printable, render, tr
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Subparsers

SAVE_EVERY = 20
"""Games between two writes of the file that is mined."""
MAX_NUMBER = 1_000_000


def add_puzzles(commands: Subparsers) -> None:
    """Add the subcommand with its parts."""
    puzzles = commands.add_parser(
        "puzzles",
        help=tr("positions with one solution"),
        description=tr(
            "Puzzles are positions in which one way to play the turn reaches a goal. Without a"
            " command, you play today's puzzle."
        ),
    )
    parts = puzzles.add_subparsers(dest="part", metavar=tr("COMMAND"), parser_class=Parser)
    listing = _add_part(parts, "list", tr("list the puzzles"))
    listing.add_argument(
        "--difficulty",
        choices=[level.value for level in Difficulty],
        help=tr("only puzzles of this level"),
    )
    play = _add_part(parts, "play", tr("play a puzzle (default: today's)"))
    play.add_argument("id", nargs="?", default="", metavar=tr("ID"))
    hint = _add_part(parts, "hint", tr("print the hints of a puzzle"))
    hint.add_argument("id", metavar=tr("ID"))
    solution = _add_part(parts, "solution", tr("explain the solution of a puzzle"))
    solution.add_argument("id", metavar=tr("ID"))
    mine = _add_part(parts, "mine", tr("find puzzles in games of bots"))
    mine.add_argument("--games", type=int, default=100, metavar=tr("N"), help=tr("games to play"))
    mine.add_argument("--seed", type=int, default=1, metavar=tr("N"), help=tr("seed of a new file"))
    check = _add_part(parts, "check", tr("prove the solutions again"))
    check.add_argument("ids", nargs="*", metavar=tr("ID"), help=tr("only these puzzles"))
    for part in (listing, play, hint, solution, mine, check):
        part.add_argument(
            "--file",
            default=str(SHIPPED),
            metavar=tr("FILE"),
            help=tr("the puzzle file (default: the shipped one)"),
        )
        add_language_option(part)
    for part in (mine, check):
        part.add_argument(
            "--processes",
            type=int,
            metavar=tr("N"),
            help=tr("worker processes (default: one for each core)"),
        )
    add_language_option(puzzles)


def _add_part(parts: Subparsers, name: str, about: str) -> Parser:
    return parts.add_parser(name, help=about, description=f"{about[:1].upper()}{about[1:]}.")


def run_puzzles(options: argparse.Namespace) -> int:
    """Run a part of the command; return the exit code."""
    console = open_console()
    part = options.part or "play"
    path = Path(getattr(options, "file", SHIPPED)).expanduser()
    if part == "mine":
        return _mine(path, options, console)
    puzzles = load_puzzle_file(path).puzzles
    if not puzzles:
        raise SetupError("There are no puzzles in {path}.", path=str(path))
    if part == "check":
        return _check(puzzles, options, console)
    today = choose_daily([puzzle.id for puzzle in puzzles], datetime.now(UTC).date())
    if part == "list":
        shown = [p for p in puzzles if options.difficulty in (None, p.difficulty)]
        console.print(render_list(shown, today))
        return 0
    puzzle = _find(puzzles, getattr(options, "id", "") or today)
    names = PlayerNames([default_name(seat + 1) for seat in range(puzzle.setup.players)])
    if part == "hint":
        for number, hint in enumerate(build_hints(puzzle, catalogue()), 1):
            console.print(f"{number}. {render(hint)}")
    elif part == "solution":
        console.print(render_solution(explain_solution(puzzle, catalogue()), names))
    else:
        return _play(puzzle, path, names, console)
    return 0


def _find(puzzles: list[Puzzle], puzzle_id: str) -> Puzzle:
    for puzzle in puzzles:
        if puzzle.id == puzzle_id.strip().lower():
            return puzzle
    raise SetupError(
        "There is no puzzle “{id}”. `{command}` lists them.",
        id=printable(puzzle_id),
        command=format_command("puzzles", "list"),
    )


def _play(puzzle: Puzzle, path: Path, names: PlayerNames, console: Console) -> int:
    """Play a puzzle; the solution is shown to those who have found it."""
    cards = catalogue()
    session = PuzzleSession(puzzle, cards, console)
    code = session.run()
    if session.is_solved:
        console.print(render_solution(explain_solution(puzzle, cards), names))
    elif session.is_finished:
        file = [] if path == SHIPPED else ["--file", str(path)]
        again = format_command("puzzles", "play", puzzle.id, *file)
        solution = format_command("puzzles", "solution", puzzle.id, *file)
        console.print(tr("Try again:  {command}", command=again), soft_wrap=True)
        console.print(tr("The solution:  {command}", command=solution), soft_wrap=True)
    return code


# --- mining and checking ----------------------------------------------------------------------


def _processes(options: argparse.Namespace) -> int:
    if options.processes is not None and options.processes < 1:
        raise SetupError("--processes must be 1 or more.")
    return options.processes or available_cores()


def _mine(path: Path, options: argparse.Namespace, console: Console) -> int:
    """Add the puzzles of further games to a file."""
    if not 1 <= options.games <= MAX_NUMBER:
        raise SetupError("--games must be between {least} and {most}.", least=1, most=MAX_NUMBER)
    found = load_puzzle_file(path) if path.exists() else PuzzleFile(Origin(options.seed), [])
    save_puzzle_file(path, found.origin, found.puzzles)  # fails now rather than after hours
    origin = found.origin
    origin.rules = __version__
    known = {puzzle.id: puzzle for puzzle in found.puzzles}
    games = range(origin.next_game, origin.next_game + options.games)
    mined = mine_in_processes(Mining(origin.seed), games, catalogue(), _processes(options))
    rejections = Counter(origin.rejections)
    before = len(known)
    try:
        with progress_bar(console, tr("Mining games")) as progress, closing(mined):
            for number, game in enumerate(mined, 1):
                known.update((puzzle.id, puzzle) for puzzle in game.puzzles)
                rejections.update(game.rejections)
                origin.next_game = game.game + 1
                progress(number, len(games))
                if number % SAVE_EVERY == 0:
                    origin.rejections = dict(rejections)
                    save_puzzle_file(path, origin, known.values())
    finally:
        origin.rejections = dict(rejections)
        save_puzzle_file(path, origin, known.values())
    console.print(
        tr("{new} new puzzles; {path} has {total}.", new=len(known) - before, path=str(path),
           total=len(known))
    )  # fmt: skip
    _print_distribution(list(known.values()), console)
    return 0


def _print_distribution(puzzles: list[Puzzle], console: Console) -> None:
    counts = Counter(puzzle.difficulty for puzzle in puzzles)
    for level in Difficulty:
        console.print(f"  {difficulty_label(level)}: {counts[level]}")


def _check(puzzles: list[Puzzle], options: argparse.Namespace, console: Console) -> int:
    """Prove puzzles again; name each that is no longer valid."""
    chosen = [_find(puzzles, name) for name in options.ids] or puzzles
    results = check_in_processes(chosen, catalogue(), min(_processes(options), len(chosen)))
    failed: list[tuple[Puzzle, Problem]] = []
    with progress_bar(console, tr("Checking puzzles")) as progress, closing(results):
        for number, (puzzle, problem) in enumerate(zip(chosen, results, strict=True), 1):
            progress(number, len(chosen))
            if problem is not None:
                failed.append((puzzle, problem))
    for puzzle, problem in failed:
        print(f"{puzzle.id}: {describe_problem(problem)}", file=sys.stderr)
    console.print(
        tr("{right} of {total} puzzles are valid.", right=len(chosen) - len(failed),
           total=len(chosen))
    )  # fmt: skip
    return 1 if failed else 0


def describe_problem(problem: Problem) -> str:
    """Return what is wrong with a puzzle, as a sentence."""
    return {
        Problem.POSITION: tr("The position cannot be restored."),
        Problem.SOLUTION: tr("The solution does not reach the goal."),
        Problem.HIDDEN: tr("The solution depends on hidden cards or on other players."),
        Problem.SEVERAL: tr("There is another solution."),
        Problem.TOO_LARGE: tr("There are too many lines to search them all."),
    }[problem]
