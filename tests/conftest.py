"""Shared fixtures, and the Hypothesis profiles.

`--hypothesis-profile NAME` on the pytest command line overrides the choice made here.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

from smashup.terminal import translation

REAL_TIME_FOLDERS = ("browser", "server")
"""Tests with real servers, processes and browsers, which a busy machine can delay beyond any limit.
They get a second try; pytest's summary lists those that needed it, so that they can be repaired."""

# No deadlines: a slow machine is not a bug. CI tries the same examples every time, local runs new
# ones.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# Tests use small matrices and run in parallel: threads of NumPy would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Tests compare English texts unless they say otherwise.
os.environ.update(LC_ALL="C.UTF-8", LANGUAGE="")

# A shell lets background jobs ignore Ctrl-C, and programs under test would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    folders = [Path(__file__).parent / name for name in REAL_TIME_FOLDERS]
    for item in items:
        if any(folder in item.path.parents for folder in folders):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture
def english_afterwards() -> Iterator[None]:
    """For tests that change the language of the program."""
    yield
    translation.set_language("en")


@pytest.fixture
def proc() -> None:
    """For tests that look for the processes of a program."""
    assert Path("/proc/self/task").exists(), "Processes are found in /proc: run this on Linux."
