"""``make chaos``: people play while everything goes wrong; afterwards every table is exact.

    make chaos ARGS="--minutes 60 --workers 2"
    make chaos ARGS="--minutes 5 --workers 1 --database sqlite"

Starts a real server (for several workers, or with ``--database postgresql``, a PostgreSQL too) and
lets people play on it. Meanwhile workers are killed and stalled, the server and its
databases are restarted, lines break, and strangers send what they should not. Then all is calm for
a while, every game has to go on, and each table is checked: what was acknowledged is kept once and
in order, and whatever anybody was shown is what the log of answers leads to.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import httpx

from scripts.chaos.exactness import check
from scripts.chaos.hostile import Hostile
from scripts.chaos.notes import Book, Notes
from scripts.chaos.people import Person, request
from scripts.chaos.trouble import House, Trouble, built

MIXES: Final = (
    ("me", "me"), ("me", "easy"), ("me", "join", "easy"), ("me", "easy"), ("me", "me", "join"),
    ("easy", "easy"), ("me", "normal"), ("join", "me"),
)  # fmt: skip
"""Tables in turn: people who found them, people who join, and bots."""
HOSTILE: Final = 3
"""Strangers who want to do harm, at a time."""
TICK: Final = 10.0
SILENCE: Final = 3.0
"""Seconds without news after which nothing more is under way."""
PROGRESS: Final = 120.0
"""Seconds in which, with all calm, every game has to go on; who fell asleep sleeps for up to 78."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5, help="how long trouble lasts")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--database", choices=("postgresql", "sqlite"))
    parser.add_argument("--tables", type=int, default=16, help="tables at a time")
    parser.add_argument("--pace", type=float, default=0.6, help="seconds people think, on average")
    parser.add_argument("--clock", type=int, default=60, help="seconds, at some tables; 0: at none")
    parser.add_argument("--only", action="append", help="only trouble whose name has these words")
    parser.add_argument("--every", type=float, default=12, help="seconds between two troubles")
    parser.add_argument(
        "--verify", type=float, default=10, help="minutes to check all that was shown"
    )
    parser.add_argument("--keep-log", type=Path, help="where the server's log goes")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args(words)
    options.database = options.database or ("postgresql" if options.workers > 1 else "sqlite")
    if options.workers > 1 and options.database == "sqlite":
        parser.error("several workers need PostgreSQL")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    dice = random.Random(options.seed)
    book = Book()
    with (
        tempfile.TemporaryDirectory(prefix="chaos-") as folder,
        built(options.workers, options.database, Path(folder), book, dice) as (house, trouble),
    ):
        trouble.keep_to(options.only or [""])
        return asyncio.run(Chaos(options, book, house, trouble, dice).run())


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Chaos:
    """One run, from the first table to the report."""

    def __init__(
        self,
        options: argparse.Namespace,
        book: Book,
        house: House,
        trouble: Trouble,
        dice: random.Random,
    ) -> None:
        self.options = options
        self.book = book
        self.house = house
        self.trouble = trouble
        self.dice = dice
        self.http = httpx.AsyncClient(base_url=f"http://{house.address}", timeout=20)
        self.tasks: list[asyncio.Task[None]] = []
        self.closing = False
        self.memory: list[float] = []

    async def run(self) -> int:
        say(f"seed {self.options.seed}")
        await self.house.start()
        self.tasks = [
            asyncio.create_task(self._tables(number)) for number in range(self.options.tables)
        ]
        hostile = Hostile(self.book, self.house.address, self.http, self._dice())
        others = [asyncio.create_task(hostile.go_on(1.5)) for _ in range(HOSTILE)]
        others.append(asyncio.create_task(self.trouble.go_on(self.options.every)))
        await self._watch(self.options.minutes * 60)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._calm()
        status, took = await self.house.stop()
        if status != 0:
            self.book.fault(f"told to stop, the server ended with {status} after {took:.1f} s")
        await self.http.aclose()
        self._read_log()
        exact, whole = await check(
            self.book, self.house.database, self.options.verify * 60, self.dice, say
        )
        self._report(exact, whole)
        return 1 if self.book.faults else 0

    def _dice(self) -> random.Random:
        return random.Random(self.dice.random())

    # --- tables -------------------------------------------------------------------------------

    async def _tables(self, number: int) -> None:
        """One table after another."""
        while not self.closing:
            notes = await self._found(MIXES[number % len(MIXES)])
            number += 1
            if notes is None:
                await asyncio.sleep(0.5)
                continue
            self.book.tables.append(notes)
            people = [self._person(notes, seat) for seat in notes.secrets]
            watching = [self._person(notes, -1) for _ in range(self.dice.choice((0, 1, 1, 2)))]
            if not people and not watching:
                watching.append(self._person(notes, -1))
            await asyncio.gather(*(person.stay() for person in (*people, *watching)))
            self.book.counts["games over"] += 1
            await self._afterwards(notes)

    def _person(self, notes: Notes, seat: int) -> Person:
        pace = self.options.pace
        return Person(self.book, notes, self.house.address, seat, pace, self._dice())

    async def _found(self, kinds: Sequence[str]) -> Notes | None:
        """A table at which everybody sits; None if somebody was cut off on the way."""
        dice = self.dice
        seats = [
            {"kind": {"me": "me", "join": "open"}.get(kind, "bot"), "name": f"Name-{i}"}
            | ({} if kind in ("me", "join") else {"level": kind})
            for i, kind in enumerate(kinds)
        ]
        clock = dice.choice((0, 0, 0, self.options.clock))
        form: dict[str, Any] = {"seats": seats, "clock": clock, "listed": dice.random() < 0.5}
        found = await self._ask("POST", "/api/tables", **form)
        if found is None:
            return None
        secrets = {seat["seat"]: seat["secret"] for seat in found["seats"]}
        table = found["table"]["id"]
        for _ in range(kinds.count("join")):
            joined = await self._ask("POST", f"/api/tables/{table}/join", name="Guest")
            if joined is None:
                return None  # and nobody knows the secret of that seat
            secrets |= {seat["seat"]: seat["secret"] for seat in joined["seats"]}
        return Notes(table, secrets, len(kinds), clock)

    async def _ask(self, method: str, path: str, secret: str = "", **body: Any) -> Any:
        answer = await request(self.http, method, path, secret, **body)
        if answer is None or answer.status_code >= 500:
            self.book.counts["requests cut off"] += 1
            return None
        if answer.status_code >= 300:
            self.book.fault(f"{method} {path.partition('/api')[2][:12]}: {answer.text[:200]}")
            return None
        return answer.json()

    async def _afterwards(self, notes: Notes) -> None:
        """See the game again, and say something about it."""
        if self.dice.random() < 0.3:
            replay = await self._ask("GET", f"/api/tables/{notes.id}/replay")
            if replay is not None:
                self.book.counts["replays"] += 1
                told = notes.told[0].view
                if told is not None and replay["winners"] != told["winners"]:
                    self.book.fault("a replay ends otherwise", notes)
        if self.dice.random() < 0.1:
            secret = next(iter(notes.secrets.values()), "")
            path = f"/api/tables/{notes.id}/reports"
            if await self._ask("POST", path, secret, kind="bug", text="Was it?") is not None:
                self.book.counts["reports"] += 1

    # --- time goes by -------------------------------------------------------------------------

    async def _watch(self, seconds: float) -> None:
        began = told = time.monotonic()
        while (left := began + seconds - time.monotonic()) > 0:
            await asyncio.sleep(min(1.0, left))
            self._raise()
            if time.monotonic() - told >= TICK:
                told = time.monotonic()
                self.memory.append(self.house.memory())
                say(self._line((told - began) / 60))

    def _raise(self) -> None:
        for task in self.tasks:
            if task.done():
                task.result()

    def _line(self, minutes: float) -> str:
        counts = self.book.counts
        playing = sum(not notes.is_over for notes in self.book.tables)
        return (
            f"{minutes:5.1f} min  {playing} tables, {counts['games over']} games over,"
            f" {counts['answers']} answers, cut off {counts['cut off']},"
            f" reloads {counts['reloads']}, {self.memory[-1]:.0f} MB,"
            f" {len(self.book.faults)} faults"
        )

    async def _calm(self) -> None:
        """Nothing more goes wrong: every game goes on, and then everybody stops."""
        say("all is calm: every game has to go on ...")
        await asyncio.sleep(6 if self.house.count > 1 else 1)  # what is due is overdue by then
        self.book.rough = False
        began = time.monotonic()
        open_ = [notes for notes in self.book.tables if not notes.is_over and notes.secrets]
        self.closing = True
        while open_ and time.monotonic() - began < PROGRESS:
            await asyncio.sleep(0.5)
            self._raise()
            open_ = [n for n in open_ if not n.is_over and n.progress < began]
        for notes in open_:
            self.book.fault("it does not go on", notes)
        self.book.quiet = True
        began = time.monotonic()
        # Bots come to where a person is asked, and everybody hears of it.
        while time.monotonic() - self.book.heard < SILENCE and time.monotonic() - began < PROGRESS:
            await asyncio.sleep(0.2)
        self._raise()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def _read_log(self) -> None:
        """What the server said of itself tells nobody anything."""
        text = self.house.log.read_text()
        if self.options.keep_log is not None:
            self.options.keep_log.write_text(text)
        lines = text.splitlines()
        for at, line in enumerate(lines):
            if line.startswith("Traceback") or "by=asyncio" in line:
                around = "\n".join(lines[max(0, at - 3) : at + 20])
                self.book.fault(f"the server's log tells of something unforeseen:\n{around}")
        secrets = [s for notes in self.book.tables for s in (notes.id, *notes.secrets.values())]
        if any(secret in text for secret in secrets):
            self.book.fault("the server's log tells a secret")
        self.book.counts["lines in the server's log"] = len(lines)

    def _report(self, exact: int, whole: int) -> None:
        book = self.book
        waits = book.waits
        p99 = statistics.quantiles(waits, n=100)[98] * 1000 if len(waits) > 1 else 0.0
        print(f"seed              {self.options.seed}")
        for what, count in sorted(book.counts.items()):
            print(f"{what:30} {count}")
        print(
            f"{'answer to acknowledgement':30} p99 {p99:.0f} ms with all calm, {len(waits)} answers"
        )
        if self.memory:
            print(f"{'memory':30} {self.memory[0]:.0f} MB to {self.memory[-1]:.0f} MB")
        print(f"{'tables checked':30} {exact}, step by step {whole}")
        print(f"{'faults':30} {len(book.faults)}")
        for kind in book.faults[:50]:
            print(f"  {kind}")


if __name__ == "__main__":
    sys.exit(main())
