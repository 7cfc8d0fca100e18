"""The command the user typed, so that help and messages print commands that work as printed."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

COMMAND = "smashup"


def program_name() -> str:
    """The part of the command line before the subcommand."""
    started = Path(sys.argv[0]) if sys.argv else Path()
    if started.name == "__main__.py":
        return f"{_shell_name(Path(sys.executable))} -m {COMMAND}"
    if started.name == COMMAND and started.exists():
        return _shell_name(started)
    return COMMAND


def _shell_name(program: Path) -> str:
    """The name of a program if the shell finds it by its name, otherwise its path."""
    found = shutil.which(program.name)
    if found is not None and os.path.samefile(found, program):
        return program.name
    path = str(program)
    inside = os.path.relpath(path)
    return shlex.quote(path if inside.startswith(os.pardir) else inside)


def format_command(*words: str) -> str:
    """Format a command of this program for the shell."""
    return f"{program_name()} {shlex.join(words)}".strip()


def format_play_command(*options: str) -> str:
    """Format the command that plays with these options."""
    if "MAKELEVEL" in os.environ:
        quoted = shlex.quote(shlex.join(options)).replace("$", "$$")  # as make reads it
        return f"make terminal ARGS={quoted}"
    return format_command("play", *options)
