"""Damaged scenario files: one clear sentence each, soon, and never a traceback."""

from __future__ import annotations

import gc
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.cards.authoring import time_limit as time_limits
from smashup.cards.authoring.time_limit import TimeLimitExceeded, time_limit
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.scenarios import cli
from smashup.scenarios.scenario_writer import write_scenario
from smashup.scenarios.yaml_reader import MAX_BYTES, LineDict, read_yaml

ROOT = Path(__file__).parents[2]
SECONDS = 2.0


def run(file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What the program says about a file; it may not fail itself, nor take long."""
    begin = time.process_time()
    assert cli.run_files([str(file)]) in (0, 1)
    assert time.process_time() - begin < SECONDS
    said = capsys.readouterr()
    assert said.err == ""
    assert "Traceback" not in said.out
    return said.out


def write(folder: Path, content: bytes | str) -> Path:
    file = folder / "case.yaml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


BILLION_LAUGHS = "a0: &a0 [x, x]\n" + "".join(
    f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}, *a{i - 1}, *a{i - 1}]\n" for i in range(1, 40)
)
DAMAGED: dict[str, tuple[bytes | str, str]] = {
    "not UTF-8": (b"id: \xff\xfe", "case.yaml:1: this is not UTF-8 text"),
    "not UTF-8, further down": (
        b"id: X\ntitle: \xe9t\xe9\n",
        "case.yaml:2: this is not UTF-8 text",
    ),
    "UTF-16": ("id: X".encode("utf-16"), "this is not UTF-8 text"),
    "zeros": (b"\x00" * 100, "cannot be read as YAML"),
    "no YAML": ("id: [", "cannot be read as YAML"),
    "an open bracket": ("title: x\nbases: [B1\n", "case.yaml:2: this cannot be read as YAML (did"),
    "a tab": ("id: X\n\ttitle: Y", "case.yaml:2: YAML does not allow tabs"),
    "empty": ("", "contains no scenario"),
    "a comment": ("# nothing", "contains no scenario"),
    "a word": ("hello", "keys such as"),
    "a number": ("3", "keys such as"),
    "two documents": ("id: X\n---\nid: Y", "a file holds one document"),
    "a bomb": (BILLION_LAUGHS, "this contains too many values"),
    "deep lists": ("do: " + "[" * 100_000, "nested too deeply"),
    "deep mappings": ("do: " + "{a: " * 60_000, "nested too deeply"),
    "deep blocks": ("".join(" " * i + "a:\n" for i in range(400)), "nested too deeply"),
    "itself": ("do: &a [*a]", "refers to itself"),
    "nothing": ("do: *a", "refers to itself or to nothing"),
    "a tag": ("id: !!python/object:os.system x", "a tag such as"),
    "a key twice": ("expect: {vp: {P1: 1}, vp: {P2: 2}}", "“vp” occurs twice"),
    "a list as key": ("? [a, b]\n: c", "a key should be a word"),
    "too large": ("id: " + "x" * MAX_BYTES, "too large"),
    "a huge number": ("seed: " + "9" * 5000, "a whole number is needed"),
    "a large number": ("bases: [B1: {P1: [V3: {counters: 1000000}]}]", "a number up to"),
    "a huge minion": ("bases: [B1: {P1: [V" + "9" * 5000 + "]}]", "There is no card called"),
    "many copies": ("hands: {P1: [150 x V1]}", "at most 100 copies"),
    "very many copies": ("hands: {P1: [100000000 x V1]}", "room for 600 cards"),
    "many cards": ("hands: {P1: [" + "100 x V1, " * 50 + "]}", "room for 600 cards"),
    "many draws": ("fixtures: {X: {type: action, played: [draw: 99999999]}}", "a number up to"),
    "a fraction": ("vp: {P1: 1.5}", "a whole number is needed"),
    "not a number": ("vp: {P1: .nan}", "a whole number is needed"),
    "a date": ("turn: 2024-01-01", "is not a player"),
    "a damaged table": ("table: {kind: 3, zone: x}", "“table” cannot be restored"),
    "only a label": ("id: .nan", "there is nothing to check"),
    "only a merge": ("<<: [1, 2]", "there is nothing to check"),
    "another version": ("scenario_version: 99", "reads version 1 of the language"),
    "abilities without end": (
        "fixtures: {X: {type: minion, power: 1, after_control: [control: it]},"
        " Y: {type: minion, power: 2, after_transfer: [transfer_counters: {from: it, to: me}]}}\n"
        "bases: [B1: {P1: [X], P2: [X, Y: {counters: 1}, Y]}]\n"
        "do: [happens: {control: [P2's X, P1]}]",
        "",
    ),
    "powers without end": (
        "fixtures: {X: {type: minion, power: 2, power_bonus: {by: 1, per: {max: 3}}}}\n"
        "bases: [B1: {P1: [X, X, X, X, X, X], P2: [X, X, X, X, X, X]}]",
        "",
    ),
    "plays without end": (
        "fixtures: {X: {type: minion, power: 1, after_leave: {when: {me: true},"
        " do: [play_me: true]}, after_play: {when: {me: true}, do: [destroy: me]}}}\n"
        "bases: [B1: {P1: [X]}]\ndo: [happens: {destroy: X}, P1: [" + "play X at B1, " * 900 + "]]",
        "",
    ),
    "bases without end": (
        "fixtures: {X: {type: base, after_base_played: [destroy_base: {what: base}]}}\n"
        "bases: [X, B2]\nbase_deck: [100 x X]\ndo: [happens: {destroy_base: B2}]",
        "",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_each_problem_is_one_sentence(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, sentence = DAMAGED[name]
    said = run(write(tmp_path, content), capsys)
    assert sentence in said
    assert said.endswith("failed\n")
    assert "The program failed" not in said
    if sentence:
        assert said.count("CANNOT BE RUN") == 1


@pytest.mark.parametrize("path", ["missing.yaml", "folder.yaml", "/dev/zero"])
def test_a_folder_instead_of_a_file_is_reported(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if path == "folder.yaml":
        (tmp_path / path).mkdir()
        (tmp_path / path / "link.yaml").symlink_to("link.yaml")
    assert "CANNOT BE RUN" in run(tmp_path / path, capsys)


def test_one_that_cannot_be_read_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text("id: [")
    (tmp_path / "b.yaml").write_text("- {id: X-1, bases: [B1]}\n- {id: X-2, base: [B1]}\n- 3\n")
    (tmp_path / "c.yaml").write_bytes(b"\xff")
    (tmp_path / "d.yaml").write_text("{id: X-3, runs: [{expect: {vp: {P1: 0}}}, {expect: 3}]}")
    (tmp_path / "e.yaml").write_text(
        "scenario_version: 1\nscenarios: [{id: X-4, turn: P1}, {id: X-5, turn: P1}]"
    )
    said = run(tmp_path, capsys)
    assert "3 passed, 5 failed\n" in said
    assert "X-2" in said
    assert "Did you mean “bases”?" in said


ENDLESS = """id: LOOP
fixtures: {Ping: {type: action, on: base, after_move: {when: {what: minion}, do: [move: it]}}}
bases: [B1: {P1: [V1, Ping]}, B2]
do:
  - happens: {move: [V1, B2]}
"""


@pytest.mark.parametrize("seconds", [cli.MAX_CPU_SECONDS, 0.05])
def test_an_endless_game_is_reported_in_one_sentence(
    seconds: float,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whichever limit is met first: the depth of calls, the number of abilities, or the time."""
    monkeypatch.setattr(cli, "MAX_CPU_SECONDS", seconds)
    path = write(tmp_path, ENDLESS)
    catalogue()  # built once; not part of the time of a scenario
    gc.disable()  # an interrupt in a callback of the collector would be reported as an error
    began = time.process_time()
    try:
        said = run(path, capsys)
    finally:
        gc.enable()
    assert time.process_time() - began < cli.MAX_CPU_SECONDS + 0.5
    assert f"  {path}:5: This takes too long: " in said
    assert said.count("This takes too long") == 1


def test_time_on_the_clock_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of work that waits, and takes no processor time."""
    monkeypatch.setattr(time_limits, "MIN_CLOCK_SECONDS", 0.1)
    began = time.monotonic()
    with pytest.raises(TimeLimitExceeded), time_limit(0.01):
        time.sleep(5)
    assert time.monotonic() - began < 4


# --- at random ------------------------------------------------------------------------------

FILES = sorted((ROOT / "tests/rulings").glob("*.yaml"))
VALUES: list[Any] = [
    None, True, 0, -1, 10**18, "", "x", "V3", "P9", "é" * 50, [], {}, [[]], {"a": {}}, [None],
    {"P1": 3}, "99 x V1", "0 x V1", "#", "play ", "V3 #99999", "me", {"do": []},
]  # fmt: skip


def random_case(dice: random.Random) -> str:
    """One scenario of the project, with something in it replaced."""
    text = dice.choice(FILES).read_text(encoding="utf-8")
    item = json.loads(json.dumps(dice.choice(read_yaml(text, ""))))
    for _ in range(dice.randint(1, 3)):
        _replace(item, dice)
    return json.dumps(item, ensure_ascii=False)


def _replace(data: Any, dice: random.Random) -> None:
    """Put something else somewhere inside some data."""
    while True:
        keys: list[Any] = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = dice.choice(keys)
        inner = data[key]
        if not isinstance(inner, dict | list) or not inner or dice.random() < 0.2:
            break
        data = inner
    value = json.loads(json.dumps(dice.choice(VALUES)))
    if isinstance(data, dict) and dice.random() < 0.2:
        data[str(value)[:20]] = data.pop(key)
    else:
        data[key] = value


@pytest.mark.parametrize("seed", range(120))
def test_replaced_values_are_reported(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = run(write(tmp_path, random_case(random.Random(seed))), capsys)
    assert "The program failed" not in said


@pytest.mark.parametrize("seed", range(60))
def test_damaged_bytes_are_reported(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = random.Random(seed)
    lines = dice.choice(FILES).read_bytes().splitlines(keepends=True)
    begin = dice.randrange(len(lines))
    content = bytearray(b"".join(lines[begin : begin + 60]))
    for _ in range(dice.randint(1, 12)):
        position = dice.randrange(len(content))
        match dice.randrange(4):
            case 0:
                content[position] = dice.randrange(256)
            case 1:
                del content[position : position + dice.randint(1, 30)]
            case 2:
                content[position:position] = content[: dice.randint(1, 30)]
            case _:
                content[position:position] = dice.choice([b"[", b"{", b"&a ", b"*a", b": ", b"'"])
        if not content:
            content = bytearray(b"x")
    said = run(write(tmp_path, bytes(content)), capsys)
    assert "The program failed" not in said


@pytest.mark.parametrize("seed", range(60))
def test_damaged_reports_are_reported(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report of a mistake holds a whole table, number by number."""
    dice = random.Random(seed)
    game = Game(Setup(players=2, seed=seed % 3), catalogue())
    while game.table.last_menu is None or dice.random() < 0.97:
        assert game.decision is not None
        game.choose(dice.randrange(len(game.decision.options)))
    item = read_yaml(write_scenario(game, 0, "REPORT-1", "?", dice), "")
    for _ in range(dice.randint(1, 3)):
        _replace(item["table"], dice)
    item["do"] = [{"P1": "end"}, {"P2": "end"}]
    said = run(write(tmp_path, json.dumps(item)), capsys)
    assert "The program failed" not in said


def test_lines_are_known() -> None:
    data = read_yaml("a: 1\nb:\n  - c: 2\n  - {d: 3,\n     e: 4}\n", "")
    assert isinstance(data, LineDict)
    assert data == {"a": 1, "b": [{"c": 2}, {"d": 3, "e": 4}]}
    assert data.lines == {"a": 1, "b": 2}
    assert data["b"].lines == [3, 4]
    assert data["b"][1].lines == {"d": 4, "e": 5}


def test_references_and_merges_work() -> None:
    data = read_yaml("a: &x {k: 1, l: 2}\nb: {<<: *x, l: 3}\nc: {l: 4, <<: *x}\nd: *x\n", "")
    assert data["b"] == {"k": 1, "l": 3}
    assert data["c"] == {"k": 1, "l": 4}
    assert data["d"] == {"k": 1, "l": 2}


def test_words_are_words() -> None:
    data = read_yaml("[on, yes, no, true, false, ~, 1, +1, -2, 1.5, 010, 1_0, 0x1, 1:30, '3']", "")
    assert data == [
        "on", "yes", "no", True, False, None, 1, 1, -2, "1.5", "010", "1_0", "0x1", "1:30", "3",
    ]  # fmt: skip
