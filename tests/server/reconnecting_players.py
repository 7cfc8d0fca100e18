"""Players who reconnect like the browser client, and servers in separate processes."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from scripts.servers import children, server_command
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.errors import RefusalCode
from smashup.server.storage.records import StoredTable
from smashup.server.storage.store import store_at
from smashup.server.tables.restore import restore_game
from smashup.server.tables.table_log import effective_answers
from tests.server.live_server import UNLIMITED, GameClient
from tests.terminal.cli_process import ROOT, environment

DISCONNECT_ERRORS = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError)
RETRY_CODES = (RefusalCode.TABLE_RELOADING,)


async def wait_until(condition: Callable[[], object], seconds: float = 120) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)


@dataclass
class ServerProcess:
    """A server in a separate process."""

    address: str
    process: subprocess.Popen[str]

    def worker_pids(self) -> list[int]:
        """Return the process ids of the workers, if there are several."""
        return children(self.process.pid)


@asynccontextmanager
async def run_server_process(
    folder: Path, database: str, workers: int = 1, command: Sequence[str] = ()
) -> AsyncIterator[ServerProcess]:
    """Run a server, or another module with its arguments, and kill it at the end."""
    server = server_command(database=database, workers=workers, **UNLIMITED)
    with subprocess.Popen(
        [sys.executable, "-m", *command] if command else server,
        stdout=subprocess.PIPE,
        env=environment(folder),
        cwd=ROOT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = await asyncio.to_thread(process.stdout.readline)
            address = line[line.index("http://") :].split()[0]
            yield ServerProcess(address.removeprefix("http://").strip("/"), process)
        finally:
            process.kill()


@dataclass
class ReconnectingPlayers:
    """Players who connect to any of the addresses of a server."""

    addresses: list[str]
    rng: random.Random
    acknowledged: list[tuple[str, int, str, int]] = field(default_factory=list)
    """Table, seat, message id and option of every acknowledged answer."""
    disconnects: int = 0
    think_seconds: float = 0.0
    """Maximum time before each answer."""
    _last_id: int = 0
    _lines: set[ClientConnection] = field(default_factory=set)

    async def disconnect_all(self) -> None:
        """Abort all connections. The players reconnect."""
        for line in self._lines:
            line.transport.abort()

    async def create_table(self, *kinds: str) -> tuple[str, list[str]]:
        """Create a table and return its id and the secrets of its people."""
        seats = [
            {"kind": "me"} if kind == "me" else {"kind": "bot", "level": kind} for kind in kinds
        ]
        address = self.rng.choice(self.addresses)
        async with httpx.AsyncClient(base_url=f"http://{address}", timeout=30) as http:
            response = await http.post("/api/tables", json={"seats": seats})
            assert response.status_code == 201, response.text
            created = response.json()
            return created["table"]["id"], [seat["secret"] for seat in created["seats"]]

    async def play(self, table: str, secret: str, seat: int) -> None:
        """Play until the game is over; reconnect after each disconnect."""
        pending: tuple[str, int, int] | None = None
        """An answer without acknowledgement: message id, number and option."""
        while True:
            address = self.rng.choice(self.addresses)
            try:
                async with connect(f"ws://{address}/api/tables/{table}/socket") as line:
                    self._lines.add(line)
                    client = GameClient(line)
                    await client.hello(secret)
                    while pending is not None or not client.is_over:
                        if pending is None and not client.options:
                            await client.receive()
                            continue
                        if pending is None:
                            await asyncio.sleep(self.think_seconds * self.rng.random())
                            self._last_id += 1
                            assert client.number is not None
                            option = self.rng.randrange(len(client.options))
                            pending = (f"m{self._last_id}", client.number, option)
                        message_id, number, option = pending
                        reply = await client.answer(option, number=number, id=message_id)
                        if reply["type"] == "refused":
                            assert reply["code"] in RETRY_CODES, reply
                            await asyncio.sleep(0.05)
                            continue
                        self.acknowledged.append((table, seat, message_id, option))
                        pending = None
                        while (client.number or 0) < reply["number"] and not client.is_over:
                            await client.receive()
                    return
            except DISCONNECT_ERRORS:
                self.disconnects += 1
                await asyncio.sleep(0.1 + self.rng.random() / 10)


# --- verification -----------------------------------------------------------------------------


async def load_stored(database: str, table: str) -> StoredTable:
    """Load a table from the database."""
    store = store_at(database)
    await store.open()
    stored = await store.load(table)
    await store.close()
    assert stored is not None
    return stored


async def verify_tables(
    database: str, tables: Sequence[str], players: ReconnectingPlayers
) -> dict[str, Game]:
    """Check that each acknowledged answer is stored once; return the restored games."""
    games = {}
    for table in tables:
        stored = await load_stored(database, table)
        assert [e.number for e in stored.entries] == list(range(len(stored.entries)))
        answers = effective_answers(stored.entries)
        by_people = [(a.seat, a.message_id, a.option) for a in answers if a.message_id]
        assert max(Counter(id_ for _, id_, _ in by_people).values(), default=1) == 1
        for answer_table, seat, message_id, option in players.acknowledged:
            if answer_table == table:
                assert (seat, message_id, option) in by_people, "an acknowledged answer is lost"
        setup = Setup.from_json(stored.table.setup)
        replayed = Game.replay(setup, catalogue(), [a.option for a in answers])
        restored = restore_game(stored, catalogue())
        game = restored.game
        assert game is not None
        assert restored.notice is None
        assert game.digest() == replayed.digest()
        assert (stored.table.state == "over") == game.is_over
        assert stored.table.winners == list(game.winners)
        games[table] = game
    return games
