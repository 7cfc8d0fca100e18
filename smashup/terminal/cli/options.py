"""Shared by all subcommands: help format, usage errors, common options."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any, NoReturn

from smashup.locale import LANGUAGES
from smashup.terminal.translation import printable, tr

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction["Parser"]

EXIT_USAGE_ERROR = 2
"""Exit code for an invalid command line."""
EXIT_BROKEN_PIPE = 141
"""Exit code after the reader of the output went away, as in shells."""
EXIT_INTERRUPTED = 130
"""Exit code after Ctrl-C, as in shells."""


class HelpFormatter(argparse.HelpFormatter):
    """Puts the space that French requires before the colon of a heading."""

    def start_section(self, heading: str | None) -> None:
        space = tr(": ").partition(":")[0]
        super().start_section(heading and heading + space)


class RawHelpFormatter(HelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Keeps the line breaks of descriptions."""


class Parser(argparse.ArgumentParser):
    """Reports a usage error with the usage of its own subcommand and the most similar name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": HelpFormatter, "allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:].rstrip(".?")
        end = "?" if message.endswith("?") else "."
        help_hint = tr("See {prog} --help.", prog=self.prog)
        print(f"{self.format_usage()}{sentence}{end} {help_hint}", file=sys.stderr)
        sys.exit(EXIT_USAGE_ERROR)

    # argparse reports unknown options at the top level, and only if nothing required is missing.
    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        words = list(sys.argv[1:] if args is None else args)
        for word in takewhile(lambda word: word not in ("--", *self._command_names()), words):
            option = word.partition("=")[0]
            if option.startswith("--") and option not in self._option_string_actions:
                known = list(self._option_string_actions)
                self.error(
                    tr("There is no option {option}.", option=printable(option))
                    + suggest(option, known)
                )
        parsed, rest = super().parse_known_args(words, namespace)
        if rest:
            self.error(tr("unrecognized arguments: %s") % printable(" ".join(rest)))
        return parsed, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            self.error(
                tr("There is no command “{name}”.", name=printable(value))
                + suggest(value, self._command_names())
            )
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            sentence = tr(
                "“{value}” is not one of {choices}.",
                value=printable(str(value)),
                choices=", ".join(choices),
            )
            raise argparse.ArgumentError(action, sentence + suggest(str(value), choices))

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            if action.type is int:
                problem = tr("“{value}” is not a whole number.", value=printable(arg_string))
            elif action.type is float:
                problem = tr("“{value}” is not a number.", value=printable(arg_string))
            else:
                raise
            raise argparse.ArgumentError(action, problem) from None

    def _command_names(self) -> list[str]:
        """The subcommands, or none."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                return list(action.choices)
        return []


def suggest(word: str, known: Sequence[str]) -> str:
    """A sentence with the names most similar to a mistyped one, or an empty string."""
    # Extensions of what was typed come first: `--until` means --until-above or --until-best.
    extended = [name for name in known if len(word) > 3 and name.startswith(word)]
    by_letters = {name.lstrip("-"): name for name in known}
    similar = difflib.get_close_matches(word.lstrip("-"), by_letters, 2, 0.65)
    names = extended[:3] or [by_letters[letters] for letters in similar]
    return " " + tr("Did you mean {names}?", names=tr(" or ").join(names)) if names else ""


def format_examples(prog: str, examples: tuple[tuple[str, str], ...]) -> str:
    """Format commands, each below a comment that explains it."""
    lines = [tr("examples:")]
    for words, meaning in examples:
        lines.append(f"  # {tr(meaning)}")
        lines.append(f"  {prog} {words}")
    return "\n".join(lines)


def add_faction_file_option(parser: Any) -> None:
    parser.add_argument(
        "--faction-file",
        action="append",
        default=[],
        metavar=tr("FILE"),
        help=tr("a Python file with a faction of your own (may be given several times)"),
    )


def add_bot_file_option(parser: Any) -> None:
    parser.add_argument(
        "--bot-file",
        action="append",
        default=[],
        metavar=tr("FILE"),
        help=tr("a Python file with bots of your own (may be given several times)"),
    )


def add_table_options(group: Any) -> None:
    """Add the options of a game among bots."""
    group.add_argument(
        "--players", type=int, default=2, metavar=tr("N"), help=tr("2 to 4 (default 2)")
    )
    group.add_argument("--edition", metavar=tr("KEY"), help=tr("the rulebook to play by"))
    group.add_argument(
        "--printing",
        metavar=tr("WHICH"),
        help=tr("cards as printed (default) or as in current boxes"),
    )
    group.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar=tr("N"),
        help=tr("the same seed gives the same deal (default 1)"),
    )


def add_processes_option(group: Any) -> None:
    group.add_argument(
        "--processes",
        type=int,
        metavar=tr("N"),
        help=tr("games played at once (default: one for each core)"),
    )


def add_language_option(parser: Any) -> None:
    """Add --lang for the help; `find_language_option` reads it before parsing."""
    parser.add_argument(
        "--lang",
        metavar=tr("CODE"),
        default=argparse.SUPPRESS,
        help=tr("the language: {known} (default: that of the system)", known=", ".join(LANGUAGES)),
    )


def find_language_option(words: Sequence[str]) -> str:
    """Return the value of --lang, if any: the parser needs the language to build its help."""
    for word, following in pairwise([*words, ""]):
        if word == "--":
            break
        if word == "--lang":
            return following
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return ""
