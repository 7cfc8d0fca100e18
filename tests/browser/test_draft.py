"""The draft: factions with theme, difficulty and cards, and the picks of all players."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import StartGame

SIZES: Final = [
    (1366, 768),
    pytest.param((1920, 1080), marks=pytest.mark.browser_full),
    pytest.param((1280, 720), marks=pytest.mark.browser_full),
    pytest.param((820, 1180), marks=pytest.mark.browser_full),
    (390, 844),
    pytest.param((844, 390), marks=pytest.mark.browser_full),
]


@pytest.mark.parametrize("size", SIZES)
def test_the_draft_shows_factions_and_all_picks(
    start_game: StartGame, size: tuple[int, int]
) -> None:
    player = start_game("easy", "easy", factions=(), mode="draft")
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.wait()
    draft = page.get_by_role("region", name="Draft")
    tile = draft.locator("article", has_text="Kaiju")
    expect(tile).to_contain_text("Three minions in all")
    expect(tile).to_contain_text("Easy to play")
    picks = draft.get_by_role("list", name="Factions picked so far").locator("li")
    expect(picks).to_have_count(3)

    player.visitor.click("See the cards of Kaiju")
    expect(draft.get_by_role("heading", name="Kaiju")).to_be_visible()
    player.visitor.button("All factions").click()

    draft.get_by_role("button", name="Kaiju", exact=True).click()
    expect(picks.nth(0)).to_contain_text("Kaiju")
    # The bots have picked twice each by the time the player is asked again, or the game begins.
    draft_or_hand = page.locator(".draft .picks li:nth-child(3) .pick:not(.open), .hand")
    expect(draft_or_hand.first).to_be_visible(timeout=60_000)  # the bots may just be starting
    player.visitor.picture(f"draft-{size[0]}")


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_phone_shows_factions_without_scrolling(
    start_game: StartGame, lang: str, size: tuple[int, int]
) -> None:
    player = start_game(
        "easy", "easy", factions=(), mode="draft", phone=True, newcomer=lang == "en", lang=lang
    )
    page = player.page
    player.wait()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(300)
    player.visitor.picture(f"draft-phone-{lang}-{size[0]}")
    name = page.locator(".draft article h4, .draft article h3").first.bounding_box()
    prompt = page.locator("[data-prompt]")
    above = prompt.bounding_box()
    assert name is not None
    assert above is not None
    assert name["y"] + name["height"] < above["y"]
    expect(prompt).not_to_contain_text(re.compile("Rules|Règles"))


def test_picks_of_others_cannot_be_chosen(start_game: StartGame) -> None:
    player = start_game("easy", "easy", factions=(), mode="draft")
    page = player.page
    player.click(player.wait().choices[0])
    player.wait()
    picks = page.locator(".draft .picks li")
    expect(picks.locator(".pick:not(.open)")).to_have_count(5)
    taken = page.get_by_text("Taken by Bot 2")
    expect(taken).to_have_count(2)
    expect(page.locator("li:has(.cover:disabled)", has_text="Taken by Bot 3")).to_have_count(2)
    player.play_to_own_turn()
    expect(page.locator(".draft")).to_have_count(0)


def test_factions_can_be_searched_and_filtered_by_set(start_game: StartGame) -> None:
    player = start_game("easy", factions=(), mode="draft")
    player.wait()
    draft = player.page.get_by_role("region", name="Draft")
    tiles = draft.locator("article")
    everything = tiles.count()
    search = draft.get_by_role("searchbox", name="Search the factions")
    search.fill("cyb")
    expect(tiles).to_have_count(1)
    expect(tiles).to_contain_text("Cyborg Apes")
    search.fill("no such faction")
    expect(draft).to_contain_text("No factions match")
    search.fill("")
    draft.get_by_role("combobox", name="Set").select_option("Big in Japan")
    expect(draft.get_by_role("heading", name="Cease and Desist")).to_have_count(0)
    expect(tiles).to_have_count(4)
    draft.get_by_role("combobox", name="Set").select_option("")
    expect(tiles).to_have_count(everything)
