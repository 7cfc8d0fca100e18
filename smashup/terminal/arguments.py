"""The command line: subcommands, options, and help that teaches."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from smashup import __version__
from smashup.bots.ladder import LEVELS
from smashup.engine.catalogue import PRINTINGS
from smashup.engine.editions import DEFAULT_EDITION, EDITIONS
from smashup.locale import LANGUAGES
from smashup.terminal.forgetting import add_forget
from smashup.terminal.hint import ADVISER
from smashup.terminal.lab_arguments import add_lab
from smashup.terminal.reporting import add_reports
from smashup.terminal.seats import OPPONENT
from smashup.terminal.serving import add_serve
from smashup.terminal.words import phrase, say

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]

WRONG = 2
"""Exit code for a command line that cannot be obeyed."""
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

ABOUT = """\
Smash Up: shuffle two factions into one deck, play minions and actions onto
bases, and score a base when the power there reaches its breakpoint. The first
with 15 victory points wins. The program knows the rules and offers you exactly
what you may do."""

DUEL = """\
Bot A plays bot B; with more than two players B has all the other seats. Every
deal is played once with A in each seat, and the factions stay with the seats, so
both sides get the same luck. Told are A's win rate and mean rank with their 95%
intervals. To end early a wider interval is asked, that of 99%, since it is looked
at again and again (after at least 20 games, and an even number of deals).

