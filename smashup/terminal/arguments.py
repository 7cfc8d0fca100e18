"""The command line: subcommands, options, and help that teaches."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from smashup import __version__
from smashup.engine.catalogue import PRINTINGS
from smashup.engine.editions import DEFAULT_EDITION, EDITIONS
from smashup.terminal.words import say

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]

WRONG = 2
"""Exit code for a command line that cannot be obeyed."""

ABOUT = """\
Smash Up: shuffle two factions into one deck, play minions and actions onto
bases, and score a base when the power there reaches its breakpoint. The first
with 15 victory points wins. The program knows the rules and offers you exactly
what you may do."""

PLAY_EXAMPLES = (
    ("play", "you against a random player"),
    (
        'play --players 3 --factions "Time Travelers+Kaiju"',
        "your two factions, random ones for the others",
    ),
    ("play --seats human,human --names Ana,Bo", "two people at one screen"),
    ("play --factions draft", "take turns choosing factions"),
    ("play --resume", "go on with the game you left"),
    ("play --watch", "random players play, you watch"),
)

EXAMPLES = (
    ("play", "you against a random player"),
    ("play --help", "all you can set: players, factions, rules"),
    ("play --resume", "go on with the game you left"),
    ("cards", "the sets and factions"),
    ('cards "Time Travelers"', "the cards of a faction"),
    ("cards jumper", "one card, by any part of its name"),
    ("scenario FILE...", "run scenario files"),
)

KEYS = """\
at the prompt:
  1, 2, 3 ...  choose that option        b  the board     c NAME  show a card
  Enter        the options again         d  the discards  l       the whole log
  e            end, pass or none         u  undo          s       save
  ?            help                      q  save and quit (also Ctrl-D, Ctrl-C)"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:].rstrip(".")
        print(f"{sentence}. " + say("See {prog} --help.", prog=self.prog), file=sys.stderr)
        sys.exit(WRONG)


def parser(prog: str) -> Parser:
    """The whole command line."""
    top = Parser(
        prog=prog,
        description=say(ABOUT),
        epilog=_examples(prog, EXAMPLES) + "\n\n" + say(KEYS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"smashup {__version__}",
        help=say("show the version and exit"),
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    _add_play(commands, prog)
    _add_cards(commands)
    _add_scenario(commands)
    _add_check(commands)
    return top


def _add_play(commands: Commands, prog: str) -> None:
    play = commands.add_parser(
        "play",
        help=say("play a game here"),
        description=say(ABOUT),
        epilog=_play_epilog(prog),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    who = play.add_argument_group(say("who plays"))
    who.add_argument("--players", type=int, metavar="N", help=say("2 to 4 (default 2)"))
    who.add_argument(
        "--seats",
        metavar="LIST",
        help=say("human or random for each player, like human,random (default: you, then random)"),
    )
    who.add_argument("--names", metavar="LIST", help=say("what the players are called: Ana,Bo"))
    who.add_argument("--first", metavar="WHO", help=say("number or name of who goes first"))
    who.add_argument("--watch", action="store_true", help=say("random players only; watch the log"))
    what = play.add_argument_group(say("what is played"))
    what.add_argument(
        "--factions",
        metavar="LIST",
        help=say('two for each player, like "Kaiju+Time Travelers, random"; or draft'),
    )
    what.add_argument("--edition", metavar="KEY", help=say("the rulebook to play by, see below"))
    what.add_argument(
        "--printing", metavar="WHICH", help=say("cards as printed (default) or as in current boxes")
    )
    what.add_argument(
        "--optional-titans", action="store_true", help=say("with the titans of the event kit")
    )
    what.add_argument("--madness", action="store_true", help=say("with the Madness deck"))
    what.add_argument("--seed", type=int, metavar="N", help=say("the same seed deals the same"))
    _add_faction_file(what)
    keep = play.add_argument_group(say("keeping the game"))
    keep.add_argument(
        "--save", metavar="PATH", help=say("where to save (default: the last-game file)")
    )
    keep.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="PATH",
        help=say("go on with a saved game (default: the last one)"),
    )
    keep.add_argument("--fast", action="store_true", help=say("no pauses"))


def _play_epilog(prog: str) -> str:
    lines = [say("editions:")]
    for edition in EDITIONS.values():
        default = say(" (default)") if edition is DEFAULT_EDITION else ""
        lines.append(f"  {edition.key:<4} {edition.title}, {edition.year}{default}")
    return "\n".join(lines) + "\n\n" + _examples(prog, PLAY_EXAMPLES) + "\n\n" + say(KEYS)


def _examples(prog: str, examples: tuple[tuple[str, str], ...]) -> str:
    """What to type, each under what it does."""
    lines = [say("examples:")]
    for words, meaning in examples:
        lines.append(f"  # {say(meaning)}")
        lines.append(f"  {prog} {words}")
    return "\n".join(lines)


def _add_cards(commands: Commands) -> None:
    cards = commands.add_parser(
        "cards",
        help=say("look at sets, factions and cards"),
        description=say(
            "Shows a set, a faction or a card; without a name, the list of sets and factions."
            " Names may be French or incomplete; case, accents and punctuation do not matter."
        ),
        allow_abbrev=False,
    )
    cards.add_argument("name", nargs="*", help=say("a set, a faction or a card"))
    cards.add_argument(
        "--printing",
        choices=PRINTINGS,
        default="",
        help=say("show this printing only (default: both where they differ)"),
    )
    _add_faction_file(cards)


def _add_scenario(commands: Commands) -> None:
    scenario = commands.add_parser(
        "scenario",
        help=say("run scenario files"),
        description=say(
            "Sets up the table of each file, plays it, and tells whether what must happen happens."
        ),
        allow_abbrev=False,
    )
    scenario.add_argument("files", nargs="+", metavar="FILE")
    scenario.add_argument("--verbose", action="store_true", help=say("show the log as well"))


def _add_faction_file(parser: Any) -> None:
    parser.add_argument(
        "--faction-file",
        action="append",
        default=[],
        metavar="FILE",
        help=say("a Python file with a faction of your own (may be given several times)"),
    )


def _add_check(commands: Commands) -> None:
    check = commands.add_parser(
        "check-faction",
        help=say("check a faction of your own"),
        description=say(
            "Looks whether a faction file can be played: 20 cards, texts, every ability reached,"
            " random games of every sort that survive, and copies and views that hold."
        ),
        allow_abbrev=False,
    )
    check.add_argument("file", metavar="FILE")
    check.add_argument("--games", type=int, default=60, metavar="N", help=say("random games"))
    check.add_argument("--seed", type=int, default=1, metavar="N", help=say("where to begin"))
