"""`smashup duel`: output, saved results, usage errors, and interruption."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from smashup.bots.duel import Duel, Result
from smashup.terminal.main import main
from tests.terminal.cli_process import environment, run


@pytest.fixture
def quick_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make games that end immediately; seat 0 wins all of them."""

    def play(duel: Duel, game: int, cards: object) -> Result:
        return Result(game, game % 2, (0,), (15, 9), 20, (40, 40), (0.1, 0.1), (("a", "b"),) * 2)

    monkeypatch.setattr(Duel, "play", play)


def test_it_shows_who_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["duel", "easy", "random", "--players", "3", "--games", "1", "--processes", "1"]) == 0
    )
    shown = capsys.readouterr().out
    assert "easy against random, 3 players, 3 games" in shown
    assert "95% interval" in shown
    assert "equals: 33%" in shown
    assert "mean rank" in shown
    assert "easy thinks" in shown
    assert "random thinks" in shown


def test_json_is_the_only_output(tmp_path: Path) -> None:
    line = (
        "duel", "random", "random", "--games", "5", "--seed", "3", "--json", "--processes", "2",
        "--factions", "kaiju+time travelers, random", "--edition", "cease and desist",
    )  # fmt: skip
    done = run(tmp_path, *line)
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert (data["games"], data["games_wanted"]) == (6, 6)
    assert data["win_rate"] == 0.5
    assert data["win_rate_interval"] == [0.1876, 0.8124]
    assert data["factions"] == [["Kaiju", "Time Travelers"], []]
    assert data["edition"] == "CD"
    assert data["stopped"] is False


@pytest.mark.usefixtures("quick_games")
def test_it_explains_why_it_ended(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["duel", "random", "random", "--processes", "1"]
    assert main([*line, "--games", "40", "--until-above", "0.9"]) == 0
    shown = capsys.readouterr().out
    assert "2 players, 20 games" in shown
    assert "random wins less than 90%: the 99% interval lies below it." in shown
    assert main([*line, "--games", "4", "--until-best"]) == 0
    assert "4 games do not show whether random is better" in capsys.readouterr().out


@pytest.mark.usefixtures("quick_games")
def test_saved_games_are_not_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "duel.jsonl"
    line = ["duel", "random", "random", "--processes", "1", "--keep", str(path), "--games"]
    assert main([*line, "2"]) == 0
    first = path.read_bytes()
    assert main([*line, "6"]) == 0
    second = path.read_bytes()
    assert second.startswith(first)
    assert second.count(b"\n") == 7
    assert main([*line, "6"]) == 0
    assert path.read_bytes() == second
    assert "has 6 games" in " ".join(capsys.readouterr().out.split())


@pytest.mark.usefixtures("quick_games", "english_afterwards")
def test_numbers_are_french_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["duel", "random", "random", "--games", "2", "--processes", "1", "--lang", "fr"]
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert "random contre random, 2 joueurs, 2 parties" in shown
    assert "50\u00a0%" in shown
    assert "+0,0" in shown


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (["nobody", "random"], "There is no bot called “nobody”"),
        (["random", "mcts:9"], "There is no bot called “mcts:9”"),
        (["easy", "norml"], "Did you mean normal?"),
        (["random", "random", "--games", "0"], "--games needs a number of at least 1, not 0."),
        (["random", "random", "--processes", "-1"], "--processes needs a number of at least 1"),
        (["random", "random", "--players", "5"], "2 to 4 players"),
        (["random", "random", "--until-above", "75"], "between 0 and 1, like 0.75, not 75"),
        (["random", "random", "--until-above", "nan"], "between 0 and 1"),
        (["random", "random", "--until-above", "0.5", "--until-best"], "cannot be combined"),
        (["random", "random", "--factions", "draft"], "A duel has no draft"),
        (["random", "random", "--factions", "xyzzy"], "There is no faction called “xyzzy”."),
        (["random", "random", "--factions", "Kaiju+Kaiju"], "cannot take Kaiju twice"),
        (["random", "random", "--factions", "a+b+c"], "“a+b+c” names 3 factions"),
        (["random", "random", "--factions", "Kaiju,Sumo Wrestlers,Itty Critters"], "3 players"),
        (["random", "random", "--edition", "XX"], "There is no edition “XX”"),
        (["random", "random", "--printing", "XX"], "Unknown printing “xx”"),
        (["random", "random", "--keep", "."], "The results cannot be kept in .: Is a directory."),
        (["random", "random", "--keep", "pyproject.toml"], "does not hold results of a duel"),
    ],
)
def test_invalid_options_give_one_error_sentence(
    line: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["duel", *line])
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
    shown = capsys.readouterr()
    assert code == 2
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c_keeps_finished_games(tmp_path: Path, processes: str) -> None:
    path = tmp_path / "duel.jsonl"
    line = ("duel", "random", "random", "--games", "9000", "--processes", processes, "--keep")
    with subprocess.Popen(
        [sys.executable, "-m", "smashup.terminal", *line, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(tmp_path),
    ) as process:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and process.poll() is None:
            if path.exists() and path.read_bytes().count(b"\n") > 3:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        shown, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors == ""
    games = path.read_bytes().count(b"\n") - 1
    assert games >= 3
    assert "of 9000 games." in shown
    assert f"has {games} games" in " ".join(shown.split())


def test_ctrl_c_before_the_first_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("smashup.bots.duel.Duel.play", interrupted)
    assert main(["duel", "random", "random", "--processes", "1"]) == 130
    shown = capsys.readouterr()
    assert shown.err == "Stopped before a game was over.\n"
    assert shown.out == ""
