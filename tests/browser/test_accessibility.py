"""axe finds nothing, on any page, in light and dark."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import FACTIONS, Invite
from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.player import Player

PAGES = (
    "/",
    "/new/bots",
    "/new/friends",
    "/new/here",
    "/tables",
    "/factions",
    "/factions/Kaiju",
    "/about",
    "/nowhere",
)


def test_the_checker_finds_what_is_wrong(invite: Invite) -> None:
    guest = invite(bypass_csp=True)
    page = guest.open("/about")
    page.evaluate(
        """document.querySelector("main").insertAdjacentHTML("beforeend",
        "<style>@media (prefers-color-scheme: dark) { #pale { color: #777; background: #888 } }"
        + "</style><button></button><p id=pale>pale</p>")"""
    )
    found = [line.partition(":")[0] for line in violations(page)]
    assert found == ["button-name", "by night, color-contrast"]


def _check(guest: Guest, what: str) -> None:
    assert violations(guest.page) == [], what


def test_the_pages(invite: Invite, house: House) -> None:
    house.found("me", "open", listed=True)
    house.found("me", "easy", listed=True)
    guest = invite(bypass_csp=True)
    for path in PAGES:
        page = guest.open(path)
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        _check(guest, path)
    guest.open("/new/bots")
    guest.click("Settings")
    _check(guest, "settings")
    guest.click("Close")
    guest.page.get_by_text("Advanced options").click()
    _check(guest, "more rules")
    guest.page.get_by_role("button", name="Choose factions for").first.click()
    expect(guest.button("Choose Kaiju")).to_be_visible()
    _check(guest, "faction picker")


def test_the_waiting_room_and_the_way_in(invite: Invite, house: House) -> None:
    table = house.found("me", "open", factions=FACTIONS)
    host = invite(table, bypass_csp=True)
    host.open(f"/table/{table.id}")
    expect(host.button("Copy the link")).to_be_visible()
    _check(host, "waiting room")
    friend = invite(bypass_csp=True)
    friend.open(f"/table/{table.id}")
    expect(friend.button("Join")).to_be_visible()
    _check(friend, "joining")


def test_the_table(invite: Invite, house: House) -> None:
    table = house.found("me", "easy", "easy", factions=(*FACTIONS, "Super Spies", "Time Travelers"))
    guest = invite(table, bypass_csp=True)
    guest.open(f"/table/{table.id}")
    player = Player(guest)
    for _ in range(2):
        player.act(player.my_turn())
        player.my_turn()
        player.end_turn()
    menu = player.my_turn()
    _check(guest, "the play menu")
    player.click(menu.of("hand")[0])
    player.wait()
    _check(guest, "a card taken up")
    guest.page.keyboard.press("Escape")
    player.click(player.my_turn().of("done")[0])
    expect(guest.dialog("You still have plays left")).to_be_visible()
    _check(guest, "the warning")
    guest.click("Keep playing")
    guest.page.get_by_role("button", name="options as a list").click()
    _check(guest, "all options in words")
    guest.page.get_by_role("button", name="Discard pile of Bot 2").click()
    _check(guest, "a discard pile")
    guest.click("Close")
    guest.click("Table")
    _check(guest, "the table's menu")
    guest.click("Resign")
    guest.click("Yes, I resign")
    guest.open(f"/table/{table.id}")
    _check(guest, "resigned")


def test_the_end_and_the_curtain(invite: Invite, house: House) -> None:
    table = house.found("me", "easy", factions=FACTIONS)
    guest = invite(table, bypass_csp=True)
    guest.open(f"/table/{table.id}")
    guest.click("Table")
    guest.click("Resign")
    guest.click("Yes, I resign")
    expect(guest.dialog("Bot 2 wins!")).to_be_visible()
    _check(guest, "the end")

    table = house.found("me", "me", factions=FACTIONS)
    guest = invite(table, bypass_csp=True)
    guest.open(f"/table/{table.id}")
    expect(guest.page.get_by_role("dialog")).to_be_visible()
    _check(guest, "the curtain")
