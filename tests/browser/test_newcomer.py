"""Somebody who has never been here sits down and plays."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.house import House
from tests.browser.player import Player


def test_a_newcomer_finishes_a_game_by_clicking_only(invite: Invite, house: House) -> None:
    guest = invite(newcomer=True)
    page = guest.open()
    guest.click("Settings")
    guest.dialog("Settings").get_by_text("Off", exact=True).click()
    guest.click("Close")
    guest.click("Play now")
    player = Player(guest)
    player.finish()
    expect(guest.dialog(re.compile(r"wins?!|victory"))).to_be_visible()
    table = house.look(page.url.rsplit("/", 1)[-1])
    assert table["state"] == "over"
    assert table["winners"]
    points = page.locator("dialog[open] li b").all_inner_texts()
    assert max(int(text.split()[0]) for text in points) >= 15
