"""Small studies that tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from smashup.lab.findings import Findings
from smashup.lab.folder import Folder, Plan
from smashup.lab.matrix import Matrix
from smashup.lab.reckoning import find
from smashup.lab.study import Study
from smashup.lab.tournament import Tournament
from smashup.lab.work import Alone, play_missing

FEW = ("Kaiju", "Mounties", "Musketeers", "Ignobles", "Luchadors")


def played(study: Study, each: int, path: Path, chunk: int = 7) -> Folder:
    """A folder with a study that was played in this process, without a break."""
    cards = study.cards()
    study.check(cards)
    games = study.games(each, cards)
    folder = Folder.begin(path, Plan(study, games, chunk, study.command(each)))
    assert sum(play_missing(folder, Alone(study, cards))) == games
    return folder


@pytest.fixture(scope="session")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    study = Matrix(bot="quick", factions=FEW, seed=5)
    return played(study, 6, tmp_path_factory.mktemp("lab") / "matrix")


@pytest.fixture(scope="session")
def found(matrix: Folder) -> Findings:
    return find(matrix)


@pytest.fixture(scope="session")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    study = Tournament(entrants=("quick", "random"), players=3, seed=2)
    return played(study, 3, tmp_path_factory.mktemp("lab") / "tournament")
