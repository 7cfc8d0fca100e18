"""`smashup check-faction`: can a faction file be played?"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from smashup.cards import catalogue, conformance
from smashup.cards.authoring.places import FactionError, SourceLocation, faction_error
from smashup.cards.plugins import LOAD_SECONDS, load_file
from smashup.terminal.cli.options import HelpFormatter, add_language_option
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
            " 20 cards with texts, random games of all kinds reach every ability without errors,"
            " and copies, views and replays of these games are consistent. The first problem is"
            " reported with its card, ability, file and line."
        ),
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    check.add_argument("file", metavar=tr("FILE"))
    check.add_argument("--games", type=int, default=60, metavar=tr("N"), help=tr("random games"))
    check.add_argument("--seed", type=int, default=1, metavar=tr("N"), help=tr("first random seed"))
    add_language_option(check)


def run_check_faction(options: argparse.Namespace) -> int:
    """Run the checks; return 1 if the faction cannot be played."""
    path = Path(options.file)

    def give_up_loading(frame: FrameType | None) -> None:
        _exit_with(
            faction_error(
                SourceLocation(str(path)),
                "The file takes more than {limit} seconds to load.",
                limit=LOAD_SECONDS,
            )
        )

    try:
        loaded = load_file(path, give_up_loading)
    except FactionError as error:
        print(printable(render(error.message)), file=sys.stderr)
        return 1
    for faction in loaded.factions:
        with progress_bar(open_console(), printable(str(faction.name))) as progress:
            report = conformance.check_faction(
                faction, catalogue(), options.games, progress, options.seed, loaded.source,
                _exit_with,
            )  # fmt: skip
        if report.problems:
            print(printable(render(report.problems[0])), file=sys.stderr)
            return 1
        for line in report.remarks:
            print(tr("Note: {line}", line=printable(render(line))))
        print(
            tr(
                "{faction}: playable ({games} random games, {decisions} decisions).",
                faction=printable(report.faction),
                games=report.games,
                decisions=report.decisions,
            )
        )
    return 0


def _exit_with(error: FactionError) -> None:
    """Report code that catches every exception and cannot be stopped otherwise."""
    print(printable(render(error.message)), file=sys.stderr, flush=True)
    os._exit(1)
