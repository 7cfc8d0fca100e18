"""`smashup hint`: a bot's advice for a saved game."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.saves.files import load, save
from smashup.terminal.main import main
from smashup.terminal.screens.advice import height_block
from tests.random_games import walk

pytestmark = pytest.mark.usefixtures("english_afterwards")

TEAMS = (("Cyborg Apes", "Time Travelers"), ("Super Spies", "Shapeshifters"))
SEATS = ["human:Ana", "normal:Bo"]
CHEAP = ("--bot", "mcts:8it")


@pytest.fixture
def game() -> Game:
    """Return a game in the middle of a turn."""
    found = Game(Setup(players=2, seed=5, factions=TEAMS), catalogue())
    for decision in walk(found, random.Random(2)):
        if found.table.state.turn >= 9 and len(decision.options) > 4:
            break
    return found


@pytest.fixture
def file(game: Game, tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    save(game, path, SEATS)
    return str(path)


def test_it_shows_the_decision_and_ranks_the_options(
    game: Game, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(file).read_text()
    assert main(["hint", file, *CHEAP]) == 0
    shown = capsys.readouterr().out
    decision = game.decision
    assert decision is not None
    name = ("Ana", "Bo")[decision.player]
    assert f"{name}: {decision.question()}" in shown
    assert "Advice from the bot “mcts:8it”" in shown
    rows = re.findall(r"^[▶ ] +(\d+)  [█·]{10} +(?:\d+%|–) +(\d+)  ", shown, re.MULTILINE)
    assert len(rows) == len(decision.options)
    assert sum(int(tried) for _, tried in rows) >= 8
    assert shown.count("▶") == 1
    assert "Chances after turns 1 to 8" in shown
    assert re.search(r"^Ana +[▁▂▃▄▅▆▇█]{8} +\d+% +\d+ VP", shown, re.MULTILINE)
    assert re.search(r"^Chances: .*Ana \d+%  Bo \d+%", shown, re.MULTILINE)
    assert Path(file).read_text() == before


def test_json_output(game: Game, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    decision = game.decision
    assert decision is not None
    assert main(["hint", file, "--json", "--iterations", "8"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bot"] == "hard"
    assert data["player"] == decision.player
    assert data["seats"] == ["Ana", "Bo"]
    assert data["iterations"] == 8
    count = len(decision.options)
    assert [option["option"] for option in data["options"]] == list(range(count))
    assert [option["label"] for option in data["options"]] == data["labels"]
    assert data["labels"] == [str(decision.label(i)) for i in range(count)]
    assert 0 <= data["pick"] < count
    assert sum(data["outlook"]) == pytest.approx(1, abs=0.001)
    assert [entry["turn"] for entry in data["history"]] == list(range(1, 9))
    for entry in data["history"]:
        assert sum(entry["chances"]) == pytest.approx(1, abs=0.001)
    assert main(["hint", file, "--json", "--iterations", "8"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert {**again, "seconds": 0} == {**data, "seconds": 0}


def test_it_shows_only_what_the_deciding_player_may_know(
    game: Game, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    decision = game.decision
    assert decision is not None
    player = decision.player
    known = json.dumps(game.view(player), ensure_ascii=False)
    secret = {
        game.table.state.definition[c].name
        for other, hand in enumerate(game.table.state.hands)
        if other != player
        for c in hand
    }
    secret = {name for name in secret if name not in known}
    assert secret
    for more in ((), ("--json",)):
        assert main(["hint", file, *CHEAP, *more]) == 0
        shown = capsys.readouterr().out
        assert not [name for name in secret if name in shown]


def test_bots_that_do_not_search_give_advice_too(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", file, "--bot", "normal"]) == 0
    shown = capsys.readouterr().out
    chances = [int(c) for c in re.findall(r"[█·]{10} +(\d+)% ", shown)]
    assert chances == sorted(chances, reverse=True)
    assert main(["hint", file, "--bot", "random"]) == 0
    assert "rates all options the same" in capsys.readouterr().out


def test_the_budget_is_kept(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", file, "--seconds", "0.05", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seconds"] < 1


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--bot", "foo"], "There is no bot called “foo”"),
        (["--bot", "normal", "--seconds", "1"], "“normal” does not search"),
        (["--seconds", "0"], "--seconds must be more than 0."),
        (["--seconds", "nan"], "--seconds must be more than 0."),
        (["--iterations", "0"], "--iterations must be 1 or more."),
    ],
)
def test_invalid_options_give_one_error_sentence(
    file: str, more: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", file, *more]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_two_limits_are_rejected(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["hint", file, "--seconds", "1", "--iterations", "5", "--lang", "fr"])
    assert leaving.value.code == 2
    assert "ne va pas avec" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"format": "smashup-save"}'])
def test_bad_files_give_one_error_sentence(
    tmp_path: Path, content: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.json"
    if content is not None:
        path.write_text(content)
    assert main(["hint", str(path)]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_a_finished_game_has_no_decision(
    game: Game, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in walk(game, random.Random(3)):
        pass
    save(game, Path(file), SEATS)
    assert load(Path(file), catalogue()).game.is_over
    assert main(["hint", file]) == 2
    assert f"The game in {file} is over" in capsys.readouterr().err


def test_the_last_game_is_the_default(
    game: Game,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["hint"]) == 2
    assert "There is no saved game yet" in capsys.readouterr().err
    save(game, tmp_path / "smashup" / "last-game.json", SEATS)
    assert main(["hint", *CHEAP]) == 0


def test_output_in_french(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", file, *CHEAP, "--lang", "fr"]) == 0
    shown = capsys.readouterr().out
    for expected in (
        "Conseil du bot",
        "chance de gagner",
        "essais",
        "Chances après les tours",
    ):
        assert expected in shown
    for english in ("chance to win", "tried", "after turns", "thinks"):
        assert english not in shown
    assert main(["hint", file, "--bot", "foo", "--lang", "fr"]) == 2
    assert "Il n’y a pas de bot appelé" in capsys.readouterr().err


def test_height_blocks() -> None:
    assert "".join(height_block(chance / 10) for chance in range(11)) == "▁▁▂▃▄▅▅▆▇██"
