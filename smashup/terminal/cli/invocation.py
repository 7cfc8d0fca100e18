"""The command the user typed, so that help and hints repeat it."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path


def program_name() -> str:
    """The part of the command line before the subcommand."""
    started = Path(sys.argv[0]).name if sys.argv else ""
    return "python -m smashup" if started == "__main__.py" else "smashup"


def format_play_command(*options: str) -> str:
    """Format the command that plays with these options."""
    if "MAKELEVEL" in os.environ:
        return f"make terminal ARGS={shlex.quote(shlex.join(options))}"
    return f"{program_name()} play {shlex.join(options)}"
