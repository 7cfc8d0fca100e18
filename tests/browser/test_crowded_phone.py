"""A phone at a table of four with all news at once: the bases can still be seen and chosen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import StartGame
from tests.browser.player import Player
from tests.browser.test_layout import CROWD, visible_part


def visible_bases(player: Player) -> float:
    """How much of the base that is shown can be seen."""
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
