"""SQLite and PostgreSQL store the same data in the same way."""

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
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from smashup.engine.errors import SaveError
from smashup.server.errors import DatabaseUnavailable, EntryExists
from smashup.server.storage import migrating
from smashup.server.storage.records import (
    ChatRecord,
    EntryKind,
    LogEntry,
    ReportRecord,
    SeatRecord,
    StoredSnapshot,
    StoredTable,
    TableRecord,
)
from smashup.server.storage.schema import METADATA
from smashup.server.storage.store import Position, Store, is_shareable, store_at
from smashup.server.tables.table_log import answer_entry

Database = Path | str
BROKEN = (sqlite3.IntegrityError, psycopg.IntegrityError)


@asynccontextmanager
async def open_store(database: Database) -> AsyncIterator[Store]:
    store = store_at(database)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


def execute(database: Database, *statements: str) -> list[Any]:
    """Execute statements; return the result of the last one."""
    found: list[Any] = []
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as file, file:
            file.execute("PRAGMA foreign_keys = ON")
            for statement in statements:
                found = file.execute(statement).fetchall()
    else:
        with psycopg.connect(database) as line:
            for statement in statements:
                cursor = line.execute(statement)
                found = cursor.fetchall() if cursor.description else []
    return found


def make_table(id_: str = "t", **more: Any) -> TableRecord:
    return TableRecord(id_, {"mode": "draft"}, 1.5, **more)


async def test_stored_data_is_loaded_unchanged(database: Database) -> None:
    table = TableRecord(
        "t", {"players": 2}, 1234567890.125, True, "playing", {"seed": 2**60}, {"é": "ß→"}, 3,
        "1.0", [1, 0], "next", {"left": [1.5]}, 99.25,
    )  # fmt: skip
    seats = [
        SeatRecord(0, "person", "hard", "Zoë 🦖", "fr", "card", ["a"], "s", ["f", "g"], True,
                   False, True, {"1": "easy"}),
        SeatRecord(1, left=True),
    ]  # fmt: skip
    entries = [
        answer_entry(0, 1, 5, "m"),
        LogEntry(1, EntryKind.SEATS, data={"seats": [1]}),
        LogEntry(2, EntryKind.UNDO, 0, "u", {"count": 1}),
    ]
    menu = StoredSnapshot(2, "digest", {"big": 2**70})
    line = ChatRecord(0, 1, 99.5, "hi “you”", "", "c")
    report = ReportRecord("r", 2.5, "t", "bug", {"x": [None]})
    async with open_store(database) as store:
        await store.create_table(table, seats, entries, menu)
        await store.add_chat("t", line)
        await store.save_replay("t", b"\0\xff")
        await store.save_replay("t", b"\1\xfe")
        await store.add_report(report)
    async with open_store(database) as store:
        assert await store.load("t") == StoredTable(table, seats, entries, menu, [line])
        assert await store.load("u") is None
        changes = await store.load_changes("t", Position(2, 1))
        assert changes is not None
        assert (changes.table, changes.seats) == (table, seats)
        assert (changes.entries, changes.chat) == (entries[2:], [])
        assert await store.positions(["t", "u"]) == {"t": Position(3, 1)}
        assert await store.load_replay("t") == b"\1\xfe"
        assert await store.load_replay("u") is None
        assert await store.list_reports(5) == [report]
        assert await store.cleanup.delete_chat_text(99.5) == 0
        assert await store.cleanup.delete_chat_text(100) == 1
        assert await store.cleanup.delete_reports(3) == 1
        stored = await store.load("t")
        assert stored is not None
        assert stored.chat == [ChatRecord(0, 1, 99.5, "", "", "c")]


async def test_the_first_entry_with_a_number_wins(
    database: Database,
) -> None:
    async with open_store(database) as store:
        table = make_table()
        await store.create_table(table, [SeatRecord(0)])
        results = await asyncio.gather(
            *(
                store.append(
                    make_table(state=state),
                    [answer_entry(0, 0, option, state)],
                    [SeatRecord(0, name=state)],
                    StoredSnapshot(1, state, {}),
                )
                for option, state in enumerate(("playing", "over"))
            ),
            return_exceptions=True,
        )
        assert results[0] is None
        assert isinstance(results[1], EntryExists)
        stored = await store.load("t")
        assert stored is not None
        assert stored.table.state == "playing"
        assert [seat.name for seat in stored.seats] == ["playing"]
        assert [entry.message_id for entry in stored.entries] == ["playing"]
        assert stored.snapshot == StoredSnapshot(1, "playing", {})
        with pytest.raises(EntryExists):
            await store.append(table, [answer_entry(1, 0, 1), answer_entry(0, 0, 1)])
        assert await store.positions(["t"]) == {"t": Position(1, 0)}
        with pytest.raises(EntryExists):
            await store.append(make_table("gone"), [answer_entry(0, 0, 1)])
        await store.add_chat("t", ChatRecord(0, 0, 1.0, "first"))
        with pytest.raises(EntryExists):
            await store.add_chat("t", ChatRecord(0, 0, 1.0, "second"))


