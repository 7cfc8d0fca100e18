"""Subcommands, options and help of `smashup lab`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.terminal.cli.options import (
    RawHelpFormatter,
    add_processes_option,
    add_table_options,
    format_examples,
)
from smashup.terminal.translation import gettext_noop, tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Parser, Subparsers

FOLDER = "lab"
"""Default parent folder of studies."""
GAMES = 20
"""Default number of games of each pair or table."""

LAB = """\
Plays many games and analyzes their results, which are stored in a folder as
Parquet files. Ctrl-C keeps the finished games; the same command with --resume
continues. The same seed gives the same games with any number of processes."""

MATRIX = """\
Plays every pair of factions against random opponents and shows which pairs win,
how fast, and with how many bases. Every deal is played once with the pair in
each seat."""

TOURNAMENT = """\
Plays a round robin of bots and shows their ratings and win rates. Every deal is
played once in every rotation of the bots, and the factions stay with the seats."""

REPORT = """\
Shows the results of a folder of games, and writes them as a self-contained HTML
page: heat map of pairs, tier list, ratings, lengths of games, VP by turn."""

COMPARE = """\
Shows how much the strength of each faction (or the rating of each bot) differs
between two studies, with 95% intervals."""

EXPORT = """\
Writes one row per game and seat, with the columns described in docs/lab.md. The
folder games in a study has the same rows as Parquet files."""

EXAMPLES = (
    ("lab matrix --bot quick --games 100", gettext_noop("a first look, in a few minutes")),
    ("lab matrix --folder study --games 400", gettext_noop("a full study, in a few days")),
    ("lab matrix --folder study --games 400 --resume", gettext_noop("continue it")),
    ("lab matrix --folder study --games 400 --ray auto", gettext_noop("the same on a Ray cluster")),
    ("lab tournament --bots random,easy,normal", gettext_noop("which bot plays better")),
    ("lab report study", gettext_noop("show the results")),
    ("lab compare study other-study", gettext_noop("what changed between two studies")),
    ("lab export study", gettext_noop("the games as CSV")),
)


def add_lab(commands: Subparsers, prog: str) -> tuple[list[Parser], list[Parser]]:
    """Add the subcommand; return the parsers of the studies and those of their results."""
    lab = commands.add_parser(
        "lab",
        help=tr("play many games and see which factions and bots win"),
        description=tr(LAB),
        epilog=format_examples(prog, EXAMPLES),
        formatter_class=RawHelpFormatter,
    )
    parts = lab.add_subparsers(dest="part", metavar=tr("COMMAND"), required=True)
    matrix = parts.add_parser(
        "matrix",
        help=tr("play every pair of factions against random opponents"),
        description=tr(MATRIX),
        formatter_class=RawHelpFormatter,
    )
    _add_matrix(matrix)
    tournament = parts.add_parser(
        "tournament",
        help=tr("play every bot against every other"),
        description=tr(TOURNAMENT),
        formatter_class=RawHelpFormatter,
    )
    _add_tournament(tournament)
    report = parts.add_parser(
        "report",
        help=tr("show the results of the games"),
        description=tr(REPORT),
        formatter_class=RawHelpFormatter,
    )
    _add_report(report)
    compare = parts.add_parser(
        "compare",
        help=tr("compare the results of two studies"),
        description=tr(COMPARE),
        formatter_class=RawHelpFormatter,
    )
    compare.add_argument("first", metavar=tr("FOLDER"), help=tr("folder of the first study"))
    compare.add_argument("second", metavar=tr("FOLDER"), help=tr("folder of the other study"))
    compare.add_argument("--json", action="store_true", help=tr("print plain data"))
    export = parts.add_parser(
        "export",
        help=tr("write the games to a CSV file"),
        description=tr(EXPORT),
        formatter_class=RawHelpFormatter,
    )
    export.add_argument("folder", metavar=tr("FOLDER"), help=tr("folder of the games"))
    export.add_argument(
        "--csv",
        metavar=tr("FILE"),
        help=tr("where to write them (default: games.csv in the folder)"),
    )
    return [matrix, tournament], [report, compare, export]


def _add_matrix(matrix: Parser) -> None:
    what = matrix.add_argument_group(tr("what is played"))
    what.add_argument(
        "--bot",
        default="normal",
        metavar=tr("NAME"),
        help=tr("the bot in all seats: quick, or any bot of duel (default normal)"),
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
    add_table_options(what)
    _add_work(matrix, "matrix")


def _add_tournament(tournament: Parser) -> None:
    what = tournament.add_argument_group(tr("what is played"))
    what.add_argument(
        "--bots",
        default="random,easy,normal",
        metavar=tr("LIST"),
        help=tr("the bots that take part: quick, or any bots of duel (default random,easy,normal)"),
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
    add_table_options(what)
    _add_work(tournament, "tournament")


def _add_work(parser: Parser, name: str) -> None:
    how = parser.add_argument_group(tr("execution and storage"))
    folder = f"{FOLDER}/{name}"
    how.add_argument(
        "--folder",
        default=folder,
        metavar=tr("FOLDER"),
        help=tr("folder for the games (default {default})", default=folder),
    )
    how.add_argument(
        "--resume",
        action="store_true",
        help=tr("continue the study in the folder, also with more games"),
    )
    how.add_argument(
        "--chunk",
        type=int,
        metavar=tr("N"),
        help=tr("games per file and per task of a worker (default: depends on the bot)"),
    )
    add_processes_option(how)
    how.add_argument(
        "--ray",
        metavar=tr("ADDRESS"),
        help=tr("play on a Ray cluster: its address, auto, or local for a new one"),
    )


def _add_report(report: Parser) -> None:
    report.add_argument("folder", metavar=tr("FOLDER"), help=tr("folder of the games"))
    report.add_argument(
        "--html",
        metavar=tr("FILE"),
        help=tr("where to write the page (default: report.html in the folder)"),
    )
    report.add_argument("--open", action="store_true", help=tr("open the page in the browser"))
    report.add_argument("--json", action="store_true", help=tr("print plain data"))
