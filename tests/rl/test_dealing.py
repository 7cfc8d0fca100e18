"""Tables redealt in the middle of a card continue normally, which searches rely on."""

from __future__ import annotations

import random

import pytest

from tests.random_games import new_game, random_setup, walk


@pytest.mark.parametrize("seed", range(8))
def test_a_copy_of_a_dealt_table_offers_the_same(seed: int) -> None:
    """A dealt table keeps no caches of the previous deal."""
    rng = random.Random(seed)
    game = new_game(random_setup(rng, players=2))
    game.table.logging = False
    for _ in walk(game, rng, steps=100):
        if game.at_menu:
            continue
        dealt = game.determinize(1 - game.table.state.current, rng.randrange)
        for _ in range(4):
            now = dealt.decision
            then = dealt.clone().decision
            if now is None or then is None:
                assert now is then
                break
            labels = [str(now.label(i)) for i in range(len(now.options))]
            assert labels == [str(then.label(i)) for i in range(len(then.options))]
            dealt.choose(rng.randrange(len(labels)))
