"""The page detects a damaged update, and that it is outdated."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from smashup.server.live.protocol import PROTOCOL
from tests.browser.conftest import FACTIONS, OpenBrowser
from tests.browser.live_server import LiveServer
from tests.browser.player import Player, until
from tests.browser.visitor import Visitor

Message = dict[str, Any]


class UpdateDamager:
    """A visitor's socket, on which one update loses the changes of the players."""

    def __init__(self, visitor: Visitor) -> None:
        self.is_due = False
        self.sent: list[Message] = []
        """Messages that the page has sent."""
        visitor.context.route_web_socket(re.compile("/socket$"), self._connect)

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


def test_a_damaged_view_is_replaced_by_a_snapshot(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    table = server.create_table("me", "easy", factions=FACTIONS)
    player, watcher = Player(open_browser(table)), open_browser()
    damage = UpdateDamager(watcher)
    for visitor in (player.visitor, watcher):
        visitor.open(f"/table/{table.id}")
    player.play_to_own_turn()
    player.end_turn()
    player.play_to_own_turn()
    until(
        lambda: (
            watcher.page.evaluate("window.publicState()")
            == player.page.evaluate("window.publicState()")
        )
    )
    assert damage.count("resync") == 0

    damage.is_due = True
    player.end_turn()
    player.play_to_own_turn()
    assert not damage.is_due
    until(lambda: damage.count("resync") == 1)
    until(
        lambda: (
            watcher.page.evaluate("window.publicState()")
            == player.page.evaluate("window.publicState()")
        )
    )

    player.end_turn()
    player.play_to_own_turn()
    until(
        lambda: (
            watcher.page.evaluate("window.publicState()")
            == player.page.evaluate("window.publicState()")
        )
    )
    assert damage.count("resync") == 1
    assert damage.count("hello") == 1, "the line was never down"


def test_an_outdated_page_is_told_to_reload(open_browser: OpenBrowser, server: LiveServer) -> None:
    table = server.create_table("me", "easy", factions=FACTIONS)
    visitor = open_browser(table)
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

    visitor.context.route_web_socket(re.compile("/socket$"), connect)
    page = visitor.open(f"/table/{table.id}")
    expect(page.get_by_role("heading", name="This page is out of date")).to_be_visible()
    expect(page.get_by_text("Your game is safe")).to_be_visible()
    visitor.picture("outdated")
    is_outdated = False
    visitor.click("Reload")
    expect(page.get_by_role("log")).to_contain_text("Turn 1")
