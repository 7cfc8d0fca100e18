"""Hostile clients: invalid messages, floods, wrong secrets, and connections that never read."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect

from scripts.chaos.players import DISCONNECT_ERRORS, send_request
from scripts.chaos.records import ObservedTable, Records
from smashup.server.live.protocol import PROTOCOL

HELLO: Final[dict[str, Any]] = {"type": "hello", "id": "h", "protocol": PROTOCOL}
MAX_NUMBER: Final = 1_000_000
"""The largest decision number of the protocol."""


class HostileClient:
    """A client that attacks tables in random ways."""

    def __init__(
        self, records: Records, address: str, http: httpx.AsyncClient, rng: random.Random
    ) -> None:
        self.records = records
        self.address = address
        self.http = http
        self.rng = rng
        self.attacks: list[Callable[[ObservedTable], Awaitable[None]]] = [
            self._send_garbage,
            self._send_garbage,
            self._send_wrong_numbers,
            self._send_wrong_numbers,
            self._use_foreign_secret,
            self._send_long_message,
            self._flood,
            self._never_read,
            self._never_send,
            self._send_bad_requests,
        ]

    async def run(self, interval_seconds: float) -> None:
        """Attack until cancelled."""
        while True:
            await asyncio.sleep(self.rng.uniform(0.2, 1.8) * interval_seconds)
            if tables := [table for table in self.records.tables if not table.is_over]:
                with suppress(*DISCONNECT_ERRORS, TimeoutError):
                    async with asyncio.timeout(20):
                        await self.rng.choice(self.attacks)(self.rng.choice(tables))

    def _url(self, table: ObservedTable) -> str:
        return f"ws://{self.address}/api/tables/{table.id}/socket"

    def _connect(self, table: ObservedTable) -> connect:
        return connect(self._url(table), close_timeout=1)

    async def _send_hello(self, socket: ClientConnection, secret: str | None) -> None:
        hello = HELLO | ({"secret": secret} if secret else {})
        await socket.send(json.dumps(hello))
        while json.loads(await socket.recv())["type"] not in ("ack", "refused"):
            pass

    async def _send_garbage(self, table: ObservedTable) -> None:
        async with self._connect(table) as socket:
            if self.rng.random() < 0.7:
                await self._send_hello(socket, self.rng.choice([None, *table.secrets.values()]))
            for _ in range(30):
                self.records.counts["hostile_messages"] += 1
                await socket.send(make_garbage(self.rng))
            await self._read_replies(socket)

    async def _send_wrong_numbers(self, table: ObservedTable) -> None:
        """Answer decisions that do not exist, with a valid secret from a second connection."""
        seat, secret = self.rng.choice(list(table.secrets.items()))
        async with self._connect(table) as socket:
            await self._send_hello(socket, secret)
            for number in (0, 999_999, *(self.rng.randrange(MAX_NUMBER) for _ in range(3))):
                id_ = f"x{self.records.next_id()}"
                message = {"type": "answer", "id": id_, "number": number, "options": [0]}
                if number == 0:
                    message |= {"number": 999_998, "options": [999_999] * 60, "done": True}
                table.refused.append((seat, id_))
                self.records.counts["hostile_messages"] += 1
                await socket.send(json.dumps(message))
            await self._read_replies(socket)

    async def _use_foreign_secret(self, table: ObservedTable) -> None:
        other = self.rng.choice(self.records.tables)
        if other is table or set(other.secrets.values()) & set(table.secrets.values()):
            return
        secret = next(iter(other.secrets.values()), "")
        self.records.counts["hostile_messages"] += 1
        async with self._connect(table) as socket:
            await socket.send(json.dumps(HELLO | {"secret": secret}))
            reply = json.loads(await socket.recv())
            if reply["type"] != "refused":
                self.records.add_failure("the server accepted a secret of another table", table)

    async def _send_long_message(self, table: ObservedTable) -> None:
        async with self._connect(table) as socket:
            self.records.counts["hostile_messages"] += 1
            await socket.send("x" * self.rng.choice((8_193, 100_000, 3_000_000)))
            await self._read_replies(socket)

    async def _flood(self, table: ObservedTable) -> None:
        async with self._connect(table) as socket:
            await self._send_hello(socket, next(iter(table.secrets.values()), None))
            for number in range(600):
                self.records.counts["hostile_messages"] += 1
                await socket.send(json.dumps({"type": "ping", "id": f"p{number}"}))
            await self._read_replies(socket)

    async def _never_read(self, table: ObservedTable) -> None:
        async with connect(self._url(table), close_timeout=0.1, max_queue=1) as socket:
            await socket.send(json.dumps(HELLO))
            await asyncio.sleep(15)

    async def _never_send(self, table: ObservedTable) -> None:
        async with self._connect(table):
            await asyncio.sleep(12)

    async def _send_bad_requests(self, table: ObservedTable) -> None:
        table_path = f"/api/tables/{table.id}"
        wrong_secret = "A" * 43
        requests: list[tuple[str, str, dict[str, Any]]] = [
            ("POST", f"{table_path}/resign", {"secret": wrong_secret}),
            ("PATCH", f"{table_path}/seat", {"secret": wrong_secret, "name": "Mallory"}),
            ("POST", f"{table_path}/leave", {"secret": ""}),
            ("POST", f"{table_path}/join", {"seat": 3, "name": "\x00\u202e" * 10}),
            ("POST", "/api/tables", {"seats": [{"kind": "me"}] * 9}),
            ("POST", "/api/tables", {"seats": "x" * 20_000}),
            ("GET", f"{table_path}/replay", {}),
            ("GET", f"{table_path}/save", {}),
            ("POST", f"{table_path}/branch", {"step": 0, "seat": 0}),
            ("GET", "/api/tables/../../etc/passwd", {}),
            ("GET", "/assets/%2e%2e/%2e%2e/app.py", {}),
            ("GET", f"/api/tables/{'a' * 5000}", {}),
        ]
        for method, path, body in self.rng.sample(requests, 5):
            self.records.counts["hostile_requests"] += 1
            response = await send_request(self.http, method, path, **body)
            if response is None:
                continue
            shown_path = path.replace(table.id, "ID")
            if response.status_code == 500 and not self.records.is_disrupted:
                self.records.add_failure(f"{method} {shown_path} failed", table)
            is_secret = path.endswith(("/replay", "/save", "/branch")) and not table.is_over
            if response.status_code < 300 and (method != "GET" or is_secret):
                state = await send_request(self.http, "GET", table_path)
                if state is None or state.json().get("table", {}).get("state") == "over":
                    continue  # the game has just ended
                self.records.add_failure(f"{method} {shown_path} was allowed", table)

    async def _read_replies(self, socket: ClientConnection) -> None:
        """Read replies for two seconds. None may contain details of an error."""
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                while True:
                    text = await socket.recv()
                    if "Traceback" in str(text):
                        self.records.add_failure("a reply contained details of an internal error")


def make_garbage(rng: random.Random) -> str | bytes:
    """Return an invalid message."""
    kind = rng.randrange(8)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return "".join(chr(rng.randrange(32, 0x2FFF)) for _ in range(rng.randrange(100)))
    if kind == 2:
        return "[" * 4000
    if kind == 3:
        return '{"a":' * 1500 + "1" + "}" * 1500
    message: dict[str, Any] = {
        "type": rng.choice(["answer", "hello", "undo", "agree", "hint", "preview", "eval", "", 7]),
        "id": rng.choice(["1", "", "é", None, 7, "x" * 65, "../..", "a b"]),
        "number": rng.choice([-1, 10**30, 1.5, "0", None, True]),
        "options": rng.choice([[], [-1], [10**20], "0", None, [[0]], list(range(100))]),
        "secret": rng.choice(["", "x" * 100, None, {"$gt": ""}]),
        "wish": rng.choice([None, -1, "x"]),
        "faction_files": ["/tmp/evil.py"],
    }
    for key in rng.sample(list(message), rng.randrange(4)):
        del message[key]
    return json.dumps(message)
