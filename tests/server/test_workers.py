"""Two workers, one database: each serves every table, and the database decides who was first."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from smashup.server.storage.notifications import CHANNEL
from smashup.server.storage.presence import Presence
from smashup.server.tables import synchronizer
from smashup.server.tables.synchronizer import Synchronizer
from tests.server.house import Guest, House, a_decision_of, serving
from tests.server.postgres_proxy import postgres_proxy
from tests.server.regulars import until

Workers = Callable[..., Any]


@pytest.fixture
def workers(tmp_path: Path, shared_database: str) -> Workers:
    """Two workers in this process, at addresses of their own."""

    @asynccontextmanager
    async def both(**more: Any) -> AsyncIterator[tuple[House, House]]:
        settings = {"database": shared_database, **more}
        async with serving(tmp_path, **settings) as one, serving(tmp_path, **settings) as two:
            yield one, two

    return both


async def play_on(guests: list[Guest], dice: random.Random, answers: int) -> None:
    for _ in range(answers):
        if not guests[0].is_over:
            await (await a_decision_of(guests)).play(dice, 1)


async def same_view(guests: list[Guest]) -> None:
    """Wait until all guests see the same bases and log."""

    def seen(guest: Guest) -> Any:
        bases = [(base["id"], base["total"]) for base in (guest.view or {"bases": []})["bases"]]
        return bases, max(guest.log, default=0), guest.table["state"]

    async with asyncio.timeout(10):
        while len({str(seen(guest)) for guest in guests}) > 1:
            for guest in guests:
                await guest.say(type="ping")
            await asyncio.sleep(0.02)


async def close_code(guest: Guest) -> int:
    """Wait until a guest is disconnected; with which code."""
    with pytest.raises(ConnectionClosed) as closed:
        await guest.until("never")
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def cut_connections(database: str, which: str = "") -> None:
    """Terminate the connections of all workers to PostgreSQL."""
    with psycopg.connect(database, autocommit=True) as line:
        line.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE %s"
            " AND datname = current_database() AND pid <> pg_backend_pid()",
            (f"{which}%",),
        )


def test_people_at_two_workers_play_at_one_table(workers: Workers) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            table, (secret,) = await one.table("me", "open", listed=True)
            async with one.guest(table, secret) as ana:
                joined = await two.post(f"/{table}/join", name="Bo")
                assert joined.status_code == 201
                mine = joined.json()["seats"][0]["secret"]
                async with two.guest(table, mine, lang="fr") as bo, two.guest(table) as eve:
                    assert (await two.look(table))["state"] == "playing"
                    await until(lambda: one.registry.tables[table].is_connected(1), 10)
                    for house in (one, two):
                        here = [seat["here"] for seat in (await house.look(table))["seats"]]
                        assert here == [True, True]
                        lobby = (await house.http.get("/api/tables?state=playing")).json()
                        (shown,) = lobby["tables"]
                        assert [seat["here"] for seat in shown["seats"]] == here
                    await play_on([ana, bo], random.Random(4), 20)
                    await same_view([ana, bo, eve])
                    assert "said" in str(bo.scene), "sentences in Bo's language"
                    assert (await ana.say(type="chat", text="one"))["type"] == "ack"
                    assert (await bo.say(type="chat", text="two"))["type"] == "ack"
                    for guest in (ana, bo, eve):
                        while len(guest.chat) < 2:
                            await guest.hear()
                        assert [line["text"] for line in guest.chat] == ["one", "two"]
                await until(lambda: not one.registry.tables[table].is_connected(1), 10)
                assert (await two.post(f"/{table}/resign", mine)).status_code == 200
                while not ana.is_over:
                    await ana.hear()
            # Playing again: agreed on at one worker, and then at the other.
            again = await two.post(f"/{table}/rematch", mine)
            following = again.json()["table"]["id"]
            async with two.guest(following, mine) as bo:
                agreed = await one.post(f"/{table}/rematch", secret)
                assert agreed.json()["table"]["id"] == following
                assert agreed.json()["table"]["state"] == "playing"
                while bo.table["state"] != "playing":
                    await bo.hear()

    asyncio.run(visit())


def test_the_slower_of_two_answers_is_stale_and_a_repeated_one_counts_once(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            monkeypatch.setattr(two.registry.synchronizer, "on_change", lambda *_: None)
            monkeypatch.setattr(two.registry.synchronizer.notifier, "_on_change", lambda *_: None)
            monkeypatch.setattr(two.registry.synchronizer, "_catch_up_soon", lambda _: None)
            async with one.guest(table, secrets[0]) as a, one.guest(table, secrets[1]) as b:
                asked = await a_decision_of([a, b])
                secret = secrets[0] if asked is a else secrets[1]
                async with two.guest(table, secret) as late:
                    number = late.number
                    assert (await asked.answer(0, id="first"))["type"] == "ack"
                    assert len(two.registry.tables[table].answers) == 0, "it does not know yet"
                    refused = await late.answer(1, number=number, id="second")
                    assert (refused["type"], refused["stale"]) == ("refused", True)
                    assert refused["number"] == number + 1
                    ahead = one.registry.tables[table]
                    behind = two.registry.tables[table]
                    assert behind.log.entries == ahead.log.entries
                    assert behind.game.digest() == ahead.game.digest()
                    # The same message at another worker: it is committed, and acknowledged again.
                    again = await late.answer(0, number=number, id="first")
                    assert (again["type"], again["number"]) == ("ack", number + 1)
                    stored = await one.registry.store.load(table)
                    ids = [entry.message_id for entry in stored.entries if entry.message_id]
                    assert ids == ["first"]

    asyncio.run(visit())


def test_an_answer_sent_to_two_workers_at_once_counts_once(workers: Workers) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            dice = random.Random(8)
            for turn in range(25):
                async with (
                    one.guest(table, secrets[0]) as a,
                    one.guest(table, secrets[1]) as b,
                ):
                    asked = await a_decision_of([a, b])
                    secret = secrets[0] if asked is a else secrets[1]
                    async with two.guest(table, secret) as other:
                        same, option = turn % 2 == 0, dice.randrange(len(asked.options))
                        answers = await asyncio.gather(
                            asked.answer(option, id=f"m{turn}"),
                            other.answer(option, id=f"m{turn}" if same else f"n{turn}"),
                        )
                        types = sorted(answer["type"] for answer in answers)
                        assert types == (["ack", "ack"] if same else ["ack", "refused"])
                        assert same or any(answer.get("stale") for answer in answers)
            stored = await one.registry.store.load(table)
            ids = [entry.message_id for entry in stored.entries if entry.message_id]
            assert len(ids) == len(set(ids)) == 25

    asyncio.run(visit())


def test_seats_are_given_to_the_first_who_asks(workers: Workers) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            for _ in range(10):
                table, _ = await one.table("me", "open")
                answers = await asyncio.gather(
                    *(house.post(f"/{table}/join", name="x") for house in (one, two))
                )
                assert sorted(answer.status_code for answer in answers) == [201, 409]
                table, _ = await one.table("me", "open", "open")
                answers = await asyncio.gather(
                    *(house.post(f"/{table}/join", name="x") for house in (one, two))
                )
                assert [answer.status_code for answer in answers] == [201, 201]
                assert {answer.json()["seats"][0]["seat"] for answer in answers} == {1, 2}
                assert (await two.look(table))["state"] == "playing"

    asyncio.run(visit())


def test_an_undo_is_requested_at_one_worker_and_agreed_to_at_the_other(workers: Workers) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            dice = random.Random(3)
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                houses = {id(ana): one, id(bo): two}
                undone = 0
                for _ in range(120):
                    guest = await a_decision_of([ana, bo])
                    other = bo if guest is ana else ana
                    before, number = guest.view, guest.number or 0
                    await guest.play(dice, 1)
                    await guest.say(type="ping")
                    if not guest.scene["can_undo"] or guest.view == before:
                        continue
                    asked = await guest.undo()
                    if asked["type"] == "refused":
                        continue  # it would tell of hidden cards
                    while other.scene["undo"] is None:
                        await other.hear()
                    wish = other.scene["undo"]["number"]
                    vote = await other.say(type="agree", wish=wish, yes=True)
                    assert vote["type"] == "ack"
                    while guest.scene["undo"] is not None:
                        await guest.hear()
                    assert guest.view == before
                    assert (guest.number or 0) > number, "no number means two decisions"
                    await same_view([ana, bo])
                    tables = [house.registry.tables[table] for house in houses.values()]
                    assert tables[0].game.digest() == tables[1].game.digest()
                    assert tables[0].choices == tables[1].choices
                    undone += 1
                    if undone == 2:
                        break
                assert undone == 2

    asyncio.run(visit())


def test_lost_notifications_are_made_up_for(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synchronizer, "POLL_SECONDS", 0.3)
    monkeypatch.setattr(Synchronizer, "on_change", lambda *_: None)

    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], random.Random(6), 6)
                await ana.say(type="chat", text="hello")
                while not bo.chat:
                    await bo.hear()
                await same_view([ana, bo])

    asyncio.run(visit())


def test_a_worker_that_loses_its_notifications_listens_again_and_catches_up(
    workers: Workers, shared_database: str
) -> None:
    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], random.Random(6), 4)
                notifiers = [house.registry.synchronizer.notifier for house in (one, two)]
                cut_connections(shared_database, "LISTEN")
                await until(lambda: not any(n.is_listening for n in notifiers), 5)
                await until(lambda: all(n.is_listening for n in notifiers), 5)
                await play_on([ana, bo], random.Random(7), 4)
                await same_view([ana, bo])

    asyncio.run(visit())


def test_viewers_are_disconnected_rather_than_shown_an_old_state(
    workers: Workers, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synchronizer, "MAX_DEAF_SECONDS", 0.5)

    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:

                async def unreachable(**_: Any) -> None:
                    raise OSError

                with monkeypatch.context() as patch:
                    notifier = two.registry.synchronizer.notifier
                    patch.setattr(notifier._database, "connect", unreachable)
                    cut_connections(shared_database, "LISTEN")
                    assert await close_code(bo) == 1012
                await ana.say(type="ping")
            await until(lambda: two.registry.synchronizer.notifier.is_listening, 10)
            async with two.guest(table, secrets[1]):
                pass

    asyncio.run(visit())


def test_a_worker_whose_database_hangs_disconnects_its_viewers_and_says_so(
    tmp_path: Path, shared_database: str
) -> None:
    """A connection that hangs does not fail: silence alone must be enough."""

    async def visit() -> None:
        async with (
            postgres_proxy(shared_database) as proxy,
            serving(tmp_path, database=shared_database) as one,
            serving(tmp_path, database=proxy.url) as two,
        ):
            table, secrets = await one.table("me", "me")
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], random.Random(5), 4)
                proxy.hang()
                began = time.monotonic()
                answer = await two.http.get("/healthz", timeout=10)
                assert answer.status_code == 503
                assert time.monotonic() - began < 3
                async with asyncio.timeout(10):
                    assert await close_code(bo) == 1012
                assert not two.registry.synchronizer.notifier.is_listening
                await ana.say(type="ping")
            proxy.resume()
            await until(lambda: two.registry.synchronizer.notifier.is_listening, 10)
            async with two.guest(table, secrets[1]):
                pass
            assert (await two.http.get("/healthz", timeout=10)).status_code == 200

    asyncio.run(visit())


def test_notifications_contain_ids_and_numbers_only(workers: Workers, shared_database: str) -> None:
    async def visit() -> None:
        line = await psycopg.AsyncConnection.connect(shared_database, autocommit=True)
        await line.execute(f"LISTEN {CHANNEL}")
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await ana.say(type="chat", text="hello")
                await play_on([ana, bo], random.Random(6), 10)
                names = {house.registry.store.worker for house in (one, two)}
        heard = [n.payload async for n in line.notifies(timeout=0.5)]
        await line.close()
        assert heard
        numbers = []
        for payload in heard:
            worker, tables = json.loads(payload)
            assert worker in names
            assert set(tables) == {table}
            numbers += tables.values()
        assert all(isinstance(number, int) for number in numbers)
        assert max(numbers) >= 10

    asyncio.run(visit())


def test_a_worker_that_leaves_hands_everything_over(workers: Workers) -> None:
    """People come back at the other worker, and bots play on there."""

    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            bots, _ = await one.table("easy", "easy")
            dice = random.Random(2)
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], dice, 5)
                given = (await two.registry.store.positions([table]))[table].entries
                await one.registry.leave()
                assert await close_code(ana) == 1012
                await bo.say(type="ping")
            async with two.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                assert len(two.registry.tables[table].log) == given
                await play_on([ana, bo], dice, 3)
            await until(lambda: bots in two.registry.tables, 20)
            before = len(two.registry.tables[bots].log)
            await until(lambda: len(two.registry.tables[bots].log) > before, 20)

    asyncio.run(visit())


def test_a_worker_that_stops_leaves_no_task_and_no_presence(
    tmp_path: Path, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task that runs on would hold a connection whose pool is gone."""
    note = Presence.note

    async def note_slowly(presence: Presence, *args: Any) -> None:
        async with presence._store.transaction():
            await asyncio.sleep(0.5)
        await note(presence, *args)

    monkeypatch.setattr(Presence, "note", note_slowly)

    def left_over() -> list[str]:
        names = [str(task.get_coro()) for task in asyncio.all_tasks()]
        return [name for name in names if "Viewers" in name or "AutoPlayer" in name]

    async def visit() -> None:
        async with AsyncExitStack() as guests:
            async with serving(tmp_path, database=shared_database) as house:
                table, secrets = await house.table("me", "me")
                for secret in secrets:
                    await guests.enter_async_context(house.guest(table, secret))
                await house.table("easy", "easy")
            assert left_over() == []
            with psycopg.connect(shared_database) as line:
                assert line.execute("SELECT count(*) FROM presence").fetchone() == (0,)

    asyncio.run(visit())


