"""Crowded four-player tables on phones and tablets: bases stay visible and can be chosen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import EditTable, StartGame
from tests.browser.edited_table import Message, minion
from tests.browser.player import Player
from tests.browser.test_layout import CROWD, resize, visible_part


def visible_bases(player: Player) -> float:
    """Return the visible part of the displayed base."""
    faces = player.page.locator("[data-base] .face")
    return max(visible_part(player.page, faces.nth(number)) for number in range(faces.count()))


@pytest.mark.browser_full
def test_news_leave_the_bases_in_view(start_game: StartGame) -> None:
    player = start_game("easy", "easy", "easy", factions=CROWD, phone=True, warned=False)
    page = player.page
    has_news = False
    for _ in range(60):
        state = player.wait()
        if state.over or has_news:
            break
        if state.is_menu and page.locator(".news").count() > 0:
            has_news = True
            assert visible_bases(player) > 0.5
            if hand := state.of("hand"):
                player.click(hand[0])
                player.wait()
                assert visible_bases(player) > 0.9
                break
        player.act(state)
    assert has_news


def crowd_second_base(shown: Message) -> None:
    """Four players with ten minions each at one base."""
    cards = shown["view"]["bases"][1]["cards"]
    cards.extend(
        minion(700 + number, "Baboom", player, 2)
        for number, player in enumerate(player for player in range(4) for _ in range(10))
    )


@pytest.mark.browser_full
def test_a_tablet_shows_the_players_own_cards(edit_table: EditTable) -> None:
    player, stage = edit_table(lambda shown: None, "easy", "easy", "easy")
    page = player.page
    resize(page, 820, 1180)
    player.wait()
    stage.show(crowd_second_base)
    page.wait_for_timeout(600)
    assert visible_part(page, page.locator(".own .played").last) > 0.8


@pytest.mark.browser_full
def test_a_base_is_in_view_after_the_phone_is_turned(edit_table: EditTable) -> None:
    player, stage = edit_table(lambda shown: None, "easy", "easy", "easy", phone=True)
    player.wait()
    stage.show(crowd_second_base)
    for size in ((844, 390), (390, 844), (844, 390), (390, 844)):
        resize(player.page, *size)
        player.page.wait_for_timeout(300)
        assert visible_bases(player) > 0.5, size
