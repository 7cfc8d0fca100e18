"""Chunks on a real Ray cluster, one of whose workers is killed."""

from __future__ import annotations

import builtins
import os
import signal
import socket
from pathlib import Path
from typing import Any

import pytest

from smashup.lab import cluster
from smashup.lab.cluster import RayExecutor, play_chunk
from smashup.lab.executor import Chunk, ExecutionError
from smashup.lab.matrix import Matrix
from smashup.lab.study import fingerprint
from smashup.lab.study_store import StudyStore
from smashup.terminal.main import main
from tests.lab.conftest import FACTIONS, play_study
from tests.lab.lab_process import (
    TIMEOUT_SECONDS,
    command_line,
    descendants,
    parts,
    run_process,
    same_games,
    wait_until,
)

STUDY = Matrix(bot="quick", factions=FACTIONS, seed=6)
QUIET_ENVIRONMENT = {
    "PYTHONWARNINGS": "default",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS": "0",
}


@pytest.mark.usefixtures("proc")
def test_a_killed_worker_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    whole = play_study(STUDY, 16, tmp_path / "whole", chunk=6)
    folder = tmp_path / "study"
    words = command_line(folder, "--ray", "local", "--processes", "2", games=16)
    with run_process(tmp_path, words, **QUIET_ENVIRONMENT) as process:
        wait_until(lambda: len(parts(folder)) >= 3, process)
        at_work: list[int] = []

        def a_worker_plays() -> bool:
            names = descendants(process.pid)
            at_work.extend(pid for pid, name in names if "ray::play_chunk" in name)
            return bool(at_work)

        wait_until(a_worker_plays, process)
        before = len(parts(folder))
        os.kill(at_work[0], signal.SIGKILL)
        output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == 0, errors
    assert before < 27, "it was over before a worker could be killed"
    assert "160 games are in" in output
    assert len(parts(folder)) == 27
    assert StudyStore.open(folder).read_games().select("game", "seat").is_unique().all()
    assert same_games(folder, whole.path)


def test_without_ray_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_ray(name: str, *args: Any, **more: Any) -> Any:
        if name == "ray":
            raise ModuleNotFoundError("No module named 'ray'", name="ray")
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without_ray)
    with pytest.raises(ExecutionError, match="which is not installed: make dev"):
        RayExecutor(STUDY, cluster.LOCAL, 2)


def test_no_cluster_at_the_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = command_line(tmp_path / "study", "--ray", f"127.0.0.1:{port}")
    assert main(words) == 2
    shown = capsys.readouterr().err
    assert f"There is no Ray cluster at 127.0.0.1:{port}: " in shown
    assert shown.count("\n") == 1


def test_a_worker_with_other_rules_does_not_play() -> None:
    chunk = Chunk(0, range(1))
    assert isinstance(play_chunk(STUDY, chunk, "another"), str)
    rows = play_chunk(STUDY, chunk, fingerprint())
    assert isinstance(rows, list)
    assert len(rows) == 2
