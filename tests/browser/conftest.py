"""Fixtures of the browser tests: a server, Chromium, and windows that fail tests on errors."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import ChromiumUnavailable, launch
from tests.browser.edited_table import Edit, EditedTable
from tests.browser.live_server import CreatedTable, LiveServer, run_server
from tests.browser.player import Player
from tests.browser.visitor import TIMEOUT_MS, Preferences, Visitor

expect.set_options(timeout=TIMEOUT_MS)

FAILED = pytest.StashKey[bool]()

FACTIONS = ("Astroknights", "Cyborg Apes", "Magical Girls", "Kaiju")

OpenBrowser = Callable[..., Visitor]
StartGame = Callable[..., Player]
EditTable = Callable[..., tuple[Player, EditedTable]]


# Closed before the tests of other packages start, because Playwright occupies the event loop.
@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with run_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser, why = None, ""
        try:
            browser = launch(playwright)
        except ChromiumUnavailable as missing:
            why = str(missing)
        if browser is None:
            pytest.fail(why, pytrace=False)
        yield browser
        browser.close()


@pytest.fixture
def open_browser(
    server: LiveServer, chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[OpenBrowser]:
    """Open a window: ``open_browser(table, dark=True)``. An error in any window fails the test."""
    visitors: list[Visitor] = []

    def come(
        table: CreatedTable | None = None, at: LiveServer = server, **preferences: Any
    ) -> Visitor:
        visitors.append(Visitor(chromium, at, Preferences(**preferences), table))
        return visitors[-1]

    yield come
    if request.node.stash.get(FAILED, False):
        for number, visitor in enumerate(visitors):
            picture = tmp_path / f"{number}.png"
            visitor.page.screenshot(path=picture)
            print(
                f"Window {number} at {visitor.page.url}, {visitor.unexpected_errors()}: {picture}"
            )
    for visitor in visitors:
        visitor.close()
    assert [visitor.unexpected_errors() for visitor in visitors] == [[] for _ in visitors]


@pytest.fixture
def start_game(server: LiveServer, open_browser: OpenBrowser) -> StartGame:
    """Start a game against a bot immediately: ``start_game(dark=True)``."""

    def sit(
        *kinds: str, factions: tuple[str, ...] = FACTIONS, mode: str = "", **preferences: Any
    ) -> Player:
        rules = {"mode": mode} if mode else {}
        table = server.create_table("me", *(kinds or ("easy",)), factions=factions, **rules)
        visitor = open_browser(table, **preferences)
        visitor.open(f"/table/{table.id}")
        return Player(visitor)

    return sit


@pytest.fixture
def edit_table(server: LiveServer, open_browser: OpenBrowser) -> EditTable:
    """Start a game whose table the test edits: ``edit_table(edit, "easy", phone=True)``."""

    def open_table(edit: Edit, *kinds: str, **preferences: Any) -> tuple[Player, EditedTable]:
        table = server.create_table("me", *(kinds or ("easy",)))
        visitor = open_browser(table, **preferences)
        stage = EditedTable(visitor, edit)
        visitor.open(f"/table/{table.id}")
        visitor.page.locator("[data-prompt]").wait_for()
        return Player(visitor), stage

    return open_table


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed
    return report
