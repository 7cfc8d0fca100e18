"""`smashup analyze`: accuracy, turning points and better lines of a saved game."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from smashup.analysis.parallel import review_in_processes
from smashup.analysis.report import (
    GameReport,
    build_report,
    build_turning_point,
    find_turning_points,
)
from smashup.analysis.reviews import DEFAULT_ITERATIONS, Review
from smashup.engine.errors import SaveError, SetupError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.terminal.cli.options import (
    add_faction_file_option,
    add_language_option,
)
from smashup.terminal.commands.duel import available_cores
from smashup.terminal.game.save_files import default_save_path, load_saved_game
from smashup.terminal.screens.game_report import render_report
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import printable, tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Subparsers

MAX_ITERATIONS = 100_000


def add_analyze(commands: Subparsers) -> None:
    """Add the subcommand."""
    analyze = commands.add_parser(
        "analyze",
        help=tr("judge every decision of a saved game"),
        description=tr(
            "Judges every decision of a saved game by a search from what its player knew then."
            " Shows each player's accuracy and the turning points with a better line. The game is"
            " not changed."
        ),
    )
    analyze.add_argument(
        "file",
        nargs="?",
        default="",
        metavar=tr("FILE"),
        help=tr("the saved game (default: the last one)"),
    )
    analyze.add_argument(
        "--player",
        type=int,
        metavar=tr("N"),
        help=tr("only the decisions of player N; needed while the game is not over"),
    )
    analyze.add_argument(
        "--iterations",
        type=int,
        default=DEFAULT_ITERATIONS,
        metavar=tr("N"),
        help=tr("simulated games per decision (default {count})", count=DEFAULT_ITERATIONS),
    )
    analyze.add_argument("--json", action="store_true", help=tr("print plain data"))
    analyze.add_argument(
        "--processes",
        type=int,
        metavar=tr("N"),
        help=tr("decisions judged at once (default: one for each core)"),
    )
    add_faction_file_option(analyze)
    add_language_option(analyze)


def run_analyze(options: argparse.Namespace, catalogue: Catalogue, console: Console) -> int:
    """Print the analysis of a saved game; return the exit code."""
    path = Path(options.file).expanduser() if options.file else default_save_path()
    if not 1 <= options.iterations <= MAX_ITERATIONS:
        raise SetupError(
            "--iterations must be between {least} and {most}.", least=1, most=MAX_ITERATIONS
        )
    if options.processes is not None and options.processes < 1:
        raise SetupError("--processes must be 1 or more.")
    game, seats, warning = load_saved_game(path, catalogue)
    if warning:
        print(printable(warning), file=sys.stderr)
    player = _check_player(options.player, game, path)
    reviews = _review_with_progress(game, player, options, console)
    points = [build_turning_point(game, review) for review in find_turning_points(reviews)]
    report = build_report(reviews, game.table.num_players, options.iterations, points)
    names = PlayerNames([seat.name for seat in seats])
    if options.json:
        print(json.dumps({"seats": names.names, **report}, ensure_ascii=False, indent=1))
    else:
        _show(game, report, player, names, console)
    return 0


def _check_player(number: int | None, game: Game, path: Path) -> int | None:
    """Return the seat to analyze, or None for all of them."""
    if number is None:
        if not game.is_over:
            raise SaveError(
                "The game in {path} is not over, and its analysis would show all hands. Name one"
                " player: --player 1.",
                path=str(path),
            )
        return None
    if not 1 <= number <= game.table.num_players:
        raise SetupError(
            "There is no player {number} in this game: there are {count}.",
            number=number,
            count=game.table.num_players,
        )
    return number - 1


def _review_with_progress(
    game: Game, player: int | None, options: argparse.Namespace, console: Console
) -> list[Review]:
    numbers = find_decisions(game, player)
    results = review_in_processes(
        game,
        numbers,
        options.iterations,
        min(options.processes or available_cores(), max(len(numbers), 1)),
        options.faction_file,
    )
    reviews: list[Review] = []
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(30),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        for review in progress.track(results, len(numbers), description=tr("Analyzing decisions")):
            if review is not None:
                reviews.append(review)
    return reviews


def find_decisions(game: Game, player: int | None) -> Sequence[int]:
    """Return the numbers of the decisions of a player, or of all players for None."""
    if player is None:
        return range(len(game.answers))
    again = game.from_start()
    again.table.logging = False
    numbers: list[int] = []
    for number, answer in enumerate(game.answers):
        decision = again.decision
        if decision is not None and decision.player == player:
            numbers.append(number)
        again.choose(answer)
    return numbers


def _show(
    game: Game, report: GameReport, player: int | None, names: PlayerNames, console: Console
) -> None:
    players = range(game.table.num_players) if player is None else [player]
    console.print(render_report(report, players, names))
