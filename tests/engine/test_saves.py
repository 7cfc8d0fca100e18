"""Save files: what is refused, why, and how a game survives an upgrade of the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.engine.errors import SaveError
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.saves import files as saves
from smashup.engine.saves.snapshots import restore, snapshot
from tests.random_games import walk


def make_game(steps: int = 80, seed: int = 5) -> Game:
    game = Game(Setup(seed=seed), catalogue())
    for _ in walk(game, random.Random(seed), steps):
        pass
    return game


def test_a_file_on_disk_holds_the_game(tmp_path: Path) -> None:
    game = make_game()
    path = tmp_path / "saved" / "game.json"
    saves.save(game, path, ["human:Ana", "random"])
    loaded = saves.load(path, catalogue())
    assert loaded.game.digest() == game.digest()
    assert loaded.names == ["human:Ana", "random"]
    assert [p.name for p in path.parent.iterdir()] == ["game.json"]


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="There is no save file"):
        saves.load(tmp_path / "nothing.json", catalogue())


def test_a_truncated_file_is_reported_with_its_position(tmp_path: Path) -> None:
    path = tmp_path / "torn.json"
    path.write_text(json.dumps(saves.to_json(make_game()))[:300], encoding="utf-8")
    with pytest.raises(SaveError, match="damaged at line 1, column"):
        saves.load(path, catalogue())


def test_a_save_with_a_missing_faction_asks_for_its_file() -> None:
    data = save_with("setup", make_game().setup.to_json() | {"factions": []})
    data["setup"]["factions"] = [["Night Owls", "Kaiju"], ["Ninjas", "Pirates"]]
    with pytest.raises(SaveError, match=r"the faction “Night Owls”.*--faction-file FILE"):
        saves.from_json(data, catalogue())


@pytest.mark.parametrize("kept", [0, 25, 50])
def test_a_save_that_lost_answers_is_refused(kept: int) -> None:
    data: dict[str, Any] = json.loads(json.dumps(saves.to_json(make_game())))
    assert str(kept) in data["digests"]
    data["answers"] = data["answers"][:kept]
    with pytest.raises(SaveError, match="do not match its answers"):
        saves.from_json(data, catalogue())


def save_with(field: str, value: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(saves.to_json(make_game())))
    data[field] = value
    return data


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("format", "chess", "not a Smash Up save"),
        ("format_version", 99, "format version 99"),
        ("rules_version", None, "“rules_version”"),
        ("setup", [], "“setup”"),
        ("setup", {"players": 9}, "2 to 4 players"),
        ("setup", {"colour": "red"}, "no field “colour”"),
        ("setup", {"players": "two"}, "“players” in the setup"),
        ("answers", "0,1,2", "“answers”"),
        ("answers", [0, "one"], "Answer number 2"),
        ("answers", [0, True], "Answer number 2"),
        ("answers", [0], "digests"),
        ("digests", {}, "digests"),
        ("snapshot", 3, "“snapshot”"),
        ("start", 3, "“start”"),
        ("seats", None, "“seats”"),
    ],
)
def test_a_damaged_part_is_named(field: str, value: Any, sentence: str) -> None:
    with pytest.raises(SaveError, match=sentence):
        saves.from_json(save_with(field, value), catalogue())


def test_an_edited_answer_is_found() -> None:
    """A changed answer leads to another table, which the digests detect."""
    data = json.loads(json.dumps(saves.to_json(make_game())))
    data["answers"][10] = 0 if data["answers"][10] else 1
    with pytest.raises(SaveError, match="does not replay: a"):
        saves.from_json(data, catalogue())


def test_a_game_of_other_rules_continues_from_its_last_menu() -> None:
    """The answers lead to another game under the new rules, so the snapshot is used."""
    game = make_game()
    data = json.loads(json.dumps(saves.to_json(game)))
    data["rules_version"] = "0.0.1"
    data["digests"]["0"] = "0" * 16
    loaded = saves.from_json(data, catalogue())
    assert "0.0.1" in loaded.warning
    assert loaded.game.at_menu
    assert game.table.last_menu is not None
    assert loaded.game.table.state.to_dict() == game.table.last_menu.to_dict()
    rng = random.Random(1)
    for _ in walk(loaded.game, rng, 60):
        pass
    again = saves.from_json(json.loads(json.dumps(saves.to_json(loaded.game))), catalogue())
    assert again.game.digest() == loaded.game.digest()
    assert loaded.game.undo(3).answers == loaded.game.answers[:-3]


def test_a_damaged_snapshot_is_refused() -> None:
    data = json.loads(json.dumps(saves.to_json(make_game())))
    data["rules_version"] = "0.0.1"
    data["digests"]["0"] = "0" * 16
    data["snapshot"]["definition"][3] = "No Such Card"
    with pytest.raises(SaveError, match="snapshot in the save is damaged"):
        saves.from_json(data, catalogue())


def test_a_snapshot_is_the_table_at_the_last_menu() -> None:
    """Every field survives the conversion to plain data and back."""
    for seed in range(6):
        game = make_game(100, seed)
        data = json.loads(json.dumps(snapshot(game)))
        assert game.table.last_menu is not None
        assert (
            restore(data, game.setup, catalogue()).table.checkpoint.to_dict()
            == game.table.last_menu.to_dict()
        )
