"""What all tests share: the Hypothesis profiles, and a look whether there is a /proc.

`--hypothesis-profile NAME` on the pytest command line overrides the choice made here.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# No deadlines: a slow machine is not a bug. CI tries the same examples every time, a desk new ones.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# Small matrices beside other tests: threads of NumPy's would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Tests are about the English words unless they say otherwise.
os.environ.update(LC_ALL="C.UTF-8", LANGUAGE="")

# A shell lets background jobs ignore Ctrl-C, and programs under test would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def proc() -> None:
    """For tests that look for the processes of a program."""
    assert Path("/proc/self/task").exists(), "Processes are found in /proc: run this on Linux."
