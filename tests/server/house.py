"""A real server on a real port with a real database, and guests who talk to it."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from smashup.server.bots.bot_pool import BotPool
from smashup.server.http.app import create_app
from smashup.server.http.connections import Connections, LimitedConfig, raise_descriptor_limit
from smashup.server.http.pages import CLIENT
from smashup.server.live.protocol import FROM_SERVER, PROTOCOL
from smashup.server.live.view_patch import complete_update
from smashup.server.operations import metrics
from smashup.server.operations.settings import Settings
from smashup.server.tables.registry import TableRegistry

PATIENCE = 30.0
GENEROUS: dict[str, Any] = {
    "beat": 0.0,
    "thinkers": 1,
    "message_rate": 100_000.0,
    "request_rate": 100_000.0,
    "creation_rate": 100_000.0,
}
"""Settings under which a test is never told to wait."""


class ReusedBotPool(BotPool):
    """Bot processes that the next server in this process uses, if they have nothing to do."""

    idle: ClassVar[dict[tuple[object, ...], ProcessPoolExecutor]] = {}
    """By the settings they were started with."""

    def close(self) -> None:
        if self._pool is not None and not self._turns.running and self._key not in self.idle:
            self.idle[self._key] = self._pool
            self._pool = None
        super().close()

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = self.idle.pop(self._key, None)
        return super()._ready()

    @property
    def _key(self) -> tuple[object, ...]:
        chosen = self.settings
        return (
            chosen.thinkers, chosen.faction_files, chosen.bot_files, chosen.think_limit, chosen.log,
            chosen.log_level,
        )  # fmt: skip


class House:
    """A running server."""

    def __init__(self, address: str, http: httpx.AsyncClient, registry: TableRegistry) -> None:
        self.address = address
        self.http = http
        self.registry = registry

    async def post(self, path: str, secret: str = "", **body: Any) -> httpx.Response:
        """Ask the lobby for something."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return await self.http.post(f"/api/tables{path}", json=body, headers=headers)

    async def table(self, *kinds: str, **more: Any) -> tuple[str, list[str]]:
        """A new table and the secrets of its founder: seats like "me", "open" or "easy"."""
        seats = [
            {"kind": kind} if kind in ("me", "open") else {"kind": "bot", "level": kind}
            for kind in kinds
        ]
        answer = await self.post("", seats=seats, **more)
        assert answer.status_code == 201, answer.text
        found = answer.json()
        return found["table"]["id"], [seat["secret"] for seat in found["seats"]]

    async def look(self, table: str) -> dict[str, Any]:
        answer = await self.http.get(f"/api/tables/{table}")
        found: dict[str, Any] = answer.json()["table"]
        return found

    @asynccontextmanager
    async def guest(
        self, table: str, secret: str | None = None, lang: str | None = None
    ) -> AsyncIterator[Guest]:
        """Somebody at a table, who has said hello and been told how things are."""
        async with connect(self.socket(table), max_queue=None) as line:
            guest = Guest(line)
            await guest.hello(secret, lang=lang)
            yield guest

    @asynccontextmanager
    async def back(self, guest: Guest, table: str, secret: str) -> AsyncIterator[Guest]:
        """Somebody whose connection broke, with all they knew."""
        async with connect(self.socket(table), max_queue=None) as line:
            guest.line = line
            guest.heard = []
            await guest.hello(secret, stream=guest.stream, version=guest.version)
            yield guest

    def socket(self, table: str) -> str:
        return f"ws://{self.address}/api/tables/{table}/socket"


async def a_decision_of(guests: Sequence[Guest]) -> Guest:
    """The guest who is asked now; the others have heard everything up to now as well."""
    while True:
        for guest in guests:
            await guest.say(type="ping")
        for guest in guests:
            if guest.options:
                return guest


