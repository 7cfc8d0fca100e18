"""`smashup lab` in a subprocess that tests observe and kill."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from smashup.lab.study_store import StudyStore
from tests.lab.conftest import FACTIONS
from tests.terminal.cli_process import environment

TIMEOUT_SECONDS = 150.0


def command_line(folder: Path, *more: str, games: int = 12) -> list[str]:
    """Return the command line of a study of 120 games in 20 chunks."""
    return [
        "lab", "matrix", "--bot", "quick", "--factions", ", ".join(FACTIONS), "--seed", "6",
        "--games", str(games), "--chunk", "6", "--folder", str(folder), *more,
    ]  # fmt: skip


@contextmanager
def run_process(home: Path, words: list[str], **more: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "smashup.terminal", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(home, **more),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("games/part-*.parquet"))


def wait_until(true: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until a condition of a running program holds."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not true():
        assert process.poll() is None, f"it ended too early: {process.communicate()}"
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.01)


def same_games(one: Path, other: Path) -> bool:
    """Return whether two folders hold the same rows, each once; only times may differ."""
    frames = [StudyStore.open(path).read_games().drop("ms") for path in (one, other)]
    return frames[0].equals(frames[1])


def descendants(pid: int) -> Iterator[tuple[int, str]]:
    """Yield the descendants of a process with their command lines."""
    for child in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            yield child.pid, " ".join(child.cmdline())
