"""The hand: each card with its text and the places where it may be played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.text import Text

from smashup.terminal.screens.console import NUMBER_STYLE
from smashup.terminal.translation import tr

NumberedChoice = tuple[int, Text]
"""A number to type, and its label."""


@dataclass
class HandRow:
    """Copies of one card and their numbered options."""

    card: dict[str, Any]
    ids: list[int]
    choices: list[NumberedChoice] = field(default_factory=list)


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


def render_hand(title: str, rows: list[HandRow], brief: bool) -> Group:
    """Render cards in rows, each with its numbered options."""
    parts: list[RenderableType] = [Text(title, style="bold")]
    for row in rows:
        parts.append(_CardLine(row, brief))
        if row.choices:
            parts.append(Padding(ChoiceList(row.choices), (0, 0, 0, 4)))
    return Group(*parts)


class _CardLine:
    """Name, power and text of a card in the hand."""

    def __init__(self, row: HandRow, brief: bool) -> None:
        self.row = row
        self.brief = brief

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        card = self.row.card
        line = Text("  ")
        line.append(tr(card["name"]), style="bold")
        if len(self.row.ids) > 1:
            line.append(f" ×{len(self.row.ids)}")
        if "printed_power" in card:
            line.append(f" {card['printed_power']}", style="bold")
        kind = tr(card["type"])
        line.append(f" {kind}  ", style="italic dim")
        start = min(30, options.max_width // 3)
        line.append(" " * (start - cell_len(line.plain)))
        line.append(tr(card["text"]), style="dim")
        if self.brief:
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
    """Numbered options side by side, wrapped to the width."""

    def __init__(self, choices: list[NumberedChoice]) -> None:
        self.choices = choices

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text(no_wrap=True)
        for number, what in self.choices:
            item = Text().append(f"{number} ", style=NUMBER_STYLE).append_text(what)
            item.truncate(options.max_width, overflow="ellipsis")
            gap = 3 if line.plain else 0
            if line.plain and line.cell_len + gap + item.cell_len > options.max_width:
                yield line
                line = Text(no_wrap=True)
                gap = 0
            line.append(" " * gap)
            line.append_text(item)
        if line.plain:
            yield line
