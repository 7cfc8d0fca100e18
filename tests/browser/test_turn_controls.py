"""The button that ends the turn, and the keyboard shortcuts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.conftest import StartGame
from tests.browser.player import Player


def end_turn(page: Page, name: str = "End turn") -> Locator:
    return page.locator("[data-prompt]").get_by_role("button", name=name, exact=True)


def box_of(what: Locator) -> FloatRect:
    box = what.bounding_box()
    assert box is not None
    return box


def assert_near(what: Locator, place: FloatRect) -> None:
    """Check that two positions differ by at most two pixels, because of rounding."""
    box = box_of(what)
    assert abs(box["x"] - place["x"]) < 2
    assert abs(box["y"] - place["y"]) < 2
    assert box["width"] == place["width"]


@pytest.mark.browser_full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_end_turn_button_stays_in_place(start_game: StartGame, lang: str) -> None:
    """Enabled in the menu, disabled while a card is taken up; from one turn to the next."""
    player = start_game(warned=False, lang=lang)
    page = player.page
    button = end_turn(page, "Finir le tour" if lang == "fr" else "End turn")
    for width, height in ((1366, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        state = player.play_to_own_turn()
        expect(button).to_be_enabled()
        place = box_of(button)
        player.click(state.of("hand")[0])
        expect(button).to_be_disabled()
        assert_near(button, place)
        page.keyboard.press("Escape")
        expect(button).to_be_enabled()
        player.end_turn()
        player.play_to_own_turn()
        assert_near(button, place)


@pytest.mark.browser_full
def test_pass_is_neutral(start_game: StartGame) -> None:
    """It never has the color of the button that plays a card."""
    player = start_game()
    player.play_to_own_turn()
    player.visitor.click("Table")
    player.page.get_by_text("Every time").click()
    player.page.wait_for_load_state("networkidle")
    player.page.keyboard.press("Escape")
    state = player.play(lambda seen: bool(seen.of("pass")) or seen.over)
    assert state.of("pass"), "No Specials window came up."
    button = player.page.locator("[data-verb=pass]")
    assert "main" not in str(button.get_attribute("class")).split()
    expect(end_turn(player.page)).to_be_disabled()


def focus_input(player: Player) -> None:
    player.page.evaluate("() => document.body.appendChild(document.createElement('input')).focus()")


def test_shortcuts_play_a_card_and_end_the_turn(start_game: StartGame) -> None:
    player = start_game()
    page = player.page
    player.play_to_own_turn()

    page.keyboard.press("?")
    shortcuts = player.visitor.dialog("Keyboard shortcuts")
    for key in ("E", "1", "9", "U", "H", "?"):
        expect(shortcuts.locator("kbd", has_text=key).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(shortcuts).to_be_hidden()

    # The second card of the hand, then the first base.
    name = player.hand[1].split(",")[0]
    page.keyboard.press("2")
    expect(page.locator("[data-prompt]")).to_contain_text(
        re.compile(f"Play {re.escape(name)} (at which base|on which minion)")
    )
    page.keyboard.press("1")
    expect(page.get_by_role("log")).to_contain_text(name)

    player.play_to_own_turn()
    focus_input(player)
    page.keyboard.press("e")
    page.keyboard.press("?")
    assert player.read_table().dialog == ""
    page.evaluate("() => document.activeElement.remove()")
    page.keyboard.press("e")
    expect(player.visitor.dialog("You still have plays left")).to_be_visible()
