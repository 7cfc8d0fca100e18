"""Workers are killed and stalled in the middle of games: nothing is lost, no table is twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path

import psycopg
import pytest

from scripts.backing import Redis
from tests.server.regulars import (
    Regulars,
    check,
    owners_of,
    served,
    until,
    watch,
)

pytestmark = pytest.mark.usefixtures("proc")
MIX = (("me", "easy"), ("me", "me"))


def test_workers_are_killed_and_all_games_end(
    tmp_path: Path, shared_database: str, redis: Redis
) -> None:
    """Two workers under a supervisor; one after the other is killed."""

    async def visit() -> None:
        async with served(tmp_path, shared_database, redis.url, workers=2, lease=5) as server:
            watch(shared_database)
            people = Regulars([server.address], random.Random(7), pause=0.02)
            tables = {}
            playing = []
            for kinds in MIX:
                table, secrets = await people.found(*kinds)
                tables[table] = kinds
                for seat, secret in enumerate(secrets):
                    playing.append(asyncio.create_task(people.play(table, secret, seat)))
            bots, _ = await people.found("easy", "easy")
            killed: list[int] = []
            for number in (1, 2):
                enough = len(people.acknowledged) + 40
                while len(people.acknowledged) < enough:
                    await asyncio.sleep(0.01)
                await until(lambda: len(server.workers()) == 2)
                await asyncio.sleep(0.3 * (number - 1))
                victim = next(pid for pid in server.workers() if pid not in killed)
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)
            async with asyncio.timeout(150):
                await asyncio.gather(*playing)
            assert people.cut_off, "nobody noticed anything"
            games = await check(shared_database, list(tables), people)
            assert all(game.is_over for game in games.values())
            epochs = [len(set(owners_of(shared_database, table))) for table in tables]
            assert max(epochs) > 1, "no table was taken over in the middle of its game"
            # A table of bots only goes on, though nobody looks at it.
            await until(lambda: _state(shared_database, bots) == "over")
            await check(shared_database, [bots], people)

    asyncio.run(visit())


def _state(database: str, table: str) -> str:
    with psycopg.connect(database) as line:
        found = line.execute("SELECT state FROM tables WHERE id = %s", (table,)).fetchone()
    assert found is not None
    return str(found[0])


def test_a_worker_that_stalls_cannot_write_any_more(
    tmp_path: Path, shared_database: str, redis: Redis
) -> None:
    """Two servers as on two machines. One stands still, is taken for dead, and comes back."""

    async def visit() -> None:
        async with (
            served(tmp_path, shared_database, redis.url, lease=2) as one,
            served(tmp_path, shared_database, redis.url, lease=2) as two,
        ):
            watch(shared_database)
            people = Regulars([one.address], random.Random(3), pause=0.02)
            tables, playing = [], []
            for kinds in (("me", "me"), ("me", "easy")):
                table, secrets = await people.found(*kinds)
                tables.append(table)
                for seat, secret in enumerate(secrets):
                    playing.append(asyncio.create_task(people.play(table, secret, seat)))
            bots = [(await people.found("easy", "easy"))[0]]
            await until(lambda: len(people.acknowledged) >= 20)
            (stalled,) = _owned(shared_database)
            os.kill(one.process.pid, signal.SIGSTOP)
            people.addresses[:] = [two.address]
            await until(lambda: stalled not in _owned(shared_database))
            os.kill(one.process.pid, signal.SIGCONT)
            # It goes on with what it was about to do, and finds that it may not.
            people.addresses[:] = [one.address, two.address]
            async with asyncio.timeout(150):
                await asyncio.gather(*playing)
            assert people.cut_off >= 3
            games = await check(shared_database, tables, people)
            assert all(game.is_over for game in games.values())
            await until(lambda: {_state(shared_database, table) for table in bots} == {"over"})
            await check(shared_database, bots, people)
            writers = [owners_of(shared_database, table) for table in (*tables, *bots)]
            assert any(len(set(written)) > 1 for written in writers), "in the middle of a game"

    asyncio.run(visit())


def _owned(database: str) -> dict[str, set[str]]:
    """The tables of each worker."""
    found: dict[str, set[str]] = {}
    with psycopg.connect(database) as line:
        for owner, table in line.execute("SELECT owner, id FROM tables WHERE owner <> ''"):
            found.setdefault(owner, set()).add(table)
    return found
