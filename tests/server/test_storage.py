"""Storage: atomic writes, an append-only log, and changes of the rules."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.server.operations.settings import Settings
from smashup.server.tables.registry import TableRegistry
from smashup.server.tables.table import Table
from tests.server.live_server import UNLIMITED, run_server, wait_for_decision


def execute(path: Path, *statements: str) -> None:
    """Execute statements in the database of a server that was stopped in this process."""
    # SQLite keeps the file locked until cursors of reads that the stop cancelled are collected.
    gc.collect()
    with closing(sqlite3.connect(path)) as file, file:
        for statement in statements:
            file.execute(statement)


async def create_played_table(folder: Path, answers: int, seed: int = 5) -> tuple[str, list[str]]:
    """Store a table at which two people have given a number of answers."""
    async with run_server(folder) as server:
        table, secrets = await server.create_table("me", "me")
        rng = random.Random(seed)
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            while len(server.registry.tables[table].answers) < answers:
                await (await wait_for_decision([one, two])).play(rng, 1)
        return table, secrets


def test_answers_are_never_changed_or_removed(tmp_path: Path) -> None:
    asyncio.run(create_played_table(tmp_path, 3))
    for statement in ("UPDATE log_entries SET data = '{}'", "DELETE FROM log_entries"):
        with pytest.raises(sqlite3.IntegrityError, match="log entries are never"):
            execute(tmp_path / "tables.sqlite", statement)


def test_old_tables_are_removed(tmp_path: Path) -> None:
    """Old tables are deleted by their state, but not tables in use."""
    path = tmp_path / "tables.sqlite"

    async def create_tables() -> dict[str, str]:
        async with run_server(tmp_path) as server:
            found = {}
            for name in ("open", "new", "fresh"):
                found[name], _ = await server.create_table("me", "open")
            for name in ("playing", "over", "watched"):
                found[name], (one, two) = await server.create_table("me", "me")
                async with (
                    server.connect(found[name], one) as a,
                    server.connect(found[name], two) as b,
                ):
                    client = await wait_for_decision([a, b])
                    await client.play(random.Random(1), 1)
                if name != "playing":
                    await server.post(f"/{found[name]}/resign", one)
            return found

    def grows_old(table: str, days: float) -> None:
        then = time.time() - days * 86_400
        execute(path, f"UPDATE tables SET changed = {then} WHERE id = '{table}'")

    async def left(found: dict[str, str]) -> set[str]:
        async with run_server(tmp_path) as server:
            await asyncio.sleep(0.3)
            return {
                name
                for name, table in found.items()
                if (await server.http.get(f"/api/tables/{table}")).status_code == 200
            }

    found = asyncio.run(create_tables())
    for name, days in (("open", 8), ("new", 6), ("playing", 366), ("over", 91), ("watched", 89)):
        grows_old(found[name], days)
    assert asyncio.run(left(found)) == {"new", "fresh", "watched"}
    with closing(sqlite3.connect(path)) as file:
        for name in ("seats", "log_entries", "snapshots"):
            (rows,) = file.execute(
                f"SELECT count(*) FROM {name} WHERE table_id NOT IN (SELECT id FROM tables)"
            ).fetchone()
            assert rows == 0

    async def used_table_ids() -> None:
        async with run_server(tmp_path) as server:
            await server.get_table(found["watched"])
            removed = await server.registry.store.cleanup.remove_tables(
                "over", time.time(), server.registry.used_table_ids(), 9
            )
            assert removed == 0
            assert (
                await server.registry.store.cleanup.remove_tables("over", time.time(), (), 9) == 1
            )

    asyncio.run(used_table_ids())


async def test_idle_tables_are_dropped_and_reloaded(tmp_path: Path) -> None:
    table, secrets = await create_played_table(tmp_path, 20)
    async with run_server(tmp_path, idle_table_seconds=0.05) as server:
        await server.get_table(table)
        before = server.registry.tables[table]
        assert before.game is not None
        async with server.connect(table, secrets[0]):
            await asyncio.sleep(0.3)
            assert table in server.registry.tables, "somebody watches"
        await asyncio.sleep(0.3)
        assert table not in server.registry.tables
        await server.get_table(table)
        after = server.registry.tables[table]
        assert after.game is not None
        assert after is not before
        assert after.game.digest() == before.game.digest()


def restore_table(folder: Path, table_id: str) -> tuple[Table, Game]:
    """Return the stored table."""

    async def load() -> Table:
        registry = TableRegistry(
            Settings(database=folder / "tables.sqlite", **UNLIMITED), catalogue()
        )
        await registry.open()
        async with registry.use(table_id) as table:
            pass
        await registry.close()
        return table

    table = asyncio.run(load())
    assert table.game is not None
    return table, table.game


def test_games_survive_a_change_of_the_rules(tmp_path: Path) -> None:
    """If changed rules lead to another position, the game continues from its last play menu."""
    table_id, _ = asyncio.run(create_played_table(tmp_path, 40))
    path = tmp_path / "tables.sqlite"
    table, game = restore_table(tmp_path, table_id)
    assert table.notice is None
    answers = len(table.answers)
    execute(path, "UPDATE snapshots SET digest = 'another'")
    changed, again = restore_table(tmp_path, table_id)
    assert changed.notice is not None
    assert "continues from its last play menu" in str(changed.notice)
    assert again.at_menu
    assert game.table.last_menu is not None
    assert json.dumps(again.table.checkpoint.to_dict()) == json.dumps(
        game.table.last_menu.to_dict()
    )
    assert len(changed.answers) == answers, "the log is kept whole"
    assert changed.record.start_at == len(changed.log)
    # It is loaded the same way afterwards, and continues.
    last, once_more = restore_table(tmp_path, table_id)
    assert last.notice is None
    assert once_more.digest() == again.digest()


def test_a_game_without_a_menu_starts_again(tmp_path: Path) -> None:
    table_id, _ = asyncio.run(create_played_table(tmp_path, 3))
    path = tmp_path / "tables.sqlite"
    execute(path, "DELETE FROM snapshots", "DROP TRIGGER log_entries_stay_as_they_are",
            "UPDATE log_entries SET data = '{\"option\": 99}' WHERE number = 2")  # fmt: skip
    table, game = restore_table(tmp_path, table_id)
    assert table.notice is not None
    assert game.answers == []
    assert game.decision is not None


async def test_after_a_write_of_unknown_outcome_the_table_is_reloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether or not it was committed, all players continue from what is stored."""

    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me")
        write = server.registry.store.append

        async def refused(*rows: Any) -> None:
            raise sqlite3.OperationalError("disk full")

        async def taken(*rows: Any) -> None:
            await write(*rows)
            raise sqlite3.OperationalError("who knows")

        for fault, stored in ((refused, 0), (taken, 1)):
            async with (
                server.connect(table, secrets[0]) as one,
                server.connect(table, secrets[1]) as two,
            ):
                asked, other = (one, two) if one.options else (two, one)
                monkeypatch.setattr(server.registry.store, "append", fault)
                with pytest.raises(ConnectionClosed):
                    await asked.answer(0, id="unsure")
                with pytest.raises(ConnectionClosed):
                    await other.receive_until("never")
                monkeypatch.setattr(server.registry.store, "append", write)
            secret = secrets[0] if asked is one else secrets[1]
            async with server.connect(table, secret) as back:
                assert back.number == stored
                if stored:
                    again = await back.answer(0, id="unsure", number=0)
                    assert (again["type"], again["number"]) == ("ack", 1)
                    assert back.number == 1, "it counts once"


