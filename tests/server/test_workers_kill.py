"""Workers are killed and stalled in the middle of games: nothing is lost, nothing counts twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path

import psycopg
import pytest

from tests.server.reconnecting_players import (
    ReconnectingPlayers,
    run_server_process,
    verify_tables,
    wait_until,
)

pytestmark = pytest.mark.usefixtures("proc")
SEAT_MIXES = (("me", "easy"), ("me", "me"))


def state_of(database: str, table: str) -> str:
    with psycopg.connect(database) as line:
        found = line.execute("SELECT state FROM tables WHERE id = %s", (table,)).fetchone()
    assert found is not None
    return str(found[0])


async def test_games_survive_killed_workers(tmp_path: Path, shared_database: str) -> None:
    """Two workers under a supervisor; one after the other is killed."""

    async with run_server_process(tmp_path, shared_database, workers=2) as server:
        people = ReconnectingPlayers([server.address], random.Random(7), think_seconds=0.02)
        tables = {}
        playing = []
        for kinds in SEAT_MIXES:
            table, secrets = await people.create_table(*kinds)
            tables[table] = kinds
            for seat, secret in enumerate(secrets):
                playing.append(asyncio.create_task(people.play(table, secret, seat)))
        bots, _ = await people.create_table("easy", "easy")
        killed: list[int] = []
        for number in (1, 2):
            enough = len(people.acknowledged) + 40
            while len(people.acknowledged) < enough:
                await asyncio.sleep(0.01)
            await wait_until(lambda: len(server.worker_pids()) == 2)
            await asyncio.sleep(0.3 * (number - 1))
            victim = next(pid for pid in server.worker_pids() if pid not in killed)
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)
        async with asyncio.timeout(150):
            await asyncio.gather(*playing)
        assert people.disconnects, "nobody noticed anything"
        games = await verify_tables(shared_database, list(tables), people)
        assert all(game.is_over for game in games.values())
        # A table of bots continues without viewers.
        await wait_until(lambda: state_of(shared_database, bots) == "over")
        await verify_tables(shared_database, [bots], people)


async def test_a_stalled_worker_changes_nothing_when_it_resumes(
    tmp_path: Path, shared_database: str
) -> None:
    """Two servers as on two machines. One stalls, the other continues with its tables."""

    async with (
        run_server_process(tmp_path, shared_database) as one,
        run_server_process(tmp_path, shared_database) as two,
    ):
        people = ReconnectingPlayers([one.address], random.Random(3), think_seconds=0.02)
        tables, playing = [], []
        for kinds in (("me", "me"), ("me", "easy")):
            table, secrets = await people.create_table(*kinds)
            tables.append(table)
            for seat, secret in enumerate(secrets):
                playing.append(asyncio.create_task(people.play(table, secret, seat)))
        bots = (await people.create_table("easy", "easy"))[0]
        await wait_until(lambda: len(people.acknowledged) >= 20)
        os.kill(one.process.pid, signal.SIGSTOP)
        people.addresses[:] = [two.address]
        await people.disconnect_all()
        before = len(people.acknowledged)
        await wait_until(lambda: len(people.acknowledged) >= before + 20)
        os.kill(one.process.pid, signal.SIGCONT)
        # It resumes its pending actions and finds that another worker was faster.
        people.addresses[:] = [one.address, two.address]
        async with asyncio.timeout(150):
            await asyncio.gather(*playing)
        games = await verify_tables(shared_database, tables, people)
        assert all(game.is_over for game in games.values())
        await wait_until(lambda: state_of(shared_database, bots) == "over")
        await verify_tables(shared_database, [bots], people)
