"""Chat and turn clocks of several people at one table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FACTIONS, OpenBrowser
from tests.browser.live_server import CreatedTable, LiveServer
from tests.browser.player import Player
from tests.browser.visitor import PHONE, Visitor


def _open_two_windows(
    open_browser: OpenBrowser, server: LiveServer, second: dict[str, object], **rules: object
) -> tuple[Visitor, Visitor]:
    """Open windows for Ann and for another player with other preferences."""
    table = server.create_table("me", "me", factions=FACTIONS, **rules)
    visitors = [
        open_browser(CreatedTable(table.id, [seat]), **preferences)
        for seat, preferences in zip(table.seats, ({}, second), strict=True)
    ]
    for visitor in visitors:
        visitor.open(f"/table/{table.id}")
    return visitors[0], visitors[1]


def test_people_talk_each_in_their_language(open_browser: OpenBrowser, server: LiveServer) -> None:
    ann, rene = _open_two_windows(open_browser, server, {"lang": "fr"})
    ann.click("Chat")
    ann.click("Good luck!")
    unread = rene.button("Discussion, messages non lus\u00a0: 1")
    expect(unread).to_be_visible()
    unread.click()
    log = rene.page.get_by_role("log")
    expect(log).to_contain_text("Bonne chance")
    rene.page.get_by_label("Message", exact=True).fill("<b>Merci</b> bien")
    rene.page.keyboard.press("Enter")
    rene.page.get_by_role("button", name=re.compile("^À vous")).click()
    heard = ann.page.get_by_role("log")
    expect(heard).to_contain_text("<b>Merci</b> bien")
    expect(heard).to_contain_text("Your turn!")

    # Messages can be reported; muted players stay muted after a reload.
    ann.page.get_by_role("button", name="Mute or report Player 2").first.click()
    ann.click("Report this")
    expect(ann.page.get_by_text("Reported.")).to_be_visible()
    ann.page.get_by_role("button", name="Mute or report Player 2").first.click()
    ann.click("Mute Player 2")
    expect(heard).not_to_contain_text("Merci")
    ann.page.reload()
    ann.click("Chat")
    expect(heard).to_contain_text("Good luck!")
    expect(heard).not_to_contain_text("Merci")
    ann.click("Unmute Player 2")
    expect(heard).to_contain_text("Merci")


def test_bots_are_not_talked_to(open_browser: OpenBrowser, server: LiveServer) -> None:
    table = server.create_table("me", "easy", factions=FACTIONS)
    visitor = open_browser(table)
    visitor.open(f"/table/{table.id}")
    Player(visitor).play_to_own_turn()
    expect(visitor.button("Chat")).to_have_count(0)

    quiet = server.create_table("me", "me", factions=FACTIONS, chat=False)
    ann = open_browser(CreatedTable(quiet.id, quiet.seats[:1]))
    ann.open(f"/table/{quiet.id}")
    expect(ann.page.get_by_role("log")).to_be_visible()
    expect(ann.button("Chat")).to_have_count(0)


@pytest.mark.browser_full
def test_a_turn_may_have_a_limit(open_browser: OpenBrowser, server: LiveServer) -> None:
    visitor = open_browser(name="Ann")
    page = visitor.open("/new/friends")
    page.get_by_text("1 day").click()
    visitor.click("Open the table")
    expect(page.get_by_text("1 day per turn")).to_be_visible()
    assert server.table_info(page.url.rsplit("/", 1)[-1])["clock"] == 86_400

    ann, bob = _open_two_windows(open_browser, server, {"phone": True, "lang": "fr"}, clock=300)
    for visitor in (ann, bob):
        timer = visitor.page.get_by_role("timer")
        expect(timer).to_have_count(1)
        expect(timer).to_have_text(re.compile(r"^\s*(5:00|4:[345]\d)\s*$"))
    first = ann.page.get_by_role("timer").inner_text()
    expect(ann.page.get_by_role("timer")).not_to_have_text(first)


def test_on_a_phone_everything_can_be_reached_by_a_finger(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    _, bob = _open_two_windows(open_browser, server, {"phone": True}, clock=300)
    page = bob.page
    expect(page.get_by_role("timer")).to_be_visible()
    _fits(bob)
    bob.click("Chat")
    _fits(bob)
    bob.click("Good game!")
    expect(page.get_by_role("log")).to_contain_text("Good game!")
    bob.click("Close")
    bob.click("Table")
    _fits(bob)
    bob.click("Close")
    page.get_by_role("button", name="Deck list of Player 1").click()
    _fits(bob)


def _fits(visitor: Visitor) -> None:
    """Check that nothing is wider than the phone and that touch targets are large enough."""
    width = visitor.page.evaluate("Math.max(innerWidth, document.documentElement.scrollWidth)")
    assert width <= PHONE["width"]
    small = visitor.page.evaluate(
        """() => {
            const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
            const all = top.querySelectorAll(":is(.bar, .sheet, .prompt, .tools) button");
            return [...all].filter((one) => one.checkVisibility()).flatMap((one) => {
                const { width, height } = one.getBoundingClientRect();
                const name = one.ariaLabel ?? one.innerText;
                return Math.min(width, height) < 39.5 ? [`${name}: ${width} x ${height}`] : [];
            });
        }"""
    )
    assert small == []
