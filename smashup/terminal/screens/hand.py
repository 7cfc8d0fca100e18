"""The hand: each card with its text and the places where it may be played."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.text import Text

from smashup.terminal.screens.console import NUMBER_STYLE
from smashup.terminal.translation import tr

MIN_GRID_BASES = 4
"""With fewer bases, options beside each other are as short as a grid."""

NumberedChoice = tuple[int, Text]
"""A number to type, and its label."""


@dataclass
class HandRow:
    """Copies of one card and their numbered options."""

    card: dict[str, Any]
    ids: list[int]
    choices: list[NumberedChoice] = field(default_factory=list)
    at_bases: dict[str, int] = field(default_factory=dict)
    """The numbers by base, if all options play the card on a base and nothing else."""


def group_hand(hand: list[dict[str, Any]]) -> list[HandRow]:
    """Group copies and sort: minions by power, strongest first, then actions by name."""
    rows: dict[str, HandRow] = {}
    for card in hand:
        if not card.get("hidden"):
            rows.setdefault(card["name"], HandRow(card, [])).ids.append(card["id"])
    return sorted(
        rows.values(),
        key=lambda row: (
            row.card["type"] != "minion",
            -row.card.get("printed_power", 0) if row.card["type"] == "minion" else 0,
            row.card["name"],
        ),
    )


def card_summary(card: dict[str, Any]) -> str:
    """The text of a card, or its type if it has no text."""
    text: str = card["text"]
    return tr(text) if text else tr(card["type"])


class Detail(IntEnum):
    """How much room cards and options may take."""

    DENSE = 0
    """No texts; options side by side."""
    BRIEF = 1
    """Texts cut to one line."""
    FULL = 2


def render_hand(title: str, rows: list[HandRow], detail: Detail) -> Group:
    """Render cards in rows, each with its numbered options."""
    if detail is Detail.DENSE:
        return Group(*_render_dense_hand(title, rows))
    parts: list[RenderableType] = [Text(title, style="bold")]
    for row in rows:
        parts.append(_CardLine(row, detail))
        if row.choices:
            parts.append(Padding(ChoiceList(row.choices), (0, 0, 0, 4)))
    return Group(*parts)


def _render_dense_hand(title: str, rows: list[HandRow]) -> list[RenderableType]:
    """One line for each card that may be played, and one for all others."""
    in_grid = [row for row in rows if row.at_bases]
    if len(in_grid) < 2 or len(in_grid[0].at_bases) < MIN_GRID_BASES:
        in_grid = []
    parts: list[RenderableType] = [BaseNumberColumns(in_grid)] if in_grid else []
    for row in rows:
        if row.choices and row not in in_grid:
            parts.append(ChoiceList(row.choices, _name_cards(row).append(tr(": "))))
    others = Text(title + tr(": "), style="bold")
    held = [row for row in rows if not row.choices]
    for number, row in enumerate(held):
        others.append(", " if number else "", style="not bold")
        others.append_text(_name_cards(row, weight="not bold"))
    return [others, *parts] if held else [Text(title, style="bold"), *parts]


class BaseNumberColumns:
    """A grid of the numbers that play each card on each base."""

    def __init__(self, rows: list[HandRow]) -> None:
        self.rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        bases = list(dict.fromkeys(base for row in self.rows for base in row.at_bases))
        widest = max(_name_cards(row).cell_len for row in self.rows)
        first = min(widest, options.max_width // 3) + 2
        width = max(4, (options.max_width - first) // len(bases))
        heading = Text(" " * first, no_wrap=True)
        for base in bases:
            heading.append_text(_fit(Text("→ " + tr(base), style="italic"), width))
        yield heading
        for row in self.rows:
            line = _fit(_name_cards(row), first)
            for base in bases:
                number = row.at_bases.get(base)
                cell = Text(
                    f"{number} " if number else "–", style=NUMBER_STYLE if number else "dim"
                )
                line.append_text(_fit(cell, width))
            yield line


def _fit(text: Text, width: int) -> Text:
    """Cut or pad a text to a width, with a space at its end."""
    text.truncate(width - 1, overflow="ellipsis")
    text.pad_right(width - text.cell_len)
    return text


def _name_cards(row: HandRow, weight: str = "bold") -> Text:
    """Name, copies and power of a row."""
    line = Text().append(tr(row.card["name"]), style=weight)
    if len(row.ids) > 1:
        line.append(f" ×{len(row.ids)}", style="not bold")
    if "printed_power" in row.card:
        line.append(f" {row.card['printed_power']}", style=weight)
    return line


class _CardLine:
    """Name, power and text of a card in the hand."""

    def __init__(self, row: HandRow, detail: Detail) -> None:
        self.row = row
        self.detail = detail

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        card = self.row.card
        line = Text("  ").append_text(_name_cards(self.row))
        kind = tr(card["type"])
        line.append(f" {kind}  ", style="italic dim")
        start = min(30, options.max_width // 3)
        line.append(" " * (start - cell_len(line.plain)))
        line.append(tr(card["text"]), style="dim")
        if self.detail is Detail.BRIEF:
            line.truncate(options.max_width, overflow="ellipsis")
            yield line
            return
        lines = line.wrap(console, options.max_width)
        yield lines[0]
        if len(lines) > 1:
            for wrapped in lines[1:]:
                wrapped.rstrip()
            rest = Text(" ").join(lines[1:])
            yield Padding(rest, (0, 0, 0, start))


class ChoiceList:
    """Numbered options side by side after a heading, wrapped to the width."""

    def __init__(self, choices: list[NumberedChoice], heading: Text | None = None) -> None:
        self.choices = choices
        self.heading = heading or Text()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        indent = "    " if self.heading.plain else ""
        line = Text(no_wrap=True).append_text(self.heading)
        is_empty = True
        for number, what in self.choices:
            item = Text().append(f"{number} ", style=NUMBER_STYLE).append_text(what)
            item.truncate(options.max_width - len(indent), overflow="ellipsis")
            gap = 0 if is_empty else 3
            if line.plain and line.cell_len + gap + item.cell_len > options.max_width:
                yield line
                line = Text(indent, no_wrap=True)
                gap = 0
            line.append(" " * gap).append_text(item)
            is_empty = False
        yield line
