"""The command line of `smashup lab`: its subcommands, options and help."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from smashup.terminal.parsing import add_processes, add_table, examples
from smashup.terminal.translation import gettext_noop, tr

if TYPE_CHECKING:
    from smashup.terminal.parsing import Commands, Parser

FOLDER = "lab"
"""Where studies are kept unless something else is said."""
GAMES = 20
"""Games of each pair or table unless something else is said."""

LAB = """\
Plays many games and tells what they add up to. Results are kept in a folder, as
Parquet files; Ctrl-C keeps what is done, and the same command with --resume goes
on from there. The same seed gives the same games, however many processes play."""

MATRIX = """\
Every pair of factions against a field of random opponents: which pairs win, how
fast, with how many bases. Every deal is played once with the pair in each seat."""

TOURNAMENT = """\
A round robin of bots: ratings and win rates. Every deal is played once in every
rotation of the bots, and the factions stay with the seats."""

REPORT = """\
Shows what a folder of games adds up to, and writes it as one HTML page that needs
nothing else: heat map of pairs, tier list, ratings, lengths of games, VP by turn."""

EXAMPLES = (
    ("lab matrix --bot quick --games 100", gettext_noop("a first look, in some minutes")),
    ("lab matrix --folder study --games 400", gettext_noop("a real one, in some days")),
    ("lab matrix --folder study --games 400 --resume", gettext_noop("go on with it")),
    ("lab matrix --folder study --games 400 --ray auto", gettext_noop("the same on a Ray cluster")),
    ("lab tournament --bots random,easy,normal", gettext_noop("who plays better")),
    ("lab report study", gettext_noop("what came of it")),
)


def add_lab(
    commands: Commands, prog: str, help_form: type[argparse.HelpFormatter]
) -> tuple[list[Parser], Parser]:
    """The subcommand; the parsers of what plays games, and that of the report."""
    lab = commands.add_parser(
        "lab",
        help=tr("play many games and see which factions and bots win"),
        description=tr(LAB),
        epilog=examples(prog, EXAMPLES),
        formatter_class=help_form,
        allow_abbrev=False,
    )
    parts = lab.add_subparsers(dest="part", metavar=tr("COMMAND"), required=True)
    matrix = parts.add_parser(
        "matrix",
        help=tr("every pair of factions against a field"),
        description=tr(MATRIX),
        formatter_class=help_form,
        allow_abbrev=False,
    )
    _add_matrix(matrix)
    tournament = parts.add_parser(
        "tournament",
        help=tr("every bot against every other"),
        description=tr(TOURNAMENT),
        formatter_class=help_form,
        allow_abbrev=False,
    )
    _add_tournament(tournament)
    report = parts.add_parser(
        "report",
        help=tr("what the games add up to"),
        description=tr(REPORT),
        formatter_class=help_form,
        allow_abbrev=False,
    )
    _add_report(report)
    return [matrix, tournament], report


def _add_matrix(matrix: Parser) -> None:
    what = matrix.add_argument_group(tr("what is played"))
    what.add_argument(
        "--bot",
        default="normal",
        metavar=tr("NAME"),
        help=tr("who sits in all seats: quick, or any bot of duel (default normal)"),
    )
    what.add_argument(
        "--factions",
        metavar=tr("LIST"),
        help=tr('only these, like "Kaiju, Mounties, ..." (default: all)'),
    )
    what.add_argument(
        "--games",
        type=int,
        default=GAMES,
        metavar=tr("N"),
        help=tr("games of each pair (default {default})", default=GAMES),
    )
    add_table(what)
    _add_work(matrix, "matrix")


def _add_tournament(tournament: Parser) -> None:
    what = tournament.add_argument_group(tr("what is played"))
    what.add_argument(
        "--bots",
        default="random,easy,normal",
        metavar=tr("LIST"),
        help=tr("who enters: quick, or any bots of duel (default random,easy,normal)"),
    )
    what.add_argument(
        "--factions",
        metavar=tr("LIST"),
        help=tr('two for each seat, like "Kaiju+Time Travelers, random" (default: random)'),
    )
    what.add_argument(
        "--games",
        type=int,
        default=GAMES,
        metavar=tr("N"),
        help=tr("games of each table of bots (default {default})", default=GAMES),
    )
    add_table(what)
    _add_work(tournament, "tournament")


def _add_work(parser: Parser, name: str) -> None:
    how = parser.add_argument_group(tr("how, and where it is kept"))
    folder = f"{FOLDER}/{name}"
    how.add_argument(
        "--folder",
        default=folder,
        metavar=tr("FOLDER"),
        help=tr("where the games are kept (default {default})", default=folder),
    )
    how.add_argument(
        "--resume",
        action="store_true",
        help=tr("go on with what is in the folder, also with more games"),
    )
    how.add_argument(
        "--chunk",
        type=int,
        metavar=tr("N"),
        help=tr("games in each file, and in each errand of a worker (default: by the bot)"),
    )
    add_processes(how)
    how.add_argument(
        "--ray",
        metavar=tr("ADDRESS"),
        help=tr("play on a Ray cluster: its address, auto, or local for one of its own"),
    )


def _add_report(report: Parser) -> None:
    report.add_argument("folder", metavar=tr("FOLDER"), help=tr("the games to look at"))
    report.add_argument(
        "--html",
        metavar=tr("FILE"),
        help=tr("where to write the page (default: report.html in the folder)"),
    )
    report.add_argument("--open", action="store_true", help=tr("show it in the browser"))
    report.add_argument("--json", action="store_true", help=tr("print plain data"))
