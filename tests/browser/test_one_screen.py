"""Several people who pass one screen around."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import FACTIONS, Invite
from tests.browser.house import House
from tests.browser.player import Player


def test_the_curtain_hides_every_hand(invite: Invite, house: House) -> None:
    """The players have different factions, so that no card could be another's."""
    table = house.found("me", "me", factions=FACTIONS)
    guest = invite(table, warned=False)
    page = guest.open(f"/table/{table.id}")
    player = Player(guest)
    curtain = page.get_by_role("dialog", name=re.compile("Pass the screen to Player"))
    hands: dict[str, list[str]] = {}

    def seen(names: list[str]) -> list[str]:
        whole = guest.whole
        return [name for name in names if name in whole]

    for _ in range(4):
        expect(curtain).to_be_visible()
        who = curtain.get_by_role("button").inner_text().removeprefix("I am ").strip()
        assert player.hand == []
        for names in hands.values():
            assert seen(names) == []
        curtain.get_by_role("button").click()
        expect(curtain).to_be_hidden()
        player.my_turn()
        assert player.secrets
        for other in hands.keys() - {who}:
            assert seen(hands[other]) == []
        player.act(player.my_turn())
        menu = player.my_turn()
        hands[who] = player.secrets
        assert seen(hands[who]) == hands[who]
        player.click(menu.of("done")[0])
    assert set(hands) == {"Player 1", "Player 2"}


def test_a_game_on_one_screen_is_set_up_in_two_clicks(invite: Invite) -> None:
    guest = invite(name="Ann")
    page = guest.open()
    guest.follow("On one screen")
    page.get_by_role("region", name="Player 2").get_by_label("Name").fill("Bob")
    guest.click("Start the game")
    curtain = page.get_by_role("dialog", name=re.compile("Pass the screen to (Ann|Bob)"))
    expect(curtain).to_be_visible()
    page.keyboard.press("Enter")
    expect(curtain).to_be_hidden()
    assert len(Player(guest).hand) == 5
