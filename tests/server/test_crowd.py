"""Two workers, one database: whoever calls either of them finds the same tables."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis.asyncio import Redis as Line
from websockets.exceptions import ConnectionClosed

from scripts.backing import Redis
from smashup.server.crowd.exchange import Exchange
from tests.server.house import Guest, House, a_decision_of, serving
from tests.server.regulars import until

Workers = Callable[..., Any]


@pytest.fixture
def workers(tmp_path: Path, shared_database: str, redis: Redis) -> Workers:
    """Two workers in this process, at addresses of their own."""

    @asynccontextmanager
    async def both(**more: Any) -> AsyncIterator[tuple[House, House]]:
        settings = {"database": shared_database, "redis": redis.url, **more}
        async with serving(tmp_path, **settings) as one, serving(tmp_path, **settings) as two:
            yield one, two

    return both


def where(table: str, *houses: House) -> list[House]:
    """Where a table is in memory."""
    return [house for house in houses if house.hub.has(table)]


async def play_on(guests: list[Guest], dice: random.Random, answers: int) -> None:
    for _ in range(answers):
        if not guests[0].is_over:
            await (await a_decision_of(guests)).play(dice, 1)


async def forget(line: Line, house: House) -> str:
    """Redis forgets a worker, as it does when one stalls, and remembers all else; its key."""
    assert house.hub.neighbours is not None
    exchange = house.hub.neighbours.exchange
    key = f"{exchange.space}:worker:{exchange.name}"
    await line.delete(key)
    await line.set(f"{exchange.space}:since", 1)
    return key


async def is_cut_off(guest: Guest) -> int:
    """Wait until a guest is told to come back; with which code."""
    with pytest.raises(ConnectionClosed) as closed:
        await guest.until("never")
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_people_at_two_workers_play_at_one_table(workers: Workers) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            table, (secret,) = await one.table("me", "open", listed=True)
            async with one.guest(table, secret) as ana:
                joined = await two.post(f"/{table}/join", name="Bo")
                assert joined.status_code == 201
                assert joined.headers["x-frame-options"] == "DENY"
                mine = joined.json()["seats"][0]["secret"]
                async with two.guest(table, mine, lang="fr") as bo, two.guest(table) as eve:
                    assert where(table, one, two) == [one]
                    here = [seat["here"] for seat in (await two.look(table))["seats"]]
                    assert here == [True, True]
                    lobbies = [
                        (await house.http.get("/api/tables?state=playing")).json()
                        for house in (one, two)
                    ]
                    assert lobbies[0] == lobbies[1]
                    assert [seat["here"] for seat in lobbies[0]["tables"][0]["seats"]] == here
                    await play_on([ana, bo, eve], random.Random(4), 20)
                    for guest in (ana, bo, eve):
                        await guest.say(type="ping")
                    tables = [
                        [(base["id"], base["total"]) for base in guest.view["bases"]]
                        for guest in (ana, bo, eve)
                        if guest.view
                    ]
                    assert tables[0] == tables[1] == tables[2]
                    assert "said" in str(bo.scene), "sentences in Bo's language"
                    known = bo.version
                # Who was cut off for a moment hears only what was missed.
                await play_on([ana], random.Random(5), 1 if ana.options else 0)
                async with two.back(bo, table, mine):
                    assert bo.version >= known
                    assert "snapshot" not in [said["type"] for said in bo.heard]
                    assert (await two.post(f"/{table}/resign", mine)).status_code == 200
                    while not (ana.is_over and bo.is_over):
                        await (bo if ana.is_over else ana).hear()
                # Playing again: agreed on at one worker, and then at the other.
                again = await two.post(f"/{table}/rematch", mine)
                following = again.json()["table"]["id"]
                async with two.guest(following, mine) as bo:
                    assert where(following, one, two) == [two]
                    agreed = await one.post(f"/{table}/rematch", secret)
                    assert agreed.json()["table"]["state"] == "playing"
                    await bo.until("update")
                    assert bo.table["state"] == "playing"

    asyncio.run(visit())


def test_what_cannot_be_done_is_said_wherever_it_is_asked(workers: Workers) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            table, (secret,) = await one.table("me", "open")
            async with one.guest(table, secret):
                for house in (one, two):
                    assert (await house.http.get("/api/tables/nowhere")).status_code == 404
                    refused = await house.post(f"/{table}/resign", "wrong")
                    assert refused.status_code == 403
                    assert "opens no seat" in refused.text
                    malformed = await house.post(f"/{table}/join", seat="two")
                    assert malformed.status_code == 422
                    longest = await house.post(f"/{table}/join", name="x" * 20_000)
                    assert longest.status_code == 413
                async with two.guest(table) as eve:
                    await eve.line.send(b"\xff\x00")
                    assert (await eve.until("refused"))["reason"]
                    await eve.line.send("x" * 9_000)
                    assert await is_cut_off(eve) == 1009

    asyncio.run(visit())


def test_a_table_goes_to_where_somebody_is(workers: Workers) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            table, (secret,) = await one.table("me", "easy")
            assert where(table, one, two) == [one]
            async with two.guest(table, secret) as guest:
                assert where(table, one, two) == [two]
                await guest.play(random.Random(1), 5)
                async with one.guest(table):
                    assert where(table, one, two) == [two], "somebody is there"

    asyncio.run(visit())


def test_who_leaves_hands_everything_over(workers: Workers, tmp_path: Path) -> None:
    """A worker that is told to stop: people come back at the other, and bots play on there."""

    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            bots, _ = await one.table("easy", "easy")
            waiting, _ = await one.table("me", "open")
            dice = random.Random(2)
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], dice, 5)
                given = len(one.hub.tables[table].answers)
                await one.hub.leave()
                assert await is_cut_off(ana) in (1001, 1012)
                assert await is_cut_off(bo) in (1001, 1012)
            refused = await one.http.get(f"/api/tables/{table}")
            assert refused.status_code == 503
            async with two.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                assert len(two.hub.tables[table].answers) == given
                await play_on([ana, bo], dice, 3)
            await until(lambda: where(bots, two))
            assert (await two.hub.store.hold(waiting)).owner == "", "anybody may have it"

    asyncio.run(visit())


def test_a_worker_that_lost_a_table_and_does_not_know_cannot_write(
    workers: Workers, redis: Redis
) -> None:
    async def visit() -> None:
        # So long that nothing is noticed by itself.
        async with workers(lease=60) as (one, two), Line.from_url(redis.url) as line:
            table, secrets = await one.table("me", "me")
            one.hub.neighbours.exchange.tells.pop("taken")
            dice = random.Random(3)
            async with one.guest(table, secrets[0]) as ana, one.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], dice, 6)
                before = len(one.hub.tables[table].answers)
                await forget(line, one)
                async with two.guest(table, secrets[0]):
                    assert where(table, one, two) == [one, two], "both believe to have it"
                    asked = await a_decision_of([ana, bo])
                    with pytest.raises(ConnectionClosed):
                        await asked.answer(0, id="late")
                    kept = await two.hub.store.load(table)
                    assert len(kept.answers) == before, "nothing was written"
                    assert where(table, one, two) == [two]
                    # The same answer, sent again, counts at the worker that has the table.
                    secret = secrets[0] if asked is ana else secrets[1]
                    async with one.guest(table, secret) as again:
                        assert where(table, one, two) == [two]
                        answer = await again.answer(0, id="late")
                        assert answer["type"] == "ack"
                    assert two.hub.tables[table].answers[before].message == "late"

    asyncio.run(visit())


def test_a_worker_in_doubt_shows_nobody_what_is_past(
    workers: Workers, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has seen how the game went on elsewhere, and comes here, is not taken back in time."""

    async def visit() -> None:
        async with workers(lease=60) as (one, two), Line.from_url(redis.url) as line:
            table, secrets = await one.table("me", "me")
            one.hub.neighbours.exchange.tells.pop("taken")
            await forget(line, one)
            async with two.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], random.Random(3), 6)
            assert where(table, one, two) == [one, two], "both believe to have it"
            played = len(two.hub.tables[table].answers)
            known = (ana.number, bo.number)
            # It stood still for so long that others may have taken it for dead, and so it asks.
            monkeypatch.setattr(
                Exchange, "is_sure", property(lambda exchange: exchange.name != one.hub.name)
            )
            with pytest.raises(ConnectionClosed):
                async with one.guest(table, secrets[0]):
                    pass
            assert where(table, one, two) == [two]
            async with one.guest(table, secrets[0]) as ana, one.guest(table, secrets[1]) as bo:
                assert (ana.number, bo.number) == known
            (house,) = where(table, one, two)
            assert len(house.hub.tables[table].answers) == played

    asyncio.run(visit())


