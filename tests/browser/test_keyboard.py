"""Playing without a mouse."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player

FOCUSED = "() => { const at = document.activeElement; return at.ariaLabel ?? at.innerText.trim(); }"


def _go_to(page: Page, key: str, wanted: str, most: int = 60) -> None:
    """Press a key until the focus is on something that matches a selector."""
    for _ in range(most):
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {wanted}, but to {page.evaluate(FOCUSED)!r}")


def test_a_game_is_begun_and_a_turn_taken_by_keyboard_only(open_browser: OpenBrowser) -> None:
    visitor = open_browser()
    page = visitor.open()
    expect(visitor.button("Play now")).to_be_enabled()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == "Play now":
            break
    page.keyboard.press("Enter")
    player = Player(visitor)
    expect(page.get_by_role("log")).to_contain_text("Turn 1")
    while not (state := player.wait()).is_menu:
        _go_to(page, "ArrowRight", "[data-choice]")
        page.keyboard.press("Enter")
    card = next(choice.name for choice in state.of("hand") if "minion" in choice.name)
    page.keyboard.press("ArrowRight")
    _go_to(page, "ArrowRight", f'[data-anchor^=hand] [aria-label="{card}"]')

    # Taken up and put back again.
    page.keyboard.press("Enter")
    assert player.wait().taken
    page.keyboard.press("Escape")
    assert player.wait().is_menu
    assert page.evaluate(FOCUSED) == card

    page.keyboard.press("Enter")
    assert player.wait().taken
    assert page.evaluate("document.activeElement.matches('[data-base] [data-choice]')")
    where = page.evaluate("document.activeElement.closest('[data-base]').dataset.base")
    page.keyboard.press("Enter")
    name = card.split(",")[0]
    expect(player.base(where).get_by_role("button", name=f"Your {name}").first).to_be_visible()

    # Answer the questions of that card, then end the turn.
    for _ in range(40):
        state = player.wait()
        if state.dialog:
            _go_to(page, "Tab", "dialog .buttons button:last-child")
        elif state.is_menu:
            _go_to(page, "ArrowLeft", "[data-verb=done]")
        else:
            _go_to(page, "ArrowRight", "[data-choice]")
        page.keyboard.press("Enter")
        if state.dialog:
            break
    expect(page.get_by_role("log")).to_contain_text("Turn 2")
