"""Reads lines from the player: with history and editing on a terminal, echoed from a pipe."""

from __future__ import annotations

import contextlib
import importlib
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any

from rich.console import Console
from rich.text import Text

readline: Any = None
with contextlib.suppress(ImportError):  # on Windows the console itself edits lines
    readline = importlib.import_module("readline")

_ESCAPE = re.compile(r"\x1b\[[\d;]*m")


def is_interactive(console: Console) -> bool:
    """Whether a person types at a terminal and sees the output there."""
    return console.is_terminal and sys.stdin.isatty()


def read_line(console: Console, prompt: Text, card_names: Sequence[str] = ()) -> str:
    """Read a line. The Tab key completes the card names of the command `c`."""
    if not is_interactive(console):
        text = console.input(prompt)
        if not sys.stdin.isatty():
            console.print(text)
        return text
    if readline is None:
        return console.input(prompt)
    readline.set_completer_delims("")
    readline.set_completer(_Completer(card_names))
    readline.parse_and_bind("tab: complete")
    return input(_mark_escapes(_to_ansi(console, prompt)))


def forget_lines() -> None:
    """Forget what was typed, so that the next player at this screen cannot recall it."""
    if readline is not None:
        readline.clear_history()


def _to_ansi(console: Console, prompt: Text) -> str:
    with console.capture() as captured:
        console.print(prompt, end="", soft_wrap=True)
    return captured.get()


def _mark_escapes(text: str) -> str:
    """Tell readline which characters of a prompt take no room."""
    return _ESCAPE.sub(lambda found: f"\x01{found[0]}\x02", text)


class _Completer:
    """Completes the name in `c NAME`."""

    def __init__(self, card_names: Sequence[str]) -> None:
        self.card_names = card_names

    def __call__(self, text: str, state: int) -> str | None:
        command, space, start = text.partition(" ")
        if command not in ("c", "C") or not space:
            return None
        found = [name for name in self.card_names if name.casefold().startswith(start.casefold())]
        return f"{command} {found[state]}" if state < len(found) else None


@contextlib.contextmanager
def redraw_on_resize(console: Console, draw: Callable[[], None], prompt: Text) -> Iterator[None]:
    """Draw the screen and the prompt again whenever the size of the terminal changes."""
    if not is_interactive(console) or not hasattr(signal, "SIGWINCH"):
        yield
        return

    def redraw(number: int, frame: FrameType | None) -> None:
        draw()
        typed = readline.get_line_buffer() if readline is not None else ""
        console.file.write(_to_ansi(console, prompt) + typed)
        console.file.flush()

    before: Any = signal.signal(signal.SIGWINCH, redraw)
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)