def test_a_worker_that_lives_after_all_knows_before_its_table_goes_on_elsewhere(
    workers: Workers, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit() -> None:
        async with workers(lease=60) as (one, two), Line.from_url(redis.url) as line:
            table, (secret,) = await one.table("me", "easy")
            one.hub.neighbours.exchange.tells.pop("taken")  # what is only told may be lost
            key = await forget(line, one)
            claim = two.hub.store.claim

            async def late(*about: Any) -> Any:
                await line.set(key, "")  # it was found dead, and now it is heard of again
                return await claim(*about)

            monkeypatch.setattr(two.hub.store, "claim", late)
            async with two.guest(table, secret):
                assert where(table, one, two) == [two]

    asyncio.run(visit())


def test_who_gives_up_while_taking_a_table_over_keeps_it_from_nobody(
    workers: Workers, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit() -> None:
        async with workers(lease=60) as (one, two), Line.from_url(redis.url) as line:
            table, _ = await one.table("me", "easy")
            await forget(line, one)

            async def hang_up(*about: Any) -> None:
                raise asyncio.CancelledError

            with monkeypatch.context() as patch:
                patch.setattr(two.hub.neighbours, "took", hang_up)
                with pytest.raises(asyncio.CancelledError):
                    async with two.hub.use(table):
                        pass
            assert (await two.hub.store.hold(table)).owner == ""

    asyncio.run(visit())


def test_a_worker_is_in_doubt_as_long_as_it_cannot_say_that_it_lives(
    workers: Workers, redis: Redis
) -> None:
    async def visit() -> None:
        async with workers(lease=1) as (one, _), Line.from_url(redis.url) as line:
            exchange = one.hub.neighbours.exchange
            assert exchange.is_sure
            await line.client_pause(1500)
            await until(lambda: not exchange.is_sure)
            await until(lambda: exchange.is_sure)

    asyncio.run(visit())


def test_a_worker_that_was_taken_for_dead_lets_go(workers: Workers, redis: Redis) -> None:
    async def visit() -> None:
        async with workers(lease=60) as (one, two), Line.from_url(redis.url) as line:
            table, (secret,) = await one.table("me", "easy")
            async with one.guest(table, secret) as guest:
                await forget(line, one)
                await two.look(table)
                assert where(table, two)
                assert await is_cut_off(guest) in (1001, 1012)
                assert where(table, one, two) == [two]

    asyncio.run(visit())


def test_a_redis_that_lost_its_memory_makes_nobody_dead(workers: Workers, redis: Redis) -> None:
    async def visit() -> None:
        async with workers(lease=2) as (one, two), Line.from_url(redis.url) as line:
            table, secrets = await one.table("me", "me")
            dice = random.Random(3)
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await line.flushall()
                began = time.monotonic()
                while time.monotonic() - began < 3:
                    await play_on([ana, bo], dice, 1)
                    assert (await two.look(table))["id"] == table
                    await asyncio.sleep(0.1)
                assert where(table, one, two) == [one]

    asyncio.run(visit())


def test_lines_to_redis_break_and_everybody_comes_back(workers: Workers, redis: Redis) -> None:
    async def visit() -> None:
        async with workers() as (one, two), Line.from_url(redis.url) as line:
            table, secrets = await one.table("me", "me")
            dice = random.Random(3)
            async with one.guest(table, secrets[0]) as ana:
                for _ in range(3):
                    async with two.guest(table, secrets[1]) as bo:
                        await play_on([ana, bo], dice, 2)
                        await line.client_kill_filter(_type="pubsub")
                        assert await is_cut_off(bo) == 1012
                    await ana.say(type="ping")
                assert where(table, one, two) == [one]

    asyncio.run(visit())


def test_a_database_that_was_away_is_found_again(
    workers: Workers, shared_database: str, tmp_path: Path
) -> None:
    """Everybody is told to come back, and nobody is told what is wrong with the database."""

    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            dice = random.Random(3)
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], dice, 4)
                before = len(one.hub.tables[table].answers)
                with psycopg.connect(shared_database, autocommit=True) as line:
                    line.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                asked = await a_decision_of([ana, bo])
                with pytest.raises(ConnectionClosed):
                    await asked.answer(0)
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                assert len(where(table, one, two)) == 1
                await play_on([ana, bo], dice, 4)
                (house,) = where(table, one, two)
                assert len(house.hub.tables[table].answers) > before

    asyncio.run(visit())
