"""Hints and win chances for people who play only against bots."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from smashup.engine.replay.dealing import Dealer
from smashup.server.tables.table import Table
from tests.server.live_server import GameClient, run_server


async def ask(client: GameClient, **more: Any) -> dict[str, Any]:
    return await client.request(**{"type": "hint", "number": client.number, **more})


async def at_a_choice(client: GameClient, rng: random.Random) -> None:
    """Play until there is a real choice."""
    while len(client.options) < 3:
        await client.play(rng, 1)
        await client.request(type="ping")


async def test_hints_against_bots(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy", "easy")
        async with server.connect(table, secrets[0]) as client, server.connect(table) as watcher:
            rng = random.Random(3)
            for _ in range(4):
                await at_a_choice(client, rng)
                given = len(server.registry.tables[table].answers)
                assert client.state["hints"]
                assert not watcher.state["hints"]
                hint = await ask(client)
                assert hint["type"] == "hint", hint
                assert hint["number"] == client.number
                assert 0 <= hint["option"] < len(client.options)
                assert all(0 <= o["chance"] <= 1 for o in hint["opinions"])
                assert {o["option"] for o in hint["opinions"]} <= set(range(len(client.options)))
                again = await ask(client)
                assert (again["option"], again["opinions"]) == (
                    hint["option"], hint["opinions"],
                )  # fmt: skip
                assert len(server.registry.tables[table].answers) == given, "nothing was chosen"
                assert (await ask(client, number=hint["number"] + 1))["stale"]
                assert (await ask(watcher, number=0))["type"] == "refused"
                answer = await client.answer(hint["option"])
                assert answer["type"] == "ack"


async def test_no_hints_against_people(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me", "easy")
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            for client in (one, two):
                assert not client.state["hints"]
                assert client.state["chances"] is None
                refused = await ask(client)
                assert refused["type"] == "refused"
            # A resigned player does not count as a person, so hints are available.
            await server.post(f"/{table}/resign", secrets[1])
            await one.request(type="ping")
            assert one.state["hints"]


async def test_win_chances_do_not_depend_on_hidden_cards(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy")
        async with server.connect(table, secrets[0]) as client, server.connect(table) as watcher:
            rng = random.Random(4)
            received = set()
            for _ in range(25):
                await client.play(rng, 1)
                await client.request(type="ping")
                chances = client.state["chances"]
                if chances is not None:
                    assert abs(sum(chances) - 1) < 0.01
                    assert all(round(chance, 3) == chance for chance in chances)
                    received.add(tuple(chances))
            await watcher.request(type="ping")
            assert watcher.state["chances"] is None
            assert len(received) > 3
            while not client.options:
                await client.receive()  # the bot has played
            live = server.registry.tables[table]
            before = client.version
            live.publish()
            await client.request(type="ping")
            assert client.version == before, "the same position is told once"
            async with live.lock:
                same_on_a_dealt_table(live)


def same_on_a_dealt_table(live: Table) -> None:
    """Advice is the same if all cards that the seat cannot know are redealt."""
    assert live.game is not None
    for seed in range(5):
        live.advice._estimated_at, live.advice._chances = -1, None
        received = live.advice.chances(live, 0)
        assert received is not None
        real, dealt = live.game, Dealer(live.game, 0).deal(random.Random(seed))
        dealt.table.answers = real.answers[:]  # random picks depend on the number of cards
        live.game = dealt
        live.advice._estimated_at, live.advice._chances = -1, None
        assert live.advice.chances(live, 0) == received
        live.game = real
