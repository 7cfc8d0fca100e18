"""A phone: narrow, and touched."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Invite, SitDown

TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"


def _fits(page: Page) -> bool:
    return not page.evaluate(TOO_WIDE)


def test_several_turns_are_played_by_tapping(sit_down: SitDown) -> None:
    player = sit_down(phone=True)
    for _ in range(3):
        player.my_turn()
        assert _fits(player.page)
        player.act(player.my_turn())
        player.my_turn()
        player.end_turn()
    player.my_turn()
    player.page.get_by_role("button", name="Log").tap()
    expect(player.page.get_by_role("log")).to_contain_text("Turn 6")


def test_no_page_is_wider_than_the_phone(invite: Invite) -> None:
    guest = invite(phone=True)
    for path in (
        "/",
        "/new/bots",
        "/new/friends",
        "/new/here",
        "/tables",
        "/factions",
        "/factions/Kaiju",
        "/about",
        "/nowhere",
    ):
        page = guest.open(path)
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        assert _fits(page), path
