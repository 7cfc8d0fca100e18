"""The command line: subcommands, options, and help that teaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.bots.ladder import LEVELS
from smashup.engine.model.catalogue import PRINTINGS
from smashup.terminal.duel_arguments import add_duel
from smashup.terminal.forgetting import add_forget
from smashup.terminal.hint import ADVISER
from smashup.terminal.lab_arguments import add_lab
from smashup.terminal.parsing import (
    Help,
    LaidOutHelp,
    Parser,
    add_faction_file,
    add_language,
    examples,
)
from smashup.terminal.play_arguments import ABOUT, KEYS, add_play
from smashup.terminal.reporting import add_reports
from smashup.terminal.serving import add_serve
from smashup.terminal.translation import gettext_noop, tr
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.terminal.parsing import Commands

EXAMPLES = (
    ("play", gettext_noop("you against a bot of normal strength")),
    ("play --help", gettext_noop("all you can set: players, factions, rules")),
    ("play --resume", gettext_noop("go on with the game you left")),
    ("hint FILE", gettext_noop("what a bot thinks of a saved game")),
    ("cards", gettext_noop("the sets and factions")),
    ('cards "Time Travelers"', gettext_noop("the cards of a faction")),
    ("cards jumper", gettext_noop("one card, by any part of its name")),
    ("duel greedy random", gettext_noop("let two bots play each other")),
    ("lab --help", gettext_noop("which factions win, by playing many games")),
    ("serve", gettext_noop("let people play over the network")),
    ("scenario FILE...", gettext_noop("run scenario files")),
)


def parser(prog: str) -> Parser:
    """The whole command line."""
    top = Parser(
        prog=prog,
        description=tr(ABOUT),
        epilog=examples(prog, EXAMPLES) + "\n\n" + tr(KEYS),
        formatter_class=LaidOutHelp,
        allow_abbrev=False,
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"smashup {__version__}",
        help=tr("show the version and exit"),
    )
    add_language(top)
    commands = top.add_subparsers(dest="command", metavar=tr("COMMAND"), parser_class=Parser)
    add_play(commands, prog)
    _add_hint(commands)
    _add_cards(commands)
    _add_scenario(commands)
    _add_check(commands)
    add_duel(commands, prog)
    _add_lab(commands, prog)
    _add_serve(commands)
    add_language(add_reports(commands, Help))
    add_language(add_forget(commands, Help))
    return top


def _add_hint(commands: Commands) -> None:
    hint = commands.add_parser(
        "hint",
        help=tr("what a bot thinks of a saved game"),
        description=tr(
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
        metavar=tr("FILE"),
        help=tr("the saved game (default: the last one)"),
    )
    hint.add_argument(
        "--bot",
        default=ADVISER,
        metavar=tr("NAME"),
        help=tr(
            "who thinks: {levels}, random, or mcts:300it and the like (default {default})",
            levels=", ".join(level.name for level in LEVELS),
            default=ADVISER,
        ),
    )
    budget = hint.add_mutually_exclusive_group()
    budget.add_argument("--seconds", type=float, metavar=tr("S"), help=tr("think so long"))
    budget.add_argument("--iterations", type=int, metavar=tr("N"), help=tr("imagine so many games"))
    hint.add_argument("--json", action="store_true", help=tr("print plain data"))
    add_faction_file(hint)
    add_language(hint)


def _add_cards(commands: Commands) -> None:
    cards = commands.add_parser(
        "cards",
        help=tr("look at sets, factions and cards"),
        description=tr(
            "Shows a set, a faction or a card; without a name, the list of sets and factions."
            " Names may be French or incomplete; case, accents and punctuation do not matter."
        ),
        formatter_class=Help,
        allow_abbrev=False,
    )
    cards.add_argument("name", nargs="*", help=tr("a set, a faction or a card"))
    cards.add_argument(
        "--printing",
        choices=PRINTINGS,
        default="",
        help=tr("show this printing only (default: both where they differ)"),
    )
    add_faction_file(cards)
    add_language(cards)


def _add_scenario(commands: Commands) -> None:
    scenario = commands.add_parser(
        "scenario",
        help=tr("run scenario files"),
        description=tr(
            "Sets up the table of each file, plays it, and tells whether what must happen happens."
        ),
        formatter_class=Help,
        allow_abbrev=False,
    )
    scenario.add_argument("files", nargs="+", metavar=tr("FILE"))
    scenario.add_argument("--verbose", action="store_true", help=tr("show the log as well"))
    add_faction_file(scenario)
    add_language(scenario)


def _add_check(commands: Commands) -> None:
    check = commands.add_parser(
        "check-faction",
        help=tr("check a faction of your own"),
        description=tr(
            "Looks whether a faction file can be played: 20 cards, texts, every ability reached,"
            " random games of every sort that survive, and copies and views that hold."
        ),
        formatter_class=Help,
        allow_abbrev=False,
    )
    check.add_argument("file", metavar=tr("FILE"))
    check.add_argument("--games", type=int, default=60, metavar=tr("N"), help=tr("random games"))
    check.add_argument("--seed", type=int, default=1, metavar=tr("N"), help=tr("where to begin"))
    add_language(check)


def _add_lab(commands: Commands, prog: str) -> None:
    studies, report = add_lab(commands, prog, LaidOutHelp)
    for study in studies:
        add_faction_file(study)
        add_language(study)
    add_language(report)


def _add_serve(commands: Commands) -> None:
    serve = add_serve(commands, Help)
    add_faction_file(serve)
    add_language(serve)
