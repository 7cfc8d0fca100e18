"""Deletion of personal data: automatically after some time, and by the operator on request."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import insert, update
from websockets.exceptions import ConnectionClosed

from smashup.server.storage import forgetting
from smashup.server.storage.schema import LOG_ENTRIES, TABLES
from smashup.server.storage.store import is_shareable, store_at
from smashup.server.tables import synchronizer
from tests.server.command_line import run_here
from tests.server.live_server import GameClient, LiveServer, run_server, wait_for_decision
from tests.server.test_serve import run_refused_serve, run_serve
from tests.terminal.cli_process import run

WORDS = "the quick brown fox"


def dump_database(database: Path | str) -> str:
    """Return the contents of a database as text."""
    tables = (
        "tables",
        "seats",
        "log_entries",
        "snapshots",
        "chat",
        "replays",
        "analyses",
        "reports",
    )
    if is_shareable(database):
        with psycopg.connect(str(database)) as line:
            return str([line.execute(f"SELECT * FROM {table}").fetchall() for table in tables])
    with closing(sqlite3.connect(database)) as file:
        return str([file.execute(f"SELECT * FROM {table}").fetchall() for table in tables])


async def create_table_with_chat(server: LiveServer, *names: str) -> tuple[str, list[str]]:
    """Create a table with chat messages of all players and a report."""
    seats = [{"kind": "me", "name": name} for name in names]
    answer = (await server.post("", seats=seats)).json()
    table, secrets = answer["table"]["id"], [seat["secret"] for seat in answer["seats"]]
    async with server.connect(table, secrets[0]) as one, server.connect(table, secrets[1]) as two:
        for client, name in ((one, names[0]), (two, names[1])):
            assert (await client.request(type="chat", text=f"{WORDS} of {name}"))["type"] == "ack"
        asked = await wait_for_decision([one, two])
        assert (await asked.answer(0))["type"] == "ack"
    for form in ({"kind": "chat", "said": 1}, {"kind": "bug", "text": f"{names[0]} found it"}):
        reported = await server.post(f"/{table}/reports", secrets[0], **form)
        assert reported.status_code == 201, reported.text
    return table, secrets


def run_forget(home: Path, database: Path | str, *words: str) -> str:
    """Return the output of the command."""
    result = run_here(home, "forget", *words, SMASHUP_DATABASE=str(database))
    assert result.stderr == ""
    assert result.returncode == 0
    return result.stdout


def test_a_name_is_deleted_everywhere(tmp_path: Path, database: Path | str) -> None:
    async def visit() -> tuple[str, str]:
        async with run_server(tmp_path, database=database) as server:
            one, _ = await create_table_with_chat(server, "Arthur Dent", "Trillian")
            two, _ = await create_table_with_chat(server, "Trillian", "Arthur Dent")
            return one, two

    one, two = asyncio.run(visit())
    before = dump_database(database)
    received = run_forget(tmp_path, database, "--name", "Arthur Dent")
    assert re.findall(r"(\S+)  (P\d)  playing  1 chat message$", received, re.MULTILINE) == [
        (one, "P1"),
        (two, "P2"),
    ]
    assert received.endswith(
        "Nothing was deleted. Add --yes to delete this name and these messages permanently.\n"
    )
    assert dump_database(database) == before
    # Only at one table.
    received = run_forget(tmp_path, database, "--name", "Arthur Dent", f"--table={one}", "--yes")
    assert received.endswith("Deleted: names at seats (1), chat messages (1), reports (2).\n")
    assert dump_database(database).count("of Arthur Dent") == 2, "said, and quoted in a report"
    received = run_forget(tmp_path, database, "--name", "Arthur Dent", "--yes")
    assert received.endswith("Deleted: names at seats (1), chat messages (1), reports (1).\n")
    after = dump_database(database)
    assert "Arthur Dent" not in after
    assert after.count(f"{WORDS} of Trillian") == 3
    assert "Trillian found it" in after
    assert (
        run_forget(tmp_path, database, "--name", "Arthur Dent")
        == "No player used the name “Arthur Dent”.\n"
    )


def test_a_table_is_deleted_with_everything(tmp_path: Path, database: Path | str) -> None:
    async def visit() -> tuple[str, str]:
        async with run_server(tmp_path, database=database) as server:
            one, _ = await create_table_with_chat(server, "Arthur Dent", "Trillian")
            two, _ = await create_table_with_chat(server, "Marvin", "Zaphod")
            return one, two

    one, two = asyncio.run(visit())
    before = dump_database(database)
    received = run_forget(tmp_path, database, f"--table={one}")
    assert received.startswith(f"{one}: 2 seats, ")
    assert dump_database(database) == before
    assert run_forget(tmp_path, database, f"--table={one}", "--yes").endswith("Deleted.\n")
    after = dump_database(database)
    assert one not in after
    assert "Arthur Dent" not in after
    assert after.count(two) == before.count(two)
    result = run_here(tmp_path, "forget", f"--table={one}", "--yes", SMASHUP_DATABASE=str(database))
    assert (result.returncode, result.stderr) == (2, f"There is no table “{one}”.\n")


async def test_running_workers_do_not_restore_a_deleted_name(
    tmp_path: Path, shared_database: str
) -> None:
    async with run_server(tmp_path, database=shared_database) as server:
        table, secrets = await create_table_with_chat(server, "Arthur Dent", "Trillian")
        gone, others = await create_table_with_chat(server, "Marvin", "Zaphod")
        name = ("--name", "Arthur Dent", "--yes")
        await asyncio.to_thread(run_forget, tmp_path, shared_database, *name)
        await asyncio.to_thread(run_forget, tmp_path, shared_database, f"--table={gone}", "--yes")
        for _ in range(2):
            # The first answer finds that the table has changed.
            await server.http.patch(
                f"/api/tables/{table}/seat",
                json={"lang": "fr"},
                headers={"Authorization": f"Bearer {secrets[0]}"},
            )
        assert [seat["name"] for seat in (await server.get_table(table))["seats"]] == [
            "P1",
            "Trillian",
        ]
        assert "Arthur Dent" not in dump_database(shared_database)
        for _ in range(2):
            answer = await server.post(f"/{gone}/leave", others[0])
        assert answer.status_code == 404
        assert gone not in dump_database(shared_database)


def test_all_workers_disconnect_viewers_after_a_deletion(
    tmp_path: Path, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only a notification can reach them in this time.
    monkeypatch.setattr(synchronizer, "POLL_SECONDS", 600.0)

    async def closed_with(client: GameClient) -> int:
        with pytest.raises(ConnectionClosed) as closed:
            await client.receive_until("never")
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code

    async def visit() -> None:
        async with (
            run_server(tmp_path, database=shared_database) as one,
            run_server(tmp_path, database=shared_database) as two,
        ):
            table, secrets = await create_table_with_chat(one, "Arthur Dent", "Trillian")
            gone, others = await create_table_with_chat(one, "Marvin", "Zaphod")
            async with (
                one.connect(table, secrets[0]) as ana,
                two.connect(table, secrets[1]) as bo,
                two.connect(gone, others[0]) as marvin,
            ):
                assert "Arthur Dent" in str(bo.state)
                store = one.registry.store
                async with store.transaction() as connection:
                    found = await forgetting.find_name(connection, "Arthur Dent")
                    await forgetting.forget_name(connection, found)
                    await forgetting.forget_table(connection, gone)
                async with asyncio.timeout(2):
                    codes = [await closed_with(client) for client in (ana, bo, marvin)]
                assert codes == [1012, 1012, 1012]
            async with one.connect(table, secrets[0]) as ana, two.connect(table, secrets[1]) as bo:
                for client in (ana, bo):
                    assert "Arthur Dent" not in str(client.state)
                    assert f"{WORDS} of Trillian" in str(client.chat)
            assert (await two.http.get(f"/api/tables/{gone}")).status_code == 404

    asyncio.run(visit())


def test_deletion_waits_for_a_running_commit(tmp_path: Path, shared_database: str) -> None:
    async def visit() -> None:
        async with run_server(tmp_path, database=shared_database) as server:
            table, _ = await create_table_with_chat(server, "Arthur Dent", "Trillian")
        store = store_at(shared_database)
        await store.open()
        count = (await store.positions([table]))[table].entries

        async def forget_name() -> forgetting.DeletionCounts:
            async with store.transaction() as connection:
                found = await forgetting.find_name(connection, "Arthur Dent")
                return await forgetting.forget_name(connection, found)

        async with store.transaction() as connection:
            await connection.execute(update(TABLES).where(TABLES.c.id == table).values(due_at=1.0))
            entry = {"number": count, "kind": "clock", "message_id": "", "data": "{}"}
            await connection.execute(insert(LOG_ENTRIES).values(table_id=table, **entry))
            forgetting_it = asyncio.create_task(forget_name())
            await asyncio.sleep(0.3)
            assert not forgetting_it.done()
        assert (await forgetting_it).names == 1
        stored = await store.load(table)
        await store.close()
        assert stored is not None
        assert [entry.kind for entry in stored.entries[-2:]] == ["clock", "forget"]

    asyncio.run(visit())


def test_invalid_uses_of_forget(tmp_path: Path) -> None:
    result = run(tmp_path, "forget")
    assert (result.returncode, result.stderr) == (
        2,
        "Choose what to delete: --name NAME or --table ID.\n",
    )
    missing = tmp_path / "missing.sqlite"
    result = run_here(tmp_path, "forget", "--name", "Ana", "--database", str(missing))
    assert result.stderr == f"There is no database {missing}.\n"
    assert not missing.exists()


def test_retention_periods_can_be_set(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"

    async def visit() -> None:
        async with run_server(tmp_path) as server:
            await create_table_with_chat(server, "Arthur Dent", "Trillian")

    def keep(*days: str) -> str:
        words = [word for limit in days for word in ("--keep", limit)]
        with run_serve(tmp_path, "--port", "0", "--database", str(database), *words):
            time.sleep(0.3)  # it is done as soon as the server runs
        return dump_database(database)

    asyncio.run(visit())
    after = keep("chat=1", "reports=1")
    assert after.count(WORDS) == 4
    after = keep("chat=0", "reports=1")
    assert after.count(WORDS) == 2, "as reports quote it"
    after = keep("reports=0")
    assert WORDS not in after
    assert "found it" not in after
    result = run_here(tmp_path, "serve", "--keep", "cards=1")
    assert result.returncode == 2
    assert "cards=1 is not a retention period: use open, finished," in result.stderr


# --- backups ----------------------------------------------------------------------------------


def test_daily_backups_can_be_restored(tmp_path: Path) -> None:
    database, folder = tmp_path / "tables.sqlite", tmp_path / "backups"
    folder.mkdir()
    for day in range(1, 9):
        (folder / f"tables-2020-01-0{day}.sqlite").touch()
    (folder / "mine.sqlite").touch()
    words = ("--port", "0", "--database", str(database), "--backup-folder", str(folder))

    async def found(address: str) -> str:
        async with httpx.AsyncClient(base_url=address) as http:
            server = LiveServer(address.removeprefix("http://").strip("/"), http, None)  # type: ignore[arg-type]
            return (await server.create_table("me", "easy"))[0]

    async def state(path: Path, table: str) -> Any:
        store = store_at(path)
        await store.open()
        kept = await store.load(table)
        await store.close()
        return None if kept is None else kept.table.state

    with run_serve(tmp_path, *words) as (_, address):
        table = asyncio.run(found(address))
    with run_serve(tmp_path, *words) as (_, address):
        copies = sorted(folder.glob("tables-*.sqlite"))
        for _ in range(100):
            if len(copies := sorted(folder.glob("tables-*.sqlite"))) == 7:
                break
            time.sleep(0.05)
    assert len(copies) == 7
    copy = copies[-1]
    assert copy.stat().st_mode & 0o077 == 0, "all hidden cards are in it"
    assert database.stat().st_mode & 0o077 == 0
    assert (folder / "mine.sqlite").exists()
    assert asyncio.run(state(copy, table)) == "playing"
    # The restored server continues.
    os.replace(copy, database)
    with run_serve(tmp_path, *words) as (_, address):
        answer = httpx.get(f"{address}api/tables/{table}")
        assert answer.json()["table"]["state"] == "playing"
    assert run_refused_serve(
        tmp_path, "--backup-folder", str(folder), "--database", "postgresql://x/y"
    ) == ("Daily backups work for SQLite only; use pg_dump for PostgreSQL.")


def test_a_backup_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "backups"
    file.touch()
    assert run_refused_serve(tmp_path, "--backup-folder", str(file)) == (
        f"The backup folder {file} cannot be used: File exists."
    )
