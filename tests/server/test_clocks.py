"""Turn clocks: bots play for late players, and a restart changes nothing."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from smashup.server.tables.table import Table
from smashup.server.tables.timing.clocks import GRACE_SECONDS, TurnClock
from tests.server.live_server import run_server, wait_for_decision
from tests.server.test_windows import make_window, store_game

MINUTE = 60


def shorten_clock(live: Table, seconds: float) -> None:
    """Reduce the remaining time of the deciding player."""
    assert live.clock is not None
    assert live.clock.seat >= 0
    live.clock = replace(live.clock, ends=time.time() + seconds)
    live.wake()


def test_every_seat_has_the_full_limit_in_each_turn() -> None:
    times = TurnClock.from_json(MINUTE, 3, {}, 0.0)
    times = times.start(0, 1, False, 100.0)
    assert (times.seat, times.ends) == (0, 160.0)
    times = times.start(1, 1, False, 110.0)
    assert (times.seat, times.ends, times.left[0]) == (1, 170.0, 50.0)
    times = times.start(0, 1, False, 130.0)
    assert (times.seat, times.ends, times.left[1]) == (0, 180.0, 40.0)
    assert not times.is_up(0, 179.9)
    assert times.is_up(0, 180.0)
    times = times.run_out(0)
    assert times.start(0, 1, False, 181.0).seat == -1, "a bot plays the turn on"
    assert times.is_up(0, 181.0)
    times = times.start(1, 1, False, 190.0)
    assert (times.seat, times.ends) == (1, 230.0), "the others have what they had"
    times = times.start(0, 2, False, 200.0)
    assert (times.seat, times.ends, times.up) == (0, 260.0, []), "a new turn, and all of it again"
    assert times.start(-1, 2, False, 205.0).start(0, 2, False, 300.0).ends == 355.0, "bots are free"


def test_windows_do_not_use_turn_time() -> None:
    """The remaining time must not reveal whether a player was asked."""
    times = TurnClock.from_json(300, 2, {}, 0.0).start(0, 1, False, 0.0)
    asked = times.start(1, 1, True, 10.0)
    assert (asked.seat, asked.ends) == (1, 70.0)
    assert asked.start(0, 1, False, 60.0).left == times.start(0, 1, False, 10.0).left
    long = TurnClock.from_json(86_400, 2, {}, 0.0).start(1, 1, True, 0.0)
    assert long.ends == 86_400, "in games that last days a window lasts as long"


def test_clocks_do_not_run_out_while_the_server_is_down() -> None:
    stored = TurnClock.from_json(300, 2, {}, 0.0).start(0, 1, False, 1000.0).to_json()
    assert TurnClock.from_json(300, 2, stored, 1100.0).ends == 1300.0, "there was enough left"
    assert TurnClock.from_json(300, 2, stored, 5000.0).ends == 5000.0 + GRACE_SECONDS
    hasty = TurnClock(300, [300.0, 20.0], 1).start(1, 1, False, 1000.0).to_json()
    assert TurnClock.from_json(300, 2, hasty, 5000.0).ends == 5020.0, "but not more than there was"


def test_a_restart_does_not_restore_time() -> None:
    """Only players whose time has run out meanwhile get some."""
    stored = TurnClock.from_json(MINUTE, 2, {}, 0.0).start(0, 1, False, 1000.0).to_json()
    for now in (1000.0, 1021.4, 1059.0):
        again = TurnClock.from_json(MINUTE, 2, stored, now)
        assert again.ends == 1060.0
        assert again.start(1, 1, False, now).left[0] == 1060.0 - now
    long = TurnClock.from_json(120, 2, {}, 0.0).start(0, 1, False, 1000.0).to_json()
    assert TurnClock.from_json(120, 2, long, 1076.6).ends == 1120.0
    assert TurnClock.from_json(MINUTE, 2, stored, 1060.0).ends == 1060.0 + GRACE_SECONDS


async def test_a_bot_plays_for_a_late_player_until_the_turn_is_over(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me", clock=MINUTE)
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            rng = random.Random(1)
            live = server.registry.tables[table]
            while one.view is None or one.view["phase"] != "play":
                await (await wait_for_decision([one, two])).play(rng, 1)
                await one.request(type="ping")
            late = await wait_for_decision([one, two])
            other = two if late is one else one
            clock = late.state["clock"]
            assert late.view is not None
            assert clock["seat"] == late.view["you"]
            assert 0 < clock["ends"] - late.state["now"] <= MINUTE
            turn = late.view["turn"]
            given = len(live.answers)
            shorten_clock(live, 0.3)
            live.publish()
            while late.view["turn"] == turn and not late.is_over:
                await late.request(type="ping")
                await other.request(type="ping")
                if other.options:  # a card asks the other player
                    await other.play(rng, 1)
            bots = [a for a in live.answers[given:] if a.seat == clock["seat"]]
            assert bots
            assert all(a.message_id == "" for a in bots)
            assert not late.state["can_undo"], "what a bot chose cannot be undone"
            assert late.table["seats"][clock["seat"]]["kind"] == "person"


async def test_a_late_player_cannot_answer(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy", clock=MINUTE)
        async with server.connect(table, secrets[0]) as client:
            while not client.options:
                await client.receive()
            live = server.registry.tables[table]
            async with live.lock:
                shorten_clock(live, 0.0)
                assert live.is_out_of_time(0)
                message = asyncio.create_task(client.answer(0))
                await asyncio.sleep(0.1)
            answer = await message
            assert answer["type"] == "refused"
            # The player gets the next turn.
            while live.is_out_of_time(0) or not client.options:
                await client.receive()
            assert (await client.answer(0))["type"] == "ack"


async def test_the_clock_runs_without_connected_players(tmp_path: Path) -> None:
    async with run_server(tmp_path, idle_table_seconds=0.05) as server:
        table, secrets = await server.create_table("me", "easy", clock=MINUTE)
        async with server.connect(table, secrets[0]) as client:
            while not client.options:
                await client.receive()
        live = server.registry.tables[table]
        given = len(live.answers)
        shorten_clock(live, 0.3)
        await asyncio.sleep(0.15)
        assert len(live.answers) == given
        await asyncio.sleep(1.0)
        assert server.registry.tables.get(table) is live, "it stays in memory as long as that"
        assert len(live.answers) > given
        await asyncio.sleep(0.1)


async def test_the_clock_survives_a_restart(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy", clock=300)
        async with server.connect(table, secrets[0]) as client:
            await client.play(random.Random(2), 5)
            while not client.options:
                await client.receive()
            clock = client.state["clock"]
            assert clock["seat"] == 0
    async with run_server(tmp_path) as server, server.connect(table, secrets[0]) as client:
        assert client.state["clock"] == clock


async def test_the_clock_does_not_reveal_who_is_asked_in_a_window(tmp_path: Path) -> None:
    game = make_window(3)
    assert game.decision is not None
    asked = game.decision.player

    table = await store_game(tmp_path, game, clock=300)
    async with (
        run_server(tmp_path) as server,
        server.connect(table, f"s{asked}") as one,
        server.connect(table, f"s{(asked + 1) % 3}") as two,
        server.connect(table) as watcher,
    ):
        assert one.state["clock"]["seat"] == asked
        assert 50 < one.state["clock"]["ends"] - one.state["now"] <= 60
        assert two.state["clock"] is None
        assert watcher.state["clock"] is None
        assert not two.state["can_undo"]


async def test_tables_without_a_limit_have_no_clock(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy")
        async with server.connect(table, secrets[0]) as client:
            await client.play(random.Random(2), 5)
            assert client.state["clock"] is None
            assert client.table["clock"] == 0
        wrong = await server.post("", seats=[{"kind": "me"}, {"kind": "bot"}], clock=7)
        assert wrong.status_code == 422


async def test_an_expired_clock_is_found_without_viewers(tmp_path: Path) -> None:
    """In games with long limits, a table does not stay in memory until a clock runs out."""

    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy", clock=86_400)
        async with server.connect(table, secrets[0]) as client:
            while not client.options:
                await client.receive()
        live = server.registry.tables[table]
        given = len(live.answers)
        assert not live.is_autoplaying, "it may leave the memory"
        assert live.clock is not None
        # First with a due time long ago, then with one a few seconds ago.
        times = replace(live.clock, since=5.0, ends=5.2, left=[0.2, 0.2])
        clock = json.dumps(times.to_json())
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as file, file:
        file.execute("UPDATE tables SET clock = ?", (clock,))
    async with run_server(tmp_path) as server:
        for _ in range(100):
            await asyncio.sleep(0.05)
            if (
                table in server.registry.tables
                and len(server.registry.tables[table].answers) > given
            ):
                break
        live = server.registry.tables[table]
        assert len(live.answers) > given, "nobody has asked for it"
