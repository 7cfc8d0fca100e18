"""The command line: help, usage errors, and the effect of options."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from smashup.cards import catalogue
from smashup.engine.model.catalogue import Catalogue
from smashup.terminal.main import main
from smashup.version import __version__
from tests.terminal.program import APES, DUEL, run


def test_without_arguments_it_prints_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "examples:" in shown
    assert "at the prompt:" in shown


def test_help_of_play_names_the_editions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["play", "--help"])
    assert leaving.value.code == 0
    shown = capsys.readouterr().out
    for title in (
        "Science Fiction Double Feature",
        "Cease and Desist",
        "Big in Japan",
        "International Incident",
    ):
        assert title in shown
    assert "Culture Shock, 2019 (default)" in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--version"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out == f"smashup {__version__}\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--factions", "Tme Travelers+Cyborg Apes"], "Did you mean Time Travelers?"),
        (["--factions", "xyzzy"], "There is no faction called “xyzzy”."),
        (["--factions", f"{APES}+Super Spies"], "names 3 factions"),
        (["--factions", "Cyborg Apes+Cyborg Apes"], "cannot take Cyborg Apes twice"),
        (["--edition", "XX"], "There is no edition “XX”"),
        (["--printing", "draft"], "There is no printing “draft”"),
        (["--players", "5"], "2 to 4 players"),
        (["--players", "1"], "2 to 4 players"),
        (["--players", "two"], "invalid int value"),
        (["--players", "2", "--seats", "human,random,random"], "seats for 3 players"),
        (["--seats", "human,robot"], "Unknown seat “robot”"),
        (["--names", "Ana,ana"], "same name"),
        (["--first", "3"], "cannot go first"),
        (["--watch", "--seats", "human"], "--watch is for games of bots"),
        (["--seed", "x"], "invalid int value"),
        (["--frobnicate"], "nrecognized arguments: --frobnicate"),
        (["--save", "."], "is a folder"),
        (["--resume"], "There is no saved game yet"),
        (["--resume", "nowhere.json"], "There is no save file nowhere.json."),
        (["--resume", "--seed", "3"], "--seed cannot be changed in a saved game"),
    ],
)
def test_invalid_options_give_one_error_sentence(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    done = run(tmp_path, "play", *words, typed="1\n1\n")
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_a_save_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ana")
    done = run(tmp_path, "play", "--save", str(path), *DUEL, typed="q\n")
    assert done.returncode == 2
    assert "is not a Smash Up save file" in done.stderr
    assert path.read_text() == "Dear Ana"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "smashup-save"}', "\x00\x01"])
def test_a_damaged_save_gives_one_error_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content)
    done = run(tmp_path, "play", "--resume", str(path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert path.read_text() == content


def test_options_set_up_the_game(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.json"
    done = run(
        tmp_path, "play", "--players", "3", "--names", "Ana", "--first", "ana", "--seed", "12",
        "--factions", f"{APES}, super spies", "--edition", "big in japan", "--printing", "current",
        "--optional-titans", "--save", str(path), typed="q\n",
    )  # fmt: skip
    assert done.returncode == 0
    assert str(path) in done.stdout.replace("\n", "")
    data = json.loads(path.read_text())
    setup = data["setup"]
    assert setup["factions"][0] == ["Cyborg Apes", "Time Travelers"]
    assert setup["factions"][1][0] == "Super Spies"
    drawn = [name for pair in setup["factions"] for name in pair]
    assert len(set(drawn)) == 6
    assert (setup["edition"], setup["printing"], setup["first"]) == ("BIJ", "current", 0)
    assert setup["optional_titans"]
    assert data["seats"] == ["human:Ana", "normal:P2", "normal:P3"]


def test_scenario_calls_the_scenario_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def run_files(paths: list[str], verbose: bool, translator: object, cards: Catalogue) -> int:
        seen.append((paths, verbose, cards is catalogue()))
        return 7

    runner = ModuleType("smashup.scenarios.cli")
    vars(runner)["run_files"] = run_files
    monkeypatch.setitem(sys.modules, "smashup.scenarios.cli", runner)
    assert main(["scenario", "a.yaml", "b.yaml", "--verbose"]) == 7
    assert seen == [(["a.yaml", "b.yaml"], True, True)]
