"""Turns with a time limit: a bot plays on for who is late, and nothing is lost by a restart."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from smashup.server.tables.clocks import GRACE, Times
from smashup.server.tables.table import Table
from tests.server.house import a_decision_of, serving
from tests.server.test_windows import a_window, kept

MINUTE = 60


def hurry(live: Table, seconds: float) -> None:
    """Whoever is asked has only so long from now on."""
    assert live.times is not None
    assert live.times.seat >= 0
    live.times = replace(live.times, ends=time.time() + seconds)
    live.wake()


def test_every_seat_has_the_limit_once_a_turn() -> None:
    times = Times.from_json(MINUTE, 3, {}, 0.0)
    times = times.asks(0, 1, False, 100.0)
    assert (times.seat, times.ends) == (0, 160.0)
    times = times.asks(1, 1, False, 110.0)
    assert (times.seat, times.ends, times.left[0]) == (1, 170.0, 50.0)
    times = times.asks(0, 1, False, 130.0)
    assert (times.seat, times.ends, times.left[1]) == (0, 180.0, 40.0)
    assert not times.is_up(0, 179.9)
    assert times.is_up(0, 180.0)
    times = times.run_out(0)
    assert times.asks(0, 1, False, 181.0).seat == -1, "a bot plays the turn on"
    assert times.is_up(0, 181.0)
    times = times.asks(1, 1, False, 190.0)
    assert (times.seat, times.ends) == (1, 230.0), "the others have what they had"
    times = times.asks(0, 2, False, 200.0)
    assert (times.seat, times.ends, times.up) == (0, 260.0, []), "a new turn, and all of it again"
    assert times.asks(-1, 2, False, 205.0).asks(0, 2, False, 300.0).ends == 355.0, "bots are free"


def test_a_window_takes_nothing_off() -> None:
    """What somebody has left later on must not tell whether they were asked."""
    times = Times.from_json(300, 2, {}, 0.0).asks(0, 1, False, 0.0)
    asked = times.asks(1, 1, True, 10.0)
    assert (asked.seat, asked.ends) == (1, 70.0)
    assert asked.asks(0, 1, False, 60.0).left == times.asks(0, 1, False, 10.0).left
    long = Times.from_json(86_400, 2, {}, 0.0).asks(1, 1, True, 0.0)
    assert long.ends == 86_400, "in games that last days a window lasts as long"


def test_nobodys_time_runs_out_while_the_server_is_down() -> None:
    kept = Times.from_json(300, 2, {}, 0.0).asks(0, 1, False, 1000.0).to_json()
    assert Times.from_json(300, 2, kept, 1100.0).ends == 1300.0, "there was enough left"
    assert Times.from_json(300, 2, kept, 5000.0).ends == 5000.0 + GRACE
    hasty = Times(300, [300.0, 20.0], 1).asks(1, 1, False, 1000.0).to_json()
    assert Times.from_json(300, 2, hasty, 5000.0).ends == 5020.0, "but not more than there was"


def test_a_restart_gives_no_time_back() -> None:
    """Only whose time has run out meanwhile gets some."""
    kept = Times.from_json(MINUTE, 2, {}, 0.0).asks(0, 1, False, 1000.0).to_json()
    for now in (1000.0, 1021.4, 1059.0):
        again = Times.from_json(MINUTE, 2, kept, now)
        assert again.ends == 1060.0
        assert again.asks(1, 1, False, now).left[0] == 1060.0 - now
    long = Times.from_json(120, 2, {}, 0.0).asks(0, 1, False, 1000.0).to_json()
    assert Times.from_json(120, 2, long, 1076.6).ends == 1120.0
    assert Times.from_json(MINUTE, 2, kept, 1060.0).ends == 1060.0 + GRACE


def test_a_bot_plays_on_for_who_is_late_until_the_turn_is_over(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me", clock=MINUTE)
            async with house.guest(table, secrets[0]) as one, house.guest(table, secrets[1]) as two:
                dice = random.Random(1)
                live = house.registry.tables[table]
                while one.view is None or one.view["phase"] != "play":
                    await (await a_decision_of([one, two])).play(dice, 1)
                    await one.say(type="ping")
                late = await a_decision_of([one, two])
                clock = late.scene["clock"]
                assert late.view is not None
                assert clock["seat"] == late.view["you"]
                assert 0 < clock["ends"] - late.scene["now"] <= MINUTE
                turn = late.view["turn"]
                given = len(live.answers)
                hurry(live, 0.3)
                live.publish()
                while late.view["turn"] == turn and not late.is_over:
                    await late.hear()
                bots = [a for a in live.answers[given:] if a.seat == clock["seat"]]
                assert bots
                assert all(a.message_id == "" for a in bots)
                assert not late.scene["can_undo"], "what a bot chose is not taken back"
                assert late.table["seats"][clock["seat"]]["kind"] == "person"

    asyncio.run(visit())


def test_who_is_late_may_not_answer_any_more(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy", clock=MINUTE)
            async with house.guest(table, secrets[0]) as guest:
                while not guest.options:
                    await guest.hear()
                live = house.registry.tables[table]
                async with live.lock:
                    hurry(live, 0.0)
                    assert live.is_late(0)
                    said = asyncio.create_task(guest.answer(0))
                    await asyncio.sleep(0.1)
                answer = await said
                assert answer["type"] == "refused"
                # And gets the next turn.
                while live.is_late(0) or not guest.options:
                    await guest.hear()
                assert (await guest.answer(0))["type"] == "ack"

    asyncio.run(visit())


def test_the_clock_goes_on_without_anybody_there(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, idle=0.05) as house:
            table, secrets = await house.table("me", "easy", clock=MINUTE)
            async with house.guest(table, secrets[0]) as guest:
                while not guest.options:
                    await guest.hear()
            live = house.registry.tables[table]
            given = len(live.answers)
            hurry(live, 0.3)
            await asyncio.sleep(0.15)
            assert len(live.answers) == given
            await asyncio.sleep(1.0)
            assert house.registry.tables.get(table) is live, "it stays in memory as long as that"
            assert len(live.answers) > given
            await asyncio.sleep(0.1)

    asyncio.run(visit())


def test_the_clock_is_there_again_after_a_restart(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy", clock=300)
            async with house.guest(table, secrets[0]) as guest:
                await guest.play(random.Random(2), 5)
                while not guest.options:
                    await guest.hear()
                clock = guest.scene["clock"]
                assert clock["seat"] == 0
        async with serving(tmp_path) as house, house.guest(table, secrets[0]) as guest:
            assert guest.scene["clock"] == clock

    asyncio.run(visit())


def test_nobody_learns_from_the_clock_who_is_asked_in_a_window(tmp_path: Path) -> None:
    game = a_window(3)
    assert game.decision is not None
    asked = game.decision.player

    async def visit() -> None:
        table = await kept(tmp_path, game, clock=300)
        async with (
            serving(tmp_path) as house,
            house.guest(table, f"s{asked}") as one,
            house.guest(table, f"s{(asked + 1) % 3}") as two,
            house.guest(table) as watcher,
        ):
            assert one.scene["clock"]["seat"] == asked
            assert 50 < one.scene["clock"]["ends"] - one.scene["now"] <= 60
            assert two.scene["clock"] is None
            assert watcher.scene["clock"] is None
            assert not two.scene["can_undo"]

    asyncio.run(visit())


def test_tables_without_a_limit_have_no_clock(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy")
            async with house.guest(table, secrets[0]) as guest:
                await guest.play(random.Random(2), 5)
                assert guest.scene["clock"] is None
                assert guest.table["clock"] == 0
            wrong = await house.post("", seats=[{"kind": "me"}, {"kind": "bot"}], clock=7)
            assert wrong.status_code == 422

    asyncio.run(visit())


def test_a_clock_that_ran_out_is_found_with_nobody_there(tmp_path: Path) -> None:
    """In games that last days a table is not kept in memory until somebody is late."""

    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy", clock=86_400)
            async with house.guest(table, secrets[0]) as guest:
                while not guest.options:
                    await guest.hear()
            live = house.registry.tables[table]
            given = len(live.answers)
            assert not live.is_playing_itself, "it may leave the memory"
            assert live.times is not None
            # Long ago, and the last seconds of it.
            times = replace(live.times, since=5.0, ends=5.2, left=[0.2, 0.2])
            clock = json.dumps(times.to_json())
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as file, file:
            file.execute("UPDATE tables SET clock = ?", (clock,))
        async with serving(tmp_path) as house:
            for _ in range(100):
                await asyncio.sleep(0.05)
                if (
                    table in house.registry.tables
                    and len(house.registry.tables[table].answers) > given
                ):
                    break
            live = house.registry.tables[table]
            assert len(live.answers) > given, "nobody has asked for it"

    asyncio.run(visit())
