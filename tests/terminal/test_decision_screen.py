"""The screen of a decision fits into any terminal and never loses scores, bases or options."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from typing import Any, cast

import pytest
from rich.console import Console
from rich.text import Text

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.terminal.game.annotated_log import AnnotatedLine, AnnotatedLog
from smashup.terminal.screens.decision_screen import DecisionScreen, News
from smashup.terminal.screens.hand import Detail
from smashup.terminal.screens.option_menu import Menu, build_menu
from smashup.terminal.screens.player_names import PlayerNames

NAMES = PlayerNames(["Ana", "Bo", "Cleo", "Dan"])


def make_console(columns: int, rows: int) -> Console:
    return Console(
        file=io.StringIO(), width=columns, height=rows, force_terminal=True, color_system=None,
        markup=False, emoji=False, highlight=False,
    )  # fmt: skip


def print_screen(screen: DecisionScreen, columns: int, rows: int, notice: Any = None) -> list[str]:
    """Return the lines above the prompt."""
    console = make_console(columns, rows)
    console.print(screen.compose(console, rows - 1, notice))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def make_screen(game: Game, unread: int = 6) -> DecisionScreen:
    assert game.decision is not None
    player = game.decision.player
    view = cast("dict[str, Any]", game.view(player))
    names = PlayerNames(NAMES.names[: len(view["players"])])
    build: Callable[[Detail], Menu] = lambda detail: build_menu(  # noqa: E731
        view, names, detail, lambda faction: f"What {faction} are like"
    )
    lines = AnnotatedLog(names).lines(game, player)[-16:]
    chances = [1 / len(view["players"])] * len(view["players"])
    return DecisionScreen(view, names, chances, build, News(lines, min(unread, len(lines))))


def play_randomly(game: Game, rng: random.Random) -> None:
    """Answer at random, avoiding refusals so that boards and hands grow."""
    decision = game.decision
    assert decision is not None
    eager = [i for i in range(len(decision.options)) if not decision.declines(i)]
    game.choose(rng.choice(eager or [0]))


@pytest.mark.parametrize(
    ("players", "columns", "rows"), [(2, 80, 24), (3, 80, 24), (4, 80, 24), (4, 100, 30)]
)
def test_scores_bases_and_options_are_visible_at_every_decision(
    players: int, columns: int, rows: int
) -> None:
    game = Game(Setup(players=players, seed=4, draft=True, madness=True), catalogue())
    rng = random.Random(players)
    screens = 0
    while game.decision is not None and screens < 60:
        decision = game.decision
        if len(decision.options) > 1 and len(game.answers) % 3 == 0:
            screens += 1
            screen = make_screen(game)
            lines = print_screen(screen, columns, rows)
            assert len(lines) <= rows - 1
            assert max(map(len, lines)) <= columns
            text = "\n".join(lines)
            for seat in screen.view["players"]:
                assert re.search(rf"{NAMES.names[seat['index']]}\b.* {seat['vp']} VP", text)
            for site in screen.view["bases"]:
                assert f"{site['total']}/{site['breakpoint']}" in text
                assert site["name"][:18] in text
            check_numbers(screen, columns, rows, text)
        play_randomly(game, rng)


def check_numbers(screen: DecisionScreen, columns: int, rows: int, text: str) -> None:
    """Check that every option's number is on the screen, or on one of its pages."""
    count = len(screen.view["decision"]["options"])
    pages = [text]
    if screen.has_pages:
        total = re.search(r"Page 1 of (\d+)", text)
        assert total is not None
        for page in range(1, int(total[1])):
            screen.page = page
            lines = print_screen(screen, columns, rows)
            assert len(lines) <= rows - 1
            pages.append("\n".join(lines))
    found = set(re.findall(r"(?<![\w/.(])\d+(?= )", "\n".join(pages)))
    assert {str(number) for number in range(1, count + 1)} <= found


def test_a_tall_terminal_shows_panels_texts_and_news() -> None:
    game = Game(Setup(players=2, seed=4), catalogue())
    rng = random.Random(1)
    while len(game.answers) < 30 or len(make_screen(game).view["decision"]["options"]) < 2:
        play_randomly(game, rng)
    text = "\n".join(print_screen(make_screen(game), 140, 60))
    assert "╭" in text
    assert "Chances:" in text
    small = "\n".join(print_screen(make_screen(game), 80, 20))
    assert "╭" not in small


def test_news_the_player_missed_is_counted_when_it_does_not_fit() -> None:
    game = Game(Setup(players=2, seed=4), catalogue())
    rng = random.Random(1)
    while len(game.log_lines(0)) < 40 or len(make_screen(game).view["decision"]["options"]) < 2:
        play_randomly(game, rng)
    screen = make_screen(game, unread=16)
    lines = print_screen(screen, 80, 24)
    marker = next(row for row, line in enumerate(lines) if "earlier lines: l" in line)
    hidden = int(re.findall(r"… (\d+) earlier lines: l", lines[marker])[0])
    newest = [line.text.plain.strip()[:30] for line in screen.news.lines[hidden - 16 :]]
    assert 0 < hidden < 16
    for row, text in enumerate(newest, marker + 1):
        assert lines[row].strip().startswith(text)


def test_the_newest_news_is_shown_in_full() -> None:
    goal = "Puzzle: " + " ".join(f"word{number}" for number in range(14))
    game = Game(Setup(players=2, seed=4), catalogue())
    rng = random.Random(2)
    for _ in range(60):
        play_randomly(game, rng)
        for unread in (1, 2):
            screen = make_screen(game)
            line = AnnotatedLine(Text(goal), True)
            screen.news = News([*screen.news.lines, line], unread)
            shown = " ".join(print_screen(screen, 80, 24))
            assert goal in " ".join(shown.split())


def test_a_notice_replaces_the_news_before_it_hides_the_board() -> None:
    game = Game(Setup(players=2, seed=4), catalogue())
    screen = make_screen(game)
    lines = print_screen(screen, 80, 24, "Saved.")
    assert lines[-1] == "Saved."
    assert screen.fits(make_console(80, 24), 23, "\n".join(["line"] * 5))
    assert not screen.fits(make_console(80, 24), 23, "\n".join(["line"] * 24))
