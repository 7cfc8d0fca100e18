"""What is visible and can be clicked at a table on every screen size."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import StartGame
from tests.browser.player import Player

CROWD: Final = (
    "Astroknights", "Cyborg Apes", "Kaiju", "Magical Girls",
    "Luchadors", "Ancient Incas", "Ignobles", "Changerbots",
)  # fmt: skip
GRID: Final = [(x / 6, y / 10) for x in range(1, 6) for y in range(1, 10)]


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(300)


def visible_part(page: Page, what: Locator) -> float:
    """Return the visible share of an element, measured on a grid of points."""
    expect(what).to_be_visible()  # a panel may be moving to its place for another screen size
    box = what.bounding_box()
    assert box is not None
    points = [[box["x"] + box["width"] * x, box["y"] + box["height"] * y] for x, y in GRID]
    element = what.element_handle()
    assert element is not None
    hits: int = page.evaluate(
        """([element, points]) => points.filter(([x, y]) => {
            const hit = document.elementFromPoint(x, y);
            return hit !== null && (element.contains(hit) || hit.contains(element));
        }).length""",
        [element, points],
    )
    return hits / len(points)


def crowded_table(start_game: StartGame) -> Player:
    """Start a four-player game and play until the player has a minion in play."""
    player = start_game("easy", "easy", "easy", factions=CROWD)
    own = player.page.locator(".own .played")
    for _ in range(80):
        if player.play_to_own_turn().is_menu and own.count() > 0 and own.first.is_visible():
            return player
        player.act(player.read_table())
    raise AssertionError("No minion of the player came into play.")


def test_the_players_own_row_stays_in_view(start_game: StartGame) -> None:
    """Four players, at the sizes at which the prompt used to cover it."""
    player = crowded_table(start_game)
    for size in ((1366, 768), (1280, 720), (1920, 1080), (1024, 768)):
        resize(player.page, *size)
        assert visible_part(player.page, player.page.locator(".own .tray").first) > 0.8, size
        own_base = player.page.locator("[data-base]:has(.own .played) .face").first
        assert visible_part(player.page, own_base) > 0.8, size


def test_the_recap_shows_three_opponents(start_game: StartGame) -> None:
    player = start_game("easy", "easy", "easy", factions=CROWD, warned=False)
    resize(player.page, 1366, 768)
    player.end_turn()
    player.play_to_own_turn()
    names = player.page.locator(".recap .who")
    expect(names).to_have_count(3)
    for number in range(3):
        assert visible_part(player.page, names.nth(number)) > 0.8, number


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_a_phone_held_sideways_shows_the_bases(
    start_game: StartGame, size: tuple[int, int]
) -> None:
    player = crowded_table(start_game)
    resize(player.page, *size)
    faces = player.page.locator("[data-base] .face")
    shown = [visible_part(player.page, faces.nth(i)) for i in range(faces.count())]
    assert sum(part > 0.3 for part in shown) >= 3, shown
    assert visible_part(player.page, player.page.locator("[data-prompt]")) > 0.8
    width: int = player.page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]


def options_in_panel(start_game: StartGame, least: int = 2) -> Player:
    """Show a table at which the player chooses among cards in the prompt."""
    player = start_game(factions=("Magical Girls", "Time Travelers", "Kaiju", "Astroknights"))
    panel = player.page.locator(".options [data-choice]")
    for _ in range(150):
        player.wait()
        if panel.count() >= least:
            return player
        player.act(player.read_table())
    raise AssertionError("No choice among cards came up.")


@pytest.mark.browser_full
def test_every_option_can_be_clicked_all_over(start_game: StartGame) -> None:
    """Names, icons and texts on a card do not cover the button."""
    player = options_in_panel(start_game)
    player.page.mouse.move(2, 2)
    buttons = player.page.locator(".options [data-choice]")
    for number in range(buttons.count()):
        button = buttons.nth(number)
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        for x, y in GRID:
            at = [box["x"] + box["width"] * x, box["y"] + box["height"] * y]
            hit = player.page.evaluate(
                "([x, y]) => document.elementFromPoint(x, y).dataset.option", at
            )
            assert hit == button.get_attribute("data-option"), (number, x, y)


@pytest.mark.browser_full
def test_options_can_be_put_away_to_see_the_table(start_game: StartGame) -> None:
    player = options_in_panel(start_game)
    panel = player.page.locator(".options")
    player.visitor.click("Show table")
    expect(panel).to_have_count(0)
    player.visitor.click("Show options")
    expect(panel).to_be_visible()

    # The number on an option is its key.
    key = panel.locator("kbd").nth(1)
    expect(key).to_be_visible()
    before = player.read_table().raw
    player.page.keyboard.press(key.inner_text())
    player.page.wait_for_function("(old) => JSON.stringify(window.readTable()) !== old", arg=before)


@pytest.mark.browser_full
def test_many_options_have_arrows_and_a_count(start_game: StartGame) -> None:
    player = options_in_panel(start_game, least=5)
    resize(player.page, 390, 844)
    pager = player.page.locator(".pager")
    expect(pager).to_contain_text(re.compile(r"^\s*1–\d+ of \d+"))
    player.visitor.click("More options")
    expect(pager).not_to_contain_text(re.compile(r"^\s*1–"), timeout=3000)


def test_a_double_click_on_resign_does_not_resign(start_game: StartGame) -> None:
    player = start_game()
    player.play_to_own_turn()
    player.page.get_by_role("button", name="Table", exact=True).click()
    player.visitor.button("Resign").dblclick()
    expect(player.visitor.button("Keep playing")).to_be_visible()
    expect(player.visitor.button("Yes, I resign")).to_be_enabled()
    player.visitor.click("Keep playing")
    expect(player.visitor.button("Yes, I resign")).to_have_count(0)
    assert player.visitor.server.table_info(player.page.url.split("/")[-1])["state"] == "playing"


def test_a_disabled_button_does_not_look_enabled(start_game: StartGame) -> None:
    player = start_game()
    player.play_to_own_turn()
    colors: list[str] = player.page.evaluate(
        """() => [false, true].map((disabled) => {
            const button = document.createElement("button");
            button.className = "u-button small main";
            button.disabled = disabled;
            document.querySelector("[data-prompt]").append(button);
            const color = getComputedStyle(button).backgroundColor;
            button.remove();
            return color;
        })"""
    )
    assert colors[0] != colors[1]


def test_the_close_up_stays_away_from_a_resting_pointer(start_game: StartGame) -> None:
    """A panel that opens below the pointer does not open a card close up."""
    player = start_game()
    player.play_to_own_turn()
    card = player.page.locator("[data-anchor^=hand] [data-choice]").first
    box = card.bounding_box()
    assert box is not None
    player.page.mouse.move(box["x"] + 30, box["y"] + 30)
    tooltip = player.page.get_by_role("tooltip")
    expect(tooltip).to_be_visible()
    player.page.keyboard.press("Escape")
    card.evaluate("card => { const li = card.closest('li'); li.style.marginTop = '400px'; }")
    player.page.wait_for_timeout(200)
    card.evaluate("card => { const li = card.closest('li'); li.style.marginTop = ''; }")
    player.page.wait_for_timeout(700)
    expect(tooltip).to_have_count(0)
