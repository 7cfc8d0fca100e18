"""Playing over the WebSocket: complete games, disconnects, repeated messages."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from tests.server.live_server import GameClient, LiveServer, run_server, wait_for_decision


def replay_game(server: LiveServer, table_id: str) -> Game:
    """Replay the game of a table."""
    table = server.registry.tables[table_id]
    setup = Setup.from_json(table.record.setup)
    return Game.replay(setup, server.registry.cards, [a.option for a in table.answers])


def without_translations(data: Any) -> Any:
    """Return a message without translations."""
    if isinstance(data, list):
        return [without_translations(item) for item in data]
    if isinstance(data, dict):
        return {key: without_translations(value) for key, value in data.items() if key != "said"}
    return data


def test_two_people_play_a_game_with_disconnects(tmp_path: Path) -> None:
    """Includes a reconnect, a repeated message, a stale one and an illegal one."""

    async def play() -> None:
        async with run_server(tmp_path) as server:
            table, (mine,) = await server.create_table("me", "open")
            joined = await server.post(f"/{table}/join", name="Bo")
            theirs = joined.json()["seats"][0]["secret"]
            rng = random.Random(7)
            async with (
                server.connect(table, theirs) as bo,
                server.connect(table, lang="fr") as watcher,
            ):
                async with server.connect(table, mine) as ana:
                    other = asyncio.create_task(bo.play(random.Random(8)))
                    await ana.play(rng, 12)
                # While Ana is disconnected, Bo may continue.
                async with server.reconnect(ana, table, mine):
                    while not ana.options:
                        await ana.receive()
                    assert not any(m["type"] == "snapshot" for m in ana.received), (
                        "only what is new"
                    )
                    await mishaps(ana)
                    await ana.play(rng)
                    await other
                    while not watcher.is_over:
                        await watcher.receive()
                    message = [
                        line["message"]["said"]
                        for m in watcher.received
                        for line in m.get("lines", [])
                    ]
                    assert any(words.startswith("P1 pioche") for words in message)
                    assert any(words.startswith("Bo pioche") for words in message)
                    game = replay_game(server, table)
                    live = server.registry.tables[table].game
                    assert live is not None
                    assert game.is_over
                    assert game.digest() == live.digest()
                    assert ana.view == game.view(0)
                    assert bo.view == game.view(1)
                    assert without_translations(watcher.view) == game.view(-1)
                    assert ana.table["winners"] == game.winners
                    assert bo.log == {n: str(line) for n, line in game.log_lines(1)}

    async def mishaps(ana: GameClient) -> None:
        number = ana.number
        assert number is not None
        before = ana.view
        many = await ana.answer(10_000)
        assert (many["type"], many["stale"]) == ("refused", False)
        assert "10000 is not one of" in many["reason"]["english"]
        early = await ana.answer(0, number=number + 1)
        assert (early["type"], early["stale"]) == ("refused", True)
        assert before is not None
        assert early["decision"] == before["decision"]
        first = await ana.answer(0, id="once")
        again = await ana.answer(0, id="once")
        assert first == again == {"type": "ack", "id": "once", "number": number + 1}
        late = await ana.answer(0, number=number)
        # Bo has continued: meanwhile, several further questions may have been answered.
        assert late["stale"]
        assert late["number"] > number

    asyncio.run(play())


async def test_only_the_deciding_player_can_answer(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me")
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
            server.connect(table) as watcher,
        ):
            asked, idle = (one, two) if one.options else (two, one)
            foreign = await idle.answer(0)
            assert foreign["reason"]["english"] == "It is not your decision."
            assert foreign["decision"].keys() == {"player"}, "nothing of somebody's options"
            spectator = await watcher.request(type="answer", number=0, options=[0])
            assert spectator["type"] == "refused"
            assert len(server.registry.tables[table].answers) == 0
            assert (await asked.answer(0))["type"] == "ack"
        async with server.connect(table, "x" * 43) as nobody:
            refused = nobody.received[-1]
            assert refused["reason"]["english"] == "This secret is not valid at this table."


async def test_spectators_see_public_information(tmp_path: Path) -> None:
    """At every step, spectators and seats have their own views."""

    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me")
        rng = random.Random(3)
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
            server.connect(table) as watcher,
        ):
            for _ in range(30):
                asked = await wait_for_decision([one, two])
                await asked.answer(rng.randrange(len(asked.options)))
                live = server.registry.tables[table]
                for guest, viewer in ((one, 0), (two, 1), (watcher, -1)):
                    game = None
                    while game is None or game is not live.game:  # the server passes for some
                        game = live.game
                        await guest.request(type="ping")
                    expected: Any = game.view(viewer)
                    shown = guest.view
                    assert shown is not None
                    decision = shown["decision"] or {}
                    if decision.get("window") and "question" in decision:
                        expected["decision"]["window"] = True
                    elif decision.get("window"):
                        expected["decision"] = {"player": None, "window": True}
                    assert shown == expected
                text = str(watcher.received)
                assert "secret" not in text
                assert "seed" not in text


async def test_several_picks_are_atomic(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me", mode="draft")
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            # In a snake draft the last player picks twice.
            asked = await wait_for_decision([one, two])
            last = two if asked is one else one
            refused = await asked.answer(0, 1)
            assert "do not go together" in refused["reason"]["english"]
            assert (await asked.answer(0, 0))["type"] == "refused"
            assert server.registry.tables[table].answers == []
            await asked.answer(0)
            while not last.options:
                await last.receive()
            wanted = [last.options[i]["faction"] for i in (4, 2)]
            both = await last.answer(4, 2, id="both")
            assert (both["type"], both["number"]) == ("ack", 2)
            assert (await last.answer(4, 2, id="both", number=0)) == both
            game = server.registry.tables[table].game
            assert game is not None
            seat = 0 if last is one else 1
            names = [game.catalogue.factions[i].name for i in game.table.state.drafted[seat]]
            assert names == wanted


async def test_a_client_of_another_stream_gets_a_snapshot(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me")
        async with server.connect(table, secrets[0]) as one:
            version = one.version
        one.stream = "of another server"
        async with server.reconnect(one, table, secrets[0]):
            assert (await one.receive_until("snapshot"))["seat"] == 0
        assert one.stream != "of another server"
        one.version = version + 1000
        async with server.reconnect(one, table, secrets[0]):
            assert (await one.receive_until("snapshot"))["version"] < 1000


async def test_spectators_can_be_disabled(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (mine,) = await server.create_table("me", "open", spectators=False)
        async with (
            server.connect(table, mine) as founder,
            connect(server.socket_url(table)) as line,
        ):
            refused = await GameClient(line).hello(None)
            assert refused["reason"]["english"] == "This table does not allow spectators."
            assert founder.view is None, "it has not begun"
            early = await founder.answer(0)
            assert early["reason"]["english"] == "The game has not begun yet."
