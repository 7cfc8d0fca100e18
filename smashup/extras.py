"""Optional dependencies (extras), and how to install them."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def install_command(extra: str) -> str:
    """Return the command that installs an extra: make in a clone, pip for an installed package."""
    if not (ROOT / "Makefile").exists():
        return f"pip install 'smashup[{extra}]'"
    return "make dev" if Path.cwd() == ROOT else f"make -C {shlex.quote(os.path.relpath(ROOT))} dev"
