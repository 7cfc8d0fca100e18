"""The parser of the `smashup` command with all subcommands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.bots.levels import LEVELS
from smashup.engine.model.catalogue import PRINTINGS
from smashup.terminal.cli.duel_options import add_duel
from smashup.terminal.cli.lab_options import add_lab
from smashup.terminal.cli.options import (
    Parser,
    RawHelpFormatter,
    add_bot_file_option,
    add_faction_file_option,
    add_language_option,
    format_examples,
)
from smashup.terminal.cli.play_options import ABOUT, KEYS, add_play
from smashup.terminal.commands.analyze import add_analyze
from smashup.terminal.commands.check_faction import add_check_faction
from smashup.terminal.commands.completion import add_completion
from smashup.terminal.commands.forget import add_forget
from smashup.terminal.commands.hint import DEFAULT_ADVISER
from smashup.terminal.commands.new_faction import add_new_faction
from smashup.terminal.commands.preview import add_preview
from smashup.terminal.commands.puzzles import add_puzzles
from smashup.terminal.commands.reports import add_reports
from smashup.terminal.commands.serve import add_serve
from smashup.terminal.translation import gettext_noop, tr
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Subparsers

EXAMPLES = (
    ("play", gettext_noop("you against a bot of normal strength")),
    ("play --help", gettext_noop("all options: players, factions, rules")),
    ("play --resume", gettext_noop("resume the last game")),
    ("hint FILE", gettext_noop("a bot's advice for a saved game")),
    ("analyze FILE", gettext_noop("every decision of a saved game, judged by a search")),
    ("puzzles", gettext_noop("today's puzzle: find the one solution")),
    ("cards", gettext_noop("the sets and factions")),
    ('cards "Time Travelers"', gettext_noop("the cards of a faction")),
    ("cards jumper", gettext_noop("one card, by any part of its name")),
    ("cards --text destroy", gettext_noop("all cards with this word in their text")),
    ("duel greedy random", gettext_noop("let two bots play each other")),
    ("lab --help", gettext_noop("which factions win, by playing many games")),
    ("serve", gettext_noop("let people play over the network")),
    ("scenario FILE...", gettext_noop("run scenario files")),
)


def build_parser(prog: str) -> Parser:
    """Build the parser with all subcommands."""
    top = Parser(
        prog=prog,
        description=tr(ABOUT),
        epilog=format_examples(prog, EXAMPLES) + "\n\n" + tr(KEYS),
        formatter_class=RawHelpFormatter,
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"smashup {__version__}",
        help=tr("show the version and exit"),
    )
    add_language_option(top)
    commands = top.add_subparsers(dest="command", metavar=tr("COMMAND"), parser_class=Parser)
    add_play(commands, prog)
    _add_hint(commands)
    add_analyze(commands)
    add_puzzles(commands)
    _add_cards(commands)
    _add_scenario(commands)
    add_new_faction(commands)
    add_check_faction(commands)
    add_preview(commands)
    add_duel(commands, prog)
    _add_lab(commands, prog)
    _add_serve(commands)
    add_language_option(add_reports(commands))
    add_language_option(add_forget(commands))
    add_language_option(add_completion(commands))
    return top


def _add_hint(commands: Subparsers) -> None:
    hint = commands.add_parser(
        "hint",
        help=tr("a bot's advice for a saved game"),
        description=tr(
            "Opens a saved game and shows whose decision it is, how a bot rates the"
            " options, and the win chances so far. It shows only what the deciding"
            " player may know, and leaves the game unchanged."
        ),
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
        default=DEFAULT_ADVISER,
        metavar=tr("NAME"),
        help=tr(
            "the bot: {levels}, random, or one like mcts:300it (default {default})",
            levels=", ".join(level.name for level in LEVELS),
            default=DEFAULT_ADVISER,
        ),
    )
    budget = hint.add_mutually_exclusive_group()
    budget.add_argument(
        "--seconds", type=float, metavar=tr("S"), help=tr("thinking time in seconds")
    )
    budget.add_argument(
        "--iterations", type=int, metavar=tr("N"), help=tr("number of simulated games")
    )
    hint.add_argument("--json", action="store_true", help=tr("print plain data"))
    add_faction_file_option(hint)
    add_language_option(hint)


def _add_cards(commands: Subparsers) -> None:
    cards = commands.add_parser(
        "cards",
        help=tr("look at sets, factions and cards"),
        description=tr(
            "Shows a set, a faction or a card; without a name, the list of sets and factions."
            " Names may be French or incomplete; case, accents and punctuation do not matter."
        ),
    )
    cards.add_argument("name", nargs="*", help=tr("a set, a faction or a card"))
    cards.add_argument(
        "--printing",
        choices=PRINTINGS,
        default="",
        help=tr("show this printing only (default: both where they differ)"),
    )
    cards.add_argument(
        "--text",
        action="store_true",
        help=tr("search the texts too, and print each card with its text on one line"),
    )
    cards.add_argument("--json", action="store_true", help=tr("print plain data"))
    add_faction_file_option(cards)
    add_language_option(cards)


def _add_scenario(commands: Subparsers) -> None:
    scenario = commands.add_parser(
        "scenario",
        help=tr("run scenario files"),
        description=tr(
            "Plays the scenarios of each file and reports whether their expectations hold."
        ),
    )
    scenario.add_argument("files", nargs="+", metavar=tr("FILE"))
    scenario.add_argument("--verbose", action="store_true", help=tr("show the log as well"))
    add_faction_file_option(scenario)
    add_language_option(scenario)


def _add_lab(commands: Subparsers, prog: str) -> None:
    studies, others = add_lab(commands, prog)
    for study in studies:
        add_faction_file_option(study)
        add_bot_file_option(study)
    for parser in (*studies, *others):
        add_language_option(parser)


def _add_serve(commands: Subparsers) -> None:
    serve = add_serve(commands)
    add_faction_file_option(serve)
    add_bot_file_option(serve)
    add_language_option(serve)
