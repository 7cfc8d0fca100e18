"""axe finds no violations in questions, pauses, notices, stacks and the draft."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.axe import find_violations
from tests.browser.conftest import EditTable, StartGame
from tests.browser.edited_table import Message
from tests.browser.test_board import edit_cards
from tests.browser.test_notices import attack_minions, own_minions
from tests.browser.test_prompts import ask_for_special, ask_where_to_move

pytestmark = pytest.mark.browser_full


def test_questions_and_pauses(edit_table: EditTable) -> None:
    player, stage = edit_table(lambda shown: None, bypass_csp=True)
    player.wait()
    stage.show(ask_where_to_move)
    expect(player.page.locator(".spot.subject")).to_have_count(1)
    assert find_violations(player.page) == []
    stage.show(ask_for_special)
    expect(player.page.locator("[data-window]")).to_be_visible()
    assert find_violations(player.page) == []


def test_news_and_stacks(edit_table: EditTable) -> None:
    def edit(shown: Message) -> None:
        own_minions(shown)
        edit_cards(shown["view"]["bases"][2]["cards"])

    player, stage = edit_table(edit, bypass_csp=True)
    page = player.page
    page.locator("[data-card='950']").wait_for(state="attached")
    attack_minions(stage)
    serial = stage.view["bases"][1]["serial"]
    places = [{"player": 1, "place": 1, "vp": 4, "power": 12}]
    stage.show(lambda shown: None, changes=[{"kind": "scored", "base": serial, "places": places}])
    expect(page.locator(".news")).to_have_count(2)
    assert find_violations(page) == []


def test_the_draft(start_game: StartGame) -> None:
    player = start_game("easy", factions=(), mode="draft", bypass_csp=True)
    player.click(player.wait().choices[0])
    expect(player.page.locator(".pick:not(.open)").nth(2)).to_be_visible()
    assert find_violations(player.page) == []
