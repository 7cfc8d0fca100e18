"""Small studies for the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from smashup.lab.analysis import analyze
from smashup.lab.executor import SerialExecutor, play_missing
from smashup.lab.findings import Findings
from smashup.lab.matrix import Matrix
from smashup.lab.study import Study
from smashup.lab.study_store import StudyPlan, StudyStore
from smashup.lab.tournament import Tournament

FACTIONS = ("Kaiju", "Mounties", "Musketeers", "Ignobles", "Luchadors")


def play_study(study: Study, each: int, path: Path, chunk: int = 7) -> StudyStore:
    """Play a study in this process and return its store."""
    cards = study.cards()
    study.check(cards)
    games = study.count_games(each, cards)
    folder = StudyStore.create(path, StudyPlan(study, games, chunk, study.command(each)))
    assert sum(play_missing(folder, SerialExecutor(study, cards))) == games
    return folder


@pytest.fixture(scope="session")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> StudyStore:
    study = Matrix(bot="quick", factions=FACTIONS, seed=5)
    return play_study(study, 6, tmp_path_factory.mktemp("lab") / "matrix")


@pytest.fixture(scope="session")
def found(matrix: StudyStore) -> Findings:
    return analyze(matrix)


@pytest.fixture(scope="session")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> StudyStore:
    study = Tournament(entrants=("quick", "random"), players=3, seed=2)
    return play_study(study, 3, tmp_path_factory.mktemp("lab") / "tournament")
