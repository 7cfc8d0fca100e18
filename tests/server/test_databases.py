"""SQLite and PostgreSQL keep the same, and keep it the same way."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from scripts.backing import Postgres
from smashup.engine.errors import SaveError
from smashup.server.storage import postgres
from smashup.server.storage.records import (
    AnswerRecord,
    ChatRecord,
    Kept,
    ReportRecord,
    SeatRecord,
    Snapshot,
    TableRecord,
)
from smashup.server.storage.schema import STEPS
from smashup.server.storage.store import Hold, NotHeld, OutOfReach, Store, is_shareable, store_at

Database = Path | str
BROKEN = (sqlite3.IntegrityError, psycopg.IntegrityError)


@asynccontextmanager
async def opened(database: Database, shared: bool = False) -> AsyncIterator[Store]:
    store = store_at(database, shared)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


def execute(database: Database, *statements: str) -> list[Any]:
    """Meddle with a database, or look into it; what the last statement finds."""
    found: list[Any] = []
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as file, file:
            for statement in statements:
                found = file.execute(statement).fetchall()
    else:
        with psycopg.connect(database) as line:
            for statement in statements:
                cursor = line.execute(statement)
                found = cursor.fetchall() if cursor.description else []
    return found


def a_table(id_: str = "t", **more: Any) -> TableRecord:
    return TableRecord(id_, {"mode": "draft"}, 1.5, **more)


def test_what_is_written_is_read_again(database: Database) -> None:
    async def visit() -> None:
        table = TableRecord(
            "t", {"players": 2}, 1234567890.125, True, "playing", {"seed": 2**60}, {"é": "ß→"}, 3,
            "1.0", [1, 0], "next", {"left": [1.5]},
        )  # fmt: skip
        seats = [
            SeatRecord(0, "person", "hard", "Zoë 🦖", "fr", "card", ["a"], "s", ["f", "g"], True,
                       False, True, {"1": "easy"}),
            SeatRecord(1, left=True),
        ]  # fmt: skip
        answers = [AnswerRecord(0, 1, 5, "m"), AnswerRecord(1, 0, 0)]
        menu = Snapshot(2, "digest", {"big": 2**70})
        line = ChatRecord(0, 1, 99.5, "hi “you”", "")
        report = ReportRecord("r", 2.5, "t", "bug", {"x": [None]})
        async with opened(database) as store:
            await store.write(table, seats, answers, menu)
            await store.say("t", line)
            await store.keep_replay("t", b"\0\xff")
            await store.keep_replay("t", b"\1\xfe")
            await store.report(report)
        async with opened(database) as store:
            kept = await store.load("t")
            assert kept == Kept(table, seats, answers, menu, [line])
            assert await store.load("u") is None
            assert await store.replay("t") == b"\1\xfe"
            assert await store.replay("u") is None
            assert await store.reports(5) == [report]
            assert await store.forget_words(99.5) == 0
            assert await store.forget_words(100) == 1
            assert await store.forget_reports(3) == 1
            kept = await store.load("t")
            assert kept is not None
            assert kept.chat == [ChatRecord(0, 1, 99.5, "", "")]

    asyncio.run(visit())


def test_a_write_is_all_or_nothing(database: Database) -> None:
    async def visit() -> None:
        async with opened(database) as store:
            table = a_table()
            await store.write(table, [SeatRecord(0)], [AnswerRecord(0, 0, 3, "m")])
            table.state = "over"
            with pytest.raises(BROKEN):
                await store.write(table, [SeatRecord(1)], [AnswerRecord(0, 0, 4)])
            kept = await store.load("t")
            assert kept == Kept(a_table(), [SeatRecord(0)], [AnswerRecord(0, 0, 3, "m")])

    asyncio.run(visit())


def test_answers_are_never_changed_or_removed(database: Database) -> None:
    async def visit() -> None:
        async with opened(database) as store:
            await store.write(a_table(), [], [AnswerRecord(0, 0, 3, "m")])

    asyncio.run(visit())
    for statement in ("UPDATE answers SET option = 9", "DELETE FROM answers"):
        with pytest.raises(BROKEN, match="answers are never"):
            execute(database, statement)


def test_what_is_written_together_fails_alone(database: Database) -> None:
    """Many writes wait for the disk at once; one that cannot be done does not harm the others."""

    async def visit() -> None:
        async with opened(database) as store:
            names = [str(n) for n in range(40)]
            await store.write(a_table("7"), (), [AnswerRecord(0, 0, 9)])
            await store.write(a_table("9"))
            await store.claim("9", "somebody", Hold("", 0))
            results = await asyncio.gather(
                *(store.write(a_table(n), (), [AnswerRecord(0, 0, 1)]) for n in names),
                return_exceptions=True,
            )
            failed = [n for n, result in zip(names, results, strict=True) if result is not None]
            assert failed == ["7", "9"]
            assert isinstance(results[7], BROKEN)
            assert isinstance(results[9], NotHeld)
            for name in names:
                kept = await store.load(name)
                assert kept is not None
                options = {"7": [9], "9": []}.get(name, [1])
                assert [a.option for a in kept.answers] == options

    asyncio.run(visit())


def test_whoever_stops_waiting_stops_nobody_else(database: Database) -> None:
    async def visit() -> None:
        async with opened(database) as store:
            one = asyncio.create_task(store.write(a_table("1")))
            two = asyncio.create_task(store.write(a_table("2")))
            await asyncio.sleep(0)
            one.cancel()
            await two
            assert one.cancelled()
            assert await store.load("2") is not None

    asyncio.run(visit())


def test_a_table_is_claimed_once_and_written_by_its_owner_only(database: Database) -> None:
    async def visit() -> None:
        async with opened(database) as store:
            assert await store.hold("t") is None
            await store.write(a_table())
            nobody = await store.hold("t")
            assert nobody == Hold("", 0)
            ana = await store.claim("t", "ana", nobody)
            assert ana == Hold("ana", 1)
            assert await store.claim("t", "bo", nobody) is None, "ana was faster"
            await store.write(a_table(), (), [AnswerRecord(0, 0, 1)], epoch=1)
            with pytest.raises(NotHeld):
                await store.write(a_table(), (), [AnswerRecord(1, 0, 2)])
            bo = await store.claim("t", "bo", ana)
            assert bo == Hold("bo", 2)
            # Everything ana may still want to write is too late.
            for late in (
                store.write(a_table(state="over"), epoch=1),
                store.write(a_table(), (), [AnswerRecord(1, 0, 2)], same=True, epoch=1),
                store.say("t", ChatRecord(0, 0, 1.0, "late"), epoch=1),
            ):
                with pytest.raises(NotHeld):
                    await late
            await store.release("t", ana)
            assert await store.hold("t") == bo, "it is not ana's to give away"
            await store.say("t", ChatRecord(0, 0, 1.0, "in time"), epoch=2)
            kept = await store.load("t")
            assert kept is not None
            assert (kept.table.state, len(kept.answers), len(kept.chat)) == ("open", 1, 1)
            assert await store.owners() == {"bo"}
            assert await store.owned("bo") == {"t": "open"}
            assert await store.remove("open", time.time() + 9, (), 9) == 0, "somebody has it"
            await store.release("t", bo)
            assert await store.owners() == set()
            assert await store.owned("bo") == {}
            assert await store.remove("open", time.time() + 9, (), 9) == 1
            assert await store.load("t") is None

    asyncio.run(visit())
    for name in ("answers", "seats", "chat"):
        assert execute(database, f"SELECT count(*) FROM {name}") == [(0,)]


def test_old_tables_are_removed_with_all_that_belongs_to_them(database: Database) -> None:
    async def visit() -> None:
        async with opened(database) as store:
            for name in ("used", "old", "older", "new"):
                await store.write(
                    a_table(name), [SeatRecord(0)], [AnswerRecord(0, 0, 3)], Snapshot(1, "d", {})
                )
                await store.say(name, ChatRecord(0, 0, 1.0, "hello"))
                await store.keep_replay(name, b"how it went")
        execute(
            database,
            "UPDATE tables SET changed = 1500000005 WHERE id = 'old' OR id = 'used'",
            "UPDATE tables SET changed = 1500000003 WHERE id = 'older'",
        )
        async with opened(database) as store:
            assert await store.remove("over", 1_500_000_010, (), 9) == 0
            assert await store.remove("open", 1_500_000_010, {"used"}, 1) == 1
            assert await store.load("older") is None
            assert await store.load("old") is not None
            assert await store.remove("open", 1_500_000_010, {"used"}, 9) == 1
            assert await store.load("used") is not None
            assert await store.load("new") is not None

    asyncio.run(visit())
    for name in ("answers", "snapshots", "seats", "chat", "replays"):
        assert execute(database, f"SELECT count(*) FROM {name}") == [(2,)]


def test_names_are_forgotten_and_clocks_found(database: Database) -> None:
    async def visit() -> None:
        async with opened(database) as store:
            ana = SeatRecord(0, "person", name="Ana", secret="hash")
            bot = SeatRecord(1, "bot", name="Robo")
            for name, state, ends in (
                ("a", "over", 5.0),
                ("b", "playing", 9.0),
                ("c", "playing", 7.0),
            ):
                clock = {"seat": 0, "since": 1.0, "ends": ends}
                await store.write(a_table(name, state=state, clock=clock), [ana, bot])
            await store.write(a_table("d", state="playing"))
            assert await store.due(8.0) == ["c"]
            assert await store.due(10.0) == ["c", "b"]
            assert await store.forget_names(time.time() - 60) == 0
            assert await store.forget_names(time.time() + 60) == 1
            for name, called in (("a", "P1"), ("b", "Ana")):
                kept = await store.load(name)
                assert kept is not None
                assert [seat.name for seat in kept.seats] == [called, "Robo"]

    asyncio.run(visit())


# --- schemas --------------------------------------------------------------------------------


def of_version(database: Database, version: int) -> None:
    """A database as an earlier version of this program has left it, with a table in it."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as file:
            for step in STEPS[:version]:
                file.executescript(step.sqlite)
            file.execute(f"PRAGMA user_version = {version}")
    else:
        with psycopg.connect(database) as line:
            line.execute("CREATE TABLE about (version INTEGER, identity TEXT)")
            line.execute("INSERT INTO about VALUES (%s, 'x')", (version,))
            for step in STEPS[:version]:
                line.execute(step.postgres)
    execute(
        database,
        "INSERT INTO tables (id, created, listed, state, options, start, start_at, rules, winners,"
        " rematch) VALUES ('t', 2.5, 1, 'playing', '{\"a\": 1}', '{}', 0, '0.9', '[]', '')",
        "INSERT INTO seats (table_id, number, kind, level, name, lang, windows, secret, factions,"
        " ready, gone, resigned, votes) VALUES"
        " ('t', 0, 'person', '', 'Ana', 'fr', 'ask', 'hash', '[\"Ninjas\"]', 1, 0, 0, '{}')",
        "INSERT INTO answers (table_id, number, seat, option, message) VALUES ('t', 0, 0, 4, 'm')",
        "INSERT INTO snapshots (table_id, at, digest, facts) VALUES ('t', 1, 'd', '{}')",
    )


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_a_database_of_an_earlier_version_is_brought_up_to_date(
    database: Database, version: int
) -> None:
    of_version(database, version)

    async def visit() -> None:
        async with opened(database) as store:
            kept = await store.load("t")
            assert kept == Kept(
                TableRecord("t", {"a": 1}, 2.5, True, "playing", rules="0.9"),
                [SeatRecord(0, "person", "", "Ana", "fr", secret="hash", factions=["Ninjas"],
                            ready=True)],
                [AnswerRecord(0, 0, 4, "m")],
                Snapshot(1, "d", {}),
            )  # fmt: skip
            hold = await store.claim("t", "ana", Hold("", 0))
            assert hold is not None
            await store.write(kept.table, kept.seats, [AnswerRecord(1, 0, 5)], epoch=hold.epoch)
            await store.say("t", ChatRecord(0, 0, 3.5, "hello"), epoch=hold.epoch)

    began = time.time()
    asyncio.run(visit())
    ((changed,),) = execute(database, "SELECT changed FROM tables")
    assert changed >= began - 1
    with pytest.raises(BROKEN, match="answers are never"):
        execute(database, "DELETE FROM answers")


