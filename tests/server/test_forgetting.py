"""What is deleted: by itself after a while, and by who runs the server when somebody asks."""

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
from tests.server.house import Guest, House, a_decision_of, serving
from tests.server.test_serve import refused, running
from tests.terminal.cli_process import run

WORDS = "the quick brown fox"


def everything(database: Path | str) -> str:
    """All that is in a database, as text."""
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


async def talk(house: House, *names: str) -> tuple[str, list[str]]:
    """A table at which everybody says something, and the first reports the last."""
    seats = [{"kind": "me", "name": name} for name in names]
    answer = (await house.post("", seats=seats)).json()
    table, secrets = answer["table"]["id"], [seat["secret"] for seat in answer["seats"]]
    async with house.guest(table, secrets[0]) as one, house.guest(table, secrets[1]) as two:
        for guest, name in ((one, names[0]), (two, names[1])):
            assert (await guest.say(type="chat", text=f"{WORDS} of {name}"))["type"] == "ack"
        asked = await a_decision_of([one, two])
        assert (await asked.answer(0))["type"] == "ack"
    for form in ({"kind": "chat", "said": 1}, {"kind": "bug", "text": f"{names[0]} found it"}):
        reported = await house.post(f"/{table}/reports", secrets[0], **form)
        assert reported.status_code == 201, reported.text
    return table, secrets


def forget(home: Path, database: Path | str, *words: str) -> str:
    """What the command says."""
    ended = run(home, "forget", *words, SMASHUP_DATABASE=str(database))
    assert ended.stderr == ""
    assert ended.returncode == 0
    return ended.stdout


def test_a_name_is_deleted_everywhere(tmp_path: Path, database: Path | str) -> None:
    async def visit() -> tuple[str, str]:
        async with serving(tmp_path, database=database) as house:
            one, _ = await talk(house, "Arthur Dent", "Trillian")
            two, _ = await talk(house, "Trillian", "Arthur Dent")
            return one, two

    one, two = asyncio.run(visit())
    before = everything(database)
    told = forget(tmp_path, database, "--name", "Arthur Dent")
    assert re.findall(r"(\S+)  (P\d)  playing  1 chat message$", told, re.MULTILINE) == [
        (one, "P1"),
        (two, "P2"),
    ]
    assert told.endswith(
        "Nothing was deleted. Add --yes to delete this name and these messages permanently.\n"
    )
    assert everything(database) == before
    # At one table only.
    told = forget(tmp_path, database, "--name", "Arthur Dent", f"--table={one}", "--yes")
    assert told.endswith("Deleted: the name at 1 seats, 1 chat messages, 2 reports.\n")
    assert everything(database).count("of Arthur Dent") == 2, "said, and quoted in a report"
    told = forget(tmp_path, database, "--name", "Arthur Dent", "--yes")
    assert told.endswith("Deleted: the name at 1 seats, 1 chat messages, 1 reports.\n")
    after = everything(database)
    assert "Arthur Dent" not in after
    assert after.count(f"{WORDS} of Trillian") == 3
    assert "Trillian found it" in after
    assert (
        forget(tmp_path, database, "--name", "Arthur Dent")
        == "No player used the name “Arthur Dent”.\n"
    )


def test_a_table_is_deleted_with_everything(tmp_path: Path, database: Path | str) -> None:
    async def visit() -> tuple[str, str]:
        async with serving(tmp_path, database=database) as house:
            one, _ = await talk(house, "Arthur Dent", "Trillian")
            two, _ = await talk(house, "Marvin", "Zaphod")
            return one, two

    one, two = asyncio.run(visit())
    before = everything(database)
    told = forget(tmp_path, database, f"--table={one}")
    assert told.startswith(f"{one}: 2 seats, ")
    assert everything(database) == before
    assert forget(tmp_path, database, f"--table={one}", "--yes").endswith("Deleted.\n")
    after = everything(database)
    assert one not in after
    assert "Arthur Dent" not in after
    assert after.count(two) == before.count(two)
    ended = run(tmp_path, "forget", f"--table={one}", "--yes", SMASHUP_DATABASE=str(database))
    assert (ended.returncode, ended.stderr) == (2, f"There is no table “{one}”.\n")


def test_workers_that_run_do_not_write_a_name_again(tmp_path: Path, shared_database: str) -> None:
    async def visit() -> None:
        async with serving(tmp_path, database=shared_database) as house:
            table, secrets = await talk(house, "Arthur Dent", "Trillian")
            gone, others = await talk(house, "Marvin", "Zaphod")
            name = ("--name", "Arthur Dent", "--yes")
            await asyncio.to_thread(forget, tmp_path, shared_database, *name)
            await asyncio.to_thread(forget, tmp_path, shared_database, f"--table={gone}", "--yes")
            for _ in range(2):
                # The first time it is found out that the table is not what it was.
                await house.http.patch(
                    f"/api/tables/{table}/seat",
                    json={"lang": "fr"},
                    headers={"Authorization": f"Bearer {secrets[0]}"},
                )
            assert [seat["name"] for seat in (await house.look(table))["seats"]] == [
                "P1",
                "Trillian",
            ]
            assert "Arthur Dent" not in everything(shared_database)
            for _ in range(2):
                answer = await house.post(f"/{gone}/leave", others[0])
            assert answer.status_code == 404
            assert gone not in everything(shared_database)

    asyncio.run(visit())


