"""The `smashup lab` command line: output and errors."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

from smashup.lab.matrix import Matrix
from smashup.lab.study_store import StudyStore
from smashup.lab.tournament import Tournament
from smashup.terminal.main import main

FOUR_FACTIONS = "kaiju, mounties, musketeers, ignobles"


def test_a_study_from_beginning_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "study")
    words = ["lab", "matrix", "--bot", "quick", "--factions", FOUR_FACTIONS, "--folder", folder]
    more = ["--processes", "1", "--games"]
    assert main([*words, *more, "1"]) == 0
    assert f"12 games are in {folder}." in capsys.readouterr().out
    assert main([*words, *more, "4", "--resume"]) == 0
    assert "24 games are in" in capsys.readouterr().out
    kept = StudyStore.open(Path(folder))
    assert kept.plan.command == (
        "smashup lab matrix --bot quick --factions 'Kaiju, Mounties, Musketeers, Ignobles'"
        " --games 4 --seed 1"
    )
    assert main([*words, *more, "4"]) == 2
    assert "holds 24 of 24 games already" in capsys.readouterr().err


def test_a_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "study"
    words = ["--bots", "quick, random", "--factions", "kaiju+mounties", "--games", "2"]
    assert main(["lab", "tournament", *words, "--folder", str(folder), "--processes", "1"]) == 0
    study = StudyStore.open(folder).plan.study
    assert study == Tournament(entrants=("quick", "random"), factions=(("Kaiju", "Mounties"),))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (["matrix", "--bot", "nobody"], "There is no bot called “nobody”"),
        (["matrix", "--bot", "quik"], "There is no bot called “quik”. Did you mean quick?"),
        (["matrix", "--games", "0"], "--games needs a number of at least 1, not 0."),
        (["matrix", "--processes", "0"], "--processes needs a number of at least 1, not 0."),
        (["matrix", "--chunk", "-1"], "--chunk needs a number of at least 1, not -1."),
        (["matrix", "--players", "7"], "2 to 4 players"),
        (["matrix", "--factions", "xyzzy"], "There is no faction called “xyzzy”."),
        (["matrix", "--factions", "kaiju"], "2 players need 4 different factions"),
        (["matrix", "--edition", "XX"], "There is no edition “XX”"),
        (["matrix", "--resume"], "There is nothing to resume in"),
        (["tournament", "--bots", "easy"], "at least two bots"),
        (["tournament", "--factions", "draft"], "A duel has no draft"),
        (["matrix", "--faction-file", "nowhere.py"], "There is no faction file nowhere.py."),
    ],
)
def test_invalid_options_are_refused(
    line: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", *line, "--folder", str(tmp_path / "study")]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: None, "There is no folder"),
        (lambda path: path.mkdir(), "There is no study in"),
        (lambda path: (path.mkdir(), (path / "manifest.json").touch()), "cannot be understood"),
    ],
)
def test_a_report_without_a_study(
    make: Any, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "study")
    assert main(["lab", "report", str(tmp_path / "study")]) == 2
    assert sentence in capsys.readouterr().err


def test_a_report_before_the_first_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from smashup.lab.study_store import StudyPlan

    StudyStore.create(tmp_path / "study", StudyPlan(Matrix(), 420, 20, ""))
    assert main(["lab", "report", str(tmp_path / "study")]) == 2
    assert "There are no games in" in capsys.readouterr().err


def test_without_its_extra_an_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def without_polars(name: str, *args: Any, **more: Any) -> Any:
        if name == "polars":
            raise ModuleNotFoundError("No module named 'polars'", name="polars")
        return real(name, *args, **more)

    for module in [
        m for m in sys.modules if m.startswith(("smashup.lab", "smashup.terminal.commands.lab"))
    ]:
        if module != "smashup.terminal.cli.lab_options":
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", without_polars)
    assert main(["lab", "report", "x"]) == 2
    assert "needs polars, which is not installed: make dev" in (capsys.readouterr().err)
