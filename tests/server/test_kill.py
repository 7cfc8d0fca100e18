"""The server is killed again and again in the middle of games, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import psutil
from websockets.exceptions import ConnectionClosed

from scripts.servers import children
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.operations.settings import Settings
from smashup.server.storage.records import StoredTable
from smashup.server.storage.store import store_at
from smashup.server.tables.registry import TableRegistry
from smashup.server.tables.restore import restore_game
from smashup.server.tables.table_log import effective_answers
from tests.server.live_server import LiveServer
from tests.terminal.cli_process import ROOT, environment

KILLS = 3


@asynccontextmanager
async def process(database: Path, *words: str) -> AsyncIterator[tuple[LiveServer, int]]:
    """A server in a process of its own, which is killed at the end."""
    command = words or ("tests.server.server_main", str(database))
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        stdout=subprocess.PIPE,
        env=environment(database.parent),
        cwd=ROOT,
        text=True,
    ) as started:
        try:
            assert started.stdout is not None
            line = await asyncio.to_thread(started.stdout.readline)
            address = line[line.index("http://") :].split()[0]
            async with httpx.AsyncClient(base_url=address) as http:
                registry = TableRegistry(Settings(database=database), catalogue())  # never opened
                yield (
                    LiveServer(address.removeprefix("http://").strip("/"), http, registry),
                    started.pid,
                )
        finally:
            started.kill()


async def load_stored(database: Path, table: str) -> StoredTable:
    """Return the stored table."""
    store = store_at(database)
    await store.open()
    found = await store.load(table)
    await store.close()
    assert found is not None
    return found


def test_a_game_survives_repeated_kills(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"
    rng = random.Random(11)
    acknowledged: list[tuple[int, str, int]] = []
    """Seat, message and option of every answer that was acknowledged."""

    async def sitting(number: int, table: str, secrets: list[str]) -> tuple[str, list[str]]:
        async with process(database) as (server, pid):
            if not table:
                table, secrets = await server.create_table("me", "me")

            async def play(seat: int) -> None:
                with suppress(ConnectionClosed, ConnectionResetError):
                    async with server.connect(table, secrets[seat]) as client:
                        for turn in range(10_000):
                            while not client.options:
                                await client.receive()
                            option, name = rng.randrange(len(client.options)), f"{number}-{turn}"
                            answer = await client.answer(option, id=name)
                            if answer["type"] == "ack":
                                acknowledged.append((seat, name, option))
                                while (client.number or 0) < answer["number"]:
                                    await client.receive()

            async def kill() -> None:
                enough = len(acknowledged) + rng.randrange(3, 12)
                while len(acknowledged) < enough:
                    await asyncio.sleep(0.001)
                await asyncio.sleep(rng.random() / 50)
                os.kill(pid, signal.SIGKILL)

            await asyncio.wait_for(asyncio.gather(play(0), play(1), kill()), 60)
        return table, secrets

    async def visit() -> None:
        table, secrets = "", [""]
        for number in range(KILLS):
            table, secrets = await sitting(number, table, secrets)
            found = await load_stored(database, table)
            answers = effective_answers(found.entries)
            on_disk = {(a.seat, a.message_id): a.option for a in answers}
            for seat, name, option in acknowledged:
                assert on_disk[seat, name] == option, "an acknowledged answer is lost"
            assert [e.number for e in found.entries] == list(range(len(found.entries)))
            setup = Setup.from_json(found.table.setup)
            played = Game.replay(setup, catalogue(), [a.option for a in answers])
            restored = restore_game(found, catalogue())
            assert restored.notice is None
            assert restored.game is not None
            assert restored.game.digest() == played.digest()
        assert len(acknowledged) > 2 * KILLS
        # The next server shows exactly that.
        async with process(database) as (server, _), server.connect(table, secrets[0]) as client:
            shown = played.view(0)
            assert client.view is not None
            if client.view["decision"] and client.view["decision"].get("window"):
                shown["decision"] = {"player": None, "window": True}
            assert client.view == shown

    asyncio.run(visit())


def test_bot_processes_exit_with_the_server(tmp_path: Path) -> None:
    """`smashup serve`, killed while its bots think: no process stays behind."""

    async def visit() -> None:
        database = tmp_path / "tables.sqlite"
        words = ("smashup.terminal", "serve", "--port", "0", "--database", str(database))
        async with process(database, *words) as (server, pid):
            table, _ = await server.create_table("normal", "normal")
            workers: list[int] = []
            began = time.monotonic()
            while (await server.get_table(table))["state"] == "playing" and not workers:
                workers = children(pid)
                await asyncio.sleep(0.05)
                assert time.monotonic() - began < 20
            assert workers
        began = time.monotonic()
        while any(map(psutil.pid_exists, workers)):
            await asyncio.sleep(0.05)
            assert time.monotonic() - began < 10
        assert len((await load_stored(database, table)).seats) == 2

    if not Path("/proc/self/task").exists():
        return
    asyncio.run(visit())
