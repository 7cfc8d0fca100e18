"""Comparison and export of studies, and progress within a chunk."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from smashup.engine.errors import SetupError
from smashup.lab.comparison import compare_studies, rank_correlation
from smashup.lab.executor import SerialExecutor, play_missing
from smashup.lab.findings import Findings
from smashup.lab.local_pool import LocalPool
from smashup.lab.matrix import Matrix
from smashup.lab.study_store import GAMES, StudyPlan, StudyStore
from smashup.terminal.main import main
from tests.lab.conftest import FACTIONS


def test_a_study_does_not_differ_from_itself(found: Findings) -> None:
    comparison = compare_studies(found, found)
    assert {row.name for row in comparison.rows} == set(FACTIONS)
    assert all(row.change == 0 and not row.is_significant for row in comparison.rows)
    assert comparison.rank_correlation == pytest.approx(1.0)


def test_a_clear_change_is_significant(found: Findings) -> None:
    first = found.factions[0]
    raised = replace(first.strength, value=0.9, low=0.89, high=0.91)
    lowered = replace(first.strength, value=0.2, low=0.19, high=0.21)
    before = replace(found, factions=[replace(first, strength=lowered), *found.factions[1:-1]])
    after = replace(found, factions=[replace(first, strength=raised), *found.factions[1:]])
    comparison = compare_studies(before, after)
    top = comparison.rows[0]
    assert (top.name, top.is_significant) == (first.name, True)
    assert top.low < 0.7 < top.high
    assert comparison.only_second == [found.factions[-1].name]


def test_rank_correlation() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 30]) == pytest.approx(1.0)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert rank_correlation([1, 2], [1, 2]) is None


def test_different_kinds_cannot_be_compared(found: Findings, tournament: StudyStore) -> None:
    with pytest.raises(SetupError, match="cannot be compared"):
        compare_studies(found, replace(found, kind="tournament"))


def test_commands(
    matrix: StudyStore,
    tournament: StudyStore,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = str(matrix.path)
    assert main(["lab", "compare", folder, folder]) == 0
    shown = capsys.readouterr().out
    assert "Kaiju" in shown
    assert "Rank correlation of the two orders: 1.00" in shown
    assert re.search(r"-\d+\.\d to \+\d+\.\d", shown)
    assert main(["lab", "compare", folder, folder, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rows"]) == len(FACTIONS)
    assert main(["lab", "compare", str(tournament.path), str(tournament.path)]) == 0
    assert "quick" in capsys.readouterr().out
    assert main(["lab", "compare", folder, str(tournament.path)]) == 2
    assert "cannot be compared" in capsys.readouterr().err
    file = tmp_path / "games.csv"
    assert main(["lab", "export", folder, "--csv", str(file)]) == 0
    assert str(file) in capsys.readouterr().out
    rows, games = pl.read_csv(file), matrix.read_games()
    assert rows.columns == games.columns
    assert rows["won"].to_list() == games["won"].to_list()
    curve = [int(vp) for vp in rows["vp_by_turn"][0].split()]
    assert curve == games["vp_by_turn"][0].to_list()


def test_the_folder_of_games_can_be_read_whole(matrix: StudyStore) -> None:
    rows = pl.read_parquet(matrix.path / GAMES)
    assert rows.height == matrix.read_games().height


@pytest.mark.parametrize("processes", [1, 2])
def test_progress_is_reported_within_chunks(
    processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smashup.lab.local_pool.PROGRESS_SECONDS", 0.001)
    study = Matrix(bot="quick", factions=FACTIONS[:4], seed=3)
    cards = study.cards()
    plan = StudyPlan(study, 60, 30, study.command(2))
    store = StudyStore.create(tmp_path / "study", plan)
    reported: list[int] = []
    executor = LocalPool(study, 2) if processes == 2 else SerialExecutor(study, cards)
    executor.on_progress = reported.append
    with executor:
        first = next(games := play_missing(store, executor))
        assert first == 30
        # How often a pool reports depends on when the operating system runs its processes.
        min_reports = 5 if processes == 1 else 1
        assert len({count for count in reported if 0 < count < 30}) >= min_reports
        assert sum(games) == 30
    assert max(reported) <= 60
