"""The end of a game: the result in words, the bases each player won, and the next game."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import SitDown


def test_the_end_of_a_game_and_the_next_one(sit_down: SitDown) -> None:
    player = sit_down()
    player.finish()
    page = player.page
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".result")).to_have_text(
        re.compile(r"^You (won|came second), \d+ : \d+$")
    )
    points = [int(vp) for vp in re.findall(r"\d+", dialog.locator(".result").inner_text())]
    winner, loser = (
        int(text.split()[0]) for text in dialog.locator(".ranking b").all_inner_texts()
    )
    assert sorted(points) == sorted((winner, loser))
    expect(dialog.locator(".ranking .winner")).to_contain_text("Bases won: ")
    expect(dialog.get_by_role("link", name="Replay and chart")).to_be_visible()

    # What happened to many cards at once is one entry of the log, which opens.
    group = page.locator("[role=log] details").last
    expect(group.locator("summary")).to_have_text(re.compile(r"^\d+ cards (are|get|return) "))
    lines = group.locator("p")
    assert lines.count() == int(re.findall(r"\d+", group.inner_text())[0])

    before = page.url
    player.guest.click("Stronger bot: Normal")
    page.wait_for_url(lambda url: url != before)
    table = player.guest.house.look(page.url.rpartition("/")[2])
    assert [seat["level"] for seat in table["seats"] if seat["kind"] == "bot"] == ["normal"]
    assert table["mode"] == "random"
