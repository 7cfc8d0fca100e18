"""The screen on which a player decides: board, news, hand, question and options.

On a terminal everything fits into its rows, above the prompt: the screen tries layouts with less
and less detail, and pages the options only if not even the last one fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.segment import SegmentLines
from rich.text import Text

from smashup.terminal.game.annotated_log import AnnotatedLine
from smashup.terminal.screens.advice import render_chances
from smashup.terminal.screens.board import render_board
from smashup.terminal.screens.compact_board import render_compact_board, render_minimal_board
from smashup.terminal.screens.hand import Detail, group_hand, render_hand
from smashup.terminal.screens.option_menu import Menu, render_question
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import tr

MAX_NEWS_LINES = 16
"""Recent log lines shown; the command `l` shows all."""


class BoardSize(Enum):
    """How much room the board takes."""

    PANELS = "panels"
    COMPACT = "compact"
    MINIMAL = "minimal"


@dataclass(frozen=True)
class Layout:
    """How much of everything a screen shows."""

    board: BoardSize
    detail: Detail
    min_news: int
    """Rows for log lines the player has not read yet; others take what is left."""
    has_gaps: bool = False


LAYOUTS = (
    Layout(BoardSize.PANELS, Detail.FULL, 8, has_gaps=True),
    Layout(BoardSize.PANELS, Detail.BRIEF, 6, has_gaps=True),
    Layout(BoardSize.PANELS, Detail.BRIEF, 5),
    Layout(BoardSize.COMPACT, Detail.FULL, 5),
    Layout(BoardSize.COMPACT, Detail.BRIEF, 4),
    Layout(BoardSize.COMPACT, Detail.DENSE, 2),
    Layout(BoardSize.MINIMAL, Detail.BRIEF, 3),
    Layout(BoardSize.MINIMAL, Detail.DENSE, 1),
)
"""From the most to the least detail; the first that fits is used."""


@dataclass
class News:
    """The latest log lines; the last ``unread`` of them are new to the player."""

    lines: list[AnnotatedLine]
    unread: int


class DecisionScreen:
    """One decision of one player, drawn for terminals of any size."""

    def __init__(
        self,
        view: dict[str, Any],
        player_names: PlayerNames,
        chances: Sequence[float],
        build_menu: Callable[[Detail], Menu],
        news: News,
    ) -> None:
        self.view = view
        self.player_names = player_names
        self.chances = chances
        """Win chances of all players, or none."""
        self.build_menu = build_menu
        self.news = news
        self.page = 0
        """Which page of the options is shown, if they need several."""
        self.has_pages = False

    # --- parts ------------------------------------------------------------------------------

    @property
    def is_play_menu(self) -> bool:
        """Whether the player plays cards, as opposed to answering the question of a card."""
        decision = self.view["decision"]
        return decision["kind"] == "move" and "source" not in decision

    def render_board(self, size: BoardSize = BoardSize.PANELS) -> RenderableType:
        """The board, with the win chances."""
        if size is BoardSize.COMPACT:
            return render_compact_board(self.view, self.player_names, self.chances)
        if size is BoardSize.MINIMAL:
            return render_minimal_board(self.view, self.player_names)
        board = render_board(self.view, self.player_names)
        if not self.chances:
            return board
        return Group(board, render_chances(self.chances, self.player_names))

    def render_hand(self, detail: Detail) -> list[RenderableType]:
        """The hand, unless the options show it."""
        rows = group_hand(self.view["players"][self.view["you"]]["hand"])
        if self.view["decision"]["kind"] == "move" or not rows:
            return []
        return [render_hand(tr("Your hand"), rows, detail)]

    def render_options(self, detail: Detail) -> RenderableType:
        """The question and the options."""
        parts = self.build_menu(detail).parts
        if self.is_play_menu:
            return Group(*parts)
        return Group(render_question(self.view, self.player_names), *parts)

    # --- a whole screen ---------------------------------------------------------------------

    def compose(self, console: Console, rows: int, notice: RenderableType | None) -> Group:
        """Everything within a number of rows, with a notice above the prompt."""
        for layout in LAYOUTS:
            parts = self._compose_layout(console, rows, layout, notice)
            if parts is not None:
                self.has_pages = False
                return Group(*parts)
        return self._compose_page(console, rows, notice)

    def fits(self, console: Console, rows: int, notice: RenderableType) -> bool:
        """Whether a notice fits on the screen beside the board and all options."""
        return any(
            self._compose_layout(console, rows, layout, notice) is not None for layout in LAYOUTS
        )

    def _compose_layout(
        self, console: Console, rows: int, layout: Layout, notice: RenderableType | None
    ) -> list[RenderableType] | None:
        gap: list[RenderableType] = [Text()] if layout.has_gaps else []
        above = [self.render_board(layout.board), *gap]
        below = self.render_hand(layout.detail)
        below += [*gap, self.render_options(layout.detail)] if below else []
        below = below or [self.render_options(layout.detail)]
        below += [notice] if notice is not None else []
        left = rows - count_rows(console, *above, *below)
        wanted = self._wanted_news(console, layout) if notice is None else 0
        if left < wanted + (len(gap) if wanted else 0):
            return None
        news = self._fit_news(console, left - len(gap))
        return [*above, *news, *(gap if news else ()), *below]

    def _wanted_news(self, console: Console, layout: Layout) -> int:
        """The rows needed for log lines, so that at least the newest one is shown."""
        wanted = min(self.news.unread, layout.min_news)
        if wanted and layout is not LAYOUTS[-1]:
            is_more_hidden = self.news.unread > 1
            return max(wanted, count_rows(console, self.news.lines[-1]) + is_more_hidden)
        return wanted

    def _fit_news(self, console: Console, rows: int) -> list[RenderableType]:
        """The latest log lines that fit; those the player has read are dim."""
        shown: list[RenderableType] = []
        unread = self.news.unread
        for number, line in enumerate(reversed(self.news.lines[-MAX_NEWS_LINES:])):
            needed = count_rows(console, line)
            hides_unread = number + 1 < unread
            if needed > rows - (1 if hides_unread else 0):
                break
            rows -= needed
            shown.insert(0, line if number < unread else line.dimmed())
        hidden = unread - len(shown)
        if hidden > 0 and rows > 0:
            more = tr("… {count} earlier lines: l", count=hidden)
            shown.insert(0, Text(more, style="dim"))
        return shown

    def _compose_page(self, console: Console, rows: int, notice: RenderableType | None) -> Group:
        """A part of the options, in the last layout."""
        self.has_pages = True
        board = self.render_board(BoardSize.MINIMAL)
        question: list[RenderableType] = []
        if not self.is_play_menu:
            question = [render_question(self.view, self.player_names)]
        below = [notice] if notice is not None else []
        options = console.render_lines(
            Group(*self.build_menu(Detail.DENSE).parts), pad=False, new_lines=False
        )
        room = max(3, rows - 1 - count_rows(console, board, *question, *below))
        pages = -(-len(options) // room)
        self.page %= pages
        page = options[self.page * room :][:room]
        more = tr(
            "Page {page} of {pages} of the options; Enter shows the next one.",
            page=self.page + 1,
            pages=pages,
        )
        return Group(
            board,
            *question,
            SegmentLines(page, new_lines=True),
            Text(more, style="italic"),
            *below,
        )


def count_rows(console: Console, *parts: RenderableType) -> int:
    """How many rows the parts take on a console."""
    return len(console.render_lines(Group(*parts), pad=False))
