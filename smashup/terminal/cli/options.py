"""Shared by all subcommands: help format, usage errors, common options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from smashup.locale import LANGUAGES
from smashup.terminal.translation import tr

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction["Parser"]

EXIT_USAGE_ERROR = 2
"""Exit code for an invalid command line."""
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
    """Reports usage errors in one sentence instead of printing the usage."""

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:].rstrip(".")
        print(f"{sentence}. " + tr("See {prog} --help.", prog=self.prog), file=sys.stderr)
        sys.exit(EXIT_USAGE_ERROR)


def format_examples(prog: str, format_examples: tuple[tuple[str, str], ...]) -> str:
    """Format commands, each below a comment that explains it."""
    lines = [tr("examples:")]
    for words, meaning in format_examples:
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
        help=tr("the same seed deals the same (default 1)"),
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
