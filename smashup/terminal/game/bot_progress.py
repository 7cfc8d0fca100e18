"""A progress bar while bots think."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn

from smashup.terminal.translation import tr

DISPLAY_DELAY_SECONDS = 0.3
"""Thinking time before the bar appears."""


class BotProgress:
    """A context manager that shows a transient progress bar while bots think.

    The bar appears after a short delay, and only on a terminal. Several bots may think in turn.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.bar: Progress | None = None
        self.task = TaskID(0)
        self.name = ""
        self.started_at = 0.0

    def __enter__(self) -> BotProgress:
        self.started_at = time.perf_counter()
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

    def start(self, name: str) -> None:
        """Show that a bot starts to think."""
        self.name = name
        self.update(0.0)

    def update(self, done: float) -> None:
        """Show the fraction that is done, from 0 to 1."""
        if (
            not self.console.is_terminal
            or time.perf_counter() - self.started_at < DISPLAY_DELAY_SECONDS
        ):
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
