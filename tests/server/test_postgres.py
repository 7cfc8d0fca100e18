"""PostgreSQL: lost connections, stalled workers, locks and deadlocks."""

from __future__ import annotations

import asyncio
from contextlib import closing

import psycopg
import pytest

from scripts.dev_services import Postgres
from smashup.server.errors import DatabaseUnavailable
from smashup.server.storage import postgres
from smashup.server.storage.records import PLAYING, TableRecord
from smashup.server.tables.table_log import answer_entry
from tests.server.test_databases import execute, make_table, open_store

WAITING_FOR_LOCK = """
    SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


async def test_a_lost_connection_is_replaced(shared_database: str, postgres: Postgres) -> None:
    """The running write fails; the next one reconnects."""

    async with open_store(shared_database) as store:
        await store.create_table(make_table())
        with psycopg.connect(postgres.url(), autocommit=True) as line:
            line.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'smashup' AND datname = %s",
                (shared_database.split("/")[3].split("?")[0],),
            )
        results = await asyncio.gather(
            *(store.create_table(make_table(str(n))) for n in range(5)), return_exceptions=True
        )
        assert all(isinstance(result, DatabaseUnavailable) for result in results)
        await store.create_table(make_table("u"))
        assert await store.load("u") is not None


async def test_a_worker_that_stalls_while_sending_does_not_block_others(
    shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Despite all limits, PostgreSQL would wait for the rest and keep the row locked."""
    monkeypatch.setitem(postgres.SESSION_LIMITS, "lock_timeout", "2s")
    monkeypatch.setattr(postgres, "STALLED_SECONDS", 1.0)

    async with open_store(shared_database) as store:
        await store.create_table(make_table())
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
            assert await store.due_times.claim(9e9, 9e9, 9) == [], "it is skipped"
            with pytest.raises(DatabaseUnavailable):
                await store.append(make_table(), [answer_entry(0, 0, 1)])
            await store.append(make_table(), [answer_entry(0, 0, 1)])


async def test_due_times_are_stored_without_waiting_for_commits(shared_database: str) -> None:
    async with open_store(shared_database) as store:
        for name in ("a", "b"):
            await store.create_table(TableRecord(name, {}, 1.0, state=PLAYING, due_at=10.0))
        with psycopg.connect(shared_database) as commit:
            commit.execute("UPDATE tables SET due_at = 20 WHERE id = 'b'")
            async with asyncio.timeout(5):
                await store.due_times.postpone(["a", "b"], 50.0)
    stored = execute(shared_database, "SELECT id, due_at FROM tables ORDER BY id")
    assert [tuple(row) for row in stored] == [("a", 50.0), ("b", 20.0)]


async def test_a_commit_that_ends_in_a_deadlock_is_repeated(shared_database: str) -> None:
    async with open_store(shared_database) as store:
        tables = [TableRecord(name, {}, 1.0, state=PLAYING) for name in ("a", "b", "c")]
        for table in tables:
            await store.create_table(table)
        with psycopg.connect(shared_database) as other:
            other.execute("SET deadlock_timeout = '60s'")  # the store finds the deadlock
            other.execute("UPDATE tables SET due_at = 20 WHERE id = 'b'")
            # While the first is committed, the others become one batch, which locks a.
            commits = [
                asyncio.create_task(store.append(table, [answer_entry(0, 0, 1)]))
                for table in (tables[2], *tables[:2])
            ]
            while not execute(shared_database, WAITING_FOR_LOCK):
                await asyncio.sleep(0.01)
            await asyncio.to_thread(other.execute, "UPDATE tables SET due_at = 20 WHERE id = 'a'")
        await asyncio.gather(*commits)
        for table in tables:
            stored = await store.load(table.id)
            assert stored is not None
            assert len(stored.entries) == 1
