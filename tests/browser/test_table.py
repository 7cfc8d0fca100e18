"""One person at a table: actions and appearance."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import StartGame
from tests.browser.player import Player, until


def _where(player: Player, selector: str) -> tuple[float, float]:
    """Return the center of an element."""
    box = player.page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_card_can_be_clicked_all_over(start_game: StartGame) -> None:
    """Nothing on a card covers a click target, wherever the pointer is."""
    player = start_game()
    cards = player.play_to_own_turn().of("hand")
    for card in cards[:2]:
        button = player.page.get_by_role("button", name=card.name).first
        for down in (0.05, 0.3, 0.5, 0.75):
            box = button.bounding_box()
            assert box is not None
            at = (box["x"] + box["width"] / 2, box["y"] + box["height"] * down)
            player.page.mouse.move(*at)
            hit = player.page.evaluate(
                "([x, y]) => document.elementFromPoint(x, y).ariaLabel", [*at]
            )
            assert hit == card.name, down
            player.page.mouse.move(5, 5)


def test_a_minion_is_dragged_onto_a_base(start_game: StartGame) -> None:
    player = start_game()
    state = player.play_to_own_turn()
    card = next(choice for choice in state.of("hand") if "minion" in choice.name)
    spot = player.page.get_by_role("button", name=card.name).first.get_attribute("data-spot")
    base = player.page.locator("[data-base]").nth(1)
    mouse = player.page.mouse
    mouse.move(*_where(player, f"[data-spot='{spot}']"))
    mouse.down()
    mouse.move(*_where(player, "[data-prompt]"), steps=3)
    expect(player.page.locator(".table-drag-ghost")).to_be_visible()
    mouse.move(*_where(player, "[data-base] >> nth=1"), steps=5)
    expect(base.locator(".ghostly").first).to_be_visible()
    mouse.up()
    expect(base.locator(f"[data-spot='{spot}']")).to_be_visible()
    expect(player.page.locator(f"[data-anchor^=hand] [data-spot='{spot}']")).to_have_count(0)
    expect(player.page.locator(".table-drag-ghost")).to_have_count(0)


def test_a_drag_that_leads_nowhere_changes_nothing(start_game: StartGame) -> None:
    player = start_game()
    player.play_to_own_turn()
    before = player.hand
    mouse = player.page.mouse
    mouse.move(*_where(player, "[data-anchor^=hand] [data-choice]"))
    mouse.down()
    mouse.move(*_where(player, "[role=log]"), steps=5)
    mouse.up()
    assert player.read_table().is_menu
    assert player.hand == before


def test_ending_a_turn_with_plays_left_is_asked_about(start_game: StartGame) -> None:
    player = start_game()
    turn = player.play_to_own_turn()
    warning = player.visitor.dialog("You still have plays left")
    player.click(turn.of("done")[0])
    expect(warning).to_contain_text("1 minion")
    player.visitor.click("Keep playing")
    expect(warning).to_be_hidden()
    assert player.read_table().is_menu

    player.click(turn.of("done")[0])
    warning.get_by_label("Ask me again next time").uncheck()
    warning.get_by_role("button", name="End turn").click()
    expect(warning).to_be_hidden()
    expect(player.page.get_by_role("log")).to_contain_text(re.compile(r"Turn \d+: Bot 2"))
    player.visitor.click("Settings")
    expect(player.page.get_by_label("Warn me before I end a turn")).not_to_be_checked()


def test_picks_can_be_taken_back_before_they_are_sent(start_game: StartGame) -> None:
    """A player who plays no cards eventually has to discard."""
    player = start_game(warned=False)
    while "discard 2 cards" not in (state := player.wait()).question:
        (done,) = state.of("done", "pass") or state.choices[:1]
        player.click(done)
    first, second, third = state.choices[:3]
    confirm = player.visitor.button(re.compile("^Confirm"))
    expect(confirm).to_be_hidden()
    for choice in (first, second):
        player.click(choice)
    expect(confirm).to_have_text(re.compile("Confirm 2"))
    player.click(first)
    expect(confirm).to_have_text(re.compile("Confirm 1"))
    expect(confirm).to_be_disabled()
    player.click(third)
    expect(confirm).to_be_enabled()
    assert [choice.name for choice in player.read_table().choices if choice.pressed] == [
        second.name,
        third.name,
    ]
    before = player.hand
    player.click(None)
    kept = _without(before, second.name, third.name)
    until(lambda: player.hand == kept)


def _without(hand: list[str], *names: str) -> list[str]:
    """Return a hand without some cards."""
    rest = list(hand)
    for name in names:
        rest.remove(name)
    return rest


def test_resigning_ends_the_game_and_a_rematch_begins_another(start_game: StartGame) -> None:
    player = start_game()
    visitor, page = player.visitor, player.page
    player.play_to_own_turn()
    visitor.click("Table")
    visitor.click("Resign")
    visitor.click("Yes, I resign")
    over = visitor.dialog("Bot 2 wins!")
    expect(over).to_be_visible()
    expect(over.get_by_role("listitem")).to_have_count(2)
    visitor.click("Close")
    expect(over).to_be_hidden()
    visitor.click("Bot 2 wins!")
    before = page.url
    visitor.click("Rematch")
    page.wait_for_url(lambda url: url != before)
    expect(page.get_by_role("log")).to_contain_text("Turn 1")
    assert Player(visitor).play_to_own_turn().is_menu


def test_cards_can_be_looked_at_everywhere(start_game: StartGame) -> None:
    player = start_game()
    visitor, page = player.visitor, player.page
    card = max(player.play_to_own_turn().of("hand"), key=lambda card: "minion" in card.name)
    name = card.name.split(",")[0]
    player.act(player.play_to_own_turn())
    player.play_to_own_turn()

    # A card in play shows the breakdown of its power.
    tip = page.get_by_role("tooltip")
    page.get_by_role("button", name=re.compile("^Your .*, power")).first.hover()
    expect(tip).to_contain_text("Printed")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()

    # A card named in the log is shown enlarged.
    page.get_by_role("log").get_by_role("button", name=name).first.click()
    expect(visitor.dialog(name)).to_be_visible()
    page.keyboard.press("Escape")
    expect(visitor.dialog(name)).to_be_hidden()

    visitor.button(re.compile("^Discard pile of Player 1")).click()
    expect(visitor.dialog("Discard pile of Player 1")).to_be_visible()


def test_what_is_wished_for_specials_is_kept(start_game: StartGame) -> None:
    player = start_game()
    player.play_to_own_turn()
    player.visitor.click("Table")
    player.page.get_by_text("Always pass").click()
    player.page.wait_for_load_state("networkidle")
    player.page.reload()
    player.visitor.click("Table")
    expect(player.page.get_by_label("Always pass")).to_be_checked()


def test_everything_works_with_animation_too(start_game: StartGame) -> None:
    player = start_game(motion="fast")
    seen = player.page.evaluate_handle(
        """() => {
            const seen = new Set();
            new MutationObserver((news) => {
                const added = news.flatMap(({ addedNodes }) => [...addedNodes]);
                for (const { className } of added) if (className) seen.add(String(className));
            }).observe(document.body, { childList: true, subtree: true });
            return seen;
        }"""
    )
    player.play_to_own_turn()
    for _ in range(2):
        player.act(player.play_to_own_turn())
        player.play(lambda state: state.is_menu)
    player.end_turn()
    player.play_to_own_turn()
    classes: str = seen.evaluate("seen => [...seen].join(' ')")
    assert "banner" in classes, "no turn was announced"
    assert "flying" in classes or "flight" in classes, classes
