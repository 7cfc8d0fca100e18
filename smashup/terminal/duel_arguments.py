"""The command line of `smashup duel`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.terminal.parsing import (
    LaidOutHelp,
    add_faction_file,
    add_language,
    add_processes,
    add_table,
    examples,
)
from smashup.terminal.translation import gettext_noop, tr

if TYPE_CHECKING:
    from smashup.terminal.parsing import Commands

DUEL = """\
Bot A plays bot B; with more than two players B has all the other seats. Every
deal is played once with A in each seat, and the factions stay with the seats, so
both sides get the same luck. Told are A's win rate and mean rank with their 95%
intervals. To end early a wider interval is asked, that of 99%, since it is looked
at again and again (after at least 20 games, and an even number of deals).

Bots that think by the clock need a core each: leave --processes as it is."""

EXAMPLES = (
    ("duel greedy random", gettext_noop("who wins more of 100 games")),
    (
        "duel hard easy --until-above 0.6 --keep hard.jsonl",
        gettext_noop("whether hard wins more than 60%; the results are kept"),
    ),
    (
        "duel expert hard --players 4 --until-best",
        gettext_noop("one expert among three of the level hard"),
    ),
)


def add_duel(commands: Commands, prog: str) -> None:
    """The subcommand and its options."""
    duel = commands.add_parser(
        "duel",
        help=tr("let two bots play each other"),
        description=tr(DUEL),
        epilog=examples(prog, EXAMPLES),
        formatter_class=LaidOutHelp,
        allow_abbrev=False,
    )
    duel.add_argument(
        "a", metavar="A", help=tr("a level, random, greedy, mcts:500ms or mcts:300it")
    )
    duel.add_argument("b", metavar="B", help=tr("the bot in all the other seats"))
    what = duel.add_argument_group(tr("what is played"))
    what.add_argument(
        "--factions",
        metavar=tr("LIST"),
        help=tr('two for each seat, like "Kaiju+Time Travelers, random" (default: random)'),
    )
    add_table(what)
    add_faction_file(what)
    how = duel.add_argument_group(tr("how long, and what for"))
    how.add_argument(
        "--games",
        type=int,
        default=100,
        metavar=tr("N"),
        help=tr("so many games at most, rounded up to whole deals (default 100)"),
    )
    how.add_argument(
        "--until-above",
        type=float,
        metavar=tr("RATE"),
        help=tr("end early once it is known whether A wins more than this, like 0.75"),
    )
    how.add_argument(
        "--until-best",
        action="store_true",
        help=tr("end early once it is known whether A's mean rank is better than that of equals"),
    )
    add_processes(how)
    how.add_argument(
        "--keep",
        metavar=tr("FILE"),
        help=tr("write every result there; the same command later goes on from there"),
    )
    how.add_argument("--json", action="store_true", help=tr("the summary as JSON"))
    add_language(duel)
