"""What is kept on disk: all or nothing, never changed, and more than one version of the rules."""

from __future__ import annotations

import asyncio
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
from tests.server.house import GENEROUS, a_decision_of, serving


def execute(path: Path, *statements: str) -> None:
    """Meddle with a database."""
    with closing(sqlite3.connect(path)) as file, file:
        for statement in statements:
            file.execute(statement)


async def played(folder: Path, answers: int, seed: int = 5) -> tuple[str, list[str]]:
    """A table on disk at which two people have given so many answers."""
    async with serving(folder) as house:
        table, secrets = await house.table("me", "me")
        dice = random.Random(seed)
        async with house.guest(table, secrets[0]) as one, house.guest(table, secrets[1]) as two:
            while len(house.registry.tables[table].answers) < answers:
                await (await a_decision_of([one, two])).play(dice, 1)
        return table, secrets


def test_answers_are_never_changed_or_removed(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, 3))
    for statement in ("UPDATE log_entries SET data = '{}'", "DELETE FROM log_entries"):
        with pytest.raises(sqlite3.IntegrityError, match="log entries are never"):
            execute(tmp_path / "tables.sqlite", statement)


def test_old_tables_are_removed(tmp_path: Path) -> None:
    """Those nobody has touched for long, by what has become of them; never one that is in use."""
    path = tmp_path / "tables.sqlite"

    async def founded() -> dict[str, str]:
        async with serving(tmp_path) as house:
            found = {}
            for name in ("open", "new", "fresh"):
                found[name], _ = await house.table("me", "open")
            for name in ("playing", "over", "watched"):
                found[name], (one, two) = await house.table("me", "me")
                async with house.guest(found[name], one) as a, house.guest(found[name], two) as b:
                    guest = await a_decision_of([a, b])
                    await guest.play(random.Random(1), 1)
                if name != "playing":
                    await house.post(f"/{found[name]}/resign", one)
            return found

    def grows_old(table: str, days: float) -> None:
        then = time.time() - days * 86_400
        execute(path, f"UPDATE tables SET changed = {then} WHERE id = '{table}'")

    async def left(found: dict[str, str]) -> set[str]:
        async with serving(tmp_path) as house:
            await asyncio.sleep(0.3)
            return {
                name
                for name, table in found.items()
                if (await house.http.get(f"/api/tables/{table}")).status_code == 200
            }

    found = asyncio.run(founded())
    for name, days in (("open", 8), ("new", 6), ("playing", 366), ("over", 91), ("watched", 89)):
        grows_old(found[name], days)
    assert asyncio.run(left(found)) == {"new", "fresh", "watched"}
    with closing(sqlite3.connect(path)) as file:
        for name in ("seats", "log_entries", "snapshots"):
            (rows,) = file.execute(
                f"SELECT count(*) FROM {name} WHERE table_id NOT IN (SELECT id FROM tables)"
            ).fetchone()
            assert rows == 0

    async def in_use() -> None:
        async with serving(tmp_path) as house:
            await house.look(found["watched"])
            removed = await house.registry.store.cleanup.remove_tables(
                "over", time.time(), house.registry.in_use(), 9
            )
            assert removed == 0
            assert await house.registry.store.cleanup.remove_tables("over", time.time(), (), 9) == 1

    asyncio.run(in_use())


def test_idle_tables_leave_the_memory_and_come_back(tmp_path: Path) -> None:
    async def visit() -> None:
        table, secrets = await played(tmp_path, 20)
        async with serving(tmp_path, idle=0.05) as house:
            await house.look(table)
            before = house.registry.tables[table]
            assert before.game is not None
            async with house.guest(table, secrets[0]):
                await asyncio.sleep(0.3)
                assert table in house.registry.tables, "somebody watches"
            await asyncio.sleep(0.3)
            assert table not in house.registry.tables
            await house.look(table)
            after = house.registry.tables[table]
            assert after.game is not None
            assert after is not before
            assert after.game.digest() == before.game.digest()

    asyncio.run(visit())