async def test_concurrent_appends_have_one_winner(shared_database: str) -> None:
    async with open_store(shared_database) as one, open_store(shared_database) as two:
        await one.create_table(make_table())
        for number in range(30):
            results = await asyncio.gather(
                *(
                    store.append(make_table(), [answer_entry(number, 0, 0, store.worker)])
                    for store in (one, two)
                ),
                return_exceptions=True,
            )
            assert {type(result) for result in results} == {EntryExists, type(None)}
        stored = await two.load("t")
        assert stored is not None
        assert [entry.number for entry in stored.entries] == list(range(30))


def test_log_entries_are_never_changed_or_removed(database: Database) -> None:
    async def visit() -> None:
        async with open_store(database) as store:
            await store.create_table(make_table(), [SeatRecord(0)], [answer_entry(0, 0, 3, "m")])

    asyncio.run(visit())
    for statement in ("UPDATE log_entries SET data = '{}'", "DELETE FROM log_entries"):
        with pytest.raises(BROKEN, match="log entries are never"):
            execute(database, statement)
    execute(database, "DELETE FROM tables")
    assert execute(database, "SELECT count(*) FROM log_entries") == [(0,)]


async def test_a_failing_write_does_not_affect_its_batch(database: Database) -> None:
    """Concurrent writes are committed together; one that is too late does not affect others."""

    async with open_store(database) as store:
        names = [str(n) for n in range(40)]
        for name in names:
            await store.create_table(make_table(name))
        await store.append(make_table("7"), [answer_entry(0, 0, 9)])
        results = await asyncio.gather(
            *(store.append(make_table(n), [answer_entry(0, 0, 1)]) for n in names),
            return_exceptions=True,
        )
        failed = [n for n, result in zip(names, results, strict=True) if result is not None]
        assert failed == ["7"]
        assert isinstance(results[7], EntryExists)
        for name in names:
            stored = await store.load(name)
            assert stored is not None
            assert [e.option for e in stored.entries] == ([9] if name == "7" else [1])


async def test_writes_that_arrive_during_a_commit_are_committed_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_store(tmp_path / "tables.sqlite") as store:
        batches: list[int] = []
        commit = store._committer._commit

        async def counted(batch: list[Any]) -> None:
            batches.append(len(batch))
            await commit(batch)

        monkeypatch.setattr(store._committer, "_commit", counted)
        await asyncio.gather(*(store.create_table(make_table(str(n))) for n in range(50)))
        assert sum(batches) == 50
        assert len(batches) <= 2


async def test_a_cancelled_write_does_not_affect_others(database: Database) -> None:
    async with open_store(database) as store:
        one = asyncio.create_task(store.create_table(make_table("1")))
        two = asyncio.create_task(store.create_table(make_table("2")))
        await asyncio.sleep(0)
        one.cancel()
        await two
        assert one.cancelled()
        assert await store.load("2") is not None


def test_old_tables_are_deleted_with_all_their_data(database: Database) -> None:
    async def visit() -> None:
        async with open_store(database) as store:
            for name in ("used", "old", "older", "new"):
                await store.create_table(
                    make_table(name),
                    [SeatRecord(0)],
                    [answer_entry(0, 0, 3)],
                    StoredSnapshot(1, "d", {}),
                )
                await store.add_chat(name, ChatRecord(0, 0, 1.0, "hello"))
                await store.save_replay(name, b"how it went")
        execute(
            database,
            "UPDATE tables SET changed = 1500000005 WHERE id = 'old' OR id = 'used'",
            "UPDATE tables SET changed = 1500000003 WHERE id = 'older'",
        )
        async with open_store(database) as store:
            assert await store.cleanup.remove_tables("over", 1_500_000_010, (), 9) == 0
            assert await store.cleanup.remove_tables("open", 1_500_000_010, {"used"}, 1) == 1
            assert await store.load("older") is None
            assert await store.load("old") is not None
            assert await store.cleanup.remove_tables("open", 1_500_000_010, {"used"}, 9) == 1
            assert await store.load("used") is not None
            assert await store.load("new") is not None

    asyncio.run(visit())
    for name in ("log_entries", "snapshots", "seats", "chat", "replays"):
        assert execute(database, f"SELECT count(*) FROM {name}") == [(2,)]


