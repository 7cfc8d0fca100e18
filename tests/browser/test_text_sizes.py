"""Readable text and good use of space, from a phone to a large screen."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenBrowser, StartGame
from tests.browser.test_layout import CROWD, crowded_table, resize, visible_part

SIZES: Final = ((1920, 1080), (1366, 768), (1280, 720), (820, 1180), (390, 844), (844, 390))

# The size of each piece of text in the hand that can be seen, and the text.
HAND_TEXT: Final = """() => {
    const hand = document.querySelector("section[data-anchor^=hand]");
    const walker = document.createTreeWalker(hand, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const { parentElement, data } = walker.currentNode;
        if (data.trim() === "" || parentElement.closest(".visually-hidden")) continue;
        if (!parentElement.checkVisibility()) continue;
        found.push([parseFloat(getComputedStyle(parentElement).fontSize), data.trim()]);
    }
    return found;
}"""


def smallest_in_hand(page: Page) -> tuple[float, str]:
    sizes: list[tuple[float, str]] = [(size, text) for size, text in page.evaluate(HAND_TEXT)]
    assert len(sizes) >= 5
    return min(sizes)


@pytest.mark.parametrize("lang", ["en", pytest.param("fr", marks=pytest.mark.browser_full)])
def test_the_text_of_the_hand_has_at_least_12_pixels(start_game: StartGame, lang: str) -> None:
    player = start_game(lang=lang)
    player.play_to_own_turn()
    for size in SIZES:
        resize(player.page, *size)
        smallest = smallest_in_hand(player.page)
        assert smallest[0] >= 12, (size, smallest)


@pytest.mark.browser_full
def test_a_large_screen_is_used(start_game: StartGame) -> None:
    """At 1920x1080 the bases of two and of four players fill the board."""
    for factions in (CROWD[:4], CROWD):
        bots = ("easy",) * (len(factions) // 2 - 1)
        player = start_game(*bots, factions=factions)
        player.play_to_own_turn()
        resize(player.page, 1920, 1080)
        board = player.page.locator("section.board").bounding_box()
        faces = [face.bounding_box() for face in player.page.locator(".middle > .face").all()]
        assert board is not None
        used = sum(face["width"] for face in faces if face is not None)
        assert used > board["width"] * 0.6, (len(faces), used, board)
        text = player.page.locator(".middle .text").first
        assert float(text.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) >= 12


def test_a_tablet_shows_all_bases(start_game: StartGame) -> None:
    """Upright, the bases of four players form two rows, and nothing has to be scrolled."""
    player = start_game("easy", "easy", "easy", factions=CROWD)
    player.play_to_own_turn()
    for size in ((820, 1180), (1180, 820)):
        resize(player.page, *size)
        faces = player.page.locator(".middle > .face")
        expect(faces).to_have_count(5)
        for number in range(5):
            assert visible_part(player.page, faces.nth(number)) > 0.95, (size, number)
    resize(player.page, 820, 1180)
    hand = player.page.locator("section[data-anchor^=hand]").bounding_box()
    assert hand is not None
    assert hand["width"] > 780


@pytest.mark.browser_full
def test_a_small_phone_held_sideways_shows_the_names_of_the_bases(start_game: StartGame) -> None:
    player = crowded_table(start_game)
    for size in ((667, 375), (844, 390)):
        resize(player.page, *size)
        names = player.page.locator(".middle > .face .name").all()
        board = player.page.locator("section.board").bounding_box()
        assert board is not None
        assert len(names) == 5
        for name in names:
            box = name.bounding_box()
            assert box is not None
            assert box["y"] >= board["y"] - 1, (size, name.inner_text())
            assert box["y"] + box["height"] <= board["y"] + board["height"], size


@pytest.mark.browser_full
def test_the_text_size_is_a_setting(open_browser: OpenBrowser, start_game: StartGame) -> None:
    player = start_game()
    player.play_to_own_turn()
    page = player.page
    before = smallest_in_hand(page)[0]
    player.visitor.click("Settings")
    page.get_by_text("Largest", exact=True).click()
    page.keyboard.press("Escape")
    assert smallest_in_hand(page)[0] >= 1.25 * before
    page.reload()
    player.play_to_own_turn()
    assert smallest_in_hand(page)[0] >= 1.25 * before
    for size in SIZES:
        resize(page, *size)
        width: int = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], size
        prompt = page.locator("[data-prompt]").get_by_role("button", name="End turn", exact=True)
        assert visible_part(page, prompt) > 0.9, size


# Text of the players, the score track and the bases that is cut off at its own box.
CUT_OFF: Final = """() =>
[...document.querySelectorAll("aside .name, .goal .step, .goal, .gauge *, .overview .name")]
    .filter((one) => one.checkVisibility() && one.clientWidth > 0)
    .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 3)
    .filter((one) => getComputedStyle(one).overflowX !== "visible" || one.matches(".goal"))
    .map((one) => `${one.className}: ${one.innerText}`)"""

TABLES: Final = [
    ((390, 844), 2),
    pytest.param((390, 844), 4, marks=pytest.mark.browser_full),
    pytest.param((1180, 820), 4, marks=pytest.mark.browser_full),
    pytest.param((1366, 768), 4, marks=pytest.mark.browser_full),
]


@pytest.mark.parametrize(("size", "players"), TABLES)
def test_the_largest_text_fits(start_game: StartGame, size: tuple[int, int], players: int) -> None:
    """Names are whole, and all bases have room side by side."""
    bots = ("easy",) * (players - 1)
    player = start_game(*bots, factions=CROWD[: 2 * players], phone=size[0] < 500)
    page = player.page
    resize(page, *size)
    player.play_to_own_turn()
    player.visitor.click("Settings")
    page.get_by_text("Largest", exact=True).click()
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    player.visitor.picture(f"largest-{size[0]}-{players}")
    assert page.evaluate(CUT_OFF) == []
    if size[0] > 500:
        board = page.locator("section.board")
        assert board.evaluate("(board) => board.scrollWidth <= board.clientWidth + 1")
    else:
        numbers = page.locator("[data-base] .gauge").first.bounding_box()
        assert numbers is not None
        assert numbers["width"] > 60, "the gauge has no room beside the base"
