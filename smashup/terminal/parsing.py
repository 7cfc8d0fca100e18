"""What all commands of the command line share: how help looks, how mistakes are told, options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from smashup.locale import LANGUAGES
from smashup.terminal.translation import tr

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]

WRONG = 2
"""Exit code for a command line that cannot be obeyed."""
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


class Help(argparse.HelpFormatter):
    """Headings end with a colon as the language in use writes it."""

    def start_section(self, heading: str | None) -> None:
        space = tr(": ").partition(":")[0]
        super().start_section(heading and heading + space)


class LaidOutHelp(Help, argparse.RawDescriptionHelpFormatter):
    """Help whose description has its own line breaks."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:].rstrip(".")
        print(f"{sentence}. " + tr("See {prog} --help.", prog=self.prog), file=sys.stderr)
        sys.exit(WRONG)


def examples(prog: str, examples: tuple[tuple[str, str], ...]) -> str:
    """What to type, each under what it does."""
    lines = [tr("examples:")]
    for words, meaning in examples:
        lines.append(f"  # {tr(meaning)}")
        lines.append(f"  {prog} {words}")
    return "\n".join(lines)


def add_faction_file(parser: Any) -> None:
    parser.add_argument(
        "--faction-file",
        action="append",
        default=[],
        metavar=tr("FILE"),
        help=tr("a Python file with a faction of your own (may be given several times)"),
    )


def add_table(group: Any) -> None:
    """What bots are seated at when they play by themselves."""
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


def add_processes(group: Any) -> None:
    group.add_argument(
        "--processes",
        type=int,
        metavar=tr("N"),
        help=tr("games played at once (default: one for each core)"),
    )


def add_language(parser: Any) -> None:
    """The option is there for the help; `language` reads it beforehand."""
    parser.add_argument(
        "--lang",
        metavar=tr("CODE"),
        default=argparse.SUPPRESS,
        help=tr("the language: {known} (default: that of the system)", known=", ".join(LANGUAGES)),
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