def test_workers_that_start_at_once_bring_it_up_to_date_once(shared_database: str) -> None:
    of_version(shared_database, 1)

    async def visit() -> None:
        stores = [store_at(shared_database, shared=True) for _ in range(5)]
        await asyncio.gather(*(store.open() for store in stores))
        for store in stores:
            kept = await store.load("t")
            assert kept is not None
            assert kept.answers == [AnswerRecord(0, 0, 4, "m")]
            await store.close()

    asyncio.run(visit())
    assert execute(shared_database, "SELECT version FROM about") == [(len(STEPS),)]


def test_a_newer_database_is_left_alone(database: Database) -> None:
    async def visit() -> None:
        async with opened(database):
            pass

    asyncio.run(visit())
    newer = len(STEPS) + 1
    sqlite, postgres = f"PRAGMA user_version = {newer}", f"UPDATE about SET version = {newer}"
    execute(database, sqlite if isinstance(database, Path) else postgres)
    with pytest.raises(SaveError, match="written by a newer version"):
        asyncio.run(visit())


# --- what cannot be used --------------------------------------------------------------------


def test_one_server_a_database_but_for_workers_who_share_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("sqlite", "postgres"):
        monkeypatch.setattr(f"smashup.server.stores.{kind}.PATIENCE", 0.2)

    async def twice(one: bool, other: bool) -> None:
        async with opened(database, one), opened(database, other):
            pass

    for one, other in ((False, False), (True, False), (False, True)):
        if is_shareable(database) or not one:
            with pytest.raises(SaveError, match="another server is running"):
                asyncio.run(twice(one, other))
    if is_shareable(database):
        asyncio.run(twice(True, True))


