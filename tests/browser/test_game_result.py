"""The end of a game: the result in words, the bases each player won, and the next game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import find_violations
from tests.browser.conftest import StartGame


@pytest.mark.browser_full
def test_the_end_of_a_game_and_the_next_one(start_game: StartGame) -> None:
    player = start_game(bypass_csp=True)
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

    # The recording is fetched for the chart, the best card and the decisive turn.
    highlights = dialog.get_by_role("region", name="Highlights")
    expect(highlights.get_by_role("img")).to_have_attribute("aria-label", re.compile(r"\d+ VP"))
    expect(highlights.locator(".best")).to_contain_text(
        re.compile(r"Best card.+: \d+ power at bases that scored, worth \d+ VP", re.DOTALL)
    )
    decisive = highlights.get_by_role("link", name="Decisive turn")
    chances = re.search(r"from (\d+)% to (\d+)%", decisive.inner_text())
    assert chances is not None
    assert int(chances[1]) < int(chances[2])
    assert re.search(r"step=[1-9]", str(decisive.get_attribute("href")))

    assert find_violations(page) == []

    # Changes of many cards at once are one log entry, which can be expanded.
    group = page.locator("[role=log] details").last
    expect(group.locator("summary")).to_have_text(re.compile(r"^\d+ cards (are|get|return) "))
    lines = group.locator("p")
    assert lines.count() == int(re.findall(r"\d+", group.inner_text())[0])

    before = page.url
    player.visitor.click("Stronger bot: Normal")
    page.wait_for_url(lambda url: url != before)
    table = player.visitor.server.table_info(page.url.rpartition("/")[2])
    assert [seat["level"] for seat in table["seats"] if seat["kind"] == "bot"] == ["normal"]
    assert table["mode"] == "random"


@pytest.mark.browser_full
def test_a_game_that_everyone_left_has_no_ranking(start_game: StartGame) -> None:
    player = start_game("easy", "easy", factions=())
    player.wait()
    page = player.page
    page.evaluate(
        """async () => {
            const [{ table, seats }] = JSON.parse(localStorage.getItem("smashup.seats"));
            await fetch(`/api/tables/${table}/resign`, {
                method: "POST", headers: { Authorization: `Bearer ${seats[0].secret}` },
            });
        }"""
    )
    dialog = page.get_by_role("dialog", name="The game is over")
    expect(dialog).to_contain_text("The game ended without a winner.", timeout=60_000)
    expect(dialog.locator(".ranking li")).to_have_count(3)
    expect(dialog.locator(".place")).to_have_count(0)
