"""More options than slots: every option stays within reach."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smashup.engine.errors import IllegalChoice
from smashup.rl.pages import make_page
from smashup.rl.settings import GameFactory, make_settings


@given(options=st.integers(1, 300), slots=st.integers(2, 130))
def test_every_option_has_one_place(options: int, slots: int) -> None:
    page = make_page(options, slots)
    found: list[int] = []
    for number in range(page.pages):
        assert page.number == number
        for action in page.actions(slots):
            option = page.option(action, slots)
            if option is not None:
                found.append(option)
        assert (None in [page.option(a, slots) for a in page.actions(slots)]) == (options > slots)
        page = page.next(options, slots)
    assert page == make_page(options, slots)  # after the last comes the first
    assert found == list(range(options))


def test_what_is_on_no_page_is_illegal() -> None:
    page = make_page(3, 8)
    for action in (-1, 3, 7, 8):
        with pytest.raises(IllegalChoice):
            page.option(action, 8)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_in_pages_is_the_same_game(seed: int) -> None:
    """Turning pages to the option wanted leads to the same table as taking it at once."""
    rng = random.Random(seed)
    wide = GameFactory(make_settings(max_options=300)).deal(seed)
    narrow = GameFactory(make_settings(max_options=4)).deal(seed)
    turned = 0
    while not wide.is_over:
        assert wide.decision is not None
        option = rng.randrange(len(wide.decision.options))
        wide.act(option)
        while not narrow.page.first <= option < narrow.page.first + narrow.page.shown:
            narrow.act(3)
            turned += 1
        narrow.act(option - narrow.page.first)
    assert narrow.is_over
    assert turned
    assert narrow.game.digest() == wide.game.digest()
    assert wide.game.table.state.over