def test_viewers_at_all_workers_learn_at_once_that_something_was_forgotten(
    tmp_path: Path, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only a notification can reach them in this time.
    monkeypatch.setattr(synchronizer, "POLL_SECONDS", 600.0)

    async def closed_with(guest: Guest) -> int:
        with pytest.raises(ConnectionClosed) as closed:
            await guest.until("never")
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code

    async def visit() -> None:
        async with (
            serving(tmp_path, database=shared_database) as one,
            serving(tmp_path, database=shared_database) as two,
        ):
            table, secrets = await talk(one, "Arthur Dent", "Trillian")
            gone, others = await talk(one, "Marvin", "Zaphod")
            async with (
                one.guest(table, secrets[0]) as ana,
                two.guest(table, secrets[1]) as bo,
                two.guest(gone, others[0]) as marvin,
            ):
                assert "Arthur Dent" in str(bo.scene)
                store = one.registry.store
                async with store.transaction() as connection:
                    found = await forgetting.find_name(connection, "Arthur Dent")
                    await forgetting.forget_name(connection, found)
                    await forgetting.forget_table(connection, gone)
                async with asyncio.timeout(2):
                    codes = [await closed_with(guest) for guest in (ana, bo, marvin)]
                assert codes == [1012, 1012, 1012]
            async with one.guest(table, secrets[0]) as ana, two.guest(table, secrets[1]) as bo:
                for guest in (ana, bo):
                    assert "Arthur Dent" not in str(guest.scene)
                    assert f"{WORDS} of Trillian" in str(guest.chat)
            assert (await two.http.get(f"/api/tables/{gone}")).status_code == 404

    asyncio.run(visit())


def test_forgetting_waits_for_an_answer_that_is_being_written(
    tmp_path: Path, shared_database: str
) -> None:
    async def visit() -> None:
        async with serving(tmp_path, database=shared_database) as house:
            table, _ = await talk(house, "Arthur Dent", "Trillian")
        store = store_at(shared_database)
        await store.open()
        count = (await store.positions([table]))[table].entries

        async def forget_name() -> forgetting.Forgotten:
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


def test_what_forget_cannot_do(tmp_path: Path) -> None:
    ended = run(tmp_path, "forget")
    assert (ended.returncode, ended.stderr) == (
        2,
        "Choose what to delete: --name NAME or --table ID.\n",
    )
    missing = tmp_path / "missing.sqlite"
    ended = run(tmp_path, "forget", "--name", "Ana", "--database", str(missing))
    assert ended.stderr == f"There is no database {missing}.\n"
    assert not missing.exists()


def test_how_long_things_are_kept_is_told_on_the_command_line(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"

    async def visit() -> None:
        async with serving(tmp_path) as house:
            await talk(house, "Arthur Dent", "Trillian")

    def keep(*days: str) -> str:
        words = [word for limit in days for word in ("--keep", limit)]
        with running(tmp_path, "--port", "0", "--database", str(database), *words):
            time.sleep(0.3)  # it is done as soon as the server runs
        return everything(database)

    asyncio.run(visit())
    after = keep("chat=1", "reports=1")
    assert after.count(WORDS) == 4
    after = keep("chat=0", "reports=1")
    assert after.count(WORDS) == 2, "as reports quote it"
    after = keep("reports=0")
    assert WORDS not in after
    assert "found it" not in after
    ended = run(tmp_path, "serve", "--keep", "cards=1")
    assert ended.returncode == 2
    assert "cards=1 is not a retention period." in ended.stderr


# --- backups ----------------------------------------------------------------------------------


def test_a_backup_is_made_while_the_server_runs_and_can_be_restored(tmp_path: Path) -> None:
    database, folder = tmp_path / "tables.sqlite", tmp_path / "backups"
    folder.mkdir()
    for day in range(1, 9):
        (folder / f"tables-2020-01-0{day}.sqlite").touch()
    (folder / "mine.sqlite").touch()
    words = ("--port", "0", "--database", str(database), "--backup", str(folder))

    async def found(address: str) -> str:
        async with httpx.AsyncClient(base_url=address) as http:
            house = House(address.removeprefix("http://").strip("/"), http, None)  # type: ignore[arg-type]
            return (await house.table("me", "easy"))[0]

    async def state(path: Path, table: str) -> Any:
        store = store_at(path)
        await store.open()
        kept = await store.load(table)
        await store.close()
        return None if kept is None else kept.table.state

    with running(tmp_path, *words) as (_, address):
        table = asyncio.run(found(address))
    with running(tmp_path, *words) as (_, address):
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
    # Restored, it goes on.
    os.replace(copy, database)
    with running(tmp_path, *words) as (_, address):
        answer = httpx.get(f"{address}api/tables/{table}")
        assert answer.json()["table"]["state"] == "playing"
    assert refused(tmp_path, "--backup", str(folder), "--database", "postgresql://x/y") == (
        "Only a SQLite file is copied every day; for PostgreSQL there is pg_dump."
    )
