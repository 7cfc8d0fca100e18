"""Simulated players at many tables, for `scripts.load`."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from smashup.server.live.protocol import PROTOCOL

SEAT_MIXES: Final = (("me", "me"), ("me", "easy"), ("me", "me", "easy"), ("me", "easy", "easy"))
"""The seats of the tables, used in turn: people, and bots of the fastest level."""


@dataclass
class Measurements:
    """Measurements of the simulated players."""

    latencies: list[float] = field(default_factory=list)
    """Seconds from each answer to the update that shows it."""
    window_answers: int = 0
    """Answers in Specials windows, which last a fixed time and are not measured."""
    refused: int = 0
    disconnects: int = 0
    games: int = 0
    updates: int = 0
    update_bytes: int = 0


@dataclass
class ThinkTime:
    """A uniform distribution of thinking times in seconds."""

    min_seconds: float
    max_seconds: float

    def sample(self, rng: random.Random) -> float:
        return rng.uniform(self.min_seconds, self.max_seconds)


class RealisticThinkTime(ThinkTime):
    """Realistic thinking times: mostly a few seconds, sometimes half a minute."""

    def __init__(self) -> None:
        super().__init__(1.0, 40.0)

    def sample(self, rng: random.Random) -> float:
        return max(self.min_seconds, min(self.max_seconds, rng.lognormvariate(1.7, 0.8)))


class SimulatedPlayers:
    """Players at a number of tables; when a game ends, another one starts."""

    def __init__(self, address: str, tables: int, think_time: ThinkTime, seed: int) -> None:
        self.address = address
        self.num_tables = tables
        self.think_time = think_time
        self.measurements = Measurements()
        self.people = 0
        """Connected players."""
        self.tables = 0
        """Games in progress."""
        self._rng = random.Random(seed)
        self._http = httpx.AsyncClient(base_url=f"http://{address}", timeout=60)
        self._tasks: list[asyncio.Task[None]] = []

    async def create_tables(self, interval_seconds: float) -> None:
        """Create all tables, one after the other."""
        for number in range(self.num_tables):
            self._tasks.append(
                asyncio.create_task(self._play_tables(SEAT_MIXES[number % len(SEAT_MIXES)]))
            )
            await asyncio.sleep(interval_seconds)
        while self.tables < self.num_tables:
            await asyncio.sleep(0.1)
            self.check()

    def check(self) -> None:
        """Raise the first error of any table."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def stop(self) -> None:
        """Disconnect all players."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._http.aclose()

    async def _play_tables(self, seats: Sequence[str]) -> None:
        while True:
            form = [
                {"kind": "me"} if seat == "me" else {"kind": "bot", "level": seat} for seat in seats
            ]
            response = await self._http.post("/api/tables", json={"seats": form})
            response.raise_for_status()
            created = response.json()
            self.tables += 1
            table_id = created["table"]["id"]
            players = [self._play_seat(table_id, seat["secret"]) for seat in created["seats"]]
            await asyncio.gather(*players)
            self.tables -= 1
            self.measurements.games += 1

    async def _play_seat(self, table_id: str, secret: str) -> None:
        """Play until the game is over; reconnect when disconnected."""
        url = f"ws://{self.address}/api/tables/{table_id}/socket"
        while True:
            try:
                async with connect(url, max_size=2**22) as socket:
                    self.people += 1
                    try:
                        rng = random.Random(self._rng.random())
                        await SimulatedPlayer(self, socket, rng).play(secret)
                    finally:
                        self.people -= 1
                    return
            except (ConnectionClosed, OSError):
                self.measurements.disconnects += 1
                await asyncio.sleep(1)


class SimulatedPlayer:
    """One seat, which answers at random after thinking."""

    def __init__(
        self, players: SimulatedPlayers, socket: ClientConnection, rng: random.Random
    ) -> None:
        self.players = players
        self.socket = socket
        self.rng = rng
        self.number = -1
        """The number of the seat's next decision."""
        self.decision: dict[str, Any] = {}
        self.is_over = False
        self.asked = -1
        """The last decision that the player started to think about."""
        self.sent: tuple[int, float, bool] | None = None
        """The answer in flight: its decision, when it was sent, and if in a Specials window."""

    async def play(self, secret: str) -> None:
        """Answer decisions until the game is over."""
        await self._send(type="hello", id="hello", protocol=PROTOCOL, secret=secret)
        thinking: asyncio.Task[None] | None = None
        try:
            async for text in self.socket:
                message = json.loads(text)
                if message["type"] == "refused":
                    self.players.measurements.refused += 1
                    self.sent, self.asked = None, -1
                if message["type"] not in ("snapshot", "update"):
                    continue
                self._apply(message)
                self._measure(len(text))
                if self.is_over:
                    return
                if self.decision.get("options") and self.number != self.asked:
                    self.asked = self.number
                    thinking = asyncio.create_task(self._think(self.number, self.decision))
        finally:
            if thinking is not None:
                thinking.cancel()

    def _apply(self, message: dict[str, Any]) -> None:
        """Apply a snapshot or update; omitted fields are unchanged."""
        self.number = message.get("number", self.number)
        if "table" in message:
            self.is_over = message["table"]["state"] == "over"
        view = message.get("patch") or message.get("view") or {}
        if "decision" in view:
            self.decision = view["decision"] or {}

    def _measure(self, size: int) -> None:
        measured = self.players.measurements
        measured.updates += 1
        measured.update_bytes += size
        if self.sent is not None and (self.is_over or self.number > self.sent[0]):
            _, sent_at, is_window = self.sent
            self.sent = None
            if is_window:
                measured.window_answers += 1
            else:
                measured.latencies.append(time.perf_counter() - sent_at)

    async def _think(self, number: int, decision: dict[str, Any]) -> None:
        await asyncio.sleep(self.players.think_time.sample(self.rng))
        option = self.rng.randrange(len(decision["options"]))
        self.sent = (number, time.perf_counter(), bool(decision.get("window")))
        await self._send(type="answer", id=f"a{number}", number=number, options=[option])

    async def _send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))
