"""Who only wants to do harm: garbage, floods, other people's secrets, and never reading."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect

from scripts.chaos.notes import Book, Notes
from scripts.chaos.people import CUT_OFF, request
from smashup.server.live.protocol import PROTOCOL

HELLO: Final[dict[str, Any]] = {"type": "hello", "id": "h", "protocol": PROTOCOL}
WHOLE: Final = 1_000_000


class Hostile:
    """Somebody who comes to tables again and again, each time with something else."""

    def __init__(
        self, book: Book, address: str, http: httpx.AsyncClient, dice: random.Random
    ) -> None:
        self.book = book
        self.address = address
        self.http = http
        self.dice = dice
        self.ways: list[Callable[[Notes], Awaitable[None]]] = [
            self._garbage,
            self._garbage,
            self._wrong_numbers,
            self._wrong_numbers,
            self._somebody_elses_secret,
            self._too_long,
            self._flood,
            self._never_reads,
            self._silent,
            self._requests,
        ]

    async def go_on(self, every: float) -> None:
        while True:
            await asyncio.sleep(self.dice.uniform(0.2, 1.8) * every)
            if tables := [notes for notes in self.book.tables if not notes.is_over]:
                with suppress(*CUT_OFF, TimeoutError):
                    async with asyncio.timeout(20):
                        await self.dice.choice(self.ways)(self.dice.choice(tables))

    def _line(self, notes: Notes) -> connect:
        return connect(f"ws://{self.address}/api/tables/{notes.id}/socket", close_timeout=1)

    async def _sit(self, line: ClientConnection, secret: str | None) -> None:
        said = HELLO | ({"secret": secret} if secret else {})
        await line.send(json.dumps(said))
        while json.loads(await line.recv())["type"] not in ("ack", "refused"):
            pass

    async def _garbage(self, notes: Notes) -> None:
        async with self._line(notes) as line:
            if self.dice.random() < 0.7:
                await self._sit(line, self.dice.choice([None, *notes.secrets.values()]))
            for _ in range(30):
                self.book.counts["hostile messages"] += 1
                await line.send(garbage(self.dice))
            await self._listen(line)

    async def _wrong_numbers(self, notes: Notes) -> None:
        """In a second window, with the secret of a seat: answers that nobody has been asked for."""
        seat, secret = self.dice.choice(list(notes.secrets.items()))
        async with self._line(notes) as line:
            await self._sit(line, secret)
            for number in (0, 999_999, *(self.dice.randrange(WHOLE) for _ in range(3))):
                message = f"x{self.book.next_id()}"
                said = {"type": "answer", "id": message, "number": number, "options": [0]}
                if number == 0:
                    said |= {"number": 999_998, "options": [999_999] * 60, "done": True}
                notes.refused.append((seat, message))
                self.book.counts["hostile messages"] += 1
                await line.send(json.dumps(said))
            await self._listen(line)

    async def _somebody_elses_secret(self, notes: Notes) -> None:
        other = self.dice.choice(self.book.tables)
        if other is notes or set(other.secrets.values()) & set(notes.secrets.values()):
            return
        secret = next(iter(other.secrets.values()), "")
        self.book.counts["hostile messages"] += 1
        async with self._line(notes) as line:
            await line.send(json.dumps(HELLO | {"secret": secret}))
            said = json.loads(await line.recv())
            if said["type"] != "refused":
                self.book.fault("the secret of another table opened a seat", notes)

    async def _too_long(self, notes: Notes) -> None:
        async with self._line(notes) as line:
            self.book.counts["hostile messages"] += 1
            await line.send("x" * self.dice.choice((8_193, 100_000, 3_000_000)))
            await self._listen(line)

    async def _flood(self, notes: Notes) -> None:
        async with self._line(notes) as line:
            await self._sit(line, next(iter(notes.secrets.values()), None))
            for number in range(600):
                self.book.counts["hostile messages"] += 1
                await line.send(json.dumps({"type": "ping", "id": f"p{number}"}))
            await self._listen(line)

    async def _never_reads(self, notes: Notes) -> None:
        async with connect(
            f"ws://{self.address}/api/tables/{notes.id}/socket", close_timeout=0.1, max_queue=1
        ) as line:
            await line.send(json.dumps(HELLO))
            await asyncio.sleep(15)

    async def _silent(self, notes: Notes) -> None:
        async with self._line(notes):
            await asyncio.sleep(12)

    async def _requests(self, notes: Notes) -> None:
        dice = self.dice
        table = f"/api/tables/{notes.id}"
        wrong = "A" * 43
        tries: list[tuple[str, str, dict[str, Any]]] = [
            ("POST", f"{table}/resign", {"secret": wrong}),
            ("PATCH", f"{table}/seat", {"secret": wrong, "name": "Mallory"}),
            ("POST", f"{table}/leave", {"secret": ""}),
            ("POST", f"{table}/join", {"seat": 3, "name": "\x00\u202e" * 10}),
            ("POST", "/api/tables", {"seats": [{"kind": "me"}] * 9}),
            ("POST", "/api/tables", {"seats": "x" * 20_000}),
            ("GET", f"{table}/replay", {}),
            ("GET", f"{table}/save", {}),
            ("POST", f"{table}/branch", {"step": 0, "seat": 0}),
            ("GET", "/api/tables/../../etc/passwd", {}),
            ("GET", "/assets/%2e%2e/%2e%2e/hub.py", {}),
            ("GET", f"/api/tables/{'a' * 5000}", {}),
        ]
        for method, path, body in dice.sample(tries, 5):
            self.book.counts["hostile requests"] += 1
            answer = await request(self.http, method, path, **body)
            if answer is None:
                continue
            if answer.status_code == 500 and not self.book.rough:
                self.book.fault(f"{method} {path.replace(notes.id, 'ID')} stumbled", notes)
            told = path.endswith(("/replay", "/save", "/branch")) and not notes.is_over
            if answer.status_code < 300 and (method != "GET" or told):
                state = await request(self.http, "GET", table)
                if state is None or state.json().get("table", {}).get("state") == "over":
                    continue  # it has just ended
                self.book.fault(f"{method} {path.replace(notes.id, 'ID')} was allowed", notes)

    async def _listen(self, line: ClientConnection) -> None:
        """Hear what is said to that, for a moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                while True:
                    text = await line.recv()
                    if "Traceback" in str(text):
                        self.book.fault("somebody was told what went wrong inside")


def garbage(dice: random.Random) -> str | bytes:
    """A message that makes no sense."""
    kind = dice.randrange(8)
    if kind == 0:
        return dice.randbytes(dice.randrange(200))
    if kind == 1:
        return "".join(chr(dice.randrange(32, 0x2FFF)) for _ in range(dice.randrange(100)))
    if kind == 2:
        return "[" * 4000
    if kind == 3:
        return '{"a":' * 1500 + "1" + "}" * 1500
    said: dict[str, Any] = {
        "type": dice.choice(["answer", "hello", "undo", "agree", "hint", "preview", "eval", "", 7]),
        "id": dice.choice(["1", "", "é", None, 7, "x" * 65, "../..", "a b"]),
        "number": dice.choice([-1, 10**30, 1.5, "0", None, True]),
        "options": dice.choice([[], [-1], [10**20], "0", None, [[0]], list(range(100))]),
        "secret": dice.choice(["", "x" * 100, None, {"$gt": ""}]),
        "wish": dice.choice([None, -1, "x"]),
        "faction_files": ["/tmp/evil.py"],
    }
    for key in dice.sample(list(said), dice.randrange(4)):
        del said[key]
    return json.dumps(said)
