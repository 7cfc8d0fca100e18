"""Updates on their way to the page: one that is damaged is noticed, and so is an outdated page."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from smashup.server.live.protocol import PROTOCOL
from tests.browser.conftest import FACTIONS, Invite
from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.player import Player, until

Message = dict[str, Any]


class Damage:
    """The socket of a guest, on which one update loses what it says of the players."""

    def __init__(self, guest: Guest) -> None:
        self.is_due = False
        self.sent: list[Message] = []
        """What the page has sent."""
        guest.context.route_web_socket(re.compile("/socket$"), self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_up(text: str | bytes) -> None:
            self.sent.append(json.loads(text))
            server.send(text)

        def pass_down(text: str | bytes) -> None:
            message: Message = json.loads(text)
            if self.is_due and "players" in message.get("patch", {}):
                del message["patch"]["players"]
                self.is_due = False
            page.send(json.dumps(message))

        page.on_message(pass_up)
        server.on_message(pass_down)

    def count(self, kind: str) -> int:
        return sum(message["type"] == kind for message in self.sent)


def test_a_damaged_view_is_replaced_by_a_snapshot(invite: Invite, house: House) -> None:
    table = house.found("me", "easy", factions=FACTIONS)
    player, watcher = Player(invite(table)), invite()
    damage = Damage(watcher)
    for guest in (player.guest, watcher):
        guest.open(f"/table/{table.id}")
    player.my_turn()
    player.end_turn()
    player.my_turn()
    until(lambda: watcher.page.evaluate("window.facts()") == player.page.evaluate("window.facts()"))
    assert damage.count("resync") == 0

    damage.is_due = True
    player.end_turn()
    player.my_turn()
    assert not damage.is_due
    until(lambda: damage.count("resync") == 1)
    until(lambda: watcher.page.evaluate("window.facts()") == player.page.evaluate("window.facts()"))

    player.end_turn()
    player.my_turn()
    until(lambda: watcher.page.evaluate("window.facts()") == player.page.evaluate("window.facts()"))
    assert damage.count("resync") == 1
    assert damage.count("hello") == 1, "the line was never down"


def test_an_outdated_page_is_told_to_reload(invite: Invite, house: House) -> None:
    table = house.found("me", "easy", factions=FACTIONS)
    guest = invite(table)
    is_outdated = True

    def connect(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_up(text: str | bytes) -> None:
            message: Message = json.loads(text)
            if message["type"] == "hello":
                assert message["protocol"] == PROTOCOL
                message["protocol"] -= is_outdated
            server.send(json.dumps(message))

        page.on_message(pass_up)

    guest.context.route_web_socket(re.compile("/socket$"), connect)
    page = guest.open(f"/table/{table.id}")
    expect(page.get_by_role("heading", name="This page is out of date")).to_be_visible()
    expect(page.get_by_text("Your game is safe")).to_be_visible()
    guest.picture("outdated")
    is_outdated = False
    guest.click("Reload")
    expect(page.get_by_role("log")).to_contain_text("Turn 1")
