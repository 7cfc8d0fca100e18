"""The end of a game: the result in words, the bases each player won, and the next game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import find_violations
from tests.browser.conftest import EditTable, StartGame
from tests.browser.edited_table import Message, name_of, sentence


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


def test_the_ranking_leaves_names_their_width_on_a_phone(edit_table: EditTable) -> None:
    """Two players tie, so the result says what broke the tie."""
    player, stage = edit_table(lambda shown: None, "easy", "easy", phone=True)
    won = sentence(
        "{player} wins {base}.",
        player=name_of("player", 1, "Bot 2"),
        base=name_of("base", 900, "Secret Volcano Headquarters"),
    )
    counted = sentence("{player} has a Madness card.", player=name_of("player", 0, "Player 1"))

    def end(shown: Message) -> None:
        shown["decision"] = None
        shown["table"].update(state="over", winners=[1], replay=False)
        for seat, vp in zip(shown["view"]["players"], (14, 14, 9), strict=True):
            seat["vp"] = vp

    stage.show(
        end,
        lines=[
            {"number": 900, "event": "place_awarded.first", "message": won},
            {"number": 901, "event": "madness_counted", "message": counted},
        ],
    )
    dialog = player.page.get_by_role("dialog", name="Bot 2 wins!")
    expect(dialog).to_contain_text("You came second, 14 : 14")
    expect(dialog).to_contain_text("Fewer Madness cards broke the tie.")
    expect(dialog.locator(".place")).to_have_text(["", "2", "3"])
    expect(dialog.locator(".winner")).to_contain_text("Bases won: Secret Volcano Headquarters")
    for name in dialog.locator(".ranking .name").all():
        box = name.bounding_box()
        assert box is not None
        assert box["height"] < 40, name.inner_text()
    player.visitor.picture("result-phone")
