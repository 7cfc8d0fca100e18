"""How the person started this program: what help and hints tell them to type."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path


def program() -> str:
    """The words before the subcommand."""
    started = Path(sys.argv[0]).name if sys.argv else ""
    return "python -m smashup" if started == "__main__.py" else "smashup"


def play_command(*options: str) -> str:
    """What to type to play with these options."""
    if "MAKELEVEL" in os.environ:
        return f"make terminal ARGS={shlex.quote(shlex.join(options))}"
    return f"{program()} play {shlex.join(options)}"