def revived(folder: Path, table_id: str) -> tuple[Table, Game]:
    """A table as it is read from disk."""

    async def load() -> Table:
        registry = TableRegistry(
            Settings(database=folder / "tables.sqlite", **GENEROUS), catalogue()
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
    """Where the answers lead elsewhere, the game goes on from its last play menu."""
    table_id, _ = asyncio.run(played(tmp_path, 40))
    path = tmp_path / "tables.sqlite"
    table, game = revived(tmp_path, table_id)
    assert table.notice is None
    answers = len(table.answers)
    execute(path, "UPDATE snapshots SET digest = 'another'")
    changed, again = revived(tmp_path, table_id)
    assert changed.notice is not None
    assert "continues from its last play menu" in str(changed.notice)
    assert again.at_menu
    assert game.table.last_menu is not None
    assert json.dumps(again.table.checkpoint.to_dict()) == json.dumps(
        game.table.last_menu.to_dict()
    )
    assert len(changed.answers) == answers, "the log is kept whole"
    assert changed.record.start_at == len(changed.log)
    # It is loaded the same way from then on, and goes on.
    last, once_more = revived(tmp_path, table_id)
    assert last.notice is None
    assert once_more.digest() == again.digest()


def test_a_game_that_has_hardly_begun_begins_again(tmp_path: Path) -> None:
    table_id, _ = asyncio.run(played(tmp_path, 3))
    path = tmp_path / "tables.sqlite"
    execute(path, "DELETE FROM snapshots", "DROP TRIGGER log_entries_stay_as_they_are",
            "UPDATE log_entries SET data = '{\"option\": 99}' WHERE number = 2")  # fmt: skip
    table, game = revived(tmp_path, table_id)
    assert table.notice is not None
    assert game.answers == []
    assert game.decision is not None


def test_a_write_of_unknown_outcome_is_looked_up_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the disk took it or not, everybody goes on from what is there."""

    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me")
            write = house.registry.store.append

            async def refused(*rows: Any) -> None:
                raise sqlite3.OperationalError("disk full")

            async def taken(*rows: Any) -> None:
                await write(*rows)
                raise sqlite3.OperationalError("who knows")

            for fault, kept in ((refused, 0), (taken, 1)):
                async with (
                    house.guest(table, secrets[0]) as one,
                    house.guest(table, secrets[1]) as two,
                ):
                    asked, other = (one, two) if one.options else (two, one)
                    monkeypatch.setattr(house.registry.store, "append", fault)
                    with pytest.raises(ConnectionClosed):
                        await asked.answer(0, id="unsure")
                    with pytest.raises(ConnectionClosed):
                        await other.until("never")
                    monkeypatch.setattr(house.registry.store, "append", write)
                secret = secrets[0] if asked is one else secrets[1]
                async with house.guest(table, secret) as back:
                    assert back.number == kept
                    if kept:
                        again = await back.answer(0, id="unsure", number=0)
                        assert (again["type"], again["number"]) == ("ack", 1)
                        assert back.number == 1, "it counts once"

    asyncio.run(visit())


def test_bots_go_on_after_the_disk_was_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody looks at their table, and nobody has to."""

    async def visit() -> None:
        async with serving(tmp_path, idle=0.2) as house:
            write = house.registry.store.append
            failed = asyncio.Event()

            async def refused(*rows: Any) -> None:
                failed.set()
                raise sqlite3.OperationalError("disk full")

            table, _ = await house.table("easy", "easy")
            monkeypatch.setattr(house.registry.store, "append", refused)
            await asyncio.wait_for(failed.wait(), 20)
            monkeypatch.setattr(house.registry.store, "append", write)
            before = len(kept.entries) if (kept := await house.registry.store.load(table)) else 0
            async with asyncio.timeout(20):
                while kept is not None and len(kept.entries) < before + 5:
                    await asyncio.sleep(0.05)
                    kept = await house.registry.store.load(table)

    asyncio.run(visit())


def test_who_hangs_up_in_the_middle_of_an_answer_has_given_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me")
            write = house.registry.store.append
            writing = asyncio.Event()

            async def slow(*rows: Any) -> None:
                writing.set()
                await asyncio.sleep(0.3)
                await write(*rows)

            async with (
                house.guest(table, secrets[0]) as one,
                house.guest(table, secrets[1]) as two,
            ):
                asked = await a_decision_of([one, two])
                monkeypatch.setattr(house.registry.store, "append", slow)
                await asked.line.send(
                    json.dumps({"type": "answer", "id": "bye", "number": 0, "options": [0]})
                )
                await writing.wait()
                for connection in house.registry.tables[table].connections:
                    connection.post(None)
            monkeypatch.setattr(house.registry.store, "append", write)
            await asyncio.sleep(0.5)
            live = house.registry.tables[table]
            assert not live.is_closed
            assert live.answers[0].message_id == "bye"
            await house.look(table)
            assert house.registry.tables[table] is live

    asyncio.run(visit())
