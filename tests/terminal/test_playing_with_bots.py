"""Bots in seats: levels, saves, undo, hints, and the line with win chances."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from smashup.bots.levels import LEVELS
from smashup.cards import catalogue
from smashup.engine.errors import SetupError
from smashup.engine.saves.files import load
from smashup.terminal.game.seats import (
    DEFAULT_OPPONENT,
    HUMAN,
    Seat,
    choose_bot_answer,
    parse_saved_seats,
)
from tests.bots.test_bots import positions
from tests.terminal.cli_process import AGAINST_RANDOM, DUEL, Person, environment, run

PLAY = ("play", "--seed", "4", "--first", "1", *DUEL)
CHANCES = re.compile(r"Chances: [█▓▒░]{24}(  \w+ \d+%)+")


def load_save(home: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((home / "smashup" / "last-game.json").read_text())
    return data


# --- seats ----------------------------------------------------------------------------------


def test_a_seat_is_a_human_or_a_bot_level() -> None:
    for kind in ("human", "random", "easy", "normal", "hard", "expert"):
        assert Seat.parse(kind, 3) == Seat(kind, "P3")
        assert Seat.parse(f" {kind.upper()}: Bo ", 3) == Seat(kind, "Bo")
        assert Seat.parse(str(Seat(kind, "Bo")), 3) == Seat(kind, "Bo")
    with pytest.raises(SetupError, match=r"one of human, random, easy, normal, hard, expert"):
        Seat.parse("mcts:8it", 1)


def test_seats_of_old_saves_are_parsed() -> None:
    assert parse_saved_seats(["human:Ana", "random:Bo"], 2) == [
        Seat("human", "Ana"),
        Seat("random", "Bo"),
    ]
    assert parse_saved_seats([], 2) == [Seat(HUMAN, "P1"), Seat(DEFAULT_OPPONENT, "P2")]


def test_bot_levels_are_saved(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "--seats", "human,easy,hard:Bo", "--seed", "1", typed="q\n")
    assert done.returncode == 0
    assert load_save(tmp_path)["seats"] == ["human:P1", "easy:P2", "hard:Bo"]
    run(tmp_path, *PLAY, typed="q\n")
    assert load_save(tmp_path)["seats"] == ["human:P1", "normal:P2"]


def test_help_lists_the_levels(tmp_path: Path) -> None:
    shown = run(tmp_path, "play", "--help").stdout
    for level in LEVELS:
        assert f"  {level.name:<7} {level.description}" in shown


@pytest.mark.parametrize("kind", ["random", "easy", "normal"])
def test_bots_without_a_time_limit_repeat_their_answers(kind: str) -> None:
    for game in positions(6, seed=31):
        before = game.digest()
        answer = choose_bot_answer(game, kind)
        again = game.undo(0)
        assert choose_bot_answer(again, kind) == answer
        assert game.digest() == before


# --- whole games ----------------------------------------------------------------------------


def test_resume_and_undo_lead_to_the_same_game_against_a_bot(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    with Person(one, *PLAY) as person:
        person.read()
        for _ in range(24):
            person.type(str(person.options // 2 + 1))
        person.type("q")
    with Person(two, *PLAY) as person:
        person.read()
        for number in range(12):
            choice = str(person.options // 2 + 1)
            person.type(choice)
            if number in (3, 7):
                assert "You undid your last choice." in person.type("u")
                person.type(choice)
        person.type("q")
        assert person.process.wait(10) == 0
    assert len(load_save(two)["answers"]) < len(load_save(one)["answers"])
    with Person(two, "play", "--resume") as person:
        person.read()
        for _ in range(12):
            person.type(str(person.options // 2 + 1))
        person.type("q")
    assert load_save(one)["answers"] == load_save(two)["answers"]
    assert load_save(one)["seats"] == load_save(two)["seats"] == ["human:P1", "normal:P2"]


def test_watching_bots(tmp_path: Path) -> None:
    words = ("play", "--watch", "--seats", "normal,easy:Bo", "--seed", "2", *DUEL)
    done = run(tmp_path, *words)
    assert done.returncode == 0
    assert "wins!" in done.stdout
    assert CHANCES.search(done.stdout)
    assert list(tmp_path.iterdir()) == []


# --- chances and hints ----------------------------------------------------------------------


def test_chances_are_shown_below_the_board_unless_disabled(tmp_path: Path) -> None:
    assert CHANCES.search(run(tmp_path, *PLAY, typed="q\n").stdout)
    assert CHANCES.search(run(tmp_path, "play", "--resume", typed="q\n").stdout)
    for words in (
        (*PLAY, "--no-eval"),
        ("play", "--resume", "--no-eval"),
        (*PLAY, "--seats", "human,human"),
    ):
        done = run(tmp_path, *words, typed="\nq\n")
        assert done.returncode == 0
        assert "Chances" not in done.stdout


@pytest.mark.parametrize("word", ["h", "hint", "HINT"])
def test_a_hint_leaves_the_game_unchanged(tmp_path: Path, word: str) -> None:
    with Person(tmp_path, "play", "--seed", "9", "--first", "1", *AGAINST_RANDOM) as person:
        person.read()
        person.type("1")
        log = person.type("l")
        person.type("s")
        before = load_save(tmp_path)
        options = person.options
        shown = person.type(word)
        assert person.options == options
        assert person.type("l") == log
        person.type("s")
    assert "Advice from the bot “hard”" in shown
    assert CHANCES.search(shown)
    marks = re.findall(r"^([▶ ]) +\d+  [█·]", shown, re.MULTILINE)
    assert marks[0] == "▶"
    assert marks.count("▶") == 1
    rows = re.findall(r"^[▶ ] +(\d+)  [█·]{10} +(?:\d+%|–) +(\d+)", shown, re.MULTILINE)
    assert {int(number) for number, _ in rows} == set(range(1, options + 1))
    _, *others = [int(tried) for _, tried in rows]  # the pick comes first in any case
    assert others == sorted(others, reverse=True)
    assert load_save(tmp_path) == before


def test_a_long_hint_shows_only_the_best_options(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "--seed", "1", "--factions", "draft", typed="h\nq\n")
    assert "It rates all options the same here." in done.stdout
    with Person(tmp_path, "play", "--seed", "3", "--first", "1", *DUEL) as person:
        person.read()
        while person.options <= 11:
            person.type("1")
        more = person.options - 10
        assert f"… and {more} that look worse" in person.type("h")


def test_hint_and_chances_in_french(tmp_path: Path) -> None:
    done = run(tmp_path, *PLAY, "--lang", "fr", typed="h\n?\nq\n")
    for words in ("Chances\u00a0: ", "\u00a0%", "Conseil du bot «\u00a0hard\u00a0»", "un conseil"):
        assert words in done.stdout
    shown = run(tmp_path, "play", "--help", "--lang", "fr").stdout
    assert "Réfléchit une seconde" in shown
    assert not any(level.description in shown for level in LEVELS)


# --- on a terminal --------------------------------------------------------------------------


def test_thinking_shows_progress_and_can_be_interrupted(tmp_path: Path) -> None:
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    words = ("play", "--seed", "3", "--seats", "human,expert:Robo", "--first", "2", *DUEL)
    process = subprocess.Popen(
        [sys.executable, "-m", "smashup.terminal", *words],
        stdin=slave, stdout=slave, stderr=slave, env=environment(tmp_path, TERM="xterm-256color"),
    )  # fmt: skip
    os.close(slave)
    shown = ""
    interrupted = False
    while True:
        try:
            shown += os.read(master, 65536).decode(errors="ignore")
        except OSError:  # the program is gone
            break
        if "Robo is thinking" in shown and not interrupted:
            interrupted = True
            process.send_signal(signal.SIGINT)
    os.close(master)
    assert process.wait(10) == 0
    assert "Saved in" in shown
    assert "Traceback" not in shown
    assert load_save(tmp_path)["seats"] == ["human:P1", "expert:Robo"]
    game = load(tmp_path / "smashup" / "last-game.json", catalogue()).game
    assert game.decision is not None