class Guest:
    """A connection, and what it has been told. Every message is held against its type."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.stream = ""
        self.version = 0
        self.view: dict[str, Any] | None = None
        self.table: dict[str, Any] = {}
        self.number: int | None = None
        self.wishes: dict[str, Any] | None = None
        self.scene: dict[str, Any] = {}
        """The last snapshot or update, as it was told."""
        self.chat: list[dict[str, Any]] = []
        self.log: dict[int, str] = {}
        self.heard: list[dict[str, Any]] = []
        """All messages, updates with what they leave out."""
        self.updates: list[dict[str, Any]] = []
        """All updates as they came."""
        self._ids = 0

    async def hello(self, secret: str | None, **more: Any) -> dict[str, Any]:
        """Say hello; the first thing that is told after the acknowledgement, if anything is."""
        said = {"type": "hello", "id": "hello", "protocol": PROTOCOL, **more}
        if secret is not None:
            said["secret"] = secret
        await self.line.send(json.dumps(said))
        answer = await self.until("ack", "refused")
        if answer["type"] == "ack" and "version" not in more:
            return await self.until("snapshot")
        return answer

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        text = await asyncio.wait_for(self.line.recv(), PATIENCE)
        FROM_SERVER.validate_json(text, strict=True, extra="forbid")
        said: dict[str, Any] = json.loads(text)
        if said["type"] == "snapshot":
            self.stream = said["stream"]
        elif said["type"] == "update":
            assert said["version"] == self.version + 1, "a gap"
            self.updates.append(said)
            said = complete_update(self.scene, said)
        self.heard.append(said)
        if said["type"] in ("snapshot", "update"):
            self.version, self.view, self.table = said["version"], said["view"], said["table"]
            self.number, self.wishes, self.scene = said["number"], said["wishes"], said
            self.chat = said["chat"] if said["type"] == "snapshot" else [*self.chat, *said["chat"]]
            if said["rewound"] is not None:
                self.log = {n: line for n, line in self.log.items() if n < said["rewound"]}
            self.log |= {line["number"]: line["message"]["english"] for line in said["lines"]}
        return said

    async def until(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while (said := await self.hear())["type"] not in types:
            pass
        return said

    async def say(self, **said: Any) -> dict[str, Any]:
        """Send a message; what is said to it."""
        self._ids += 1
        said.setdefault("id", f"{random.getrandbits(48)}-{self._ids}")
        await self.line.send(json.dumps(said))
        while (answer := await self.until("ack", "refused", "hint"))["id"] != said["id"]:
            pass
        return answer

    async def undo(self, **more: Any) -> dict[str, Any]:
        """Ask to take one's last choice back."""
        return await self.say(**{"type": "undo", "number": self.number, **more})

    async def answer(self, *options: int, number: int | None = None, **more: Any) -> dict[str, Any]:
        number = self.number if number is None else number
        return await self.say(type="answer", number=number, options=list(options), **more)

    @property
    def options(self) -> Sequence[dict[str, Any]]:
        """What this guest may choose from now; empty if somebody else has to."""
        decision = self.view["decision"] if self.view is not None else None
        options: list[dict[str, Any]] = (decision or {}).get("options", [])
        return options if self.table.get("state") == "playing" else []

    @property
    def is_over(self) -> bool:
        return bool(self.table.get("state") == "over")

    async def play(self, dice: random.Random, most: int = 100_000) -> int:
        """Answer at random until the game is over, or so often; how many answers were given."""
        given = 0
        while not self.is_over and given < most:
            if not self.options:
                await self.hear()
                continue
            answer = await self.answer(dice.randrange(len(self.options)))
            assert answer["type"] == "ack", answer
            given += 1
            while (self.number or 0) < answer["number"]:
                await self.hear()
        return given


@asynccontextmanager
async def serving(
    folder: Path, client: Path = CLIENT, narrow: bool = False, **more: Any
) -> AsyncIterator[House]:
    """A server that runs inside this process, on any free port; with ``narrow`` lines, the system
    takes hardly more than the other side reads."""
    settings = Settings(**{"database": folder / "tables.sqlite", **GENEROUS, **more})
    app = create_app(settings, client=client)
    app.state.registry.thinkers = ReusedBotPool(settings, metrics.thinking)
    with socket.create_server(("127.0.0.1", 0)) as sock:
        if narrow:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        # What is a little too long must be refused by the app itself.
        longest = 2 * settings.message_size
        connections = Connections(settings, raise_descriptor_limit())
        config = LimitedConfig(app, connections, ws_max_size=longest, log_level="error")
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve([sock]))
        while not server.started:
            assert not running.done()
            await asyncio.sleep(0.01)
        host, port = sock.getsockname()
        try:
            # The server closes idle connections: not one that is about to be used.
            reuse = httpx.Limits(keepalive_expiry=1)
            async with httpx.AsyncClient(
                base_url=f"http://{host}:{port}", timeout=PATIENCE, limits=reuse
            ) as http:
                yield House(f"{host}:{port}", http, app.state.registry)
        finally:
            server.should_exit = True
            await running