Bots that think by the clock need a core each: leave --processes as it is."""

PLAY_EXAMPLES = (
    ("play", phrase("you against a bot of normal strength")),
    (
        'play --players 3 --factions "Time Travelers+Kaiju"',
        phrase("your two factions, random ones for the others"),
    ),
    ("play --seats human,hard,easy:Bo", phrase("you against two bots, a strong and a weak one")),
    ("play --seats human,human --names Ana,Bo", phrase("two people at one screen")),
    ("play --factions draft", phrase("take turns choosing factions")),
    ("play --resume", phrase("go on with the game you left")),
    ("play --watch", phrase("bots play, you watch")),
)

EXAMPLES = (
    ("play", phrase("you against a bot of normal strength")),
    ("play --help", phrase("all you can set: players, factions, rules")),
    ("play --resume", phrase("go on with the game you left")),
    ("hint FILE", phrase("what a bot thinks of a saved game")),
    ("cards", phrase("the sets and factions")),
    ('cards "Time Travelers"', phrase("the cards of a faction")),
    ("cards jumper", phrase("one card, by any part of its name")),
    ("duel greedy random", phrase("let two bots play each other")),
    ("lab --help", phrase("which factions win, by playing many games")),
    ("serve", phrase("let people play over the network")),
    ("scenario FILE...", phrase("run scenario files")),
)

DUEL_EXAMPLES = (
    ("duel greedy random", phrase("who wins more of 100 games")),
    (
        "duel hard easy --until-above 0.6 --keep hard.jsonl",
        phrase("whether hard wins more than 60%; the results are kept"),
    ),
    (
        "duel expert hard --players 4 --until-best",
        phrase("one expert among three of the level hard"),
    ),
)

KEYS = """\
at the prompt:
  1, 2, 3 ...  choose that option        b  the board     c NAME  show a card
  Enter        the options again         d  the discards  l       the whole log
  e            end, pass or none         u  undo          s       save
  ?            help                      h  a hint
  q            save and quit (also Ctrl-D, Ctrl-C)"""


class Help(argparse.HelpFormatter):
    """Headings end with a colon as the language in use writes it."""

    def start_section(self, heading: str | None) -> None:
        space = say(": ").partition(":")[0]
        super().start_section(heading and heading + space)


class LaidOutHelp(Help, argparse.RawDescriptionHelpFormatter):
    """Help whose description has its own line breaks."""


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
        formatter_class=LaidOutHelp,
        allow_abbrev=False,
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"smashup {__version__}",
        help=say("show the version and exit"),
    )
    _add_language(top)
    commands = top.add_subparsers(dest="command", metavar=say("COMMAND"), parser_class=Parser)
    _add_play(commands, prog)
    _add_hint(commands)
    _add_cards(commands)
    _add_scenario(commands)
    _add_check(commands)
    _add_duel(commands, prog)
    _add_lab(commands, prog)
    _add_serve(commands)
    _add_language(add_reports(commands, Help))
    _add_language(add_forget(commands, Help))
    return top


def _add_play(commands: Commands, prog: str) -> None:
    play = commands.add_parser(
        "play",
        help=say("play a game here"),
        description=say(ABOUT),
        epilog=_play_epilog(prog),
        formatter_class=LaidOutHelp,
        allow_abbrev=False,
    )
    who = play.add_argument_group(say("who plays"))
    who.add_argument("--players", type=int, metavar=say("N"), help=say("2 to 4 (default 2)"))
    who.add_argument(
        "--seats",
        metavar=say("LIST"),
        help=say(
            "for each player human, random or a bot, see below, like human,hard"
            " (default: you, then normal)"
        ),
    )
    who.add_argument(
        "--names", metavar=say("LIST"), help=say("what the players are called: Ana,Bo")
    )
    who.add_argument("--first", metavar=say("WHO"), help=say("number or name of who goes first"))
    who.add_argument("--watch", action="store_true", help=say("bots only; watch the log"))
    what = play.add_argument_group(say("what is played"))
    what.add_argument(
        "--factions",
        metavar=say("LIST"),
        help=say('two for each player, like "Kaiju+Time Travelers, random"; or draft'),
    )
    what.add_argument(
        "--edition", metavar=say("KEY"), help=say("the rulebook to play by, see below")
    )
    what.add_argument(
        "--printing",
        metavar=say("WHICH"),
        help=say("cards as printed (default) or as in current boxes"),
    )
    what.add_argument(
        "--optional-titans", action="store_true", help=say("with the titans of the event kit")
    )
    what.add_argument("--madness", action="store_true", help=say("with the Madness deck"))
    what.add_argument(
        "--seed", type=int, metavar=say("N"), help=say("the same seed deals the same")
    )
    _add_faction_file(what)
    keep = play.add_argument_group(say("keeping the game"))
    keep.add_argument(
        "--save", metavar=say("PATH"), help=say("where to save (default: the last-game file)")
    )
    keep.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar=say("PATH"),
        help=say("go on with a saved game (default: the last one)"),
    )
    keep.add_argument("--fast", action="store_true", help=say("no pauses"))
    keep.add_argument(
        "--no-eval", action="store_true", help=say("show no chances to win under the board")
    )
    _add_language(play)


def _play_epilog(prog: str) -> str:
    lines = [say("bots:")]
    for level in LEVELS:
        default = say(" (default)") if level.name == OPPONENT else ""
        text = f"{level.name:<7} {say(level.about)}{default}"
        indent = " " * 10
        lines += textwrap.wrap(text, 79, initial_indent="  ", subsequent_indent=indent)
    lines += ["", say("editions:")]
    for edition in EDITIONS.values():
        default = say(" (default)") if edition is DEFAULT_EDITION else ""
        lines.append(f"  {edition.key:<4} {say(edition.title)}, {edition.year}{default}")
    return "\n".join(lines) + "\n\n" + _examples(prog, PLAY_EXAMPLES) + "\n\n" + say(KEYS)


def _examples(prog: str, examples: tuple[tuple[str, str], ...]) -> str:
    """What to type, each under what it does."""
    lines = [say("examples:")]
    for words, meaning in examples:
        lines.append(f"  # {say(meaning)}")
        lines.append(f"  {prog} {words}")
    return "\n".join(lines)


def _add_hint(commands: Commands) -> None:
    hint = commands.add_parser(
        "hint",
        help=say("what a bot thinks of a saved game"),
        description=say(
            "Opens a saved game and tells whose decision it is, what a bot thinks of the options,"
            " and how the chances went so far. Nothing is shown that the player who decides may"
            " not know, and the game stays as it is."
        ),
        formatter_class=Help,
        allow_abbrev=False,
    )
    hint.add_argument(
        "file",
        nargs="?",
        default="",
        metavar=say("FILE"),
        help=say("the saved game (default: the last one)"),
    )
    hint.add_argument(
        "--bot",
        default=ADVISER,
        metavar=say("NAME"),
        help=say(
            "who thinks: {levels}, random, or mcts:300it and the like (default {default})",
            levels=", ".join(level.name for level in LEVELS),
            default=ADVISER,
        ),
    )
    budget = hint.add_mutually_exclusive_group()
    budget.add_argument("--seconds", type=float, metavar=say("S"), help=say("think so long"))
    budget.add_argument(
        "--iterations", type=int, metavar=say("N"), help=say("imagine so many games")
    )
    hint.add_argument("--json", action="store_true", help=say("print plain data"))
    _add_faction_file(hint)
    _add_language(hint)


def _add_cards(commands: Commands) -> None:
    cards = commands.add_parser(
        "cards",
        help=say("look at sets, factions and cards"),
        description=say(
            "Shows a set, a faction or a card; without a name, the list of sets and factions."
            " Names may be French or incomplete; case, accents and punctuation do not matter."
        ),
        formatter_class=Help,
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
    _add_language(cards)


def _add_scenario(commands: Commands) -> None:
    scenario = commands.add_parser(
        "scenario",
        help=say("run scenario files"),
        description=say(
            "Sets up the table of each file, plays it, and tells whether what must happen happens."
        ),
        formatter_class=Help,
        allow_abbrev=False,
    )
    scenario.add_argument("files", nargs="+", metavar=say("FILE"))
    scenario.add_argument("--verbose", action="store_true", help=say("show the log as well"))
    _add_language(scenario)


def _add_faction_file(parser: Any) -> None:
    parser.add_argument(
        "--faction-file",
        action="append",
        default=[],
        metavar=say("FILE"),
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
        formatter_class=Help,
        allow_abbrev=False,
    )
    check.add_argument("file", metavar=say("FILE"))
    check.add_argument("--games", type=int, default=60, metavar=say("N"), help=say("random games"))
    check.add_argument("--seed", type=int, default=1, metavar=say("N"), help=say("where to begin"))
    _add_language(check)


def _add_duel(commands: Commands, prog: str) -> None:
    duel = commands.add_parser(
        "duel",
        help=say("let two bots play each other"),
        description=say(DUEL),
        epilog=_examples(prog, DUEL_EXAMPLES),
        formatter_class=LaidOutHelp,
        allow_abbrev=False,
    )
    duel.add_argument(
        "a", metavar="A", help=say("a level, random, greedy, mcts:500ms or mcts:300it")
    )
    duel.add_argument("b", metavar="B", help=say("the bot in all the other seats"))
    what = duel.add_argument_group(say("what is played"))
    what.add_argument(
        "--players", type=int, default=2, metavar=say("N"), help=say("2 to 4 (default 2)")
    )
    what.add_argument(
        "--factions",
        metavar=say("LIST"),
        help=say('two for each seat, like "Kaiju+Time Travelers, random" (default: random)'),
    )
    what.add_argument("--edition", metavar=say("KEY"), help=say("the rulebook to play by"))
    what.add_argument(
        "--printing",
        metavar=say("WHICH"),
        help=say("cards as printed (default) or as in current boxes"),
    )
    what.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar=say("N"),
        help=say("the same seed deals the same (default 1)"),
    )
    _add_faction_file(what)
    how = duel.add_argument_group(say("how long, and what for"))
    how.add_argument(
        "--games",
        type=int,
        default=100,
        metavar=say("N"),
        help=say("so many games at most, rounded up to whole deals (default 100)"),
    )
    how.add_argument(
        "--until-above",
        type=float,
        metavar=say("RATE"),
        help=say("end early once it is known whether A wins more than this, like 0.75"),
    )
    how.add_argument(
        "--until-best",
        action="store_true",
        help=say("end early once it is known whether A's mean rank is better than that of equals"),
    )
    how.add_argument(
        "--processes",
        type=int,
        metavar=say("N"),
        help=say("games played at once (default: one for each core)"),
    )
    how.add_argument(
        "--keep",
        metavar=say("FILE"),
        help=say("write every result there; the same command later goes on from there"),
    )
    how.add_argument("--json", action="store_true", help=say("the summary as JSON"))
    _add_language(duel)


def _add_lab(commands: Commands, prog: str) -> None:
    studies, report = add_lab(commands, prog, LaidOutHelp)
    for study in studies:
        _add_faction_file(study)
        _add_language(study)
    _add_language(report)


def _add_serve(commands: Commands) -> None:
    serve = add_serve(commands, Help)
    _add_faction_file(serve)
    _add_language(serve)


def _add_language(parser: Any) -> None:
    """The option is there for the help; `language` reads it beforehand."""
    parser.add_argument(
        "--lang",
        metavar=say("CODE"),
        default=argparse.SUPPRESS,
        help=say("the language: {known} (default: that of the system)", known=", ".join(LANGUAGES)),
    )


def language(words: Sequence[str]) -> str:
    """The language asked for on a command line, if any: it must be known before the help is."""
    for word, following in pairwise([*words, ""]):
        if word == "--":
            break
        if word == "--lang":
            return following
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return ""
