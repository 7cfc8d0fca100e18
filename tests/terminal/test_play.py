"""Whole games in the real program."""

from __future__ import annotations

import json
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from tests.terminal.cli_process import AGAINST_RANDOM, APES, DUEL, Person, run


def load_save(home: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((home / "smashup" / "last-game.json").read_text())
    return data


def test_random_players_repeat_a_game_with_its_seed(tmp_path: Path) -> None:
    words = ("play", "--seed", "3", "--seats", "random,random", "--fast", *DUEL)
    first, second = run(tmp_path, *words), run(tmp_path, *words)
    assert first.returncode == 0
    assert first.stderr == ""
    assert "wins!" in first.stdout
    assert first.stdout == second.stdout
    assert list(tmp_path.iterdir()) == []


def test_watching_four_random_players_in_eighty_columns(tmp_path: Path) -> None:
    done = run(
        tmp_path, "play", "--watch", "--seats", "random,random,random,random", "--seed", "1",
        "--factions", f"{APES}, {APES}, {APES}, {APES}", "--optional-titans",
    )  # fmt: skip
    assert done.returncode == 0
    assert "P4" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 80


@pytest.mark.parametrize("seed", [1, 2])
def test_a_human_plays_to_the_end(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    with Person(tmp_path, "play", "--seed", str(seed), "--names", "Ana", *AGAINST_RANDOM) as person:
        screens = person.play(lambda options: rng.randint(1, options))
        assert person.process.wait(10) == 0
    assert "wins!" in screens[-1]
    assert "Ana (you)" in screens[0]
    assert max(len(line) for line in person.output.splitlines()) <= 80
    data = load_save(tmp_path)
    game = Game.replay(Setup.from_json(data["setup"]), catalogue(), data["answers"])
    assert game.is_over


def test_a_resumed_game_continues_unchanged(tmp_path: Path) -> None:
    start = ("play", "--seed", "4", *AGAINST_RANDOM)
    one, two = tmp_path / "one", tmp_path / "two"
    with Person(one, *start) as person:
        person.play(lambda options: options // 2 + 1)
    with Person(two, *start) as person:
        for _ in range(20):
            person.read() if not person.output else person.type(str(person.options // 2 + 1))
        goodbye = person.type("q")
        assert person.process.wait(10) == 0
    assert "play --resume" in goodbye
    assert len(load_save(two)["answers"]) < len(load_save(one)["answers"])
    with Person(two, "play", "--resume") as person:
        assert "wins!" in person.play(lambda options: options // 2 + 1)[-1]
    assert load_save(one)["answers"] == load_save(two)["answers"]


@pytest.mark.parametrize("how", ["end of input", "SIGINT", "SIGTERM"])
def test_quitting_in_any_way_saves(tmp_path: Path, how: str) -> None:
    with Person(tmp_path, "play", "--seed", "5", *AGAINST_RANDOM) as person:
        person.read()
        person.type("1")
        if how == "end of input":
            assert person.process.stdin is not None
            person.process.stdin.close()
        else:
            person.process.send_signal(getattr(signal, how))
        goodbye = person.read()
        assert person.process.wait(10) == 0
    assert "Saved in" in goodbye
    assert "Traceback" not in goodbye
    assert load_save(tmp_path)["answers"]


def test_a_new_game_keeps_the_previous_one(tmp_path: Path) -> None:
    run(tmp_path, "play", "--seed", "6", *DUEL, typed="q\n")
    done = run(tmp_path, "play", "--seed", "7", *DUEL, typed="q\n")
    assert "previous-game.json" in done.stdout
    assert load_save(tmp_path)["setup"]["seed"] == 7
    before = json.loads((tmp_path / "smashup" / "previous-game.json").read_text())
    assert before["setup"]["seed"] == 6


def test_a_game_saved_under_older_rules_continues_and_is_saved(tmp_path: Path) -> None:
    run(tmp_path, "play", "--seed", "6", "--first", "1", *AGAINST_RANDOM, typed="e\nq\n")
    path = tmp_path / "smashup" / "last-game.json"
    data = load_save(tmp_path)
    data["rules_version"] = "0.0.1"
    data["digests"] = dict.fromkeys(data["digests"], "other rules")
    path.write_text(json.dumps(data))
    done = run(tmp_path, "play", "--resume", typed="e\nq\n")
    assert done.returncode == 0
    assert "continues from its last play menu" in " ".join(done.stdout.split())
    again = load_save(tmp_path)
    assert again["start"] == data["snapshot"]
    assert again["answers"]
    resumed = run(tmp_path, "play", "--resume", typed="q\n")
    assert resumed.returncode == 0
    assert "last play menu" not in " ".join(resumed.stdout.split())


def test_humans_draft_factions_in_turn(tmp_path: Path) -> None:
    with Person(
        tmp_path, "play", "--seats", "human,human", "--names", "Ana,Bo", "--factions", "draft",
        "--seed", "1", "--first", "Bo", "--edition", "culture shock",
    ) as person:  # fmt: skip
        assert "Pass the screen to Bo" in person.read()
        assert "Bo: Choose a faction." in person.type("")
        assert "Pass the screen to Ana" in person.type("1")
        assert "Bo takes" in person.type("")


def test_hands_stay_hidden_from_the_other_human(tmp_path: Path) -> None:
    """No screen names a card that is hidden from its reader."""
    rng = random.Random(8)
    with Person(tmp_path, "play", "--seats", "human,human", "--seed", "8", *DUEL) as person:
        screens: list[str] = []
        shown = person.read()
        while len(screens) < 80 and person.options >= 0:
            if person.options:
                screens.append(shown)
                shown = person.type(str(rng.randint(1, person.options)))
            else:
                shown = person.type("")
        person.type("q")
    data = load_save(tmp_path)
    game = Game(Setup.from_json(data["setup"]), catalogue())
    checked = 0
    for answer in data["answers"]:
        decision = game.decision
        assert decision is not None
        if len(decision.options) > 1 and screens:
            screen = " ".join(screens.pop(0).split())
            for name in _secrets(game, decision.player):
                assert name not in screen
                checked += 1
        game.choose(answer)
    assert checked > 100


def _secrets(game: Game, player: int) -> set[str]:
    """Return the names of cards in other hands that are in no text the player may read."""
    known = json.dumps(game.view(player), ensure_ascii=False)
    known += " ".join(str(line) for _, line in game.log_lines(player))
    names = {
        game.table.state.definition[c].name
        for other, hand in enumerate(game.table.state.hands)
        if other != player
        for c in hand
    }
    return {name for name in names if name not in known}
