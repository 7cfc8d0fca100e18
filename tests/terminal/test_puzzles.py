"""`smashup puzzles`: the list, a puzzle at the prompt, hints, solutions, and files."""

from __future__ import annotations

from pathlib import Path

import pytest

from smashup.puzzles.model import Puzzle
from smashup.puzzles.puzzle_file import load_shipped_puzzles
from smashup.terminal.main import main
from tests.terminal.cli_process import run

SOLUTION = "The solution\n1. "


def find_easiest_puzzle() -> Puzzle:
    return min(load_shipped_puzzles().values(), key=lambda puzzle: (puzzle.positions, puzzle.id))


def hints(puzzle: Puzzle, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert main(["puzzles", "hint", puzzle.id]) == 0
    return [line.partition(". ")[2] for line in capsys.readouterr().out.splitlines()]


def test_a_failed_puzzle_keeps_its_solution(tmp_path: Path) -> None:
    puzzle = find_easiest_puzzle()
    done = run(tmp_path, "puzzles", "play", puzzle.id, typed="e\n" * 9)
    assert done.returncode == 0
    assert "Not solved: " in done.stdout
    assert SOLUTION not in done.stdout
    assert f"puzzles play {puzzle.id}" in done.stdout
    assert f"puzzles solution {puzzle.id}" in done.stdout


def test_the_goal_stays_on_the_screen(tmp_path: Path) -> None:
    done = run(tmp_path, "puzzles", "play", find_easiest_puzzle().id, typed="1\nu\nq\n")
    assert done.stdout.count("Puzzle: ") >= 3
    assert "You undid your last choice. Puzzle: " in done.stdout


def test_hints_at_the_prompt_are_those_of_the_puzzle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzle = find_easiest_puzzle()
    card, play = hints(puzzle, capsys)
    asked = run(tmp_path, "puzzles", "play", puzzle.id, typed="h\nq\n").stdout
    assert card in asked
    assert play not in asked
    assert "Advice from the bot" not in asked
    again = run(tmp_path, "puzzles", "play", puzzle.id, typed="h\nh\nq\n").stdout
    assert f"{card}\n{play}\n" in again


def test_ids_may_have_capitals(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = next(p for p in load_shipped_puzzles().values() if p.id != p.id.upper())
    assert main(["puzzles", "solution", puzzle.id.upper()]) == 0
    assert SOLUTION in capsys.readouterr().out
    assert main(["puzzles", "solution", "nothing"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("There is no puzzle “nothing”. `")
    assert error.endswith("smashup puzzles list` lists them.\n")


def test_a_file_that_cannot_be_written_is_said_before_games_are_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("A game is played for nothing.")

    monkeypatch.setattr("smashup.terminal.commands.puzzles.mine_in_processes", refuse)
    path = tmp_path / "missing" / "new.jsonl.xz"
    assert main(["puzzles", "mine", "--games", "1", "--file", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path} cannot be written: ")


def test_the_list_names_difficulties(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzles", "list", "--difficulty", "hard"]) == 0
    words = capsys.readouterr().out.split()
    assert "hard" in words
    assert "puzzle" not in words[1:]


@pytest.mark.usefixtures("english_afterwards")
def test_the_list_has_french_titles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzles", "list", "--lang", "fr", "--difficulty", "hard"]) == 0
    titles = capsys.readouterr().out.splitlines()[0].split("  ")
    assert [title.strip() for title in titles if title.strip()] == [
        "problème",
        "difficulté",
        "vos Factions",
        "objectif",
    ]
