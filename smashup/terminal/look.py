"""The console, and what tells players and kinds of cards apart on it."""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich import _wrap
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

PLAYER_STYLES: Final = ("cyan", "magenta", "yellow", "bright_blue")
"""A colour for each player."""
PLAYER_BLOCKS: Final = ("█", "▓", "▒", "░")
"""A shade for each player, so that bars can be read without colours too."""
EMPTY_BLOCK: Final = "·"
NUMBER_STYLE: Final = "bold green"
"""The numbers a person may type."""

WIDEST: Final = 160
"""Longer lines are tiring to read."""
LOW: Final = 34
"""Terminals with fewer rows than this get texts cut to one line."""

_PLAIN: Final = {
    "█": "#", "▓": "%", "▒": "=", "░": "-", "·": ".", "→": ">", "▶": ">", "●": "o", "◇": "*",
    "▽": "v", "×": "x", "…": ".", "«": '"', "»": '"', "—": "-", "–": "-", "’": "'", "★": "*",
    "œ": "oe", "Œ": "OE",
    "▁": "_", "▂": ".", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%",
}  # fmt: skip


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """Stand-ins for what the terminal's encoding cannot show."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(_PLAIN.get(c) or _without_accent(c) for c in missing), error.end


def _without_accent(letter: str) -> str:
    """A letter without its accent, a space that may break; ``?`` for what has no stand-in."""
    plain = unicodedata.normalize("NFKD", letter)
    return "".join(c for c in plain if c.isascii()) or "?"


codecs.register_error("smashup-plain", _plainly)

# Rich takes a no-break space for a place to break a line. French has one before every colon.
_wrap.re_word = re.compile(r"[^\S\u00a0]*[\S\u00a0]+[^\S\u00a0]*")


def show_plainly() -> None:
    """Let terminals that lack letters show others instead of an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="smashup-plain")


def open_console(stderr: bool = False) -> Console:
    """A console on the terminal; card texts are never read as markup."""
    show_plainly()
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if console.width > WIDEST:
        console.width = WIDEST
    return console


def is_low(console: Console) -> bool:
    """Whether the terminal has few rows, so that screens should be short."""
    return console.is_terminal and console.height < LOW


@contextmanager
def counting(console: Console, title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that shows how far something long has come, on a terminal."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
