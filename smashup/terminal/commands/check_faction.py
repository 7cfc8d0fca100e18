"""`smashup check-faction`: can a faction file be played?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smashup.cards import catalogue, conformance
from smashup.cards.authoring.places import FactionError, SourceLocation, faction_error
from smashup.cards.authoring.sources import Source
from smashup.cards.authoring.supervision import CheckCrashed, run_supervised
from smashup.cards.madness import Madness
from smashup.cards.plugins import check_file, load_file, read_text
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import Catalogue
from smashup.terminal.cli.options import add_language_option
from smashup.terminal.screens.console import open_console, progress_bar
from smashup.terminal.translation import printable, render, tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Subparsers


def add_check_faction(commands: Subparsers) -> None:
    """Add the subcommand and its options."""
    check = commands.add_parser(
        "check-faction",
        help=tr("check a faction of your own"),
        description=tr(
            "Checks that a faction file can be played: names, types and values are right, it has"
            " 20 cards with texts, the code of its abilities is safe, random games of all kinds run"
            " without errors, and copies, views and replays of these games are consistent. The"
            " first problem is reported with its card, ability, file and line."
        ),
    )
    check.add_argument("file", metavar=tr("FILE"))
    check.add_argument(
        "--games",
        type=int,
        default=60,
        metavar=tr("N"),
        help=tr("number of random games (default 60)"),
    )
    check.add_argument(
        "--seed", type=int, default=1, metavar=tr("N"), help=tr("seed of the games (default 1)")
    )
    add_language_option(check)


def run_check_faction(options: argparse.Namespace) -> int:
    """Run the checks; return 1 if the faction cannot be played."""
    if options.games < 1:
        raise SetupError(
            "{option} needs a number of at least 1, not {number}.",
            option="--games",
            number=options.games,
        )
    path = Path(options.file)
    try:
        results = run_supervised(lambda note_progress: _check(options, note_progress), str(path))
    except CheckCrashed as crash:
        results = [_Result(problem=_explain_crash(path, crash))]
    for result in results:
        for line in result.lines:
            print(printable(line))
        if result.problem:
            print(printable(result.problem), file=sys.stderr)
            return 1
    return 0


@dataclass
class _Result:
    """What to print about a faction."""

    lines: list[str] = field(default_factory=list)
    problem: str = ""


def _check(options: argparse.Namespace, note_progress: Callable[[], None]) -> list[_Result]:
    """Check all factions of the file, up to the first problem."""
    try:
        check_file(Path(options.file))  # finds harmful code before it runs
        loaded = load_file(Path(options.file))
    except FactionError as error:
        return [_Result(problem=render(error.message))]
    results: list[_Result] = []
    others = catalogue()
    for faction in loaded.factions:
        with progress_bar(open_console(), printable(str(faction.name))) as show_progress:
            report = conformance.check_faction(
                faction, others, options.games, _both(note_progress, show_progress),
                options.seed, loaded.source,
            )  # fmt: skip
        if report.problems:
            return [*results, _Result(problem=render(report.problems[0]))]
        notes = [tr("Note: {line}", line=render(line)) for line in report.remarks]
        summary = tr(
            "{faction}: playable ({games} random games, {decisions} decisions).",
            faction=report.faction,
            games=report.games,
            decisions=report.decisions,
        )
        results.append(_Result([*notes, summary]))
        others = Catalogue([*others.factions, faction], madness=Madness)
    return results


def _both(note: Callable[[], None], show: Callable[[int, int], None]) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        note()
        show(done, total)

    return progress


def _explain_crash(path: Path, crash: CheckCrashed) -> str:
    """Say what the file did when the process of the check ended."""
    source = Source(str(path), str(path), read_text(path))
    place = source.place_of_line(crash.line) if crash.line else SourceLocation(str(path))
    if crash.has_stalled:
        error = faction_error(
            place,
            "The code runs for too long and cannot be stopped: it probably never ends.",
        )
    else:
        error = faction_error(place, "The code crashes Python.")
    return render(error.message)
