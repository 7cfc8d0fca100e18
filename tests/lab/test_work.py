"""However a study is played, by how many, and however often it is stopped: the same games."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from smashup.lab.crowd import Crowd
from smashup.lab.folder import Folder, Plan
from smashup.lab.matrix import Matrix
from smashup.lab.study import Study
from smashup.lab.tournament import Tournament
from smashup.lab.work import Chunk, WorkError, play_missing
from tests.lab.conftest import FEW, played
from tests.lab.program import PATIENCE, descendants, line, parts, running, same_games, wait_until

pytestmark = pytest.mark.usefixtures("proc")
STUDY = Matrix(bot="quick", factions=FEW, seed=6)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study of `program.line`, played in one go by one process."""
    return played(STUDY, 12, tmp_path_factory.mktemp("lab") / "whole", chunk=6).path


@pytest.mark.parametrize(
    ("study", "games"),
    [
        (Matrix(bot="random", factions=(*FEW, "Shapeshifters", "Sumo Wrestlers"), players=3), 8),
        (Tournament(entrants=("quick", "random", "easy")), 6),
    ],
)
def test_two_processes_play_what_one_plays(study: Study, games: int, tmp_path: Path) -> None:
    frames = []
    for processes, chunk in ((2, 2), (1, 5)):
        folder = Folder.begin(tmp_path / str(processes), Plan(study, games, chunk, ""))
        with Crowd(study, processes) as crew:
            assert sum(play_missing(folder, crew)) == games
        frames.append(folder.read().drop("ms"))
    assert frames[0].equals(frames[1])
    assert frames[0].height == games * study.players


def test_killed_and_resumed(tmp_path: Path, uninterrupted: Path) -> None:
    """SIGKILL in the middle: no handler runs, nothing is tidied up."""
    folder = tmp_path / "study"
    words = line(folder, "--processes", "2")
    with running(tmp_path, words) as process:
        wait_until(lambda: len(parts(folder)) >= 3, process)
        process.kill()
        process.wait()
    kept = {path: path.stat().st_mtime_ns for path in parts(folder)}
    assert 3 <= len(kept) < 20
    with running(tmp_path, [*words, "--resume"]) as process:
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert "120 games are kept" in output
    assert len(parts(folder)) == 20
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert same_games(folder, uninterrupted)


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "my study"
    with running(tmp_path, line(folder, "--processes", "2", games=4000)) as process:
        wait_until(lambda: len(parts(folder)) >= 2, process)
        workers = [pid for pid, words in descendants(process.pid) if "spawn_main" in words]
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "")
    done = Folder.open(folder).done()
    assert done == 6 * len(parts(folder)) >= 12
    shown = output.splitlines()
    assert shown[0] == f"Stopped: {done} of 40000 games are in {folder}. To continue:"
    assert "lab matrix --bot quick --factions" in shown[1]
    assert f"--folder '{folder}' --resume --processes 2" in shown[1]
    assert workers
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def test_a_process_that_dies_is_replaced(tmp_path: Path, uninterrupted: Path) -> None:
    folder = tmp_path / "study"
    with running(tmp_path, line(folder, "--processes", "2")) as process:
        wait_until(lambda: len(parts(folder)) >= 2, process)
        victim = next(pid for pid, words in descendants(process.pid) if "spawn_main" in words)
        os.kill(victim, signal.SIGKILL)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert "120 games are kept" in output
    assert same_games(folder, uninterrupted)


class Deadly(Matrix):
    """A study that kills whoever plays it."""

    def job(self, game: int, cards: object) -> object:  # type: ignore[override]
        os.kill(os.getpid(), signal.SIGKILL)
        return None


def test_a_chunk_that_kills_every_process_is_given_up() -> None:
    with (
        Crowd(Deadly(bot="quick", factions=FEW), 2) as crew,
        pytest.raises(WorkError, match="chunk 0 died 3 times"),
    ):
        list(crew.play([Chunk(0, range(6))]))


class Broken(Matrix):
    """A study with a mistake in it."""

    def job(self, game: int, cards: object) -> object:  # type: ignore[override]
        raise ZeroDivisionError("a mistake")


def test_a_mistake_is_told_with_its_place() -> None:
    with (
        Crowd(Broken(bot="quick", factions=FEW), 2) as crew,
        pytest.raises(RuntimeError, match="a mistake"),
    ):
        list(crew.play([Chunk(0, range(6))]))
