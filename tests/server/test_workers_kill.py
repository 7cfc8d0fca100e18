"""Workers are killed and stalled in the middle of games: nothing is lost, nothing counts twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path

import psycopg
import pytest

from tests.server.regulars import Regulars, check, served, until

pytestmark = pytest.mark.usefixtures("proc")
MIX = (("me", "easy"), ("me", "me"))


def state_of(database: str, table: str) -> str:
    with psycopg.connect(database) as line:
        found = line.execute("SELECT state FROM tables WHERE id = %s", (table,)).fetchone()
    assert found is not None
    return str(found[0])


def test_workers_are_killed_and_all_games_end(tmp_path: Path, shared_database: str) -> None:
    """Two workers under a supervisor; one after the other is killed."""

    async def visit() -> None:
        async with served(tmp_path, shared_database, workers=2) as server:
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
            # A table of bots goes on, though nobody looks at it.
            await until(lambda: state_of(shared_database, bots) == "over")
            await check(shared_database, [bots], people)

    asyncio.run(visit())


def test_a_worker_that_stalls_changes_nothing_when_it_comes_back(
    tmp_path: Path, shared_database: str
) -> None:
    """Two servers as on two machines. One stands still, the other goes on with its tables."""

    async def visit() -> None:
        async with (
            served(tmp_path, shared_database) as one,
            served(tmp_path, shared_database) as two,
        ):
            people = Regulars([one.address], random.Random(3), pause=0.02)
            tables, playing = [], []
            for kinds in (("me", "me"), ("me", "easy")):
                table, secrets = await people.found(*kinds)
                tables.append(table)
                for seat, secret in enumerate(secrets):
                    playing.append(asyncio.create_task(people.play(table, secret, seat)))
            bots = (await people.found("easy", "easy"))[0]
            await until(lambda: len(people.acknowledged) >= 20)
            os.kill(one.process.pid, signal.SIGSTOP)
            people.addresses[:] = [two.address]
            await people.hang_up()
            before = len(people.acknowledged)
            await until(lambda: len(people.acknowledged) >= before + 20)
            os.kill(one.process.pid, signal.SIGCONT)
            # It goes on with what it was about to do, and finds that others were faster.
            people.addresses[:] = [one.address, two.address]
            async with asyncio.timeout(150):
                await asyncio.gather(*playing)
            games = await check(shared_database, tables, people)
            assert all(game.is_over for game in games.values())
            await until(lambda: state_of(shared_database, bots) == "over")
            await check(shared_database, [bots], people)

    asyncio.run(visit())
