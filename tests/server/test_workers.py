"""Two workers with one database: each serves every table, and the database resolves conflicts."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from scripts.postgres_proxy import postgres_proxy
from smashup.server.storage.notifications import CHANNEL
from smashup.server.storage.presence import Presence
from smashup.server.tables import synchronizer
from smashup.server.tables.seats import seating
from smashup.server.tables.synchronizer import Synchronizer
from tests.server.live_server import GameClient, LiveServer, run_server, wait_for_decision
from tests.server.reconnecting_players import wait_until
from tests.server.test_authored_plugins import (
    create_stuck_table,
    play_until_failure,
    shows_failure,
    write_stuck_faction,
)

Workers = Callable[..., Any]


@pytest.fixture
def workers(tmp_path: Path, shared_database: str, monkeypatch: pytest.MonkeyPatch) -> Workers:
    """Run two workers in this process, at different addresses."""
    # On a busy machine a heartbeat may be late: do not disconnect viewers for that.
    monkeypatch.setattr(synchronizer, "MAX_DISCONNECTED_SECONDS", 20.0)

    @asynccontextmanager
    async def both(**more: Any) -> AsyncIterator[tuple[LiveServer, LiveServer]]:
        settings = {"database": shared_database, **more}
        async with run_server(tmp_path, **settings) as one, run_server(tmp_path, **settings) as two:
            yield one, two

    return both


def ignore_notifications(worker: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a worker learn of changes only when it asks for them."""
    watching = worker.registry.synchronizer
    monkeypatch.setattr(watching, "on_change", lambda *_: None)
    monkeypatch.setattr(watching.notifier, "_on_change", lambda *_: None)
    monkeypatch.setattr(watching, "_catch_up_soon", lambda _: None)


async def play_answers(clients: list[GameClient], rng: random.Random, answers: int) -> None:
    for _ in range(answers):
        if not clients[0].is_over:
            await (await wait_for_decision(clients)).play(rng, 1)


async def same_view(clients: list[GameClient]) -> None:
    """Wait until all guests see the same bases and log."""

    def seen(client: GameClient) -> Any:
        bases = [(base["id"], base["total"]) for base in (client.view or {"bases": []})["bases"]]
        return bases, max(client.log, default=0), client.table["state"]

    async with asyncio.timeout(10):
        while len({str(seen(client)) for client in clients}) > 1:
            for client in clients:
                await client.request(type="ping")
            await asyncio.sleep(0.02)


async def close_code(client: GameClient) -> int:
    """Wait until a guest is disconnected; return the close code."""
    with pytest.raises(ConnectionClosed) as closed:
        await client.receive_until("never")
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def wait_until_healthy(*houses: LiveServer) -> None:
    """Wait until workers can use the database again after their connections were cut."""
    async with asyncio.timeout(60):
        for server in houses:
            while (await server.http.get("/healthz")).status_code != 200:
                await asyncio.sleep(0.1)


def cut_connections(database: str, which: str = "") -> None:
    """Terminate the connections of all workers to PostgreSQL."""
    with psycopg.connect(database, autocommit=True) as line:
        line.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE %s"
            " AND datname = current_database() AND pid <> pg_backend_pid()",
            (f"{which}%",),
        )


