"""Playing on a phone: a narrow touch screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import FACTIONS, OpenBrowser, StartGame
from tests.browser.edited_table import EditedTable, Message, minion
from tests.browser.live_server import LiveServer
from tests.browser.visitor import PHONE


def _fits(page: Page) -> bool:
    """A page that is too wide is shown smaller by a phone: its window is wider then."""
    width: int = page.evaluate("Math.max(innerWidth, document.documentElement.scrollWidth)")
    return width <= PHONE["width"]


def test_several_turns_are_played_by_tapping(start_game: StartGame) -> None:
    player = start_game(phone=True)
    for _ in range(3):
        player.play_to_own_turn()
        assert _fits(player.page)
        player.act(player.play_to_own_turn())
        player.play_to_own_turn()
        player.end_turn()
    player.play_to_own_turn()
    expect(
        player.page.get_by_role("button", name=re.compile("^Your .*, power")).first
    ).to_be_attached()
    player.page.get_by_role("button", name="Log").tap()
    expect(player.page.get_by_role("log")).to_contain_text("Turn 6")


def test_a_table_with_many_bases_fits(start_game: StartGame) -> None:
    player = start_game("easy", "easy", "easy", factions=(), phone=True)
    player.play_to_own_turn()
    assert player.page.locator("[data-base]").count() >= 5
    assert _fits(player.page)


def test_no_page_is_wider_than_the_phone(open_browser: OpenBrowser) -> None:
    visitor = open_browser(phone=True)
    for path in (
        "/",
        "/new/bots",
        "/new/friends",
        "/new/here",
        "/tables",
        "/factions",
        "/factions/Kaiju",
        "/about",
        "/nowhere",
    ):
        page = visitor.open(path)
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        assert _fits(page), path


def test_the_heading_leaves_room_on_a_phone_held_sideways(open_browser: OpenBrowser) -> None:
    visitor = open_browser()
    page = visitor.page
    page.set_viewport_size({"width": 844, "height": 390})
    for path in ("/cards", "/new/bots", "/rules"):
        visitor.open(path)
        head = page.locator(".head").first
        head.wait_for()
        box = head.bounding_box()
        assert box is not None
        assert box["height"] < 0.45 * 390, path


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_heading_is_one_line_and_leads_to_the_settings(
    open_browser: OpenBrowser, lang: str
) -> None:
    page = open_browser(lang=lang).open("/puzzles")
    gear = page.get_by_role("button", name=re.compile("^(Settings|Réglages)$"))
    for width in (640, 667, 768, 820, 844, 960, 1024):
        page.set_viewport_size({"width": width, "height": 390})
        page.wait_for_timeout(100)
        box, heading = gear.bounding_box(), page.locator("header").first.bounding_box()
        assert box is not None
        assert heading is not None
        assert box["x"] + box["width"] <= width, width
        assert heading["height"] < 80, width


def test_a_game_starts_without_scrolling_on_a_phone_held_sideways(
    open_browser: OpenBrowser,
) -> None:
    visitor = open_browser(newcomer=True)
    page = visitor.page
    page.set_viewport_size({"width": 844, "height": 390})
    visitor.open("/")
    expect(page.get_by_role("button", name="Play now")).to_be_in_viewport(ratio=0.95)


def test_a_long_text_leaves_the_name_of_its_card_alone(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    """No picture is left then: its marks are not drawn over the name, and what is cut off fades."""

    def hold_long_text(shown: Message) -> None:
        hand = [minion(900, "Lunar Captain", 0, 5), minion(901, "Cyberback", 0, 5)]
        hand[0]["text"] = "Talent: " + "move one of your minions to another base. " * 5
        shown["view"]["players"][0].update(hand=hand, hand_size=2)

    table = server.create_table("me", "easy", factions=FACTIONS)
    visitor = open_browser(table, phone=True)
    EditedTable(visitor, hold_long_text)
    visitor.open(f"/table/{table.id}")
    cards = visitor.page.locator("[data-anchor^=hand] .card")
    expect(cards.nth(1).locator(".mark")).to_be_visible()
    long = cards.nth(0)
    expect(long.locator(".name")).to_have_text("Lunar Captain")
    expect(long.locator(".mark")).to_be_hidden()
    expect(long.locator(".text")).not_to_have_css("mask-image", "none")
