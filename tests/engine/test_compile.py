"""mypyc accepts every module of the rules.

``make compile ARGS=--test`` tests the result, which takes some minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys

from scripts.compile import ROOT, modules


def test_mypyc_accepts_the_rules() -> None:
    assert "smashup/engine/model/table.py" in modules()
    done = subprocess.run(
        [sys.executable, "-m", "scripts.compile", "--check"],
        cwd=ROOT, capture_output=True, text=True, timeout=240, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mypyc takes all" in done.stdout
