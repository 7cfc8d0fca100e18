"""The program on a pseudo terminal: sizes, keys, colors, resizing."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.terminal.cli_process import AGAINST_RANDOM, environment

PROMPT = re.compile(r"\(1-(\d+), [^()]*\):? ?\Z")
TIMEOUT_SECONDS = 30


class Terminal:
    """The program on a pseudo terminal of some size."""

    def __init__(self, home: Path, rows: int, columns: int, *words: str, **more: str) -> None:
        self.master, slave = os.openpty()
        self.resize(rows, columns)
        env = environment(home, TERM="xterm-256color", **more)
        del env["COLUMNS"]
        words = words or ("--seed", "3", *AGAINST_RANDOM)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "smashup.terminal", "play", *words],
            stdin=slave, stdout=slave, stderr=slave, env=env,
            preexec_fn=lambda: os.login_tty(slave),
        )  # fmt: skip
        os.close(slave)
        os.set_blocking(self.master, False)
        self.output = ""

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait_for(self, is_there: Callable[[str], object]) -> str:
        """Read until the screen is as wanted, or the program ends; return the screen."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not is_there(self.screen) and time.monotonic() < deadline:
            try:
                self.output += os.read(self.master, 65536).decode(errors="ignore")
            except BlockingIOError:
                time.sleep(0.02)
            except OSError:
                break
        return self.screen

    @property
    def screen(self) -> str:
        """What was printed since the screen was last cleared, without escape sequences."""
        last = self.output.rpartition("\x1b[2J")[2]
        return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", last).replace("\r", "")

    def wait_for_prompt(self) -> int:
        """Wait for a prompt; return how many options it has, 0 at the end of the program."""
        found = PROMPT.search(self.wait_for(PROMPT.search))
        return int(found[1]) if found else 0

    def type(self, keys: str) -> None:
        """Type keys; the screen then starts empty."""
        self.output = ""
        os.write(self.master, keys.encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Terminal]:
    """A terminal of 80 columns and 24 rows, at its first prompt."""
    started = Terminal(tmp_path, 24, 80)
    started.wait_for_prompt()
    yield started
    started.close()


@pytest.mark.parametrize("size", [(24, 80), (45, 140), (50, 200)], ids=str)
def test_a_terminal_gets_colors_and_its_width(tmp_path: Path, size: tuple[int, int]) -> None:
    terminal = Terminal(tmp_path, *size)
    terminal.wait_for_prompt()
    assert "\x1b[36m" in terminal.output or "\x1b[1;36m" in terminal.output
    assert max(map(len, terminal.screen.split("\n"))) == min(size[1], 160)
    terminal.type("\x04")
    assert "--resume" in terminal.wait_for(lambda screen: "--resume" in screen)
    assert terminal.process.wait(10) == 0
    terminal.close()


def test_every_screen_of_a_small_terminal_has_scores_bases_and_prompt(small: Terminal) -> None:
    for number in range(40):
        count = small.wait_for_prompt()
        if not count:
            break
        lines = small.screen.split("\n")
        assert len(lines) <= 24
        assert re.search(r"P1\b.* \d+ VP", small.screen)
        assert re.search(r"P2\b.* \d+ VP", small.screen)
        bases = 2 if "scoring bases" in small.screen else 3  # one may be gone for a moment
        assert len(re.findall(r"\d+/\d+", small.screen)) >= bases
        assert small.screen.count("pays ") >= bases
        small.type(f"{number % count + 1}\n")
    assert number >= 20


def test_answers_to_commands_leave_the_board_on_the_screen(small: Terminal) -> None:
    for line, answer in (("c jumper", "4 copies"), ("dance", "not a command"), ("s", "Saved in")):
        small.type(f"{line}\n")
        screen = small.wait_for(PROMPT.search)
        assert answer in screen
        assert "pays" in screen
        assert screen.count("\n") <= 23


def test_long_pages_are_shown_part_by_part(small: Terminal) -> None:
    small.type("c time travelers\n")
    screens = [small.wait_for(PROMPT.search)]
    assert "Page 1 of" in screens[0]
    while "pays" not in screens[-1] and len(screens) < 9:
        assert screens[-1].count("\n") <= 23
        small.type("\n")
        screens.append(small.wait_for(PROMPT.search))
    text = "\n".join(screens[:-1])
    assert "Time Box" in text
    assert "Portal Room" in text
    assert "pays" in screens[-1]


def test_resizing_draws_the_screen_again(small: Terminal) -> None:
    small.type("c ju")
    small.wait_for(lambda screen: "c ju" in screen)
    small.output = ""
    small.resize(40, 120)
    screen = small.wait_for(lambda screen: screen.endswith("c ju"))
    assert max(map(len, screen.split("\n"))) == 120
    small.type("mper\n")
    assert "4 copies" in small.wait_for(PROMPT.search)


def test_tab_completes_the_names_of_cards_in_sight(small: Terminal) -> None:
    names = re.findall(r"^(\w[\w' -]+?) \d+/\d+", small.screen, re.MULTILINE)
    small.type(f"c {names[0][:-2].lower()}\t")
    assert names[0] in small.wait_for(lambda screen: names[0] in screen)
    small.type("\n")
    assert "breakpoint" in small.wait_for(PROMPT.search)


def test_ctrl_c_saves_and_prints_how_to_resume(small: Terminal, tmp_path: Path) -> None:
    small.type("\x03")
    assert "--resume" in small.wait_for(lambda screen: "--resume" in screen)
    assert small.process.wait(10) == 0
    assert (tmp_path / "smashup" / "last-game.json").exists()


def test_no_color_is_respected(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, 24, 80, NO_COLOR="1")
    terminal.wait_for_prompt()
    terminal.close()
    assert not re.search(r"\x1b\[(\d;)?[34]\dm", terminal.output)


def test_the_next_player_cannot_recall_what_the_last_one_typed(tmp_path: Path) -> None:
    words = ("--seats", "human,human", "--seed", "2")
    terminal = Terminal(tmp_path, 24, 80, *words)
    for keys in ("\n", "c my secret card\n", "e\n", "\n"):
        terminal.wait_for(
            lambda screen: re.search(r"press Enter\. $", screen) or PROMPT.search(screen)
        )
        terminal.type(keys)
    terminal.wait_for_prompt()
    terminal.type("\x1b[A\x1b[A.")  # twice the arrow up
    screen = terminal.wait_for(lambda screen: "." in screen)
    terminal.close()
    assert "secret" not in screen
