"""Options of `smashup play`."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from smashup.bots.levels import LEVELS
from smashup.engine.model.editions import DEFAULT_EDITION, EDITIONS
from smashup.terminal.cli.options import (
    RawHelpFormatter,
    add_bot_file_option,
    add_faction_file_option,
    add_language_option,
    format_examples,
)
from smashup.terminal.game.seats import DEFAULT_OPPONENT
from smashup.terminal.translation import gettext_noop, tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Subparsers

ABOUT = """\
Smash Up: shuffle two factions into one deck, play minions and actions onto
bases, and score a base when the power there reaches its breakpoint. The first
with 15 victory points wins. The program knows the rules and offers you exactly
what you may do."""

EXAMPLES = (
    ("play", gettext_noop("you against a bot of normal strength")),
    (
        'play --players 3 --factions "Time Travelers+Kaiju"',
        gettext_noop("your two factions, random ones for the others"),
    ),
    (
        "play --seats human,hard,easy:Bo",
        gettext_noop("you against two bots, a strong and a weak one"),
    ),
    ("play --seats human,human --names Ana,Bo", gettext_noop("two people at one screen")),
    ("play --factions draft", gettext_noop("take turns choosing factions")),
    ("play --resume", gettext_noop("resume the last game")),
    ("play --watch", gettext_noop("bots play, you watch")),
)

KEYS = """\
at the prompt:
  1, 2, 3 ...  choose that option        b  the board     c NAME  show a card
  1 3, 2-4     choose several            d  the discards  l       the whole log
  e            end, pass or none         u  undo          s       save
  Enter        back to the decision      h  a hint        ?       help
  q            save and quit (also Ctrl-D, Ctrl-C)"""


def add_play(commands: Subparsers, prog: str) -> None:
    """Add the subcommand and its options."""
    play = commands.add_parser(
        "play",
        help=tr("play a game in the terminal"),
        description=tr(ABOUT),
        epilog=_epilog(prog),
        formatter_class=RawHelpFormatter,
    )
    who = play.add_argument_group(tr("who plays"))
    who.add_argument("--players", type=int, metavar=tr("N"), help=tr("2 to 4 (default 2)"))
    who.add_argument(
        "--seats",
        metavar=tr("LIST"),
        help=tr(
            "for each player human, random or a bot, see below, like human,hard"
            " (default: you, then normal)"
        ),
    )
    who.add_argument("--names", metavar=tr("LIST"), help=tr("names of the players: Ana,Bo"))
    who.add_argument("--first", metavar=tr("WHO"), help=tr("number or name of the first player"))
    who.add_argument(
        "--watch", action="store_true", help=tr("only bots play, and you watch the log")
    )
    what = play.add_argument_group(tr("what is played"))
    what.add_argument(
        "--factions",
        metavar=tr("LIST"),
        help=tr('two for each player, like "Kaiju+Time Travelers, random"; or draft'),
    )
    what.add_argument("--edition", metavar=tr("KEY"), help=tr("the rulebook to play by, see below"))
    what.add_argument(
        "--printing",
        metavar=tr("WHICH"),
        help=tr("cards as printed (default) or as in current boxes"),
    )
    what.add_argument(
        "--optional-titans",
        action="store_true",
        help=tr("use the optional titans of the event kit"),
    )
    what.add_argument("--madness", action="store_true", help=tr("use the Madness deck"))
    what.add_argument(
        "--seed", type=int, metavar=tr("N"), help=tr("the same seed gives the same deal")
    )
    add_faction_file_option(what)
    add_bot_file_option(what)
    keep = play.add_argument_group(tr("saving"))
    keep.add_argument(
        "--save", metavar=tr("PATH"), help=tr("where to save (default: the last-game file)")
    )
    keep.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar=tr("PATH"),
        help=tr("resume a saved game (default: the last one)"),
    )
    keep.add_argument("--fast", action="store_true", help=tr("no pauses"))
    keep.add_argument(
        "--no-eval", action="store_true", help=tr("hide the win chances below the board")
    )
    add_language_option(play)


def _epilog(prog: str) -> str:
    lines = [tr("bots:")]
    for level in LEVELS:
        default = tr(" (default)") if level.name == DEFAULT_OPPONENT else ""
        text = f"{level.name:<7} {tr(level.description)}{default}"
        indent = " " * 10
        lines += textwrap.wrap(text, 79, initial_indent="  ", subsequent_indent=indent)
    lines += ["", tr("editions:")]
    for edition in EDITIONS.values():
        default = tr(" (default)") if edition is DEFAULT_EDITION else ""
        lines.append(f"  {edition.key:<4} {tr(edition.title)}, {edition.year}{default}")
    return "\n".join(lines) + "\n\n" + format_examples(prog, EXAMPLES) + "\n\n" + tr(KEYS)
