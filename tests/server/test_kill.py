"""The server is killed repeatedly in the middle of games, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import psutil

from scripts.servers import children
from smashup.cards import catalogue
from smashup.server.operations.settings import Settings
from smashup.server.tables.registry import TableRegistry
from tests.server.live_server import LiveServer
from tests.server.reconnecting_players import (
    ReconnectingPlayers,
    load_stored,
    run_server_process,
    verify_tables,
)

KILLS = 3


@asynccontextmanager
async def process(database: Path, *command: str) -> AsyncIterator[tuple[LiveServer, int]]:
    """Run a server in a separate process and kill it at the end."""
    async with (
        run_server_process(database.parent, str(database), command=command) as started,
        httpx.AsyncClient(base_url=f"http://{started.address}") as http,
    ):
        registry = TableRegistry(Settings(database=database), catalogue())  # never opened
        yield LiveServer(started.address, http, registry), started.process.pid


async def test_a_game_survives_repeated_kills(tmp_path: Path) -> None:
    database, rng = tmp_path / "tables.sqlite", random.Random(11)
    people = ReconnectingPlayers([], rng)
    table, secrets = "", [""]
    playing: list[asyncio.Task[None]] = []
    for _ in range(KILLS):
        async with process(database) as (server, pid):
            people.addresses = [server.address]
            if not playing:
                table, secrets = await people.create_table("me", "me")
                playing = [
                    asyncio.create_task(people.play(table, secret, seat))
                    for seat, secret in enumerate(secrets)
                ]
            enough = len(people.acknowledged) + rng.randrange(3, 12)
            async with asyncio.timeout(60):
                while len(people.acknowledged) < enough:
                    await asyncio.sleep(0.001)
            await asyncio.sleep(rng.random() / 50)
            os.kill(pid, signal.SIGKILL)
        played = (await verify_tables(str(database), [table], people))[table]
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    assert people.disconnects >= KILLS
    # The next server shows exactly that.
    async with process(database) as (server, _), server.connect(table, secrets[0]) as client:
        shown = played.view(0)
        assert client.view is not None
        if client.view["decision"] and client.view["decision"].get("window"):
            shown["decision"] = {"player": None, "window": True}
        assert client.view == shown


async def test_bot_processes_exit_with_the_server(tmp_path: Path) -> None:
    """`smashup serve`, killed while its bots think: no process stays behind."""
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
    assert len((await load_stored(str(database), table)).seats) == 2
