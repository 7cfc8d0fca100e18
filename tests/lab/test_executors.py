"""A study gives the same games in any number of processes, also after interruptions."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from smashup.lab.executor import Chunk, ExecutionError, play_missing
from smashup.lab.local_pool import LocalPool
from smashup.lab.matrix import Matrix
from smashup.lab.study import Study
from smashup.lab.study_store import StudyPlan, StudyStore
from smashup.lab.tournament import Tournament
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

pytestmark = pytest.mark.usefixtures("proc")
STUDY = Matrix(bot="quick", factions=FACTIONS, seed=6)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study of `program.command_line`, played without interruption by one process."""
    return play_study(STUDY, 12, tmp_path_factory.mktemp("lab") / "whole", chunk=6).path


@pytest.mark.parametrize(
    ("study", "games"),
    [
        (
            Matrix(
                bot="random", factions=(*FACTIONS, "Shapeshifters", "Sumo Wrestlers"), players=3
            ),
            8,
        ),
        (Tournament(entrants=("quick", "random", "easy")), 6),
    ],
)
def test_two_processes_play_what_one_plays(study: Study, games: int, tmp_path: Path) -> None:
    frames = []
    for processes, chunk in ((2, 2), (1, 5)):
        folder = StudyStore.create(tmp_path / str(processes), StudyPlan(study, games, chunk, ""))
        with LocalPool(study, processes) as executor:
            assert sum(play_missing(folder, executor)) == games
        frames.append(folder.read_games().drop("ms"))
    assert frames[0].equals(frames[1])
    assert frames[0].height == games * study.players


def test_killed_and_resumed(tmp_path: Path, uninterrupted: Path) -> None:
    """SIGKILL during the study: no cleanup runs."""
    folder = tmp_path / "study"
    words = command_line(folder, "--processes", "2")
    with run_process(tmp_path, words) as process:
        wait_until(lambda: len(parts(folder)) >= 3, process)
        process.kill()
        process.wait()
    kept = {path: path.stat().st_mtime_ns for path in parts(folder)}
    assert 3 <= len(kept) < 20
    with run_process(tmp_path, [*words, "--resume"]) as process:
        output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, errors) == (0, "")
    assert "120 games are in" in output
    assert len(parts(folder)) == 20
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert same_games(folder, uninterrupted)


def test_ctrl_c_keeps_finished_games_and_says_how_to_resume(tmp_path: Path) -> None:
    folder = tmp_path / "my study"
    with run_process(tmp_path, command_line(folder, "--processes", "2", games=4000)) as process:
        wait_until(lambda: len(parts(folder)) >= 2, process)
        workers = [pid for pid, words in descendants(process.pid) if "spawn_main" in words]
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, errors) == (130, "")
    done = StudyStore.open(folder).count_games()
    assert done == 6 * len(parts(folder)) >= 12
    shown = output.splitlines()
    assert shown[0] == f"Stopped: {done} of 40000 games are in {folder}. To continue:"
    assert "lab matrix --bot quick --factions" in shown[1]
    assert f"--folder '{folder}' --resume --processes 2" in shown[1]
    assert workers
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def test_a_process_that_dies_is_replaced(tmp_path: Path, uninterrupted: Path) -> None:
    folder = tmp_path / "study"
    with run_process(tmp_path, command_line(folder, "--processes", "2")) as process:
        wait_until(lambda: len(parts(folder)) >= 2, process)
        victim = next(pid for pid, words in descendants(process.pid) if "spawn_main" in words)
        os.kill(victim, signal.SIGKILL)
        output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, errors) == (0, "")
    assert "120 games are in" in output
    assert same_games(folder, uninterrupted)


class KillingStudy(Matrix):
    """A study that kills the process that plays it."""

    def game_spec(self, game: int, cards: object) -> object:  # type: ignore[override]
        os.kill(os.getpid(), signal.SIGKILL)
        return None


def test_a_chunk_that_kills_every_worker_is_abandoned() -> None:
    with (
        LocalPool(KillingStudy(bot="quick", factions=FACTIONS), 2) as executor,
        pytest.raises(ExecutionError, match="died 3 times in a row"),
    ):
        list(executor.play([Chunk(0, range(6))]))


class FailingStudy(Matrix):
    """A study that raises an error."""

    def game_spec(self, game: int, cards: object) -> object:  # type: ignore[override]
        raise ZeroDivisionError("a mistake")


def test_an_error_in_a_worker_is_reported() -> None:
    with (
        LocalPool(FailingStudy(bot="quick", factions=FACTIONS), 2) as executor,
        pytest.raises(ZeroDivisionError, match="a mistake"),
    ):
        list(executor.play([Chunk(0, range(6))]))
