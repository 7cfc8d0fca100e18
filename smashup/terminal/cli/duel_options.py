"""Options of `smashup duel`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.terminal.cli.options import (
    RawHelpFormatter,
    add_bot_file_option,
    add_faction_file_option,
    add_language_option,
    add_processes_option,
    add_table_options,
    format_examples,
)
from smashup.terminal.translation import gettext_noop, tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Subparsers

DUEL = """\
Bot A plays bot B; with more than two players B takes all other seats. Every deal
is played once with A in each seat, and the factions stay with the seats, so both
sides get the same luck. The result shows A's win rate and mean rank with 95%
intervals. Stopping early uses the 99% interval, because it is checked repeatedly
(after at least 20 games, and an even number of deals).

Bots with a time limit need a core each: leave --processes at its default."""

EXAMPLES = (
    ("duel greedy random", gettext_noop("who wins more of 100 games")),
    (
        "duel hard easy --until-above 0.6 --keep hard.jsonl",
        gettext_noop("whether hard wins more than 60%; saves the results"),
    ),
    (
        "duel expert hard --players 4 --until-best",
        gettext_noop("one expert among three of the level hard"),
    ),
)


def add_duel(commands: Subparsers, prog: str) -> None:
    """Add the subcommand and its options."""
    duel = commands.add_parser(
        "duel",
        help=tr("let two bots play each other"),
        description=tr(DUEL),
        epilog=format_examples(prog, EXAMPLES),
        formatter_class=RawHelpFormatter,
    )
    duel.add_argument(
        "a",
        metavar="A",
        help=tr("a level, random, greedy, mcts:500ms, mcts:300it or my_bot.py:Big"),
    )
    duel.add_argument("b", metavar="B", help=tr("the bot in all the other seats"))
    what = duel.add_argument_group(tr("what is played"))
    what.add_argument(
        "--factions",
        metavar=tr("LIST"),
        help=tr('two for each seat, like "Kaiju+Time Travelers, random" (default: random)'),
    )
    add_table_options(what)
    add_faction_file_option(what)
    add_bot_file_option(what)
    how = duel.add_argument_group(tr("length and output"))
    how.add_argument(
        "--games",
        type=int,
        default=100,
        metavar=tr("N"),
        help=tr("maximum number of games, rounded up to whole deals (default 100)"),
    )
    how.add_argument(
        "--until-above",
        type=float,
        metavar=tr("RATE"),
        help=tr("stop once it is clear whether A wins more than this, like 0.75"),
    )
    how.add_argument(
        "--until-best",
        action="store_true",
        help=tr("stop once it is clear whether A's mean rank is better than that of an equal bot"),
    )
    add_processes_option(how)
    how.add_argument(
        "--keep",
        metavar=tr("FILE"),
        help=tr("save every result to this file; the same command continues from it"),
    )
    how.add_argument("--json", action="store_true", help=tr("the summary as JSON"))
    add_language_option(duel)
