"""A page that may be longer than the terminal: shown part by part."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.segment import Segment, SegmentLines
from rich.text import Text

from smashup.terminal.translation import tr


class LongPage:
    """Any renderable, divided into parts that fit; a log starts with its last part."""

    def __init__(self, content: RenderableType, from_end: bool = False) -> None:
        self.content = content
        self.from_end = from_end
        self.part = 0
        self.part_count = 1

    def turn(self) -> bool:
        """Go to the next part; return False after the last one."""
        self.part += 1
        return self.part < self.part_count

    def compose(self, console: Console, rows: int) -> RenderableType:
        """The current part, within a number of rows."""
        lines = console.render_lines(self.content, pad=False)
        if len(lines) <= rows:
            self.part_count = 1
            return SegmentLines(lines, new_lines=True)
        parts = _divide(lines, max(1, rows - 1), self.from_end)
        self.part_count = len(parts)
        self.part = min(self.part, len(parts) - 1)
        counted = tr("Page {page} of {pages}", page=self.part + 1, pages=len(parts))
        return Group(
            SegmentLines(parts[self.part], new_lines=True), Text(counted, style="italic dim")
        )


def _divide(lines: list[list[Segment]], size: int, from_end: bool) -> list[list[list[Segment]]]:
    """Divide lines into parts; with ``from_end`` the last lines come first."""
    if not from_end:
        return [lines[start : start + size] for start in range(0, len(lines), size)]
    return [lines[max(0, end - size) : end] for end in range(len(lines), 0, -size)]