def test_files_that_are_no_databases(tmp_path: Path) -> None:
    async def visit() -> None:
        async with opened(tmp_path / "text.sqlite"):
            pass

    (tmp_path / "text.sqlite").write_text("Dear diary, today we played Smash Up. " * 99)
    with pytest.raises(SaveError, match="not a database"):
        asyncio.run(visit())


def test_a_file_may_be_given_as_an_address(tmp_path: Path) -> None:
    async def visit() -> None:
        async with opened(f"sqlite:///{tmp_path}/a.sqlite"):
            pass

    asyncio.run(visit())
    assert (tmp_path / "a.sqlite").exists()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://ana:hush@127.0.0.1:1/games", "127.0.0.1:1/games cannot be used: .*refused"),
        ("postgresql://ana:hu sh@127.0.0.1:1/games", "no address of a database"),
        ("postgresql://ana:x@hush@127.0.0.1:1/games", "no address of a database"),
        ("postgresql://ana:hush@127.0.0.1:1/games?nonsense=hush", "no address of a database"),
    ],
)
def test_addresses_that_lead_nowhere_do_not_tell_secrets(url: str, why: str) -> None:
    async def visit() -> None:
        async with opened(url):
            pass

    with pytest.raises(SaveError, match=why) as caught:
        asyncio.run(visit())
    assert "hush" not in str(caught.value)
    assert "hu sh" not in str(caught.value)


