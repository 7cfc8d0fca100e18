"""Several people, each in a separate browser."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import FACTIONS, OpenBrowser
from tests.browser.live_server import CreatedTable, LiveServer
from tests.browser.player import Player, until
from tests.browser.visitor import Visitor


def test_a_friend_comes_by_link_and_the_game_begins_by_itself(open_browser: OpenBrowser) -> None:
    ann, bob = open_browser(name="Ann"), open_browser()
    ann.open()
    ann.follow("With friends")
    ann.click("Open the table")
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Waiting for one more player")
    link = ann.page.get_by_label("Link to this table").input_value()
    assert link == ann.page.url

    bob.open(link.removeprefix(ann.server.address))
    expect(bob.page.get_by_role("heading", level=1)).to_have_text("Ann wants to play")
    bob.page.get_by_label("Your name").fill("Bob")
    bob.click("Join")
    for visitor in (ann, bob):
        expect(visitor.page.get_by_role("log")).to_contain_text("Turn 1")
    expect(ann.page.get_by_role("region", name="Bob")).to_be_visible()
    expect(bob.page.get_by_role("region", name="Bob (you)")).to_be_visible()
    assert len(Player(ann).hand) == len(Player(bob).hand) == 5


class BrowserConnection:
    """The sockets of a browser, which a test can disconnect."""

    def __init__(self, visitor: Visitor) -> None:
        self.is_down = False
        self.open: list[WebSocketRoute] = []
        self.tries = 0
        visitor.context.route_web_socket(re.compile("/socket$"), self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        self.tries += 1
        if self.is_down:
            line.close(code=3001)
            return
        line.connect_to_server()
        self.open.append(line)

    def disconnect(self) -> None:
        self.is_down = True
        for line in self.open:
            line.close(code=3001)
        self.open = []

    def reconnect(self) -> None:
        self.is_down = False


def _visible_state(player: Player) -> dict[str, Any]:
    facts: dict[str, Any] = player.page.evaluate("window.publicState()")
    return facts


def _wait_for_same_table(players: list[Player]) -> None:
    """Wait until all windows show the same table."""

    def same() -> bool:
        first, *others = [_visible_state(player) for player in players]
        return all(other == first for other in others)

    until(same)


def _take_turns(players: list[Player], count: int) -> None:
    """Let the players make their choices for a number of turns."""
    end = time.monotonic() + 60
    ended = 0
    while ended < count:
        assert time.monotonic() < end, "nobody ends a turn any more"
        for player in players:
            if state := player.read_new_choices():
                ended += state.is_menu and not state.of("hand")
                player.act(state)
            else:
                player.page.wait_for_timeout(20)


def test_two_browsers_play_each_other_through_a_reload_and_a_lost_line(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    table = server.create_table("me", "me", factions=FACTIONS)
    visitors = [open_browser(CreatedTable(table.id, [seat])) for seat in table.seats]
    line = BrowserConnection(visitors[0])
    for visitor in visitors:
        visitor.open(f"/table/{table.id}")
    players = [Player(visitor, seed) for seed, visitor in enumerate(visitors)]
    _take_turns(players, 2)
    _wait_for_same_table(players)

    visitors[1].page.reload()
    _wait_for_same_table(players)
    _take_turns(players, 2)

    # The first player's connection breaks during a click, while the other continues.
    line.disconnect()
    waiting = visitors[0].page.get_by_text("Connection lost. Reconnecting …")
    expect(waiting).to_be_visible()
    for _ in range(20):
        if state := players[1].read_new_choices():
            players[1].act(state)
        visitors[1].page.wait_for_timeout(50)
    line.reconnect()
    expect(waiting).to_be_hidden()
    _wait_for_same_table(players)
    assert line.tries > 1

    # The second player is offline for some time.
    visitors[1].expect_errors("ERR_INTERNET_DISCONNECTED")
    visitors[1].context.set_offline(True)
    offline = visitors[1].page.get_by_text("You are offline.")
    expect(offline).to_be_visible()
    visitors[1].context.set_offline(False)
    expect(offline).to_be_hidden()
    _take_turns(players, 2)
    _wait_for_same_table(players)
    assert int(re.findall(r"\d+", _visible_state(players[0])["turn"])[0]) >= 6


def test_a_spectator_sees_the_table_and_no_hand(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    table = server.create_table("me", "easy", factions=FACTIONS, listed=True)
    player = Player(open_browser(table))
    player.visitor.open(f"/table/{table.id}")
    player.play_to_own_turn()
    player.end_turn()
    player.play_to_own_turn()

    watcher = open_browser()
    page = watcher.open("/tables")
    row = page.get_by_role("article").filter(has_text="Bot 2")
    row.get_by_role("link", name="Watch").first.click()
    expect(page.get_by_role("log")).to_contain_text("Turn 2")
    until(lambda: page.evaluate("window.publicState()") == _visible_state(player))
    expect(page.get_by_role("region", name="Your hand")).to_have_count(0)
    expect(page.locator("[data-choice]")).to_have_count(0)
    expect(page.get_by_text("Waiting for Player 1.")).to_be_visible()
    watcher.click("Table")
    expect(watcher.dialog("Table")).to_contain_text("You are a spectator.")
    expect(watcher.button("Resign")).to_have_count(0)
    watcher.click("Close")

    # Spectators see how the game progresses, but nothing that only a player may see.
    player.act(player.play_to_own_turn())
    player.play_to_own_turn()
    until(lambda: page.evaluate("window.publicState()") == _visible_state(player))
    assert player.secrets
    assert watcher.socket_messages
    for name in player.secrets:
        assert name not in watcher.html
        assert name not in "".join(watcher.socket_messages)


@pytest.mark.browser_full
def test_somebody_leaves_a_bot_steps_in_and_they_come_back(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    table = server.create_table("me", "me", factions=FACTIONS)
    ann, bob = (open_browser(CreatedTable(table.id, [seat])) for seat in table.seats)
    for visitor in (ann, bob):
        visitor.open(f"/table/{table.id}")
        expect(visitor.page.get_by_role("log")).to_contain_text("Turn 1")
    bob.click("Table")
    bob.click("Leave, and come back later")
    expect(bob.button("Play now")).to_be_visible()
    expect(ann.page.get_by_role("region", name="Player 2")).to_contain_text("has left")

    ann.click("Table")
    ann.click("Vote for a bot to replace Player 2")
    ann.page.keyboard.press("Escape")
    player = Player(ann)
    player.end_turn()
    player.play_to_own_turn()
    assert _visible_state(player)["turn"] == "Turn 3: Player 1"

    bob.open(f"/table/{table.id}")
    bob.click("Take my seat back")
    player.end_turn()
    assert Player(bob).play_to_own_turn().is_menu
    _wait_for_same_table([player, Player(bob)])
