"""Damaged and hostile save files get one clear message immediately and stay unchanged."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.engine.errors import SaveError
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.saves import files as saves
from smashup.terminal.main import main
from tests.random_games import walk
from tests.time_limits import limited

LIMIT_SECONDS = 2.0
MAX_SENTENCE = 600
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 7, 99, 10**6, 2**31, 2**63, 2**64, 2**70, 10**400, -(10**9), 1.5,
    float("inf"), float("nan"), "", "x", "\ud800", "x" * 5000, [], [[]], [1] * 5000, {}, {"a": 1},
)  # fmt: skip
REMOVED = "removed"


def make_game(seed: int, steps: int = 90, **more: Any) -> Game:
    game = Game(Setup(seed=seed, **more), catalogue())
    for _ in walk(game, random.Random(seed), steps):
        pass
    return game


def with_other_rules(data: dict[str, Any]) -> dict[str, Any]:
    """Return the same save with answers that lead to another game, so that the snapshot is used."""
    return {**data, "rules_version": "0.0.1", "digests": {**data["digests"], "0": "0" * 16}}


@cache
def make_saves() -> list[str]:
    """Return valid saves of all kinds: replayed, from a snapshot, begun in the middle."""
    found = []
    for seed in range(2):
        data = saves.to_json(make_game(seed, players=2 + seed), ["human:Ana", "easy:"])
        data = json.loads(json.dumps(data))
        middle = saves.from_json(with_other_rules(data), catalogue()).game
        for _ in walk(middle, random.Random(seed), 20):
            pass
        found += [data, with_other_rules(data), saves.to_json(middle)]
    return [json.dumps(data) for data in found]


def find_paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from find_paths(value, (*path, key))
        else:
            yield (*path, key)


def damage(data: dict[str, Any], dice: random.Random) -> str:
    """Replace or remove one value, in any part of the file with equal probability."""
    part = dice.choice(list(data))
    inside = list(data[part]) if isinstance(data[part], dict) else []
    field = dice.choice(inside) if inside and dice.random() < 0.8 else None
    found = [p for p in find_paths(data) if p[0] == part and (field is None or p[1:2] == (field,))]
    path = dice.choice(found or [(part,)])
    holder: Any = data
    for key in path[:-1]:
        holder = holder[key]
    value = dice.choice((*VALUES, REMOVED))
    if value == REMOVED:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return f"{path} = {str(value)[:40]}"


def load_and_continue(path: Path) -> bool:
    """Load a file and continue the game; return whether that was possible."""
    before = path.read_bytes()
    began = time.process_time()
    sentence = ""
    try:
        with limited(2 * LIMIT_SECONDS):
            game = saves.load(path, catalogue()).game
            game.view(0)
            game.view(-1)
            for _ in walk(game, random.Random(1), 10):
                pass
    except SaveError as refused:
        sentence = str(refused)
    assert time.process_time() - began < LIMIT_SECONDS
    assert path.read_bytes() == before
    assert not sentence or 10 < len(sentence) < MAX_SENTENCE
    return not sentence


@pytest.mark.parametrize("seed", range(6))
def test_damaged_values_are_refused_or_harmless(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    path = tmp_path / "save.json"
    refused = 0
    for _ in range(80):
        data = json.loads(dice.choice(make_saves()))
        what = damage(data, dice)
        path.write_text(json.dumps(data), encoding="utf-8")
        try:
            refused += not load_and_continue(path)
        except Exception as error:
            raise AssertionError(what) from error
    assert refused > 40


def test_flipped_bits_and_torn_files(tmp_path: Path) -> None:
    dice = random.Random(7)
    path = tmp_path / "save.json"
    for number in range(60):
        found = bytearray(dice.choice(make_saves()).encode())
        if number % 3:
            at = dice.randrange(len(found))
            found[at] ^= 1 << dice.randrange(8)
        else:
            del found[dice.randrange(len(found)) :]
        path.write_bytes(found)
        load_and_continue(path)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "damaged at line 1"),
        (b"\x00" * 100, "damaged at line 1"),
        (b"\xff\xfe{}", "is not text"),
        (
            b'{"format": "smashup-save", "format_version": ' + b"9" * 5000 + b"}",
            "an invalid number",
        ),
        (b'{"format": NaN}', "an invalid number"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 50_000, "nested too deeply"),
        (b'"' + b"x" * (saves.MAX_BYTES + 10) + b'"', "too long"),
        (b"[]", "not a Smash Up save"),
        (b'{"format": "smashup-save", "format_version": 1}', "format version 1"),
        (b'{"format": "smashup-save", "format_version": "' + b"x" * 9999 + b'"}', "format version"),
    ],
)
def test_files_that_are_not_saves(tmp_path: Path, raw: bytes, sentence: str) -> None:
    path = tmp_path / "save.json"
    path.write_bytes(raw)
    with pytest.raises(SaveError, match=sentence) as refused:
        saves.load(path, catalogue())
    assert len(str(refused.value)) < MAX_SENTENCE
    assert not load_and_continue(path)


def test_pipes_and_devices_are_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        with limited(LIMIT_SECONDS), pytest.raises(SaveError, match="is not a file"):
            saves.load(path, catalogue())


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("phase", 99, "phase"),
        ("phase", 6, "phase"),
        ("current", 5, "current"),
        ("zone", [], "zone"),
        ("rng", 2**64, "rng"),
        ("rng", -1, "rng"),
        ("vp", [0], "vp"),
        ("vp", [10**30, 0], "vp"),
        ("hands", [[], []], "places"),
        ("sites", [[1, 2]], "sites"),
        ("kind", ["x"] * 100_000, "kind"),
        ("decks", [[[[[[1]]]]], []], "decks"),
    ],
)
def test_what_is_wrong_with_a_snapshot_is_named(field: str, value: Any, sentence: str) -> None:
    data = with_other_rules(json.loads(make_saves()[0]))
    data["snapshot"][field] = value
    with limited(LIMIT_SECONDS), pytest.raises(SaveError, match=sentence):
        saves.from_json(data, catalogue())


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ([0] * (saves.MAX_ANSWERS + 1), "no game is that long"),
        ([-1], "out of range"),
        ([2**70], "out of range"),
        ([1000], "does not replay"),
        ([0.0], "not a number"),
        ([None], "not a number"),
    ],
)
def test_answers_without_a_question(answers: list[Any], sentence: str) -> None:
    data = json.loads(make_saves()[0])
    data["answers"] = answers
    data["digests"] = {str(len(answers)): "0" * 16}
    with limited(LIMIT_SECONDS), pytest.raises(SaveError, match=sentence):
        saves.from_json(data, catalogue())


@pytest.mark.parametrize("command", [["play", "--resume"], ["hint"]])
def test_the_terminal_prints_one_sentence(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    dice = random.Random(3)
    path = tmp_path / "save.json"
    cases = [b"", b"{", b"\xff", b"[" * 100_000, make_saves()[0][:2000].encode()]
    for field, value in [("phase", 77), ("definition", ["x"] * 9), ("permissions", [[0] * 19])]:
        data = with_other_rules(json.loads(make_saves()[0]))
        data["snapshot"][field] = value
        cases.append(json.dumps(data).encode())
    data = json.loads(make_saves()[0])
    data["answers"][dice.randrange(20)] = 500
    cases.append(json.dumps(data).encode())
    for raw in cases:
        path.write_bytes(raw)
        began = time.process_time()
        with limited(2 * LIMIT_SECONDS):
            assert main([*command, str(path)]) == 2
        assert time.process_time() - began < LIMIT_SECONDS
        captured = capsys.readouterr()
        assert captured.out == ""
        assert len(captured.err.strip().splitlines()) == 1
        assert "Traceback" not in captured.err
        assert path.read_bytes() == raw
    assert [found.name for found in tmp_path.iterdir()] == ["save.json"]
