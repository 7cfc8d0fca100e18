"""Damaged and hostile scenario files: a clear message at once, and no traceback."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from smashup.terminal.main import main
from tests.time_limits import limited

LIMIT_SECONDS = 2.0
MAX_OUTPUT = 20_000
ROOT = Path(__file__).parents[2]


def aliases(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for i in range(1, levels):
        row = ", ".join([f"*a{i - 1}"] * 9)
        lines.append(f"a{i}: &a{i} [{row}]")
    return "\n".join(lines)


def merges(levels: int) -> str:
    lines = ["- &m0 {id: X, title: Y}"]
    for i in range(1, levels):
        row = ", ".join([f"*m{i - 1}"] * 9)
        lines.append(f"- &m{i}\n  <<: [{row}]\n  k{i}: 1")
    return "\n".join(lines)


HOSTILE = {
    "empty": "",
    "null": "null",
    "word": "hello",
    "number": "12",
    "tab": "\t- id: X",
    "control": "- id: \x00\x01",
    "unclosed": "- id: [",
    "duplicate": "- id: A\n  id: B\n  title: T",
    "date key": "- 2001-01-01: A",
    "huge number": "- id: A\n  title: T\n  seed: " + "9" * 5000,
    "huge players": "- id: A\n  title: T\n  players: 1000000000",
    "huge turn": "- id: A\n  title: T\n  turn: 1000000000000",
    "negative": "- id: A\n  title: T\n  players: -3",
    "list key": "- [a, b]: c",
    "binary": "- id: !!binary //8=\n  title: T",
    "python": "- !!python/object/apply:os.system [echo]",
    "set": "- !!set {a, b}",
    "self": "- &a [*a]",
    "self in scenario": "- &a\n  id: A\n  title: T\n  bases: *a\n  do: *a",
    "deep": "[" * 5000,
    "deep closed": "- id: A\n  title: T\n  do: " + "[" * 3000 + "]" * 3000,
    "deep maps": "".join(" " * i + "a:\n" for i in range(2000)),
    "alias list": aliases(12),
    "aliases in scenario": "- id: A\n  title: T\n  x:\n"
    + "\n".join("    " + line for line in aliases(12).splitlines())
    + "\n  hands: [*a11, []]\n  do: *a11\n  expect: *a11",
    "merges": merges(9),
    "wrong types": "- id: [1]\n  title: {a: b}\n  bases: 5\n  hands: yes\n"
    "  do: {a: 1}\n  expect: 3",
    "wrong lists": "- id: A\n  title: T\n  bases: [[[]]]\n  hands: [[[[]]]]\n"
    "  vp: [x, y]\n  do: [[]]",
    "absurd count": '- id: A\n  title: T\n  hands: [["Scout x1000000000"], []]\n  do: []',
    "absurd vp": "- id: A\n  title: T\n  vp: [1000000000000000000000, -5]\n  do: []",
    "absurd deck": '- id: A\n  title: T\n  decks: [[1000000000], ["10000000x Scout"]]\n  do: []',
    "table": "- id: A\n  title: T\n  table: {phase: 99}\n  do: []",
    "runs": "- id: A\n  title: T\n  runs: [[], 5, {name: {}}]",
    "surrogates": '- id: "\\ud800"\n  title: "\\U0010ffff"',
    "long line": "- id: " + "x" * 3_000_000,
    "many": "- id: A\n  title: T\n" * 20_000,
}


def run(path: Path, capsys: pytest.CaptureFixture[str]) -> int:
    before = path.read_bytes() if path.is_file() else b""
    began = time.process_time()
    with limited(3 * LIMIT_SECONDS):
        code = main(["scenario", str(path)])
    took = time.process_time() - began
    captured = capsys.readouterr()
    assert took < LIMIT_SECONDS, took
    assert "Traceback" not in captured.out + captured.err
    assert len(captured.out + captured.err) < MAX_OUTPUT
    assert captured.out.strip() or captured.err.strip()
    assert not path.is_file() or path.read_bytes() == before
    return code


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file.yaml"
    path.write_text(HOSTILE[what], encoding="utf-8")
    assert run(path, capsys) != 0


@pytest.mark.parametrize("title", ["2001-99-99", ".nan", ".inf", "1:99:99", "~x", "0x"])
def test_words_that_yaml_takes_for_something_else(
    title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A title is a text, whatever it looks like: there is nothing to refuse."""
    path = tmp_path / "file.yaml"
    path.write_text(f"- id: A\n  title: {title}", encoding="utf-8")
    run(path, capsys)


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"- id: \xc3\x28", bytes(range(256))])
def test_files_that_are_not_text(
    raw: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(raw)
    assert run(path, capsys) != 0


def test_pipes_and_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path / "nothing.yaml", Path("/dev/zero")):
        assert run(path, capsys) != 0


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_of_the_project(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bits flipped, lines lost or doubled, the end torn off: every message is clear."""
    dice = random.Random(seed)
    files = sorted((ROOT / "tests" / "rulings").rglob("*.yaml"))
    path = tmp_path / "file.yaml"
    for _ in range(8):
        source = dice.choice(files).read_text(encoding="utf-8")
        parts = source.split("\n- id: ")
        text = "- id: " + dice.choice(parts[1:]) if len(parts) > 1 else source
        raw = bytearray(text.encode())
        how = dice.randrange(4)
        if how == 0:
            for _ in range(3):
                raw[dice.randrange(len(raw))] ^= 1 << dice.randrange(7)
        elif how == 1:
            del raw[dice.randrange(len(raw)) :]
        else:
            lines = raw.split(b"\n")
            at = dice.randrange(len(lines))
            lines[at : at + 1] = [] if how == 2 else [lines[at], lines[at]]
            raw = bytearray(b"\n".join(lines))
        path.write_bytes(raw)
        run(path, capsys)
