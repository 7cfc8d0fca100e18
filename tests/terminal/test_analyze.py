"""`smashup analyze`: the analysis of a saved game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from smashup.engine.game import Game
from smashup.engine.saves.files import save
from smashup.terminal.main import main
from tests.analysis.games import play_bot_game

SEATS = ["human:Ana", "normal:Bo"]
CHEAP = ("--iterations", "2", "--processes", "1")


@pytest.fixture(scope="module")
def game() -> Game:
    return play_bot_game()


@pytest.fixture
def file(game: Game, tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    save(game, path, SEATS)
    return str(path)


@pytest.fixture
def open_file(game: Game, tmp_path: Path) -> str:
    path = tmp_path / "open.json"
    save(game.undo(len(game.answers) - 40), path, SEATS)
    return str(path)


def test_it_shows_accuracy_and_leaves_the_file_alone(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(file).read_text()
    assert main(["analyze", file, *CHEAP]) == 0
    shown = capsys.readouterr().out
    assert "accuracy" in shown
    assert "Ana" in shown
    assert "Bo" in shown
    assert Path(file).read_text() == before


def test_plain_data_has_a_review_of_every_choice(
    game: Game, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", file, "--json", *CHEAP]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["seats"] == ["Ana", "Bo"]
    assert report["version"] == 1
    assert [p["player"] for p in report["players"]] == [0, 1]
    for review in report["reviews"]:
        assert review["played"] == game.answers[review["number"]]


def test_a_game_that_is_not_over_needs_a_player(
    open_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", open_file, *CHEAP]) == 2
    assert "--player 1" in capsys.readouterr().err
    assert main(["analyze", open_file, "--json", "--player", "2", *CHEAP]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {review["player"] for review in report["reviews"]} == {1}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--player", "3"], "There is no player 3"),
        (["--player", "0"], "There is no player 0"),
        (["--iterations", "0"], "--iterations must be between 1 and"),
        (["--processes", "0"], "--processes must be 1 or more"),
    ],
)
def test_wrong_numbers_are_refused(
    file: str, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", file, *arguments]) == 2
    assert complaint in capsys.readouterr().err
