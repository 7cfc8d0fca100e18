"""Several people who share one screen."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import expect

from tests.browser.conftest import FACTIONS, OpenBrowser
from tests.browser.live_server import LiveServer
from tests.browser.player import Player


def test_the_curtain_hides_every_hand(open_browser: OpenBrowser, server: LiveServer) -> None:
    """The players have different factions, so that no card could be another's."""
    table = server.create_table("me", "me", factions=FACTIONS)
    visitor = open_browser(table, warned=False)
    page = visitor.open(f"/table/{table.id}")
    player = Player(visitor)
    curtain = page.get_by_role("dialog", name=re.compile("Pass the screen to Player"))
    hands: dict[str, list[str]] = {}

    def seen(names: list[str]) -> list[str]:
        whole = visitor.html
        return [name for name in names if name in whole]

    for _ in range(4):
        expect(curtain).to_be_visible()
        who = curtain.get_by_role("button").inner_text().removeprefix("I am ").strip()
        assert player.hand == []
        for names in hands.values():
            assert seen(names) == []
        curtain.get_by_role("button").click()
        expect(curtain).to_be_hidden()
        player.play_to_own_turn()
        assert player.secrets
        for other in hands.keys() - {who}:
            assert seen(hands[other]) == []
        player.act(player.play_to_own_turn())
        menu = player.play_to_own_turn()
        hands[who] = player.secrets
        assert seen(hands[who]) == hands[who]
        player.click(menu.of("done")[0])
    assert set(hands) == {"Player 1", "Player 2"}


def test_a_game_on_one_screen_is_set_up_in_two_clicks(open_browser: OpenBrowser) -> None:
    visitor = open_browser(name="Ann")
    page = visitor.open()
    visitor.follow("On one screen")
    page.get_by_role("region", name="Player 2").get_by_label("Name").fill("Bob")
    visitor.click("Start the game")
    curtain = page.get_by_role("dialog", name=re.compile("Pass the screen to (Ann|Bob)"))
    expect(curtain).to_be_visible()
    page.keyboard.press("Enter")
    expect(curtain).to_be_hidden()
    assert len(Player(visitor).hand) == 5


def test_the_result_on_one_screen_is_about_all_players(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    table = server.create_table("me", "me", factions=FACTIONS)
    page = open_browser(table).open(f"/table/{table.id}")
    expect(page.get_by_role("dialog", name=re.compile("Pass the screen"))).to_be_visible()
    secret = {"Authorization": f"Bearer {table.seats[0]['secret']}"}
    address = f"{server.address}/api/tables/{table.id}/resign"
    assert httpx.post(address, headers=secret).status_code == 200
    result = page.get_by_role("dialog", name="Player 2 wins!")
    expect(result.locator(".ranking .name")).to_have_text(["Player 2", "Player 1"])
    expect(result).not_to_contain_text("You came")
