"""Convenience features: undo, hints, the recap, alerts, sounds, settings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import find_violations
from tests.browser.conftest import FACTIONS, OpenBrowser, StartGame
from tests.browser.live_server import CreatedTable, LiveServer
from tests.browser.player import Player, until

# Counts the tones that are begun, without a loudspeaker.
LISTEN = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
    window.tones += 1;
    return start.apply(this, when);
};
"""

# Hides the window, as a browser does when another one covers it.
LOOK = """(hidden) => {
    const state = hidden ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def _play_a_minion(player: Player) -> str:
    """Play the strongest minion; return its name."""
    state = player.play_to_own_turn()
    card = max(state.of("hand"), key=lambda one: "minion" in one.name)
    player.click(card)
    player.click(next(one for one in player.wait().choices if one.sort == "base"))
    return card.name.split(",")[0]


def _at_bases(page: Page) -> int:
    return page.locator("[data-base] [data-spot^=card]").count()


def test_a_choice_is_taken_back(start_game: StartGame) -> None:
    player = start_game()
    page, log = player.page, player.page.get_by_role("log")
    player.play_to_own_turn()
    before = player.hand
    expect(player.visitor.button("Undo")).to_have_count(0)
    name = _play_a_minion(player)
    expect(log).to_contain_text(f"plays {name}")
    player.visitor.click("Undo")
    expect(log).not_to_contain_text(f"plays {name}")
    assert (player.hand, _at_bases(page)) == (before, 0)

    # It also works with the keyboard, and the game continues.
    _play_a_minion(player)
    expect(player.visitor.button("Undo")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(player.visitor.button("Undo")).to_have_count(0)
    assert player.hand == before
    _play_a_minion(player)
    expect(log).to_contain_text(f"plays {name}")


def test_other_people_are_asked_before_something_is_taken_back(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    table = server.create_table("me", "me", factions=FACTIONS)
    players = [Player(open_browser(CreatedTable(table.id, [seat]))) for seat in table.seats]
    for player in players:
        player.visitor.open(f"/table/{table.id}")
    ann, bob = players
    name = _play_a_minion(ann)

    ann.visitor.click("Undo")
    expect(ann.page.get_by_text("Undo requested")).to_be_visible()
    bob.visitor.click("Refuse")
    expect(ann.visitor.button("Withdraw")).to_have_count(0)
    assert _at_bases(bob.page) == 1

    ann.visitor.click("Undo")
    expect(bob.page.get_by_text("Player 1 wants to undo a move.")).to_be_visible()
    bob.visitor.click("Agree")
    for player in players:
        expect(player.page.get_by_role("log")).not_to_contain_text(f"plays {name}")
        expect(player.page.locator("[data-base] [data-spot^=card]")).to_have_count(0)


def test_at_one_screen_nobody_is_asked_by_the_machine(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    table = server.create_table("me", "me", factions=FACTIONS)
    player = Player(open_browser(table))
    player.visitor.open(f"/table/{table.id}")
    player.play_to_own_turn()
    before = player.hand
    _play_a_minion(player)
    player.visitor.click("Undo")
    expect(player.page.locator("[data-base] [data-spot^=card]")).to_have_count(0)
    assert player.hand == before


@pytest.mark.browser_full
def test_a_strong_bot_gives_advice(start_game: StartGame) -> None:
    player = start_game()
    page = player.page
    player.play_to_own_turn()
    advice = page.get_by_text("A strong bot would choose:")
    best = page.locator("[data-anchor^=hand] .advice.best")
    expect(advice).to_have_count(0)
    page.keyboard.press("h")
    expect(advice).to_be_visible()
    expect(best.or_(page.locator(".buttons .advice.best"))).to_have_count(1)
    chances = page.get_by_role("img", name=re.compile(r"Win probability: You \d+%, Bot 2 \d+%"))
    expect(chances).to_be_visible()

    _play_a_minion(player)
    expect(advice).to_have_count(0)
    player.visitor.click("Settings")
    page.get_by_label("Show win probability").uncheck()
    player.visitor.click("Close")
    expect(page.get_by_role("img", name=re.compile("Win probability"))).to_have_count(0)


def test_what_happened_since_the_last_turn_is_told(start_game: StartGame) -> None:
    player = start_game(warned=False)
    page = player.page
    recap = page.get_by_role("region", name="Since your last turn")
    player.play_to_own_turn()
    expect(recap).to_have_count(0)
    player.end_turn()
    player.play_to_own_turn()
    expect(recap).to_contain_text("Bot 2")
    played = recap.get_by_role("listitem").first.get_by_role("button").first.inner_text()
    expect(page.get_by_role("log")).to_contain_text(f"plays {played}")

    # It never covers anything, and appears again after a reload.
    player.visitor.click("Dismiss")
    expect(recap).to_have_count(0)
    page.reload()
    player.play_to_own_turn()
    expect(recap).to_contain_text(played)


def test_who_looks_elsewhere_is_called(start_game: StartGame) -> None:
    player = start_game(warned=False)
    page = player.page
    icon = page.locator("link[rel=icon]")
    player.end_turn()
    page.evaluate(LOOK, True)
    expect(page).to_have_title(re.compile("^● Your (turn|choice) — Smash Up$"))
    expect(icon).to_have_attribute("href", "/art/icon-turn.svg")
    page.evaluate(LOOK, False)
    expect(page).to_have_title("Table · Smash Up")
    expect(icon).to_have_attribute("href", "/art/icon.svg")


def test_sounds_are_heard_until_they_are_muted(start_game: StartGame) -> None:
    player = start_game(warned=False)
    page, visitor = player.page, player.visitor
    page.evaluate(f"() => {{ {LISTEN} }}")
    _play_a_minion(player)
    until(lambda: page.evaluate("window.tones") > 0)

    visitor.click("Table")
    visitor.click("Sounds are on")
    expect(visitor.button("Sounds are off")).to_be_visible()
    visitor.click("Close")
    heard = page.evaluate("window.tones")
    player.end_turn()
    player.play_to_own_turn()
    assert page.evaluate("window.tones") == heard


def test_settings_survive_a_reload(open_browser: OpenBrowser) -> None:
    visitor = open_browser()
    page = visitor.open("/about")
    visitor.click("Settings")
    settings = visitor.dialog("Settings")
    visitor.click("Sounds are on")
    settings.get_by_text("When I was away").click()
    settings.get_by_text("A bar", exact=True).click()
    settings.get_by_label("Show win probability").uncheck()
    page.reload()
    visitor.click("Settings")
    expect(visitor.button("Sounds are off")).to_be_visible()
    expect(settings.get_by_label("When I was away")).to_be_checked()
    expect(settings.get_by_label("A bar", exact=True)).to_be_checked()
    expect(settings.get_by_label("Show win probability")).not_to_be_checked()


def test_a_deck_list_tells_what_is_still_to_come(start_game: StartGame) -> None:
    player = start_game()
    page = player.page
    player.play_to_own_turn()
    page.get_by_role("button", name="Deck list of Bot 2").click()
    decks = player.visitor.dialog(re.compile("^Deck of"))
    expect(decks).to_contain_text("40 cards are unseen")
    decks.get_by_text("You", exact=True).click()
    expect(decks).to_contain_text("35 cards are unseen: all of them are in your deck of 35.")
    held = player.hand[0].split(",")[0]
    row = decks.get_by_role("listitem").filter(has_text=held)
    expect(row.get_by_role("img", name="1 in hand")).to_be_visible()


def test_a_bug_is_reported_with_the_table_as_it_was_seen(start_game: StartGame) -> None:
    player = start_game()
    visitor, page = player.visitor, player.page
    player.play_to_own_turn()
    visitor.click("Table")
    visitor.click("Report a bug")
    page.get_by_label("What happened").fill("The minion should have died.")
    visitor.click("Send the report")
    expect(visitor.dialog("Report a bug")).to_contain_text("was received")
    with page.expect_download() as saved:
        visitor.click("Download the scenario")
    text = saved.value.path().read_text(encoding="utf-8")
    assert saved.value.suggested_filename.endswith(".yaml")
    assert "Astroknights" in text


@pytest.mark.browser_full
def test_all_of_it_is_accessible(open_browser: OpenBrowser, server: LiveServer) -> None:
    table = server.create_table("me", "me", factions=FACTIONS, clock=300)
    visitors = [
        open_browser(CreatedTable(table.id, [seat]), bypass_csp=True) for seat in table.seats
    ]
    for visitor in visitors:
        visitor.open(f"/table/{table.id}")
    ann, bob = visitors
    _play_a_minion(Player(ann))
    ann.click("Undo")
    expect(bob.button("Agree")).to_be_visible()
    bob.click("Chat")
    bob.click("Hello!")
    expect(bob.page.get_by_role("log")).to_contain_text("Hello!")
    assert find_violations(bob.page) == [], "a clock, a wish, and the chat"

    alone = server.create_table("me", "easy", factions=FACTIONS)
    visitor = open_browser(alone, bypass_csp=True, warned=False)
    visitor.open(f"/table/{alone.id}")
    player = Player(visitor)
    player.end_turn()
    player.play_to_own_turn()
    visitor.click("Hint")
    expect(visitor.page.get_by_text("A strong bot would choose:")).to_be_visible()
    assert find_violations(visitor.page) == [], "the recap, chances and a hint"
    visitor.page.get_by_role("button", name="Deck list of Bot 2").click()
    assert find_violations(visitor.page) == [], "a deck list"
