"""Previews: true where they are complete, and made of nothing that the seat does not know."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from smashup.engine.errors import IllegalChoice
from smashup.server.tables.previews import _base, foretold
from tests.random_games import new_game, random_setup, walk
from tests.server.house import serving


@pytest.mark.parametrize("seed", range(3))
def test_hidden_cards_change_no_preview(seed: int) -> None:
    """Two tables that differ only in what a player cannot know have the same previews."""
    rng = random.Random(f"previews/{seed}")
    game = new_game(random_setup(rng))
    for number, decision in enumerate(walk(game, rng)):
        if number % 5:
            continue
        option = rng.randrange(len(decision.options))
        other = game.determinize(decision.player, rng.randrange)
        assert foretold(other, decision.player, option) == foretold(game, decision.player, option)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_foretold_happens(seed: int) -> None:
    rng = random.Random(f"true/{seed}")
    game = new_game(random_setup(rng))
    right = wrong = vague = 0
    for decision in walk(game, rng):
        option = rng.randrange(len(decision.options))
        before = game.digest()
        told = foretold(game, decision.player, option)
        assert game.digest() == before, "nothing is chosen by asking"
        following = game.clone()
        following.choose(option)
        if told["bases"] is None:
            vague += 1
        elif told["complete"]:
            same = told["bases"] == [
                _base(following, site.serial) for site in following.table.state.sites
            ]
            right += same
            wrong += not same
    assert right > 20
    assert wrong <= right / 50, "hidden cards may seem not to matter in all the deals that are made"
    assert vague < right


def test_options_that_are_not_there() -> None:
    game = new_game(random_setup(random.Random(1)))
    decision = game.decision
    assert decision is not None
    with pytest.raises(IllegalChoice):
        foretold(game, decision.player, len(decision.options))


def test_only_who_decides_is_told(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (mine, yours) = await house.table("me", "me")
            async with (
                house.guest(table, mine) as one,
                house.guest(table, yours) as two,
                house.guest(table) as watcher,
            ):
                asked, other = (one, two) if one.options else (two, one)
                last = len(asked.options) - 1
                await asked.line.send(
                    f'{{"type":"preview","id":"p","number":{asked.number},"option":{last}}}'
                )
                told = await asked.until("preview", "refused")
                assert (told["id"], told["option"], told["number"]) == ("p", last, asked.number)
                assert told["bases"] is None or len(told["bases"]) == 3
                wrong = {"type": "preview", "option": 0}
                stale = await asked.say(**wrong, number=99)
                assert (stale["type"], stale["stale"]) == ("refused", True)
                missing = await asked.say(**wrong | {"option": 999}, number=asked.number)
                assert missing["type"] == "refused"
                for guest in (other, watcher):
                    refused = await guest.say(**wrong, number=guest.number or 0)
                    assert refused["type"] == "refused"
                assert house.registry.tables[table].answers == [], "nothing is chosen by asking"

    asyncio.run(visit())
