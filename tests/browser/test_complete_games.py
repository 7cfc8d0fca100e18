"""Whole games at every screen size, in both languages, by clicking the offered options."""

from __future__ import annotations

from typing import Final

import pytest

from tests.browser.conftest import StartGame
from tests.browser.test_layout import CROWD

GAMES: Final = (
    ((1920, 1080), "en", 2),
    ((1366, 768), "fr", 4),
    ((1280, 720), "en", 4),
    ((820, 1180), "fr", 3),
    ((390, 844), "en", 4),
    ((844, 390), "fr", 2),
)

# Whether the question is on the screen, and nothing makes the page wider than it.
IN_VIEW: Final = """() => {
    const box = document.querySelector("[data-prompt]").getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight + 1
        && box.left >= 0 && box.right <= innerWidth + 1
        && document.documentElement.scrollWidth <= innerWidth;
}"""


@pytest.mark.browser_full
@pytest.mark.parametrize(("size", "lang", "players"), GAMES)
def test_a_game_is_played_to_its_end(
    start_game: StartGame, size: tuple[int, int], lang: str, players: int
) -> None:
    """Every option can be clicked, and the question is always in view."""
    bots = ("easy",) * (players - 1)
    player = start_game(
        *bots, factions=CROWD[: 2 * players], lang=lang, phone=size[0] < 900, warned=False
    )
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    for _ in range(900):
        state = player.wait()
        if state.over:
            return
        assert player.page.evaluate(IN_VIEW), (size, state.question)
        player.act(state)
    raise AssertionError("The game does not end.")