def test_what_is_overdue_is_done_by_another_worker(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker stops in the middle of a bot's turn, and of a turn with a time limit."""

    async def visit() -> None:
        async with workers() as (one, two):
            table, (secret,) = await one.table("me", "easy")
            clock, (mine,) = await one.table("me", "easy", clock=60)
            async with one.guest(table, secret) as a, one.guest(clock, mine) as b:
                for guest in (a, b):
                    while not guest.options:
                        await guest.hear()
            # From now on worker one does nothing by itself.
            for live in one.registry.tables.values():
                monkeypatch.setattr(live._player, "wake", lambda: None)
                await live._player.stop()
            monkeypatch.setattr(
                one.registry.store.due_times, "claim", lambda *_: asyncio.sleep(0, [])
            )
            async with one.guest(table, secret) as guest:
                while (await a_decision_of([guest])) is guest:
                    option = len(guest.options) - 1
                    before = guest.number
                    await guest.answer(option)
                    if one.registry.tables[table].game.decision.player == 1:
                        break
                began = time.monotonic()
                assert one.registry.tables[table].record.due_at is not None
                while guest.number == before or not guest.options:
                    await guest.hear()
                assert time.monotonic() - began < 15
            assert two.registry.tables[table].game is not None
            await two.registry.store.due_times.advance([clock], 1.0)
            await until(lambda: clock in two.registry.tables, 10)

    asyncio.run(visit())


def test_a_database_that_was_away_is_found_again(workers: Workers, shared_database: str) -> None:
    """Everyone is told to come back, and nobody is told what is wrong with the database."""

    async def visit() -> None:
        async with workers() as (one, two):
            table, secrets = await one.table("me", "me")
            dice = random.Random(3)
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], dice, 4)
                before = len(one.registry.tables[table].answers)
                asked = await a_decision_of([ana, bo])
                cut_connections(shared_database)
                with pytest.raises(ConnectionClosed) as closed:
                    await asked.answer(0)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code in (1001, 1012)
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                await play_on([ana, bo], dice, 4)
                assert len(one.registry.tables[table].answers) > before
                await same_view([ana, bo])

    asyncio.run(visit())