def test_a_lost_connection_is_taken_up_again(shared_database: str, postgres: Postgres) -> None:
    """What was on its way when it broke has failed; the next write finds its way."""

    async def visit() -> None:
        async with opened(shared_database) as store:
            await store.write(a_table())
            with psycopg.connect(postgres.url(), autocommit=True) as line:
                line.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = 'smashup' AND datname = %s",
                    (shared_database.split("/")[3].split("?")[0],),
                )
            results = await asyncio.gather(
                *(store.write(a_table(str(n))) for n in range(5)), return_exceptions=True
            )
            assert all(isinstance(result, OutOfReach) for result in results)
            await store.write(a_table("u"))
            assert await store.load("u") is not None

    asyncio.run(visit())


def test_who_stops_in_the_middle_of_sending_keeps_nobody_from_a_table(
    shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database would wait for the rest, whatever limits there are, and keep it locked."""
    limits = [limit.replace("'8s'", "'2s'") for limit in postgres.LIMITS]
    assert limits != list(postgres.LIMITS)
    monkeypatch.setattr(postgres, "LIMITS", limits)
    monkeypatch.setattr(postgres, "STALLED", postgres.STALLED.replace("4 seconds", "1 second"))

    async def visit() -> None:
        async with opened(shared_database, shared=True) as store:
            await store.write(a_table())
            nobody = await store.hold("t")
            assert nobody is not None
            with closing(psycopg.connect(shared_database, application_name="smashup")) as line:
                line.execute("SET idle_in_transaction_session_timeout = '1s'")
                line.commit()
                line.pgconn.enter_pipeline_mode()
                line.pgconn.send_query_params(b"BEGIN", None)
                line.pgconn.send_query_params(b"SELECT 1 FROM tables FOR UPDATE", None)
                line.pgconn.flush()
                while not execute(
                    shared_database, "SELECT 1 FROM pg_locks WHERE mode = 'RowShareLock'"
                ):
                    await asyncio.sleep(0.02)
                with pytest.raises(OutOfReach):
                    await store.claim("t", "bo", nobody)
                assert await store.claim("t", "bo", nobody) == Hold("bo", 1)

    asyncio.run(visit())
