"""`smashup completion`: prints a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import shtab

from smashup.bots.levels import LEVELS
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.editions import EDITIONS
from smashup.locale import LANGUAGES
from smashup.terminal.cli.invocation import COMMAND
from smashup.terminal.cli.options import RawHelpFormatter
from smashup.terminal.translation import tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Parser, Subparsers

SHELLS: Final = ("bash", "zsh", "fish")
_BOTS: Final = ("random", "greedy", *(level.name for level in LEVELS))
_VALUES: Final[dict[str, Sequence[str]]] = {
    "a": _BOTS,
    "b": _BOTS,
    "bot": _BOTS,
    "edition": tuple(EDITIONS),
    "lang": LANGUAGES,
    "printing": PRINTINGS,
}
"""Values of arguments that the parser does not check itself."""

ABOUT = """\
Prints a script that lets the shell complete commands, options and file names.

bash, in ~/.bashrc:  eval "$(smashup completion bash)"
zsh, in ~/.zshrc after compinit:  eval "$(smashup completion zsh)"
fish, once:  smashup completion fish > ~/.config/fish/completions/smashup.fish"""


def add_completion(commands: Subparsers) -> Parser:
    """Add the subcommand."""
    parser = commands.add_parser(
        "completion",
        help=tr("complete commands in your shell"),
        description=tr(ABOUT),
        formatter_class=RawHelpFormatter,
    )
    parser.add_argument(
        "shell",
        nargs="?",
        choices=SHELLS,
        help=tr("bash, zsh or fish (default: your login shell)"),
    )
    return parser


def print_completion(parser: Parser, shell: str | None) -> int:
    """Print the script for a shell, or for the user's own one; return the exit code."""
    shell = shell or os.path.basename(os.environ.get("SHELL", ""))
    if shell not in SHELLS:
        raise SetupError("Which shell? Name one of {shells}.", shells=list(SHELLS))
    _shorten_descriptions(parser)
    for argument in _arguments(parser):
        _add_values(argument)
    print(shtab.complete(parser, shell, root_prefix=COMMAND))
    return 0


def _arguments(parser: argparse.ArgumentParser) -> Iterator[Any]:
    """All arguments of a parser and its subcommands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _arguments(child)


def _shorten_descriptions(parser: argparse.ArgumentParser) -> None:
    """Describe subcommands by their one-line help, as the help of the program does."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action._choices_actions:
                action.choices[command.dest].description = command.help
                _shorten_descriptions(action.choices[command.dest])


def _add_values(argument: Any) -> None:
    """Let the shell offer the values or files that an argument takes."""
    if argument.metavar in (tr("FILE"), tr("PATH")):
        argument.complete = shtab.FILE
    elif argument.metavar == tr("FOLDER"):
        argument.complete = shtab.DIRECTORY
    elif argument.choices is None and argument.dest in _VALUES:
        argument.choices = _VALUES[argument.dest]