async def test_closing_waits_for_open_transactions_and_refuses_others(database: Database) -> None:
    """No background task may keep a connection after the engine is disposed."""

    store = store_at(database)
    await store.open()
    started = asyncio.Event()

    async def write() -> None:
        async with store.transaction() as connection:
            started.set()
            await asyncio.sleep(0.2)
            await connection.execute(text("DELETE FROM presence"))

    writing = asyncio.create_task(write())
    await started.wait()
    await store.close()
    assert writing.done()
    await writing
    with pytest.raises(DatabaseUnavailable):
        await store.ping()


async def test_closing_cancels_a_hanging_transaction(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smashup.server.storage.store.CLOSE_SECONDS", 0.2)

    store = store_at(database)
    await store.open()
    started = asyncio.Event()

    async def hang() -> None:
        async with store.transaction():
            started.set()
            await asyncio.sleep(600)

    hanging = asyncio.create_task(hang())
    await started.wait()
    await store.close()
    assert hanging.cancelled()


async def test_workers_know_connections_of_other_workers(
    shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_store(shared_database) as one, open_store(shared_database) as two:
        await one.create_table(make_table(), [SeatRecord(0), SeatRecord(1)])
        await one.presence.set_present("t", 1, True)
        await one.presence.set_present("t", -1, True)
        assert await two.presence.connected_elsewhere(["t"]) == {"t": {1, -1}}
        assert await one.presence.connected_elsewhere(["t"]) == {}
        stored = await two.load("t")
        assert stored is not None
        assert stored.present == {1, -1}
        assert await two.cleanup.remove_tables("open", time.time() + 9, (), 9) == 0, (
            "someone watches"
        )
        await one.presence.set_present("t", -1, False)
        assert await two.presence.connected_elsewhere(["t"]) == {"t": {1}}
        # A killed worker does not delete its rows.
        execute(shared_database, "UPDATE presence SET seen_at = seen_at - 20")
        assert await two.presence.connected_elsewhere(["t"]) == {}
        await one.presence.refresh()
        assert await two.presence.connected_elsewhere(["t"]) == {"t": {1}}
        execute(shared_database, "UPDATE presence SET seen_at = seen_at - 90")
        await two.presence.refresh()
        assert execute(shared_database, "SELECT count(*) FROM presence") == [(0,)]
        await one.presence.set_present("t", 0, True)
        await one.presence.remove_all()
        assert await two.presence.connected_elsewhere(["t"]) == {}


# --- migrations -----------------------------------------------------------------------------


def revision_of(database: Database) -> str:
    ((revision,),) = execute(database, "SELECT version_num FROM alembic_version")
    return str(revision)


def test_a_new_database_has_the_current_schema(database: Database) -> None:
    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, METADATA))

    async def visit() -> None:
        async with open_store(database) as store, store.transaction() as connection:
            assert await connection.run_sync(differences) == []

    asyncio.run(visit())
    assert revision_of(database) == migrating.known_revisions()[0]


