"""`smashup check-faction` finds every mistake in one sentence that says where it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from smashup.cards import catalogue, conformance, plugins
from smashup.cards.authoring import supervision, time_limit
from smashup.cards.authoring.ability_code import check_code
from smashup.cards.authoring.declarations import check_completeness, check_declarations
from smashup.cards.authoring.module_code import check_imports, check_module
from smashup.cards.authoring.sources import source_of_module
from smashup.engine.model.catalogue import Faction
from smashup.terminal.main import main
from tests.cards.wrong_abilities import ABILITIES
from tests.cards.wrong_code import CODE
from tests.cards.wrong_factions import DECLARATIONS, VALID_FACTION, WrongFaction, at

BY_NAME = {file.name: file for file in (*DECLARATIONS, *ABILITIES, *CODE)}


def assert_one_sentence(file: WrongFaction, path: Path, output: str) -> None:
    lines = output.strip().splitlines()
    assert len(lines) == 1, output
    assert str(path) in lines[0]
    if file.line:
        assert f"{path}:{file.line}: " in lines[0]
    for part in file.parts:
        assert part in lines[0]


@pytest.mark.parametrize("name", BY_NAME)
def test_each_mistake_gets_one_sentence(
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = BY_NAME[name]
    if {"seconds", "cannot be stopped"} & {*file.parts}:
        monkeypatch.setattr(conformance, "ABILITY_SECONDS", 0.5)
        monkeypatch.setattr(plugins, "LOAD_SECONDS", 0.5)
        monkeypatch.setattr(time_limit, "MIN_CLOCK_SECONDS", 5)
    monkeypatch.setattr(conformance, "MAX_DECISIONS", 3000)
    path = file.write(tmp_path)
    assert main(["check-faction", str(path), "--games", "60"]) == 1
    shown = capsys.readouterr()
    assert_one_sentence(file, path, shown.out + shown.err)


def test_code_that_nothing_can_stop_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "STALL_SECONDS", 1)
    file = WrongFaction("unstoppable", ("cannot be stopped",), at(
        "top", "while True:\n    try:\n        while True: pass  #!\n    except BaseException:\n"
        "        pass"))  # fmt: skip
    path = file.write(tmp_path)
    assert main(["check-faction", str(path)]) == 1
    assert_one_sentence(file, path, capsys.readouterr().err)


def test_code_that_crashes_python_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crash = "__import__(bytes.fromhex('637479706573').decode()).string_at(0)"
    helper = f"CRASH = lambda: {crash}  #!"
    file = WrongFaction("crash", ("crashes",), (
        ("# top", helper), ("        # slide", "        CRASH()")))  # fmt: skip
    path = file.write(tmp_path)
    assert main(["check-faction", str(path)]) == 1
    assert_one_sentence(file, path, capsys.readouterr().err)


def test_two_factions_of_one_name_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stones.py"
    text = VALID_FACTION.replace("FACTION = ", "ONE = ").replace("copies = 10", "copies = 20")
    text += (
        "TWO = Faction(\n    name='STONES', set_name='Quarry', cards=(Slide,), bases=(Hill,))\n"
        "FACTIONS = (ONE, TWO)\n"
    )
    path.write_text(text.replace("(Rock, Slide)", "(Rock,)"))
    assert main(["check-faction", str(path), "--games", "2"]) == 1
    assert ":40: There is a faction called “STONES” already" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["missing.py", "folder.py"])
def test_a_path_without_a_file_is_reported(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.py").mkdir()
    assert main(["check-faction", str(tmp_path / name)]) == 1
    assert str(tmp_path / name) in capsys.readouterr().err


def test_the_file_without_mistakes_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stones.py"
    path.write_text(VALID_FACTION)
    assert main(["check-faction", str(path), "--games", "12"]) == 0
    shown = capsys.readouterr()
    assert "Stones: playable (12 random games" in shown.out
    assert shown.err == ""


@pytest.mark.parametrize("faction", catalogue().factions, ids=lambda faction: faction.name)
def test_the_checks_accept_the_factions_of_the_game(faction: Faction) -> None:
    source = source_of_module(sys.modules[faction.cards[0].__module__])
    check_imports(source)
    check_module(source)
    check_declarations(faction, source)
    check_completeness(faction, source)
    check_code(source)


@pytest.mark.parametrize("name", ["Super Spies", "Ignobles", "Anansi Tales"])
def test_cards_that_reveal_hidden_cards_by_their_text_are_no_leaks(name: str) -> None:
    report = conformance.check_faction(catalogue().faction(name), catalogue(), games=12)
    assert report.problems == []
