"""A full disk: /healthz reports it, the server acknowledges nothing that is not stored, and it
continues when there is space again."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed

from smashup.server.errors import DatabaseUnavailable
from smashup.server.storage.records import TableRecord
from smashup.server.storage.store import store_at
from smashup.server.storage.write_probe import WriteProbe
from tests.server.live_server import wait_for_decision
from tests.server.test_kill import process

LIMIT_SECONDS = 2.0
UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def fill_disk(pid: int) -> None:
    """Limit the size of files, so that every write fails."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (64, resource.RLIM_INFINITY))


def test_a_server_without_disk_space(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"

    async def visit() -> tuple[str, int]:
        async with process(database) as (server, pid):
            table, secrets = await server.create_table("me", "me")
            acknowledged = 0
            async with (
                server.connect(table, secrets[0]) as one,
                server.connect(table, secrets[1]) as two,
            ):
                for _ in range(4):
                    answer = await (await wait_for_decision([one, two])).answer(0)
                    acknowledged += answer["type"] == "ack"
                assert (await server.http.get("/healthz")).status_code == 200
                asked = await wait_for_decision([one, two])
                fill_disk(pid)
                with pytest.raises(ConnectionClosed):
                    await asked.answer(0)
            await asyncio.sleep(1.0)  # the last result is reused for this long
            started = time.monotonic()
            health = await server.http.get("/healthz")
            assert health.status_code == 503
            assert health.json()["reason"] == "The database cannot be written: is the disk full?"
            refused = await server.post("", seats=[{"kind": "me"}, {"kind": "open"}])
            assert refused.status_code == 503
            assert "try again" in refused.json()["reason"]["english"]
            assert time.monotonic() - started < LIMIT_SECONDS
            assert (await server.http.get("/healthz/live")).status_code == 200
            resource.prlimit(pid, resource.RLIMIT_FSIZE, UNLIMITED)
            async with asyncio.timeout(5):
                while (await server.http.get("/healthz")).status_code != 200:
                    await asyncio.sleep(0.2)
            async with (
                server.connect(table, secrets[0]) as one,
                server.connect(table, secrets[1]) as two,
            ):
                answer = await (await wait_for_decision([one, two])).answer(0)
                assert answer["type"] == "ack"
                acknowledged += 1
            return table, acknowledged

    table, acknowledged = asyncio.run(visit())
    with closing(sqlite3.connect(database)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (stored,) = file.execute(
            "SELECT count(*) FROM log_entries WHERE table_id = ? AND message_id <> ''", (table,)
        ).fetchone()
    assert stored == acknowledged == 5


async def test_a_full_disk_makes_the_database_unavailable_and_loses_nothing(tmp_path: Path) -> None:
    """SQLite's own error for a full disk."""

    store = store_at(tmp_path / "tables.sqlite")
    await store.open()
    probe = WriteProbe(store)
    await store.create_table(TableRecord("kept", {}, 1.0))
    assert await probe.find_problem() == ""
    async with store.transaction() as connection:
        pages = (await connection.execute(text("PRAGMA page_count"))).scalar_one()
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
    for _ in range(2):
        with pytest.raises(DatabaseUnavailable, match="full"):
            await store.create_table(TableRecord("lost", {"x": "y" * 100_000}, 1.0))
    assert await store.load("lost") is None
    assert await store.load("kept") is not None
    async with store.transaction() as connection:
        await connection.execute(text("PRAGMA max_page_count = 1000000"))
    await store.create_table(TableRecord("again", {"x": "y" * 100_000}, 1.0))
    assert await store.load("again") is not None
    await store.close()


async def test_health_checks_share_disk_probes(tmp_path: Path) -> None:
    store = store_at(tmp_path / "tables.sqlite")
    await store.open()
    probe = WriteProbe(store)
    written = 0
    original = store.probe

    async def counted() -> None:
        nonlocal written
        written += 1
        await original()

    store.probe = counted  # type: ignore[method-assign]
    assert set(await asyncio.gather(*(probe.find_problem() for _ in range(200)))) == {""}
    assert written == 1
    await store.close()
