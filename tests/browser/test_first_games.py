"""Hints during the first games: how to enlarge cards, and what the symbols mean."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import find_violations
from tests.browser.conftest import FACTIONS, EditTable, OpenBrowser, StartGame
from tests.browser.edited_table import Message, minion
from tests.browser.live_server import LiveServer
from tests.browser.visitor import Visitor


def open_symbols(page: Page) -> Locator:
    return page.get_by_role("button", name="What do the symbols mean?")


def new_table(server: LiveServer, visitor: Visitor) -> None:
    """Start another game in the same browser."""
    table = server.create_table("me", "easy", factions=FACTIONS)
    visitor.page.evaluate(
        "([id, seats]) => localStorage.setItem('smashup.seats', "
        "JSON.stringify([{ table: id, seats }]))",
        [table.id, table.seats],
    )
    visitor.open(f"/table/{table.id}")
    expect(visitor.page.locator("[data-prompt]")).to_be_visible()


def test_the_symbols_are_explained(open_browser: OpenBrowser, server: LiveServer) -> None:
    visitor = open_browser(newcomer=True, bypass_csp=True)
    page = visitor.open("/about")
    new_table(server, visitor)
    open_symbols(page).click()
    legend = visitor.dialog("What the symbols mean")
    for meaning in ("cards in hand", "breakpoint", "VP for first", "+1 power counters", "destroy"):
        expect(legend.locator("dd", has_text=meaning).first).to_be_visible()
    # Each symbol of the player panels is among them.
    for icon in page.locator("section.panel .count use").all():
        href = icon.get_attribute("href")
        expect(legend.locator(f"use[href='{href}']").first).to_be_attached()
    assert find_violations(page) == []
    page.keyboard.press("Escape")

    # After it was dismissed, only the table menu shows it.
    page.get_by_role("note").get_by_role("button", name="Dismiss").click()
    expect(open_symbols(page)).to_have_count(0)
    page.reload()
    expect(page.locator("[data-prompt]")).to_be_visible()
    expect(open_symbols(page)).to_have_count(0)
    visitor.click("Table")
    visitor.click("Symbols")
    expect(legend).to_be_visible()


@pytest.mark.browser_full
def test_the_hint_ends_after_three_games(open_browser: OpenBrowser, server: LiveServer) -> None:
    visitor = open_browser(newcomer=True)
    page = visitor.open("/about")
    for number in range(1, 5):
        new_table(server, visitor)
        expect(open_symbols(page)).to_have_count(1 if number <= 3 else 0)


def test_long_press_is_mentioned_once_on_touch_screens(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    visitor = open_browser(newcomer=True, phone=True)
    page = visitor.open("/about")
    new_table(server, visitor)
    hint = page.get_by_role("note")
    expect(hint).to_contain_text("Touch and hold a card to enlarge it.")
    card = page.locator("[data-anchor^=hand] [data-spot]").first
    box = card.bounding_box()
    assert box is not None
    at = {"x": box["x"] + 30, "y": box["y"] + 30}
    touch = visitor.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.get_by_role("tooltip")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(hint).not_to_contain_text("Touch and hold")
    page.reload()
    expect(open_symbols(page)).to_be_visible()
    expect(hint).not_to_contain_text("Touch and hold")


@pytest.mark.browser_full
def test_the_hint_on_enlarging_cards_goes_after_a_few_choices(start_game: StartGame) -> None:
    player = start_game(newcomer=True, phone=True)
    hint = player.page.get_by_text("Touch and hold a card to enlarge it.")
    player.play_to_own_turn()
    expect(hint).to_be_visible()
    for _ in range(20):
        player.act(player.wait())
    expect(hint).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_the_hint_makes_room_for_questions_on_a_phone(
    start_game: StartGame, size: tuple[int, int]
) -> None:
    player = start_game(newcomer=True, phone=True)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    hint = page.get_by_text("Touch and hold a card to enlarge it.")
    state = player.play_to_own_turn()
    expect(hint).to_be_visible()
    player.click(state.of("hand")[0])
    cancel = player.visitor.button("Cancel")
    expect(cancel).to_be_visible()
    expect(hint).to_have_count(0)
    # All buttons are in one line.
    rows = [button.bounding_box() for button in (cancel, player.visitor.button("End turn"))]
    assert all(row is not None for row in rows)
    middles = [row["y"] + row["height"] / 2 for row in rows if row is not None]
    assert abs(middles[0] - middles[1]) < 6
    cancel.click()
    expect(hint).to_be_visible()


def test_the_hint_makes_room_for_news_on_a_phone(edit_table: EditTable) -> None:
    def own_minion(shown: Message) -> None:
        view = shown["view"]
        view["bases"][0]["cards"] = [minion(950, "Huffie", 0)]
        view.update(current=1, turn=8)
        view["decision"] = {"player": 1}

    def destroy(shown: Message) -> None:
        shown["view"]["bases"][0]["cards"] = []

    player, stage = edit_table(own_minion, newcomer=True, phone=True)
    page = player.page
    hint = page.get_by_text("Touch and hold a card to enlarge it.")
    expect(hint).to_be_visible()
    change = {
        "kind": "destroyed", "cards": [{"id": 950, "name": "Huffie"}], "by": 1,
        "cause": {"id": 955, "name": "Going Bananas"},
        "origin": {"zone": "base", "base": stage.view["bases"][0]["serial"]},
        "to": {"zone": "discard", "player": 0},
    }  # fmt: skip
    stage.show(destroy, changes=[change])
    expect(page.get_by_role("region", name="What happened to your cards")).to_be_visible()
    expect(hint).to_have_count(0)
    player.visitor.click("Got it")
    expect(hint).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_hint_takes_no_room_from_the_table(
    start_game: StartGame, size: tuple[int, int]
) -> None:
    player = start_game(newcomer=True)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.play_to_own_turn()
    hint = page.get_by_role("note").bounding_box()
    header = page.locator("header").first.bounding_box()
    assert hint is not None
    assert header is not None
    assert hint["y"] + hint["height"] <= header["y"] + header["height"] + 1
    for tool in page.locator("header a, header button").all():
        box = tool.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= hint["x"] or hint["x"] + hint["width"] <= box["x"]


@pytest.mark.browser_full
def test_a_mouse_is_not_told_to_press_long(start_game: StartGame) -> None:
    player = start_game(newcomer=True)
    player.play_to_own_turn()
    expect(open_symbols(player.page)).to_be_visible()
    expect(player.page.get_by_text("Touch and hold")).to_have_count(0)
