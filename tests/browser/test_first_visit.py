"""A first-time visitor starts a game and plays."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.live_server import LiveServer
from tests.browser.player import Player


def test_a_newcomer_finishes_a_game_by_clicking_only(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    visitor = open_browser(newcomer=True)
    page = visitor.open()
    visitor.click("Settings")
    visitor.dialog("Settings").get_by_text("Off", exact=True).click()
    visitor.click("Close")
    visitor.click("Play now")
    player = Player(visitor)
    player.finish()
    expect(visitor.dialog(re.compile(r"wins?!|victory"))).to_be_visible()
    table = server.table_info(page.url.rsplit("/", 1)[-1])
    assert table["state"] == "over"
    assert table["winners"]
    points = page.locator("dialog[open] li b").all_inner_texts()
    assert max(int(text.split()[0]) for text in points) >= 15