async def test_bots_continue_after_the_disk_was_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots continue without viewers."""

    async with run_server(tmp_path, idle_table_seconds=0.2) as server:
        write = server.registry.store.append
        failed = asyncio.Event()

        async def refused(*rows: Any) -> None:
            failed.set()
            raise sqlite3.OperationalError("disk full")

        table, _ = await server.create_table("easy", "easy")
        monkeypatch.setattr(server.registry.store, "append", refused)
        await asyncio.wait_for(failed.wait(), 60)
        monkeypatch.setattr(server.registry.store, "append", write)
        before = len(stored.entries) if (stored := await server.registry.store.load(table)) else 0
        async with asyncio.timeout(60):
            while stored is not None and len(stored.entries) < before + 5:
                await asyncio.sleep(0.05)
                stored = await server.registry.store.load(table)


async def test_an_answer_is_committed_although_the_client_disconnects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me")
        write = server.registry.store.append
        writing = asyncio.Event()

        async def slow(*rows: Any) -> None:
            writing.set()
            await asyncio.sleep(0.3)
            await write(*rows)

        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            asked = await wait_for_decision([one, two])
            monkeypatch.setattr(server.registry.store, "append", slow)
            await asked.line.send(
                json.dumps({"type": "answer", "id": "bye", "number": 0, "options": [0]})
            )
            await writing.wait()
            for connection in server.registry.tables[table].connections:
                connection.send_encoded(None)
        monkeypatch.setattr(server.registry.store, "append", write)
        await asyncio.sleep(0.5)
        live = server.registry.tables[table]
        assert not live.is_closed
        assert live.answers[0].message_id == "bye"
        await server.get_table(table)
        assert server.registry.tables[table] is live
