"""Runs the real program as a subprocess."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parents[2]
APES = "Cyborg Apes+Time Travelers"
SPIES = "Super Spies+Shapeshifters"
DUEL = ("--factions", f"{APES}, {SPIES}")
AGAINST_RANDOM = (*DUEL, "--seats", "human,random")

PROMPT = re.compile(r"\(1-(\d+), [^()]*\)(: | )\Z|, press Enter\. \Z")


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment with its own data folder and a plain terminal of 80 columns."""
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "SYSTEMROOT", "HOME")}
    return {
        **kept,
        "XDG_DATA_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "PYTHONWARNINGS": "error",
        "COLUMNS": "80",
        **more,
    }


def run(home: Path, *words: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end with everything typed beforehand."""
    return subprocess.run(
        [sys.executable, "-m", "smashup.terminal", *words],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(home, **more),
        timeout=60,
        check=False,
    )


class Person:
    """A player who reads up to each prompt and then types."""

    def __init__(self, home: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "smashup.terminal", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(home),
        )
        self.output = ""
        self.options = 0
        """Number of options of the question on the screen; 0 for a curtain."""

    def __enter__(self) -> Person:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def read(self) -> str:
        """Return what the program prints up to its next prompt, or to its end."""
        assert self.process.stdout is not None
        shown = b""
        while True:
            piece = os.read(self.process.stdout.fileno(), 65536)
            shown += piece
            text = shown.decode(errors="ignore")
            prompt = PROMPT.search(text)
            if not piece or prompt:
                self.options = int(prompt[1] or 0) if prompt else -1
                self.output += text
                return text

    def type(self, line: str) -> str:
        """Type a line; return what the program then prints."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.read()

    def play(self, choose: Callable[[int], int], most: int = 2000) -> list[str]:
        """Answer with numbers until the game is over; return the screens."""
        screens = [self.read()]
        while self.options >= 0 and len(screens) < most:
            line = str(choose(self.options)) if self.options else ""
            screens.append(self.type(line))
        return screens
