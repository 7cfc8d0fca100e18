"""Where games are kept: what is there stays, what is missing is played, nothing is there twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from smashup.engine.errors import SaveError
from smashup.lab import folder as folders
from smashup.lab.folder import MANIFEST, Folder, Plan
from smashup.lab.matrix import Matrix
from smashup.lab.work import Alone, chunk_size, play_missing
from tests.lab.conftest import FEW, played

STUDY = Matrix(bot="quick", factions=FEW, seed=8)


def plan(games: int = 20, chunk: int = 6) -> Plan:
    return Plan(STUDY, games, chunk, STUDY.command(2))


def go_on(folder: Folder) -> int:
    return sum(play_missing(folder, Alone(STUDY, STUDY.cards())))


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    folder = Folder.begin(tmp_path / "a", plan())
    with_break = play_missing(folder, Alone(STUDY, STUDY.cards()))
    assert [next(with_break), next(with_break)] == [6, 6]
    with_break.close()
    assert folder.done() == 12
    again = Folder.resume(tmp_path / "a", plan())
    assert again.missing() == [2, 3]
    assert go_on(again) == 8
    whole = Folder.begin(tmp_path / "b", plan())
    assert go_on(whole) == 20
    assert again.read().drop("ms").equals(whole.read().drop("ms"))
    assert go_on(Folder.resume(tmp_path / "a", plan())) == 0


def test_damaged_and_unfinished_files_are_played_anew(tmp_path: Path) -> None:
    folder = played(STUDY, 2, tmp_path / "a")
    rows = folder.read().drop("ms")
    content = folder.part(1).read_bytes()
    folder.part(1).write_bytes(content[: len(content) // 2])
    folder.part(0).write_bytes(b"")
    (folder.path / "part-000002.parquet.77.unfinished").write_bytes(content)
    again = Folder.resume(folder.path, folder.plan)
    assert again.missing() == [0, 1]
    go_on(again)
    assert again.read().drop("ms").equals(rows)
    assert sorted(path.name for path in folder.path.iterdir()) == [
        MANIFEST,
        "part-000000.parquet",
        "part-000001.parquet",
        "part-000002.parquet",
    ]


def test_a_study_can_grow_but_not_shrink(tmp_path: Path) -> None:
    folder = Folder.begin(tmp_path / "a", plan(20))
    go_on(folder)
    grown = Folder.resume(tmp_path / "a", plan(32))
    assert grown.missing() == [3, 4, 5]  # the last chunk was not full
    go_on(grown)
    whole = Folder.begin(tmp_path / "b", plan(32))
    go_on(whole)
    assert grown.read().drop("ms").equals(whole.read().drop("ms"))
    with pytest.raises(SaveError, match="meant for 32 games"):
        Folder.resume(tmp_path / "a", plan(20))


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (replace(STUDY, seed=9), "there «seed» is 8, here 9"),
        (replace(STUDY, bot="easy"), 'there «bot» is "quick", here "easy"'),
        (replace(STUDY, players=3), "there «players» is 2, here 3"),
        (replace(STUDY, factions=()), "there «factions» is .*, here \\[\\]"),
    ],
)
def test_another_study_is_refused(tmp_path: Path, other: Matrix, sentence: str) -> None:
    folder = Folder.begin(tmp_path / "a", plan())
    before = (folder.path / MANIFEST).read_bytes()
    with pytest.raises(SaveError, match=sentence):
        Folder.resume(folder.path, Plan(other, 20, 6, ""))
    assert (folder.path / MANIFEST).read_bytes() == before


def test_another_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Folder.begin(tmp_path / "a", plan())
    monkeypatch.setattr(folders, "fingerprint", lambda files: "another")
    with pytest.raises(SaveError, match="other rules, cards or bots"):
        Folder.resume(tmp_path / "a", plan())


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    folder = Folder.begin(tmp_path / "a", plan())
    go_on(folder)
    with pytest.raises(SaveError, match=r"holds 20 of 20 games already.*--resume"):
        Folder.begin(tmp_path / "a", plan())
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter").write_text("dear")
    with pytest.raises(SaveError, match="not empty"):
        Folder.begin(tmp_path / "b", plan())
    with pytest.raises(SaveError, match="cannot be kept"):
        Folder.begin(tmp_path / "b" / "letter", plan())
    assert [path.name for path in (tmp_path / "b").iterdir()] == ["letter"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "cannot be understood"),
        ("[]", "cannot be understood"),
        (json.dumps({"format": "smashup-lab", "format_version": 1}), "cannot be understood"),
        (json.dumps({"format": "smashup-lab", "format_version": 9}), "another version"),
        ("", "cannot be understood"),
    ],
)
def test_a_strange_manifest_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(SaveError, match=sentence):
        Folder.open(tmp_path)


def test_chunks_are_small_for_slow_bots_and_few_for_large_studies() -> None:
    assert chunk_size(Matrix(bot="quick"), 4200) == 200
    assert chunk_size(Matrix(bot="expert"), 420) == 2
    assert chunk_size(Matrix(bot="normal"), 1_000_000) == 500
