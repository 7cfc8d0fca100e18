"""Study stores keep finished games, find missing ones, and store none twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from smashup.engine.errors import SaveError
from smashup.lab import study_store as folders
from smashup.lab.executor import SerialExecutor, chunk_size, play_missing
from smashup.lab.matrix import Matrix
from smashup.lab.study_store import GAMES, MANIFEST, StudyPlan, StudyStore
from tests.lab.conftest import FACTIONS, play_study

STUDY = Matrix(bot="quick", factions=FACTIONS, seed=8)


def plan(games: int = 20, chunk: int = 6) -> StudyPlan:
    return StudyPlan(STUDY, games, chunk, STUDY.command(2))


def play_rest(folder: StudyStore) -> int:
    return sum(play_missing(folder, SerialExecutor(STUDY, STUDY.cards())))


def test_stored_chunks_are_not_played_again(tmp_path: Path) -> None:
    folder = StudyStore.create(tmp_path / "a", plan())
    with_break = play_missing(folder, SerialExecutor(STUDY, STUDY.cards()))
    assert [next(with_break), next(with_break)] == [6, 6]
    with_break.close()
    assert folder.count_games() == 12
    again = StudyStore.resume(tmp_path / "a", plan())
    assert again.missing_chunks() == [2, 3]
    assert play_rest(again) == 8
    whole = StudyStore.create(tmp_path / "b", plan())
    assert play_rest(whole) == 20
    assert again.read_games().drop("ms").equals(whole.read_games().drop("ms"))
    assert play_rest(StudyStore.resume(tmp_path / "a", plan())) == 0


def test_chunks_of_damaged_and_unfinished_files_are_played_again(tmp_path: Path) -> None:
    folder = play_study(STUDY, 2, tmp_path / "a")
    rows = folder.read_games().drop("ms")
    content = folder.chunk_path(1).read_bytes()
    folder.chunk_path(1).write_bytes(content[: len(content) // 2])
    folder.chunk_path(0).write_bytes(b"")
    (folder.path / "part-000002.parquet.77.unfinished").write_bytes(content)
    again = StudyStore.resume(folder.path, folder.plan)
    assert again.missing_chunks() == [0, 1]
    play_rest(again)
    assert again.read_games().drop("ms").equals(rows)
    assert sorted(path.name for path in folder.path.iterdir()) == [GAMES, MANIFEST]
    assert sorted(path.name for path in (folder.path / GAMES).iterdir()) == [
        "part-000000.parquet",
        "part-000001.parquet",
        "part-000002.parquet",
    ]


def test_a_study_can_grow_but_not_shrink(tmp_path: Path) -> None:
    folder = StudyStore.create(tmp_path / "a", plan(20))
    play_rest(folder)
    grown = StudyStore.resume(tmp_path / "a", plan(32))
    assert grown.missing_chunks() == [3, 4, 5]  # the last chunk was not full
    play_rest(grown)
    whole = StudyStore.create(tmp_path / "b", plan(32))
    play_rest(whole)
    assert grown.read_games().drop("ms").equals(whole.read_games().drop("ms"))
    with pytest.raises(SaveError, match="meant for 32 games"):
        StudyStore.resume(tmp_path / "a", plan(20))


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (replace(STUDY, seed=9), "there “seed” is 8, here 9"),
        (replace(STUDY, bot="easy"), 'there “bot” is "quick", here "easy"'),
        (replace(STUDY, players=3), "there “players” is 2, here 3"),
        (replace(STUDY, factions=()), "there “factions” is .*, here \\[\\]"),
    ],
)
def test_another_study_is_refused(tmp_path: Path, other: Matrix, sentence: str) -> None:
    folder = StudyStore.create(tmp_path / "a", plan())
    before = (folder.path / MANIFEST).read_bytes()
    with pytest.raises(SaveError, match=sentence):
        StudyStore.resume(folder.path, StudyPlan(other, 20, 6, ""))
    assert (folder.path / MANIFEST).read_bytes() == before


def test_another_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    StudyStore.create(tmp_path / "a", plan())
    monkeypatch.setattr(folders, "fingerprint", lambda files: "another")
    with pytest.raises(SaveError, match="other rules, cards or bots"):
        StudyStore.resume(tmp_path / "a", plan())


def test_a_non_empty_folder_is_refused(tmp_path: Path) -> None:
    folder = StudyStore.create(tmp_path / "a", plan())
    play_rest(folder)
    with pytest.raises(SaveError, match=r"holds 20 of 20 games already.*--resume"):
        StudyStore.create(tmp_path / "a", plan())
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter").write_text("dear")
    with pytest.raises(SaveError, match="not empty"):
        StudyStore.create(tmp_path / "b", plan())
    with pytest.raises(SaveError, match="cannot be kept"):
        StudyStore.create(tmp_path / "b" / "letter", plan())
    assert [path.name for path in (tmp_path / "b").iterdir()] == ["letter"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "cannot be understood"),
        ("[]", "cannot be understood"),
        (json.dumps({"format": "smashup-lab", "format_version": 2}), "cannot be understood"),
        (json.dumps({"format": "smashup-lab", "format_version": 9}), "another version"),
        ("", "cannot be understood"),
    ],
)
def test_an_invalid_manifest_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(SaveError, match=sentence):
        StudyStore.open(tmp_path)


def test_chunks_are_small_for_slow_bots_and_few_for_large_studies() -> None:
    assert chunk_size(Matrix(bot="quick"), 4200) == 200
    assert chunk_size(Matrix(bot="expert"), 420) == 2
    assert chunk_size(Matrix(bot="normal"), 1_000_000) == 500
