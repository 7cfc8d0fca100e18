"""People at one table: what they say to each other, and the time they have."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FACTIONS, Invite
from tests.browser.guest import PHONE, Guest
from tests.browser.house import Founded, House
from tests.browser.player import Player


def _two(
    invite: Invite, house: House, second: dict[str, object], **rules: object
) -> tuple[Guest, Guest]:
    """Ann, and somebody with another taste."""
    table = house.found("me", "me", factions=FACTIONS, **rules)
    guests = [
        invite(Founded(table.id, [seat]), **taste)
        for seat, taste in zip(table.seats, ({}, second), strict=True)
    ]
    for guest in guests:
        guest.open(f"/table/{table.id}")
    return guests[0], guests[1]


def test_people_talk_each_in_their_language(invite: Invite, house: House) -> None:
    ann, rene = _two(invite, house, {"lang": "fr"})
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

    # What somebody says can be reported; who is muted stays so after a reload.
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


def test_bots_are_not_talked_to(invite: Invite, house: House) -> None:
    table = house.found("me", "easy", factions=FACTIONS)
    guest = invite(table)
    guest.open(f"/table/{table.id}")
    Player(guest).my_turn()
    expect(guest.button("Chat")).to_have_count(0)

    quiet = house.found("me", "me", factions=FACTIONS, chat=False)
    ann = invite(Founded(quiet.id, quiet.seats[:1]))
    ann.open(f"/table/{quiet.id}")
    expect(ann.page.get_by_role("log")).to_be_visible()
    expect(ann.button("Chat")).to_have_count(0)


@pytest.mark.browser_full
def test_a_turn_may_have_a_limit(invite: Invite, house: House) -> None:
    guest = invite(name="Ann")
    page = guest.open("/new/friends")
    page.get_by_text("1 day").click()
    guest.click("Open the table")
    expect(page.get_by_text("1 day per turn")).to_be_visible()
    assert house.look(page.url.rsplit("/", 1)[-1])["clock"] == 86_400

    ann, bob = _two(invite, house, {"phone": True, "lang": "fr"}, clock=300)
    for guest in (ann, bob):
        timer = guest.page.get_by_role("timer")
        expect(timer).to_have_count(1)
        expect(timer).to_have_text(re.compile(r"^\s*(5:00|4:[345]\d)\s*$"))
    first = ann.page.get_by_role("timer").inner_text()
    expect(ann.page.get_by_role("timer")).not_to_have_text(first)


def test_on_a_phone_everything_can_be_reached_by_a_finger(invite: Invite, house: House) -> None:
    _, bob = _two(invite, house, {"phone": True}, clock=300)
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


def _fits(guest: Guest) -> None:
    """Nothing is wider than the phone, and what belongs to a finger is large enough for one."""
    width = guest.page.evaluate("Math.max(innerWidth, document.documentElement.scrollWidth)")
    assert width <= PHONE["width"]
    small = guest.page.evaluate(
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
