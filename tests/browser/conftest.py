"""What every browser test has: a server, a chromium, and guests who complain about everything."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import NoChromium, launch
from tests.browser.guest import PATIENCE, Guest, Taste
from tests.browser.house import Founded, House, serving
from tests.browser.player import Player
from tests.browser.staged import Edit, Stage

expect.set_options(timeout=PATIENCE)

FAILED = pytest.StashKey[bool]()

FACTIONS = ("Astroknights", "Cyborg Apes", "Magical Girls", "Kaiju")

Invite = Callable[..., Guest]
SitDown = Callable[..., Player]
SetStage = Callable[..., tuple[Player, Stage]]


# Put away before the tests of another package begin: Playwright holds the thread's event loop.
@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with serving(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser, why = None, ""
        try:
            browser = launch(playwright)
        except NoChromium as missing:
            why = str(missing)
        if browser is None:
            pytest.fail(why, pytrace=False)
        yield browser
        browser.close()


@pytest.fixture
def invite(
    house: House, chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Invite]:
    """Open a window: ``invite(table, dark=True)``. Nothing may go wrong in any of them."""
    guests: list[Guest] = []

    def come(table: Founded | None = None, at: House = house, **taste: Any) -> Guest:
        guests.append(Guest(chromium, at, Taste(**taste), table))
        return guests[-1]

    yield come
    if request.node.stash.get(FAILED, False):
        for number, guest in enumerate(guests):
            picture = tmp_path / f"{number}.png"
            guest.page.screenshot(path=picture)
            print(f"Window {number} at {guest.page.url}, {guest.complaints()}: {picture}")
    for guest in guests:
        guest.leave()
    assert [guest.complaints() for guest in guests] == [[] for _ in guests]


@pytest.fixture
def sit_down(house: House, invite: Invite) -> SitDown:
    """A game against a bot, at once: ``sit_down(dark=True)``."""

    def sit(
        *kinds: str, factions: tuple[str, ...] = FACTIONS, mode: str = "", **taste: Any
    ) -> Player:
        rules = {"mode": mode} if mode else {}
        table = house.found("me", *(kinds or ("easy",)), factions=factions, **rules)
        guest = invite(table, **taste)
        guest.open(f"/table/{table.id}")
        return Player(guest)

    return sit


@pytest.fixture
def set_stage(house: House, invite: Invite) -> SetStage:
    """A game against bots whose table a test edits: ``set_stage(edit, "easy", phone=True)``."""

    def open_table(edit: Edit, *kinds: str, **taste: Any) -> tuple[Player, Stage]:
        table = house.found("me", *(kinds or ("easy",)))
        guest = invite(table, **taste)
        stage = Stage(guest, edit)
        guest.open(f"/table/{table.id}")
        guest.page.locator("[data-prompt]").wait_for()
        return Player(guest), stage

    return open_table


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed
    return report
