"""Commands on the pages work: the program accepts their options, and make has their targets."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from smashup.terminal.cli.parser import build_parser
from tests.docs.code_blocks import PAGES, ROOT

PROGRAM = (".venv/bin/smashup", "python -m smashup", "smashup")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
MAKE_TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
SCRIPTS = dict(
    re.findall(
        r"^([a-z]+):.*\n\t@?\$\(BIN\)/python -m ([\w.]+).* \$\(ARGS\)$", MAKEFILE, re.MULTILINE
    )
)
"""The targets that hand ARGS to a script."""
PROGRAM_TARGETS = {
    "terminal": "play", "play": "serve", "serve": "serve", "duel": "duel", "lab": "lab",
    "scenario": "scenario",
}  # fmt: skip
"""The targets that hand ARGS to a command of the program."""


def find_commands(page: Path) -> Iterator[tuple[int, bool, str]]:
    """Return the commands on a page: complete ones in blocks, and those in sentences, which may be
    just a name."""
    block = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if fence := re.match(r"```(.*)", line):
            block = "" if block else fence[1] or "text"
        elif block == "sh" or (not block and line.startswith("    ")):
            for command in re.split(r" (?:&&|\||;) ", line.strip()):
                yield number, True, command
        elif not block:
            for code in re.findall(r"`([^`]+)`", line):
                yield number, False, code


def commands() -> list[Any]:
    """Return the commands of make and of the program."""
    found = []
    for page in PAGES:
        for number, whole, line in find_commands(page):
            if line.startswith(("make ", *(f"{program} " for program in PROGRAM))):
                found.append(pytest.param(line, whole, id=f"{page.name}:{number}"))
    return found


def words(line: str) -> list[str]:
    return shlex.split(line, comments=True)


def check_accepted(arguments: list[str], whole: bool) -> None:
    """Check that the program accepts these arguments, which may be incomplete."""
    complaint = io.StringIO()
    with (
        contextlib.redirect_stderr(complaint),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.suppress(SystemExit),  # a help page, or an error
    ):
        build_parser("smashup").parse_args(arguments)
    said = complaint.getvalue()
    lacks = re.search(r"are required|expected (?:one|at least one) argument", said)
    assert not said or (lacks and not whole), f"{arguments}: {said}"


@cache
def help_of(module: str) -> str:
    command = [sys.executable, "-m", module, "--help"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(("line", "whole"), commands())
def test_commands_are_accepted(line: str, whole: bool) -> None:
    if "..." in line:
        return  # an abbreviated example
    if not line.startswith("make "):
        program = next(p for p in PROGRAM if line.startswith(f"{p} "))
        check_accepted(words(line.removeprefix(program)), whole)
        return
    said = words(line)[1:]
    targets = [word for word in said if "=" not in word]
    assert set(targets) <= MAKE_TARGETS, line
    arguments = words(dict(word.split("=", 1) for word in said if "=" in word).get("ARGS", ""))
    for target in targets:
        if target in PROGRAM_TARGETS:
            check_accepted([PROGRAM_TARGETS[target], *arguments], whole)
        elif target in SCRIPTS:
            for option in (word for word in arguments if word.startswith("--")):
                name = option.partition("=")[0]
                assert re.search(rf"{name}\b", help_of(SCRIPTS[target])), line


@pytest.mark.parametrize(
    "line",
    [
        "smashup duel easy random --gmaes 4",
        "smashup duel easy",
        "smashup tournament",
        "make tests",
        'make terminal ARGS="--sheats human"',
        "make load ARGS=--tabels",
    ],
)
def test_a_wrong_command_is_detected(line: str) -> None:
    with pytest.raises(AssertionError):
        test_commands_are_accepted(line, whole=True)
