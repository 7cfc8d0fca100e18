"""A real server on a real port with a real database, and clients that connect to it."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from smashup.bots.process_pool import ProcessPool
from smashup.server.bots.bot_pool import BotPool
from smashup.server.http.app import create_app
from smashup.server.http.connections import Connections, LimitedConfig, raise_descriptor_limit
from smashup.server.http.pages import CLIENT
from smashup.server.live.protocol import FROM_SERVER, PROTOCOL
from smashup.server.live.view_patch import complete_update
from smashup.server.operations import metrics
from smashup.server.operations.settings import Settings
from smashup.server.tables.registry import TableRegistry

TIMEOUT_SECONDS = 120.0
"""Maximum time without a message. Bot processes have low priority: on a busy machine, their start
can take half a minute."""
UNLIMITED: dict[str, Any] = {
    "min_window_seconds": 0.0,
    "bot_processes": 1,
    "messages_per_second": 100_000.0,
    "requests_per_second": 100_000.0,
    "tables_per_second": 100_000.0,
}
"""Settings with which tests do not wait for rate limits and windows."""


class ReusedBotPool(BotPool):
    """Bot processes that the next server in this process uses if they are idle."""

    idle: ClassVar[dict[tuple[object, ...], ProcessPool]] = {}
    """Idle pools by their settings."""

    def close(self) -> None:
        if self._pool is not None and not self._turns.running and self._key not in self.idle:
            self.idle[self._key] = self._pool
            self._pool = None
        super().close()

    def _get_pool(self) -> ProcessPool:
        if self._pool is None:
            self._pool = self.idle.pop(self._key, None)
        return super()._get_pool()

    @property
    def _key(self) -> tuple[object, ...]:
        settings = self.settings
        return (
            settings.bot_processes,
            settings.faction_files,
            settings.bot_files,
            settings.bot_timeout_seconds,
            settings.log_format,
            settings.log_level,
        )


class LiveServer:
    """A running server."""

    def __init__(self, address: str, http: httpx.AsyncClient, registry: TableRegistry) -> None:
        self.address = address
        self.http = http
        self.registry = registry

    async def post(self, path: str, secret: str = "", **body: Any) -> httpx.Response:
        """Send a request to the lobby."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return await self.http.post(f"/api/tables{path}", json=body, headers=headers)

    async def create_table(self, *kinds: str, **more: Any) -> tuple[str, list[str]]:
        """Create a table with seats like "me", "open" or "easy"; return its id and the secrets of
        its creator."""
        seats = [
            {"kind": kind} if kind in ("me", "open") else {"kind": "bot", "level": kind}
            for kind in kinds
        ]
        response = await self.post("", seats=seats, **more)
        assert response.status_code == 201, response.text
        created = response.json()
        return created["table"]["id"], [seat["secret"] for seat in created["seats"]]

    async def get_table(self, table: str) -> dict[str, Any]:
        """Return the public information about a table."""
        response = await self.http.get(f"/api/tables/{table}")
        info: dict[str, Any] = response.json()["table"]
        return info

    @asynccontextmanager
    async def connect(
        self, table: str, secret: str | None = None, lang: str | None = None
    ) -> AsyncIterator[GameClient]:
        """Connect a client to a table and wait for its first snapshot."""
        async with connect(self.socket_url(table), max_queue=None) as line:
            client = GameClient(line)
            await client.hello(secret, lang=lang)
            yield client

    @asynccontextmanager
    async def reconnect(
        self, client: GameClient, table: str, secret: str
    ) -> AsyncIterator[GameClient]:
        """Connect a disconnected client again, from its last version."""
        async with connect(self.socket_url(table), max_queue=None) as line:
            client.line = line
            client.received = []
            await client.hello(secret, stream=client.stream, version=client.version)
            yield client

    def socket_url(self, table: str) -> str:
        """Return the URL of a table's WebSocket."""
        return f"ws://{self.address}/api/tables/{table}/socket"


async def wait_for_decision(clients: Sequence[GameClient]) -> GameClient:
    """Return the client that has to decide now. All clients are up to date then."""
    while True:
        for client in clients:
            await client.request(type="ping")
        for client in clients:
            if client.options:
                return client


