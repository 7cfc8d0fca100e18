"""Pictures of cards: portraits of strong minions and titans, and plug-in factions."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from smashup.cards import catalogue
from tests.browser.conftest import OpenBrowser, StartGame
from tests.browser.live_server import run_server

GNOMES = Path(__file__).resolve().parents[2] / "examples" / "garden_gnomes.py"
TITANS = {
    titan.name
    for faction in catalogue().factions
    for printing in ("printed", "current")
    for titan in catalogue().deck(faction.name, printing).titans
}


def test_strong_minions_and_titans_have_portraits(open_browser: OpenBrowser) -> None:
    page = open_browser().open("/cards?type=minion")
    cards = page.locator(".smash-card.minion")
    expect(cards.first).to_be_visible()
    for card in cards.all()[:60]:
        power = int(str(card.locator(".power .number").text_content()).split()[-1])
        expect(card.locator(".portrait")).to_have_count(1 if power >= 4 else 0)
    page.goto(page.url.replace("minion", "titan"))
    expect(page.locator(".smash-card.titan .portrait")).to_have_count(len(TITANS))
    # Each has a different figure in front of a landscape.
    figures = page.locator(".smash-card.titan .figure g use:first-child").evaluate_all(
        "uses => uses.map((use) => use.getAttribute('href'))"
    )
    assert len(set(figures)) == len(TITANS)
    expect(page.locator(".smash-card.titan .backdrop path").first).to_be_attached()


def test_cards_in_play_have_portraits_too(start_game: StartGame) -> None:
    player = start_game()
    player.play_to_own_turn()
    # The opponent's titans lie beside their name.
    expect(player.page.locator("section.panel .chip.titan .portrait").first).to_be_visible()


@pytest.mark.browser_full
def test_a_plug_in_faction_sets_its_looks(open_browser: OpenBrowser, tmp_path: Path) -> None:
    with run_server(tmp_path, GNOMES) as server:
        visitor = open_browser(at=server)
        page = visitor.open("/factions/Garden%20Gnomes")
        king = page.locator(".smash-card", has_text="Gnome King").first
        expect(king).to_be_visible()
        style = str(king.get_attribute("style"))
        assert "--f-ground:#2f6b4f" in style.replace(" ", "")
        assert "--f-accent:#ffd23f" in style.replace(" ", "")
        expect(king.locator("use[href$='#bad-gnome']").first).to_be_attached()
        angler = page.locator(".smash-card", has_text="Fishing Gnome").first
        expect(angler.locator("use[href$='#fishing-hook']").first).to_be_attached()
        # A card without an icon shows symbols of its abilities.
        fertilizer = page.locator(".smash-card", has_text="Fertilizer").first
        expect(fertilizer.locator("use[href$='#upgrade']").first).to_be_attached()
        visitor.close()
