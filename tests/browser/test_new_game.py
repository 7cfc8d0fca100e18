"""Ways to create a table: chosen factions, a draft, another level, other rules."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser, StartGame
from tests.browser.live_server import LiveServer
from tests.browser.player import Player


def test_factions_bots_and_rules_are_chosen(open_browser: OpenBrowser, server: LiveServer) -> None:
    visitor = open_browser(name="Ann")
    page = visitor.open("/new/bots")
    page.get_by_text("3", exact=True).click()
    page.get_by_role("region", name="Ann").get_by_role("button").first.click()
    picker = visitor.dialog("Two factions for Ann")
    picker.get_by_role("button", name="Choose Kaiju").click()
    picker.get_by_role("button", name="Choose Luchadors").click()
    expect(picker.get_by_text("Kaiju + Luchadors")).to_be_visible()
    picker.get_by_role("button", name="Done").click()
    second = page.get_by_role("region", name="Sprocket")
    second.get_by_text("Easy", exact=True).click()
    page.get_by_text("Advanced options").click()
    page.get_by_text("Current text").click()
    visitor.click("Start the game")
    Player(visitor).play_to_own_turn()

    table = server.table_info(page.url.rsplit("/", 1)[-1])
    assert table["players"] == 3
    assert table["printing"] == "current"
    assert table["seats"][0]["factions"] == ["Kaiju", "Luchadors"]
    assert [seat["level"] for seat in table["seats"][1:]] == ["easy", "normal"]
    expect(page.get_by_role("region", name="Ann (you)").get_by_label("Kaiju")).to_be_visible()


def test_factions_are_drafted_at_the_table(start_game: StartGame) -> None:
    player = start_game(factions=(), mode="draft")
    state = player.wait()
    assert {choice.sort for choice in state.choices} == {"option"}
    wanted = state.choices[0].name
    player.click(state.choices[0])
    assert wanted not in [choice.name for choice in player.wait().choices]
    player.play_to_own_turn()
    own = player.page.get_by_role("region", name=re.compile("Player 1"))
    expect(own.get_by_label(wanted)).to_be_visible()


def test_a_running_game_is_found_again(open_browser: OpenBrowser) -> None:
    visitor = open_browser(name="Ann")
    page = visitor.open("/factions/Kaiju")
    visitor.click("Play them now")
    Player(visitor).play_to_own_turn()
    before = page.url
    visitor.follow("Smash Up, home")
    visitor.follow(re.compile("Against Sprocket"))
    page.wait_for_url(before)
    assert Player(visitor).play_to_own_turn().is_menu


def test_a_new_game_offers_what_makes_sense_against_bots(open_browser: OpenBrowser) -> None:
    visitor = open_browser()
    page = visitor.open("/new/bots")
    page.get_by_text("Advanced options").click()
    expect(page.get_by_role("group", name="Rulebook").get_by_role("radio").first).to_be_checked()
    limits = page.get_by_role("group", name="Time per turn")
    expect(limits.get_by_text("15 minutes")).to_be_visible()
    expect(limits.get_by_text(re.compile("day|week"))).to_have_count(0)
    # Nothing covers the options at any scroll position.
    options = page.get_by_role("radio")
    for number in range(options.count()):
        covered = options.nth(number).evaluate(
            """(option) => {
                const label = option.closest("label");
                label.scrollIntoView({ block: "end", behavior: "instant" });
                const { left, top, width, height } = label.getBoundingClientRect();
                const hit = document.elementFromPoint(left + width / 2, top + height / 2);
                return !label.contains(hit);
            }"""
        )
        assert not covered, number
    visitor.open("/new/friends")
    expect(page.get_by_role("group", name="Time per turn").get_by_text("1 week")).to_be_visible()


def test_the_difficulty_of_a_quick_game_is_kept(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    visitor = open_browser()
    page = visitor.open()
    page.get_by_label("Difficulty").select_option("hard")
    page.reload()
    expect(page.get_by_label("Difficulty")).to_have_value("hard")
    visitor.click("Play now")
    page.wait_for_url(re.compile("/table/"))
    assert server.table_info(page.url.rpartition("/")[2])["seats"][1]["level"] == "hard"
