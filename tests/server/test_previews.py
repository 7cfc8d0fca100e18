"""Previews are correct if they are complete, and depend only on what the seat knows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from smashup.engine.errors import IllegalChoice
from smashup.server.tables.decisions.previews import _base, preview_option
from tests.random_games import new_game, random_setup, walk
from tests.server.live_server import run_server


@pytest.mark.parametrize("seed", range(3))
def test_previews_do_not_depend_on_hidden_cards(seed: int) -> None:
    """Previews are the same at tables that differ only in cards unknown to the player."""
    rng = random.Random(f"previews/{seed}")
    game = new_game(random_setup(rng))
    for number, decision in enumerate(walk(game, rng)):
        if number % 5:
            continue
        option = rng.randrange(len(decision.options))
        other = game.determinize(decision.player, rng.randrange)
        assert preview_option(other, decision.player, option) == preview_option(
            game, decision.player, option
        )


@pytest.mark.parametrize("seed", range(3))
def test_previews_are_correct(seed: int) -> None:
    rng = random.Random(f"true/{seed}")
    game = new_game(random_setup(rng))
    right = wrong = vague = 0
    for decision in walk(game, rng):
        option = rng.randrange(len(decision.options))
        before = game.digest()
        received = preview_option(game, decision.player, option)
        assert game.digest() == before, "nothing is chosen by asking"
        following = game.clone()
        following.choose(option)
        if received["bases"] is None:
            vague += 1
        elif received["complete"]:
            same = received["bases"] == [
                _base(following, site.serial) for site in following.table.state.sites
            ]
            right += same
            wrong += not same
    assert right > 20
    assert wrong <= right / 50, "hidden cards may seem not to matter in all the deals that are made"
    assert vague < right


def test_previews_of_unknown_options_are_refused() -> None:
    game = new_game(random_setup(random.Random(1)))
    decision = game.decision
    assert decision is not None
    with pytest.raises(IllegalChoice):
        preview_option(game, decision.player, len(decision.options))


async def test_only_the_deciding_player_gets_previews(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (mine, yours) = await server.create_table("me", "me")
        async with (
            server.connect(table, mine) as one,
            server.connect(table, yours) as two,
            server.connect(table) as watcher,
        ):
            asked, other = (one, two) if one.options else (two, one)
            last = len(asked.options) - 1
            await asked.line.send(
                f'{{"type":"preview","id":"p","number":{asked.number},"option":{last}}}'
            )
            received = await asked.receive_until("preview", "refused")
            assert (received["id"], received["option"], received["number"]) == (
                "p",
                last,
                asked.number,
            )
            assert received["bases"] is None or len(received["bases"]) == 3
            wrong = {"type": "preview", "option": 0}
            stale = await asked.request(**wrong, number=99)
            assert (stale["type"], stale["stale"]) == ("refused", True)
            missing = await asked.request(**wrong | {"option": 999}, number=asked.number)
            assert missing["type"] == "refused"
            for client in (other, watcher):
                refused = await client.request(**wrong, number=client.number or 0)
                assert refused["type"] == "refused"
            assert server.registry.tables[table].answers == [], "nothing is chosen by asking"