async def test_players_at_two_workers_share_a_table(workers: Workers) -> None:
    async with workers() as (one, two):
        table, (secret,) = await one.create_table("me", "open", listed=True)
        async with one.connect(table, secret) as ana:
            joined = await two.post(f"/{table}/join", name="Bo")
            assert joined.status_code == 201
            mine = joined.json()["seats"][0]["secret"]
            async with two.connect(table, mine, lang="fr") as bo, two.connect(table) as eve:
                assert (await two.get_table(table))["state"] == "playing"
                await wait_until(lambda: one.registry.tables[table].is_connected(1), 10)
                for server in (one, two):
                    here = [seat["here"] for seat in (await server.get_table(table))["seats"]]
                    assert here == [True, True]
                    lobby = (await server.http.get("/api/tables?state=playing")).json()
                    (shown,) = lobby["tables"]
                    assert [seat["here"] for seat in shown["seats"]] == here
                await play_answers([ana, bo], random.Random(4), 20)
                await same_view([ana, bo, eve])
                assert "said" in str(bo.state), "sentences in Bo's language"
                assert (await ana.request(type="chat", text="one"))["type"] == "ack"
                assert (await bo.request(type="chat", text="two"))["type"] == "ack"
                for client in (ana, bo, eve):
                    while len(client.chat) < 2:
                        await client.receive()
                    assert [line["text"] for line in client.chat] == ["one", "two"]
            await wait_until(lambda: not one.registry.tables[table].is_connected(1), 10)
            assert (await two.post(f"/{table}/resign", mine)).status_code == 200
            while not ana.is_over:
                await ana.receive()
        # A rematch: agreed to at one worker, then at the other.
        again = await two.post(f"/{table}/rematch", mine)
        following = again.json()["table"]["id"]
        async with two.connect(following, mine) as bo:
            agreed = await one.post(f"/{table}/rematch", secret)
            assert agreed.json()["table"]["id"] == following
            assert agreed.json()["table"]["state"] == "playing"
            while bo.table["state"] != "playing":
                await bo.receive()