class GameClient:
    """A connection and the state it received. It validates every message."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.stream = ""
        self.version = 0
        self.view: dict[str, Any] | None = None
        self.table: dict[str, Any] = {}
        self.number: int | None = None
        self.preferences: dict[str, Any] | None = None
        self.state: dict[str, Any] = {}
        """The last snapshot or completed update."""
        self.chat: list[dict[str, Any]] = []
        self.log: dict[int, str] = {}
        self.received: list[dict[str, Any]] = []
        """All messages, with completed updates."""
        self.updates: list[dict[str, Any]] = []
        """All updates as they were sent."""
        self._last_id = 0

    async def hello(self, secret: str | None, **more: Any) -> dict[str, Any]:
        """Send hello; return the snapshot, or the reply if there is none."""
        message = {"type": "hello", "id": "hello", "protocol": PROTOCOL, **more}
        if secret is not None:
            message["secret"] = secret
        await self.line.send(json.dumps(message))
        reply = await self.receive_until("ack", "refused")
        if reply["type"] == "ack" and "version" not in more:
            return await self.receive_until("snapshot")
        return reply

    async def receive(self) -> dict[str, Any]:
        """Return the next message."""
        text = await asyncio.wait_for(self.line.recv(), TIMEOUT_SECONDS)
        FROM_SERVER.validate_json(text, strict=True, extra="forbid")
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "snapshot":
            self.stream = message["stream"]
        elif message["type"] == "update":
            assert message["version"] == self.version + 1, "a version is missing"
            self.updates.append(message)
            message = complete_update(self.state, message)
        self.received.append(message)
        if message["type"] in ("snapshot", "update"):
            self._apply(message)
        return message

    def _apply(self, message: dict[str, Any]) -> None:
        self.state = message
        self.version, self.view = message["version"], message["view"]
        self.table, self.number = message["table"], message["number"]
        self.preferences = message["wishes"]
        is_snapshot = message["type"] == "snapshot"
        self.chat = message["chat"] if is_snapshot else [*self.chat, *message["chat"]]
        if message["rewound"] is not None:
            self.log = {n: line for n, line in self.log.items() if n < message["rewound"]}
        self.log |= {line["number"]: line["message"]["english"] for line in message["lines"]}

    async def receive_until(self, *types: str) -> dict[str, Any]:
        """Return the next message of one of these types."""
        while (message := await self.receive())["type"] not in types:
            pass
        return message

    async def request(self, **message: Any) -> dict[str, Any]:
        """Send a message and return the reply."""
        self._last_id += 1
        message.setdefault("id", f"{random.getrandbits(48)}-{self._last_id}")
        await self.line.send(json.dumps(message))
        types = ("ack", "refused", "hint")
        while (reply := await self.receive_until(*types))["id"] != message["id"]:
            pass
        return reply

    async def undo(self, **more: Any) -> dict[str, Any]:
        """Request to undo the last choice."""
        return await self.request(**{"type": "undo", "number": self.number, **more})

    async def answer(self, *options: int, number: int | None = None, **more: Any) -> dict[str, Any]:
        """Answer a decision: by default, the open one."""
        number = self.number if number is None else number
        return await self.request(type="answer", number=number, options=list(options), **more)

    @property
    def options(self) -> Sequence[dict[str, Any]]:
        """The options of the open decision; empty if another player decides."""
        decision = self.view["decision"] if self.view is not None else None
        options: list[dict[str, Any]] = (decision or {}).get("options", [])
        return options if self.table.get("state") == "playing" else []

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.table.get("state") == "over")

    async def play(self, rng: random.Random, max_answers: int = 100_000) -> int:
        """Answer at random until the game is over; return the number of answers."""
        count = 0
        while not self.is_over and count < max_answers:
            if not self.options:
                await self.receive()
                continue
            reply = await self.answer(rng.randrange(len(self.options)))
            assert reply["type"] == "ack", reply
            count += 1
            while (self.number or 0) < reply["number"]:
                await self.receive()
        return count


@asynccontextmanager
async def run_server(
    folder: Path, client: Path = CLIENT, small_send_buffer: bool = False, **more: Any
) -> AsyncIterator[LiveServer]:
    """Run a server in this process on any free port.

    With a ``small_send_buffer``, the system accepts hardly more data than the client reads.
    """
    settings = Settings(**{"database": folder / "tables.sqlite", **UNLIMITED, **more})
    app = create_app(settings, client=client)
    app.state.registry.bot_pool = ReusedBotPool(settings, metrics.time_bot_task)
    with socket.create_server(("127.0.0.1", 0)) as sock:
        if small_send_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        # The app itself has to refuse messages that are only a little too long.
        max_bytes = 2 * settings.max_message_bytes
        connections = Connections(settings, raise_descriptor_limit())
        config = LimitedConfig(app, connections, ws_max_size=max_bytes, log_level="error")
        uvicorn_server = uvicorn.Server(config)
        task = asyncio.create_task(uvicorn_server.serve([sock]))
        while not uvicorn_server.started:
            assert not task.done()
            await asyncio.sleep(0.01)
        host, port = sock.getsockname()
        try:
            # Close idle connections before the server does.
            limits = httpx.Limits(keepalive_expiry=1)
            async with httpx.AsyncClient(
                base_url=f"http://{host}:{port}", timeout=TIMEOUT_SECONDS, limits=limits
            ) as http:
                yield LiveServer(f"{host}:{port}", http, app.state.registry)
        finally:
            uvicorn_server.should_exit = True
            await task
