"""The server in processes of its own, and everything that may happen to them."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from scripts import dev_services
from scripts.chaos.notes import Book

STALL_SECONDS: Final = (0.6, 6.6)
"""For how long a worker stalls: from a moment to longer than others wait for what is due."""
GOODBYE: Final = 15.0
"""Seconds in which a server that is told to stop has to be gone."""


class House:
    """A server that can be ended and started again, always at the same address."""

    def __init__(self, database: str, workers: int, folder: Path) -> None:
        self.database = database
        self.count = workers
        self.log = folder / "server.log"
        with socket.create_server(("127.0.0.1", 0)) as sock:
            self.port = sock.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None
        self.starts = 0

    async def start(self) -> None:
        words = [self.database, str(self.count), str(self.port)]
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "scripts.chaos.serving", *words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        with self.process.stdout as said:
            line = await asyncio.to_thread(said.readline)
        if not line.startswith("http://"):
            raise RuntimeError(f"The server did not start: see {self.log}.")
        self.starts += 1

    async def stop(self) -> tuple[int | None, float]:
        """Tell it to stop: its exit status, None if it had to be killed, and how long it took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = await asyncio.to_thread(self.process.wait, GOODBYE)
        except subprocess.TimeoutExpired:
            await self.kill()
            return None, GOODBYE
        return status, time.monotonic() - began

    async def kill(self) -> None:
        """End it without a word, with all that it has started."""
        assert self.process is not None
        pids = self.workers()
        self.process.kill()
        await asyncio.to_thread(self.process.wait)
        # Workers notice that, and leave in good order; a new server is told no address before.
        until = time.monotonic() + GOODBYE
        while any(_is_alive(pid) for pid in pids) and time.monotonic() < until:
            await asyncio.sleep(0.05)
        for pid in pids:
            _signal(pid, signal.SIGKILL)

    def workers(self) -> list[int]:
        """The processes that serve."""
        if self.process is None or self.process.poll() is not None:
            return []
        if self.count == 1:
            return [self.process.pid]
        return [pid for pid in _children(self.process.pid) if _is_python(pid)]

    def bots(self) -> list[int]:
        """The processes in which bots think."""
        return [p for worker in self.workers() for p in _children(worker) if _is_python(p)]

    def memory(self) -> float:
        """Megabytes of all workers."""
        return sum(_megabytes(pid) for pid in self.workers())


class Trouble:
    """What happens to a server, one thing after another."""

    def __init__(
        self,
        house: House,
        book: Book,
        dice: random.Random,
        postgres: dev_services.Postgres | None,
    ) -> None:
        self.house = house
        self.book = book
        self.dice = dice
        self.postgres = postgres
        self.kinds: dict[str, tuple[int, Callable[[], Awaitable[None]]]] = {
            "a worker is killed": (30, self._kill_worker),
            "a worker stalls": (20, self._stall_worker),
            "the server is restarted": (12, self._restart),
            "the server is killed": (6, self._kill),
            "a bot is killed": (6, self._kill_bot),
        }
        if house.count == 1:
            del self.kinds["a worker is killed"]
            self.kinds["the server is killed"] = (30, self._kill)
        if postgres is not None:
            self.kinds["lines to PostgreSQL are cut"] = (10, self._cut_lines)
            self.kinds["PostgreSQL crashes"] = (3, self._crash_postgres)

    def keep_to(self, words: Sequence[str]) -> None:
        """Only do what one of these words occurs in."""
        self.kinds = {
            what: kind for what, kind in self.kinds.items() if any(word in what for word in words)
        }

    async def go_on(self, every: float) -> None:
        """Make trouble until cancelled; every kind comes before any comes twice."""
        rounds: list[str] = []
        while True:
            await asyncio.sleep(self.dice.uniform(0.5, 1.5) * every)
            if not rounds:
                rounds = list(self.kinds)
                weights = [weight for weight, _ in self.kinds.values()]
                rounds += self.dice.choices(rounds, weights, k=2 * len(rounds))
                self.dice.shuffle(rounds)
            what = rounds.pop()
            # Once begun it is finished: nothing is to be left stalled, or half started.
            doing = asyncio.create_task(self._do(what))
            try:
                await asyncio.shield(doing)
            except asyncio.CancelledError:
                await doing
                raise

    async def _do(self, what: str) -> None:
        self.book.counts[what] += 1
        await self.kinds[what][1]()

    async def _kill_worker(self) -> None:
        if workers := self.house.workers():
            _signal(self.dice.choice(workers), signal.SIGKILL)

    async def _stall_worker(self) -> None:
        if workers := self.house.workers():
            await self._stall(self.dice.choice(workers))

    async def _stall(self, pid: int) -> None:
        _signal(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(self.dice.uniform(*STALL_SECONDS))
        finally:
            _signal(pid, signal.SIGCONT)

    async def _restart(self) -> None:
        status, took = await self.house.stop()
        if status != 0:
            self.book.fault(f"told to stop, the server ended with {status} after {took:.1f} s")
        await asyncio.sleep(self.dice.random())
        await self.house.start()

    async def _kill(self) -> None:
        await self.house.kill()
        await asyncio.sleep(self.dice.random())
        await self.house.start()

    async def _kill_bot(self) -> None:
        if bots := self.house.bots():
            _signal(self.dice.choice(bots), signal.SIGKILL)

    async def _cut_lines(self) -> None:
        import psycopg

        def cut() -> None:
            with psycopg.connect(self.house.database, autocommit=True) as line:
                line.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

        await asyncio.to_thread(cut)

    async def _crash_postgres(self) -> None:
        assert self.postgres is not None
        await asyncio.to_thread(self.postgres.end, signal.SIGQUIT)
        await asyncio.sleep(self.dice.uniform(0, 4))
        await asyncio.to_thread(self.postgres.start)


@contextmanager
def built(
    workers: int, database: str, folder: Path, book: Book, dice: random.Random
) -> Iterator[tuple[House, Trouble]]:
    """A server that is not running yet, with all it needs, and its trouble."""
    with ExitStack() as stack:
        postgres = None
        if database == "postgresql":
            postgres = stack.enter_context(dev_services.postgres())
            where = postgres.create("tables")
        else:
            where = str(folder / "tables.sqlite")
        house = House(where, workers, folder)
        try:
            yield house, Trouble(house, book, dice, postgres)
        finally:
            if house.process is not None and house.process.poll() is None:
                for pid in (*house.workers(), house.process.pid):
                    _signal(pid, signal.SIGCONT)
                house.process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    house.process.wait(GOODBYE)
                house.process.kill()


def _signal(pid: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, what)


def _is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _is_python(pid: int) -> bool:
    """Whether a process works for the server, and not only looks after its memory."""
    with suppress(OSError):
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in listed.split()]
    return []


def _megabytes(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1000
    return 0.0


def settings(database: str, workers: int, port: int) -> dict[str, Any]:
    """How the server is told to be: everybody calls from one address, and much is to happen."""
    return {
        "database": database,
        "workers": workers,
        "port": port,
        "beat": 0.3,
        "idle": 20,
        "thinkers": 1,
        "message_rate": 50,
        "request_rate": 10_000,
        "creation_rate": 10_000,
        "sockets_each": 100_000,
        "hello_within": 60,  # they share the cores with the server, and may be slow
    }
