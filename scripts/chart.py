"""Bar charts with intervals as self-contained SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from smashup.bots.statistics import Interval

WIDTH: Final = 720
LEFT: Final = 190
"""Left end of the bars, after their names."""
LENGTH: Final = 440
"""Length of a bar for the value 1."""
STEP: Final = 26
MARGIN: Final = 16


@dataclass(frozen=True)
class Row:
    """A bar: name, length and interval from 0 to 1, and the number next to it."""

    label: str
    share: float
    interval: Interval
    number: str


def draw(charts: Sequence[tuple[str, Sequence[Row]]]) -> str:
    """Render charts below each other, without empty ones."""
    shown = [(title, rows) for title, rows in charts if rows]
    lines: list[str] = []
    top = MARGIN
    for title, rows in shown:
        lines += _chart(title, rows, top)
        top += STEP * (len(rows) + 2)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img"'
            f' width="{WIDTH}" height="{top}" font-family="sans-serif" font-size="13" fill="#222">',
            f"<title>{escape('; '.join(title for title, _ in shown))}</title>",
            f'<rect width="{WIDTH}" height="{top}" rx="6" fill="#fbfaf7"/>',
            *lines,
            "</svg>",
            "",
        ]
    )


def _chart(title: str, rows: Sequence[Row], top: int) -> Iterator[str]:
    """Render a heading, the bars, and a line for equal players."""
    yield f'<text x="{MARGIN}" y="{top + 14}" font-weight="bold">{escape(title)}</text>'
    first = top + STEP
    middle = LEFT + LENGTH / 2
    bottom = first + STEP * len(rows)
    yield (
        f'<path d="M{middle:g} {first}V{bottom}" stroke="#888" stroke-dasharray="3 3"/>'
        f'<text x="{middle:g}" y="{bottom + 12}" font-size="11" fill="#666"'
        ' text-anchor="middle">equals</text>'
    )
    for number, row in enumerate(rows):
        yield _bar(row, first + STEP * number)


def _bar(row: Row, top: int) -> str:
    middle = top + STEP / 2
    low, high = (LEFT + LENGTH * end for end in (row.interval.low, row.interval.high))
    return (
        f'<text x="{LEFT - 10}" y="{middle + 4:g}" text-anchor="end">{escape(row.label)}</text>'
        f'<rect x="{LEFT}" y="{top + 5}" width="{LENGTH * row.share:.1f}" height="{STEP - 10}"'
        ' fill="#7aa6c2"/>'
        f'<path d="M{low:.1f} {middle:g}H{high:.1f}M{low:.1f} {middle - 5:g}v10'
        f'M{high:.1f} {middle - 5:g}v10" stroke="#1f3d52" stroke-width="1.5"/>'
        f'<text x="{LEFT + LENGTH + 12}" y="{middle + 4:g}">{escape(row.number)}</text>'
    )