async def test_the_slower_of_two_answers_is_stale_and_a_repeated_one_counts_once(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        ignore_notifications(two, monkeypatch)
        async with one.connect(table, secrets[0]) as a, one.connect(table, secrets[1]) as b:
            asked = await wait_for_decision([a, b])
            secret = secrets[0] if asked is a else secrets[1]
            async with two.connect(table, secret) as late:
                number = late.number
                assert (await asked.answer(0, id="first"))["type"] == "ack"
                assert len(two.registry.tables[table].answers) == 0, "it does not know yet"
                refused = await late.answer(1, number=number, id="second")
                assert (refused["type"], refused["stale"]) == ("refused", True)
                ahead = one.registry.tables[table]
                assert refused["number"] == ahead.decision_number(secrets.index(secret)) > number
                behind = two.registry.tables[table]
                assert behind.log.entries == ahead.log.entries
                assert behind.game.digest() == ahead.game.digest()
                # The same message at another worker: it is committed, and acknowledged again.
                again = await late.answer(0, number=number, id="first")
                assert (again["type"], again["number"]) == ("ack", number + 1)
                stored = await one.registry.store.load(table)
                ids = [entry.message_id for entry in stored.entries if entry.message_id]
                assert ids == ["first"]


async def test_an_answer_counts_although_another_worker_changed_a_seat_first(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused answer must never count. It could if the decision stays open: the player may have
    sent it to another worker too, which stalls and commits it later."""
    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        ignore_notifications(two, monkeypatch)
        async with two.connect(table, secrets[0]) as a, two.connect(table, secrets[1]) as b:
            asked = await wait_for_decision([a, b])
            other = secrets[1] if asked is a else secrets[0]
            changed = await one.http.patch(
                f"/api/tables/{table}/seat",
                json={"name": "Bo"},
                headers={"Authorization": f"Bearer {other}"},
            )
            assert changed.status_code == 200, changed.text
            assert len(two.registry.tables[table].log) < len(one.registry.tables[table].log)
            number = asked.number or 0
            reply = await asked.answer(0, id="once")
            assert (reply["type"], reply["number"]) == ("ack", number + 1)


async def test_a_worker_that_is_two_answers_behind_acknowledges_what_is_stored(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker may die between committing and acknowledging an answer, before it can notify the
    others: the player then sends the answer again, to a worker that knows nothing of it."""
    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        ignore_notifications(two, monkeypatch)
        async with one.connect(table, secrets[0]) as a, one.connect(table, secrets[1]) as b:
            asked = await wait_for_decision([a, b])
            while asked.view is None or asked.view["phase"] != "play":  # before the first turn
                await asked.play(random.Random(1), 1)
                asked = await wait_for_decision([a, b])
            secret = secrets[0] if asked is a else secrets[1]
            async with two.connect(table, secret) as late:
                known = len(two.registry.tables[table].answers)
                for message in range(10):
                    number = asked.number or 0
                    assert (await asked.answer(0, id=f"m{message}"))["type"] == "ack"
                    await asked.request(type="ping")
                    if message and not asked.options:
                        break
                assert message, "the player was asked twice"
                assert len(two.registry.tables[table].answers) == known, "it knows nothing more"
                again = await late.answer(0, number=number, id=f"m{message}")
                assert (again["type"], again["number"]) == ("ack", number + 1)


async def test_all_workers_know_a_choice_that_was_undone_because_a_card_failed(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "new_secret", lambda: f"{1:064x}")  # always the same game
    file, _ = write_stuck_faction(tmp_path)
    async with workers(faction_files=(str(file),)) as (one, two):
        table, secret = await create_stuck_table(one)
        async with one.connect(table, secret) as client, two.connect(table) as watcher:
            await play_until_failure(client)
            while not shows_failure(watcher):
                await watcher.receive()
            known = [worker.registry.tables[table].choices for worker in (one, two)]
            assert known[0] == known[1]
            assert known[1].after_failure


async def test_an_answer_refused_for_lack_of_time_does_not_count_later(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me", clock=60)
        async with one.connect(table, secrets[0]) as a, one.connect(table, secrets[1]) as b:
            asked = await wait_for_decision([a, b])
            seat = 0 if asked is a else 1
            async with two.connect(table, secrets[seat]) as late:
                while not late.options:
                    await late.receive()
                released = asyncio.Event()
                append = one.registry.store.append

                async def append_late(*args: Any, **more: Any) -> None:
                    await released.wait()
                    await append(*args, **more)

                # The first worker received the answer in time, and its database hangs.
                monkeypatch.setattr(one.registry.store, "append", append_late)
                first = asyncio.create_task(asked.answer(0, id="hanging"))
                await wait_until(one.registry.tables[table].lock.locked, 10)
                live = two.registry.tables[table]
                live.clock = replace(live.clock, ends=live.clock.since)
                again = await late.answer(0, id="hanging")
                assert (again["type"], again["code"]) == ("refused", "out_of_time")
                released.set()
                assert (await first)["type"] == "refused"
        stored = await one.registry.store.load(table)
        assert not [entry for entry in stored.entries if entry.message_id == "hanging"]


async def test_an_answer_sent_to_two_workers_at_once_counts_once(workers: Workers) -> None:
    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        rng = random.Random(8)
        for turn in range(25):
            async with (
                one.connect(table, secrets[0]) as a,
                one.connect(table, secrets[1]) as b,
            ):
                asked = await wait_for_decision([a, b])
                secret = secrets[0] if asked is a else secrets[1]
                async with two.connect(table, secret) as other:
                    same, option = turn % 2 == 0, rng.randrange(len(asked.options))
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


async def test_a_seat_goes_to_the_first_request(workers: Workers) -> None:
    async with workers() as (one, two):
        for _ in range(10):
            table, _ = await one.create_table("me", "open")
            answers = await asyncio.gather(
                *(server.post(f"/{table}/join", name="x") for server in (one, two))
            )
            assert sorted(answer.status_code for answer in answers) == [201, 409]
            table, _ = await one.create_table("me", "open", "open")
            answers = await asyncio.gather(
                *(server.post(f"/{table}/join", name="x") for server in (one, two))
            )
            assert [answer.status_code for answer in answers] == [201, 201]
            assert {answer.json()["seats"][0]["seat"] for answer in answers} == {1, 2}
            assert (await two.get_table(table))["state"] == "playing"


async def test_an_undo_is_requested_at_one_worker_and_agreed_to_at_the_other(
    workers: Workers,
) -> None:
    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        rng = random.Random(3)
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            houses = {id(ana): one, id(bo): two}
            undone = 0
            for _ in range(120):
                client = await wait_for_decision([ana, bo])
                other = bo if client is ana else ana
                before, number = client.view, client.number or 0
                await client.play(rng, 1)
                await client.request(type="ping")
                if not client.state["can_undo"] or client.view == before:
                    continue
                asked = await client.undo()
                if asked["type"] == "refused":
                    continue  # it would reveal hidden cards
                while other.state["undo"] is None:
                    await other.receive()
                wish = other.state["undo"]["number"]
                vote = await other.request(type="agree", wish=wish, yes=True)
                assert vote["type"] == "ack"
                while client.state["undo"] is not None:
                    await client.receive()
                assert client.view == before
                assert (client.number or 0) > number, "no number means two decisions"
                await same_view([ana, bo])
                tables = [server.registry.tables[table] for server in houses.values()]
                assert tables[0].game.digest() == tables[1].game.digest()
                assert tables[0].choices == tables[1].choices
                undone += 1
                if undone == 2:
                    break
            assert undone == 2


async def test_polling_replaces_lost_notifications(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synchronizer, "POLL_SECONDS", 0.3)
    monkeypatch.setattr(Synchronizer, "on_change", lambda *_: None)

    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            await play_answers([ana, bo], random.Random(6), 6)
            await ana.request(type="chat", text="hello")
            while not bo.chat:
                await bo.receive()
            await same_view([ana, bo])


async def test_a_worker_reconnects_to_notifications_and_catches_up(
    workers: Workers, shared_database: str
) -> None:
    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            await play_answers([ana, bo], random.Random(6), 4)
            notifiers = [server.registry.synchronizer.notifier for server in (one, two)]
            cut_connections(shared_database, "LISTEN")
            await wait_until(lambda: not any(n.is_listening for n in notifiers), 5)
            await wait_until(lambda: all(n.is_listening for n in notifiers), 5)
            await play_answers([ana, bo], random.Random(7), 4)
            await same_view([ana, bo])


async def test_viewers_are_disconnected_without_notifications(
    workers: Workers, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        synchronizer, "MAX_DISCONNECTED_SECONDS", 1.5
    )  # the other worker reconnects sooner

    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:

            async def unreachable(**_: Any) -> None:
                raise OSError

            with monkeypatch.context() as patch:
                notifier = two.registry.synchronizer.notifier
                patch.setattr(notifier._database, "connect", unreachable)
                cut_connections(shared_database, "LISTEN")
                assert await close_code(bo) == 1012
            await ana.request(type="ping")
        await wait_until(lambda: two.registry.synchronizer.notifier.is_listening, 10)
        async with two.connect(table, secrets[1]):
            pass


async def test_a_worker_with_a_hanging_database_disconnects_viewers_and_is_unhealthy(
    tmp_path: Path, shared_database: str
) -> None:
    """A connection that hangs does not fail: silence alone must be enough."""

    async with (
        postgres_proxy(shared_database) as proxy,
        run_server(tmp_path, database=shared_database) as one,
        run_server(tmp_path, database=proxy.url) as two,
    ):
        table, secrets = await one.create_table("me", "me")
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            await play_answers([ana, bo], random.Random(5), 4)
            proxy.hang()
            started = time.monotonic()
            answer = await two.http.get("/healthz", timeout=10)
            assert answer.status_code == 503
            assert time.monotonic() - started < 3
            async with asyncio.timeout(10):
                assert await close_code(bo) == 1012
            assert not two.registry.synchronizer.notifier.is_listening
            await ana.request(type="ping")
        proxy.resume()
        await wait_until(lambda: two.registry.synchronizer.notifier.is_listening, 10)
        async with two.connect(table, secrets[1]):
            pass
        assert (await two.http.get("/healthz", timeout=10)).status_code == 200


async def test_notifications_contain_ids_and_numbers_only(
    workers: Workers, shared_database: str
) -> None:
    line = await psycopg.AsyncConnection.connect(shared_database, autocommit=True)
    await line.execute(f"LISTEN {CHANNEL}")
    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            await ana.request(type="chat", text="hello")
            await play_answers([ana, bo], random.Random(6), 10)
            names = {server.registry.store.worker for server in (one, two)}
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


async def test_a_stopping_worker_hands_its_tables_over(workers: Workers) -> None:
    """Players reconnect to the other worker, where bots continue."""

    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        bots, _ = await one.create_table("easy", "easy")
        rng = random.Random(2)
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            await play_answers([ana, bo], rng, 5)
            given = (await two.registry.store.positions([table]))[table].entries
            await one.registry.leave()
            assert await close_code(ana) == 1012
            await bo.request(type="ping")
        async with two.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            assert len(two.registry.tables[table].log) == given
            await play_answers([ana, bo], rng, 3)
        await wait_until(lambda: bots in two.registry.tables, 20)
        before = len(two.registry.tables[bots].log)
        await wait_until(lambda: len(two.registry.tables[bots].log) > before, 20)


def test_a_stopped_worker_leaves_no_tasks_and_no_presence(
    tmp_path: Path, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A remaining task would hold a connection of a closed pool."""
    note = Presence.set_present

    async def note_slowly(presence: Presence, *args: Any) -> None:
        async with presence._store.transaction():
            await asyncio.sleep(0.5)
        await note(presence, *args)

    monkeypatch.setattr(Presence, "set_present", note_slowly)

    def left_over() -> list[str]:
        names = [str(task.get_coro()) for task in asyncio.all_tasks()]
        return [name for name in names if "Viewers" in name or "AutoPlayer" in name]

    async def visit() -> None:
        async with AsyncExitStack() as clients:
            async with run_server(tmp_path, database=shared_database) as server:
                table, secrets = await server.create_table("me", "me")
                for secret in secrets:
                    await clients.enter_async_context(server.connect(table, secret))
                await server.create_table("easy", "easy")
            assert left_over() == []
            with psycopg.connect(shared_database) as line:
                assert line.execute("SELECT count(*) FROM presence").fetchone() == (0,)

    asyncio.run(visit())


async def test_overdue_actions_are_performed_by_another_worker(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker stops in the middle of a bot's turn, and of a turn with a time limit."""

    async with workers() as (one, two):
        table, (secret,) = await one.create_table("me", "easy")
        clock, (mine,) = await one.create_table("me", "easy", clock=60)
        async with one.connect(table, secret) as a, one.connect(clock, mine) as b:
            for client in (a, b):
                while not client.options:
                    await client.receive()
        # From now on, worker one performs no actions.
        for live in one.registry.tables.values():
            monkeypatch.setattr(live._auto_player, "wake", lambda: None)
            await live._auto_player.stop()
        monkeypatch.setattr(one.registry.store.due_times, "claim", lambda *_: asyncio.sleep(0, []))
        async with one.connect(table, secret) as client:
            while (await wait_for_decision([client])) is client:
                option = len(client.options) - 1
                before = client.number
                await client.answer(option)
                if one.registry.tables[table].game.decision.player == 1:
                    break
            started = time.monotonic()
            assert one.registry.tables[table].record.due_at is not None
            while client.number == before or not client.options:
                await client.receive()
            assert time.monotonic() - started < 15
        assert two.registry.tables[table].game is not None
        await two.registry.store.due_times.advance([clock], 1.0)
        await wait_until(lambda: clock in two.registry.tables, 10)


async def test_workers_reconnect_to_the_database(workers: Workers, shared_database: str) -> None:
    """Clients have to reconnect, and do not learn what is wrong with the database."""

    async with workers() as (one, two):
        table, secrets = await one.create_table("me", "me")
        rng = random.Random(3)
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            await play_answers([ana, bo], rng, 4)
            before = len(one.registry.tables[table].answers)
            asked = await wait_for_decision([ana, bo])
            cut_connections(shared_database)
            with pytest.raises(ConnectionClosed) as closed:
                await asked.answer(0)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code in (1001, 1012)
        await wait_until_healthy(one, two)
        async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
            await play_answers([ana, bo], rng, 4)
            assert len(one.registry.tables[table].answers) > before
            await same_view([ana, bo])
