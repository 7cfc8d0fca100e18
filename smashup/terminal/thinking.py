"""Bots think; people who wait are shown that something happens, and how far it has come."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn

from smashup.terminal.translation import tr

PATIENCE = 0.3
"""Seconds of thinking before anything is shown."""


class Thinking:
    """A line that shows how far a bot's thinking has come; it leaves no trace.

    It appears once somebody has waited for a moment, and only on a terminal. Between ``with`` and
    its end several bots may think one after another.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.bar: Progress | None = None
        self.task = TaskID(0)
        self.name = ""
        self.began = 0.0

    def __enter__(self) -> Thinking:
        self.began = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def about(self, name: str) -> None:
        """Somebody begins to think."""
        self.name = name
        self.progress(0.0)

    def progress(self, done: float) -> None:
        """How much of it is done, from 0 to 1."""
        if not self.console.is_terminal or time.perf_counter() - self.began < PATIENCE:
            return
        title = tr("{name} is thinking …", name=self.name)
        if self.bar is None:
            self.bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(20),
                console=self.console,
                transient=True,
            )
            self.task = self.bar.add_task(title, total=1.0)
            self.bar.start()
        self.bar.update(self.task, description=title, completed=min(done, 1.0))