@pytest.mark.parametrize("revision", migrating.known_revisions())
async def test_an_older_database_is_migrated(
    database: Database, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        upgrade = command.upgrade
        patch.setattr(command, "upgrade", lambda config, _: upgrade(config, revision))
        async with open_store(database) as store, store.transaction() as connection:
            await connection.execute(
                text(
                    "INSERT INTO tables (id, created, changed, listed, state, options, start,"
                    " start_at, rules, winners, rematch, clock) VALUES"
                    " ('t', 2.5, 2e9, 1, 'open', '{\"a\": 1}', '{}', 0, '', '[]', '', '{}')"
                )
            )
    assert revision_of(database) == revision
    async with open_store(database) as store:
        stored = await store.load("t")
        assert stored is not None
        assert stored.table == TableRecord("t", {"a": 1}, 2.5, True)
    assert revision_of(database) == migrating.known_revisions()[0]


async def test_concurrent_starts_create_the_schema_once(shared_database: str) -> None:
    stores = [store_at(shared_database) for _ in range(5)]
    await asyncio.gather(*(store.open() for store in stores))
    await stores[0].create_table(make_table())
    for store in stores:
        assert await store.load("t") is not None
        await store.close()


def test_a_newer_database_is_refused(database: Database) -> None:
    async def visit() -> None:
        async with open_store(database):
            pass

    asyncio.run(visit())
    execute(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SaveError, match="written by a newer version"):
        asyncio.run(visit())


OTHER_DATABASES = {
    "recipes": (["CREATE TABLE recipes (id TEXT)"], "belongs to another program"),
    # Other programs use Alembic as well, and call their first revision 0001.
    "recipes with Alembic": (
        [
            "CREATE TABLE recipes (id TEXT)",
            "CREATE TABLE alembic_version (version_num VARCHAR(32))",
            "INSERT INTO alembic_version VALUES ('0001')",
        ],
        "belongs to another program",
    ),
    "some of our names with Alembic": (
        [
            "CREATE TABLE tables (id TEXT)",
            "CREATE TABLE alembic_version (version_num VARCHAR(32))",
            "INSERT INTO alembic_version VALUES ('1f2e3d4c5b6a')",
        ],
        "belongs to another program",
    ),
    "some of our names": (["CREATE TABLE seats (id TEXT)"], "belongs to another program"),
    "before the first release": (
        [
            "CREATE TABLE tables (id TEXT PRIMARY KEY)",
            "CREATE TABLE answers (table_id TEXT, number INTEGER)",
            "INSERT INTO tables VALUES ('t')",
        ],
        "was written by a development version before the first release",
    ),
}


@pytest.mark.parametrize("kind", OTHER_DATABASES)
def test_a_foreign_database_is_refused_and_unchanged(database: Database, kind: str) -> None:
    statements, sentence = OTHER_DATABASES[kind]
    execute(database, *statements)

    async def visit() -> None:
        async with open_store(database):
            pass

    before = tables_in(database)
    with pytest.raises(SaveError, match=sentence) as refused:
        asyncio.run(visit())
    assert "0.1" not in str(refused.value), "the present version is called 0.1.0"
    assert tables_in(database) == before


def test_an_incomplete_database_is_refused(database: Database) -> None:
    async def visit() -> None:
        async with open_store(database):
            pass

    asyncio.run(visit())
    execute(database, "DROP TABLE chat")
    with pytest.raises(SaveError, match="damaged: the table “chat” is missing or incomplete"):
        asyncio.run(visit())


def tables_in(database: Database) -> list[Any]:
    """Return the tables of a database, with their contents."""
    names = (
        "SELECT name FROM sqlite_master ORDER BY name"
        if isinstance(database, Path)
        else "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    )
    return [
        (name, execute(database, f"SELECT * FROM {name}"))
        for (name,) in execute(database, names)
        if not name.startswith("sqlite_")
    ]


# --- what cannot be used --------------------------------------------------------------------


def test_only_postgresql_allows_several_servers(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smashup.server.storage.sqlite.LOCK_SECONDS", 0.2)

    async def twice() -> None:
        async with open_store(database), open_store(database):
            pass

    if is_shareable(database):
        asyncio.run(twice())
    else:
        with pytest.raises(SaveError, match="another server is running"):
            asyncio.run(twice())


def test_other_files_are_refused(tmp_path: Path) -> None:
    async def visit() -> None:
        async with open_store(tmp_path / "text.sqlite"):
            pass

    (tmp_path / "text.sqlite").write_text("Dear diary, today we played Smash Up. " * 99)
    with pytest.raises(SaveError, match="not a database"):
        asyncio.run(visit())


def test_a_file_can_be_given_as_a_url(tmp_path: Path) -> None:
    async def visit() -> None:
        async with open_store(f"sqlite:///{tmp_path}/a.sqlite"):
            pass

    asyncio.run(visit())
    assert (tmp_path / "a.sqlite").exists()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://ana:hush@127.0.0.1:1/games", "127.0.0.1:1/games cannot be used: .*refused"),
        ("postgresql://ana:hu sh@127.0.0.1:1/games", "not a database URL"),
        ("postgresql://ana:x@hush@127.0.0.1:1/games", "not a database URL"),
        ("postgresql://ana:hush@127.0.0.1:1/games?nonsense=hush", "not a database URL"),
    ],
)
def test_errors_of_urls_contain_no_secrets(url: str, why: str) -> None:
    async def visit() -> None:
        async with open_store(url):
            pass

    with pytest.raises(SaveError, match=why) as caught:
        asyncio.run(visit())
    assert "hush" not in str(caught.value)
    assert "hu sh" not in str(caught.value)
