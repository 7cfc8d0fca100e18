"""Runs `smashup` commands in the process of the tests, because starting Python takes long.

`tests.terminal.cli_process.run` runs the real program.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from smashup.terminal.main import main
from tests.terminal.cli_process import environment


def run_here(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in this process."""
    with (
        patch.dict(os.environ, environment(home, **more)),
        redirect_stdout(StringIO()) as stdout,
        redirect_stderr(StringIO()) as stderr,
    ):
        try:
            status = main([*arguments])
        except SystemExit as exit_:
            status = int(exit_.code or 0)
    return subprocess.CompletedProcess(arguments, status, stdout.getvalue(), stderr.getvalue())
