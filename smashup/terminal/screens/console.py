"""The console: width, encoding, colors and symbols of players."""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich import _wrap
from rich.console import Console, ConsoleDimensions
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

PLAYER_STYLES: Final = ("cyan", "magenta", "yellow", "bright_blue")
"""A color for each player."""
PLAYER_BLOCKS: Final = ("█", "▓", "▒", "░")
"""A shade for each player, so that bars are readable without colors."""
EMPTY_BLOCK: Final = "·"
NUMBER_STYLE: Final = "bold green"
"""Style of the numbers a player can type."""

MAX_WIDTH: Final = 160
"""Longer lines are tiring to read."""

_ASCII_FALLBACKS: Final = {
    "█": "#", "▓": "%", "▒": "=", "░": "-", "·": ".", "→": ">", "▶": ">", "●": "o", "◇": "*",
    "▽": "v", "×": "x", "…": ".", "«": '"', "»": '"', "“": '"', "”": '"',
    "—": "-", "–": "-", "’": "'", "★": "*",
    "œ": "oe", "Œ": "OE",
    "▁": "_", "▂": ".", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%",
}  # fmt: skip


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Error handler that replaces characters missing from the terminal's encoding."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(_ASCII_FALLBACKS.get(c) or _strip_accent(c) for c in missing), error.end


def _strip_accent(letter: str) -> str:
    """Remove an accent, turn a no-break space into a space; ``?`` for anything else."""
    plain = unicodedata.normalize("NFKD", letter)
    return "".join(c for c in plain if c.isascii()) or "?"


codecs.register_error("smashup-plain", _replace_unencodable)

# Rich breaks lines at no-break spaces, which French has before every colon.
_wrap.re_word = re.compile(r"[^\S\u00a0]*[\S\u00a0]+[^\S\u00a0]*")


def set_encoding_fallback() -> None:
    """Print replacements instead of failing on characters the terminal cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="smashup-plain")


def open_console(stderr: bool = False) -> Console:
    """Open a console that does not interpret markup, since card texts may contain brackets."""
    set_encoding_fallback()
    return _Console(stderr=stderr, highlight=False, markup=False, emoji=False)


class _Console(Console):
    """Follows the size of the terminal up to a readable width."""

    @property
    def size(self) -> ConsoleDimensions:
        width, height = super().size
        return ConsoleDimensions(min(width, MAX_WIDTH), height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # `main` ends the program


@contextmanager
def progress_bar(console: Console, title: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal; yields the function that updates it."""
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
