"""The state of a table: copies are complete and independent."""

from __future__ import annotations

import random

from smashup.engine.model.state import FIELDS, State
from tests.random_games import new_game, random_setup, walk


def _value(state: State, name: str) -> object:
    if name in ("sites", "site_at"):
        return [(x.serial, x.base, x.cards, x.minions) for x in state.sites]
    return getattr(state, name)


def test_a_copy_has_every_field_and_shares_no_container() -> None:
    rng = random.Random(4)
    game = new_game(random_setup(rng))
    for _ in walk(game, rng, steps=120):
        pass
    state = game.table.state
    copy = state.copy()
    for name in FIELDS:
        assert _value(copy, name) == _value(state, name), name
        value = getattr(state, name)
        if isinstance(value, list | dict | set):
            assert getattr(copy, name) is not value, name
        if isinstance(value, list) and value and isinstance(value[0], list):
            assert all(
                mine is not other for mine, other in zip(getattr(copy, name), value, strict=True)
            ), name
    for mine, other in zip(copy.sites, state.sites, strict=True):
        assert mine is not other
        assert mine.cards is not other.cards
        assert mine.minions is not other.minions
        assert copy.site_at[mine.serial] is mine


def test_a_new_state_has_every_field() -> None:
    state = State(3, 7)
    assert [name for name in FIELDS if not hasattr(state, name)] == []
