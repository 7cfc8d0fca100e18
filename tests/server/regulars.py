"""People who do not give up: cut off, they come back, like the client in the browser.

And servers in processes of their own to cut them off, with what must be true of a database
afterwards.
"""

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

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.storage.records import StoredTable
from smashup.server.storage.store import store_at
from smashup.server.tables.restore import restore_game
from smashup.server.tables.table_log import effective_answers
from tests.server.house import Guest
from tests.terminal.cli_process import ROOT, environment

CUT_OFF = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError)
NOT_NOW = ("This table is reloading",)


async def until(reached: Callable[[], object], within: float = 120) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(within):
        while not reached():
            await asyncio.sleep(0.02)


@dataclass
class Served:
    """A server in a process of its own."""

    address: str
    process: subprocess.Popen[str]

    def workers(self) -> list[int]:
        """The processes that serve, where there are several."""
        found = []
        for child in _children(self.process.pid):
            words = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"spawn_main" in words:
                found.append(child)
        return found


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in listed.split()]


@asynccontextmanager
async def served(folder: Path, database: str, workers: int = 1) -> AsyncIterator[Served]:
    """A server that is killed at the end, if nobody has done so."""
    words = (database, str(workers))
    with subprocess.Popen(
        [sys.executable, "-m", "tests.server.run", *words],
        stdout=subprocess.PIPE,
        env=environment(folder),
        cwd=ROOT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = await asyncio.to_thread(process.stdout.readline)
            yield Served(line.strip().removeprefix("http://").strip("/"), process)
        finally:
            process.kill()


@dataclass
class Regulars:
    """People at tables of a server, who call any of its addresses."""

    addresses: list[str]
    dice: random.Random
    acknowledged: list[tuple[str, int, str, int]] = field(default_factory=list)
    """Table, seat, message and option of every answer that was acknowledged."""
    cut_off: int = 0
    pause: float = 0.0
    """Seconds to think before each answer."""
    _ids: int = 0
    _lines: set[ClientConnection] = field(default_factory=set)

    async def hang_up(self) -> None:
        """Everyone hangs up, without waiting for the server, and calls again."""
        for line in self._lines:
            line.transport.abort()

    async def found(self, *kinds: str) -> tuple[str, list[str]]:
        """A new table and the secrets of its people."""
        seats = [
            {"kind": "me"} if kind == "me" else {"kind": "bot", "level": kind} for kind in kinds
        ]
        address = self.dice.choice(self.addresses)
        async with httpx.AsyncClient(base_url=f"http://{address}", timeout=30) as http:
            answer = await http.post("/api/tables", json={"seats": seats})
            assert answer.status_code == 201, answer.text
            table = answer.json()
            return table["table"]["id"], [seat["secret"] for seat in table["seats"]]

    async def play(self, table: str, secret: str, seat: int) -> None:
        """Play to the end, whatever happens to the line."""
        waiting: tuple[str, int, int] | None = None
        """An answer that was sent and not acknowledged: message, number and option."""
        while True:
            address = self.dice.choice(self.addresses)
            try:
                async with connect(f"ws://{address}/api/tables/{table}/socket") as line:
                    self._lines.add(line)
                    guest = Guest(line)
                    await guest.hello(secret)
                    while waiting is not None or not guest.is_over:
                        if waiting is None and not guest.options:
                            await guest.hear()
                            continue
                        if waiting is None:
                            await asyncio.sleep(self.pause * self.dice.random())
                            self._ids += 1
                            assert guest.number is not None
                            option = self.dice.randrange(len(guest.options))
                            waiting = (f"m{self._ids}", guest.number, option)
                        message, number, option = waiting
                        answer = await guest.answer(option, number=number, id=message)
                        if answer["type"] == "refused":
                            why = answer["reason"]["english"]
                            assert any(words in why for words in NOT_NOW), answer
                            await asyncio.sleep(0.05)
                            continue
                        self.acknowledged.append((table, seat, message, option))
                        waiting = None
                        while (guest.number or 0) < answer["number"] and not guest.is_over:
                            await guest.hear()
                    return
            except CUT_OFF:
                self.cut_off += 1
                await asyncio.sleep(0.1 + self.dice.random() / 10)


# --- what must be true afterwards -------------------------------------------------------------


async def kept(database: str, table: str) -> StoredTable:
    """What is on disk."""
    store = store_at(database)
    await store.open()
    found = await store.load(table)
    await store.close()
    assert found is not None
    return found


async def check(database: str, tables: Sequence[str], regulars: Regulars) -> dict[str, Game]:
    """Nothing acknowledged is lost, nothing counts twice; the games as they stand."""
    games = {}
    for table in tables:
        found = await kept(database, table)
        assert [e.number for e in found.entries] == list(range(len(found.entries)))
        answers = effective_answers(found.entries)
        told = [(a.seat, a.message_id, a.option) for a in answers if a.message_id]
        assert max(Counter(message for _, message, _ in told).values(), default=1) == 1
        for where, seat, message, option in regulars.acknowledged:
            if where == table:
                assert (seat, message, option) in told, "an acknowledged answer is lost"
        setup = Setup.from_json(found.table.setup)
        played = Game.replay(setup, catalogue(), [a.option for a in answers])
        restored = restore_game(found, catalogue())
        game = restored.game
        assert game is not None
        assert restored.notice is None
        assert game.digest() == played.digest()
        assert (found.table.state == "over") == game.is_over
        assert found.table.winners == list(game.winners)
        games[table] = game
    return games
