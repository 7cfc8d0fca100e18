"""axe finds no violations on any page, in light and dark mode."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.axe import find_violations
from tests.browser.conftest import FACTIONS, OpenBrowser
from tests.browser.live_server import LiveServer
from tests.browser.player import Player
from tests.browser.visitor import Visitor

PAGES = (
    "/",
    "/new/bots",
    "/new/friends",
    "/new/here",
    "/tables",
    "/factions",
    "/factions/Kaiju",
    "/about",
    "/nowhere",
)


def test_the_checker_finds_what_is_wrong(open_browser: OpenBrowser) -> None:
    visitor = open_browser(bypass_csp=True)
    page = visitor.open("/about")
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate(
        """document.querySelector("main").insertAdjacentHTML("beforeend",
        "<style>@media (prefers-color-scheme: dark) { #pale { color: #777; background: #888 } }"
        + "</style><button></button><p id=pale>pale</p>")"""
    )
    found = [line.partition(":")[0] for line in find_violations(page)]
    assert found == ["button-name", "in dark mode, color-contrast"]


def _check(visitor: Visitor, what: str) -> None:
    assert find_violations(visitor.page) == [], what


def test_the_pages(open_browser: OpenBrowser, server: LiveServer) -> None:
    server.create_table("me", "open", listed=True)
    server.create_table("me", "easy", listed=True)
    visitor = open_browser(bypass_csp=True)
    for path in PAGES:
        page = visitor.open(path)
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        _check(visitor, path)
    visitor.open("/new/bots")
    visitor.click("Settings")
    _check(visitor, "settings")
    visitor.click("Close")
    visitor.page.get_by_text("Advanced options").click()
    _check(visitor, "more rules")
    visitor.page.get_by_role("button", name="Choose factions for").first.click()
    expect(visitor.button("Choose Kaiju")).to_be_visible()
    _check(visitor, "faction picker")


def test_the_waiting_room_and_the_way_in(open_browser: OpenBrowser, server: LiveServer) -> None:
    table = server.create_table("me", "open", factions=FACTIONS)
    host = open_browser(table, bypass_csp=True)
    host.open(f"/table/{table.id}")
    expect(host.button("Copy the link")).to_be_visible()
    _check(host, "waiting room")
    friend = open_browser(bypass_csp=True)
    friend.open(f"/table/{table.id}")
    expect(friend.button("Join")).to_be_visible()
    _check(friend, "joining")


def test_the_table(open_browser: OpenBrowser, server: LiveServer) -> None:
    table = server.create_table(
        "me", "easy", "easy", factions=(*FACTIONS, "Super Spies", "Time Travelers")
    )
    visitor = open_browser(table, bypass_csp=True)
    visitor.open(f"/table/{table.id}")
    player = Player(visitor)
    for _ in range(2):
        player.act(player.play_to_own_turn())
        player.play_to_own_turn()
        player.end_turn()
    menu = player.play_to_own_turn()
    _check(visitor, "the play menu")
    player.click(menu.of("hand")[0])
    player.wait()
    _check(visitor, "a card taken up")
    visitor.page.keyboard.press("Escape")
    player.click(player.play_to_own_turn().of("done")[0])
    expect(visitor.dialog("You still have plays left")).to_be_visible()
    _check(visitor, "the warning")
    visitor.click("Keep playing")
    visitor.page.get_by_role("button", name="options as a list").click()
    _check(visitor, "all options in words")
    visitor.page.get_by_role("button", name="Discard pile of Bot 2").click()
    _check(visitor, "a discard pile")
    visitor.click("Close")
    visitor.click("Table")
    _check(visitor, "the table's menu")
    visitor.click("Resign")
    visitor.click("Yes, I resign")
    visitor.open(f"/table/{table.id}")
    expect(visitor.page.get_by_role("heading", level=1)).to_be_attached()  # the table has loaded
    _check(visitor, "resigned")


def test_the_end_and_the_curtain(open_browser: OpenBrowser, server: LiveServer) -> None:
    table = server.create_table("me", "easy", factions=FACTIONS)
    visitor = open_browser(table, bypass_csp=True)
    visitor.open(f"/table/{table.id}")
    visitor.click("Table")
    visitor.click("Resign")
    visitor.click("Yes, I resign")
    expect(visitor.dialog("Bot 2 wins!")).to_be_visible()
    _check(visitor, "the end")

    table = server.create_table("me", "me", factions=FACTIONS)
    visitor = open_browser(table, bypass_csp=True)
    visitor.open(f"/table/{table.id}")
    expect(visitor.page.get_by_role("dialog")).to_be_visible()
    _check(visitor, "the curtain")
