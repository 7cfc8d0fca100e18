"""Many people at many tables, for `scripts.load`: each answers a moment after being asked."""

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

MIXES: Final = (("me", "me"), ("me", "easy"), ("me", "me", "easy"), ("me", "easy", "easy"))
"""The tables in turn: people, and bots of the quickest level."""


@dataclass
class Counts:
    """What the simulated players have seen."""

    waits: list[float] = field(default_factory=list)
    """Seconds from each answer to the update that shows it."""
    windows: int = 0
    """Answers in windows for Specials: those wait for the beat, and are not among the waits."""
    refused: int = 0
    dropped: int = 0
    games: int = 0
    updates: int = 0
    size: int = 0
    """Bytes of all updates."""


@dataclass
class Pace:
    """How long people think, in seconds."""

    shortest: float
    longest: float

    def next(self, dice: random.Random) -> float:
        return dice.uniform(self.shortest, self.longest)


class Realistic(Pace):
    """How long people really think: mostly a few seconds, sometimes half a minute."""

    def __init__(self) -> None:
        super().__init__(1.0, 40.0)

    def next(self, dice: random.Random) -> float:
        return max(self.shortest, min(self.longest, dice.lognormvariate(1.7, 0.8)))


class SimulatedPlayers:
    """People at so many tables; a game that ends is followed by another."""

    def __init__(self, address: str, tables: int, pace: Pace, seed: int) -> None:
        self.address = address
        self.count = tables
        self.pace = pace
        self.counts = Counts()
        self.people = 0
        """Connected now."""
        self.tables = 0
        """Being played now."""
        self._dice = random.Random(seed)
        self._http = httpx.AsyncClient(base_url=f"http://{address}", timeout=60)
        self._tasks: list[asyncio.Task[None]] = []

    async def sit_down(self, each: float) -> None:
        """Found all tables, one after the other."""
        for number in range(self.count):
            self._tasks.append(asyncio.create_task(self._table(MIXES[number % len(MIXES)])))
            await asyncio.sleep(each)
        while self.tables < self.count:
            await asyncio.sleep(0.1)
            self.check()

    def check(self) -> None:
        """Raise what went wrong at any table."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._http.aclose()

    async def _table(self, seats: Sequence[str]) -> None:
        while True:
            form = [
                {"kind": "me"} if seat == "me" else {"kind": "bot", "level": seat} for seat in seats
            ]
            answer = await self._http.post("/api/tables", json={"seats": form})
            answer.raise_for_status()
            found = answer.json()
            self.tables += 1
            people = [self._person(found["table"]["id"], seat["secret"]) for seat in found["seats"]]
            await asyncio.gather(*people)
            self.tables -= 1
            self.counts.games += 1

    async def _person(self, table: str, secret: str) -> None:
        """Play until the game is over; who is cut off comes back."""
        address = f"ws://{self.address}/api/tables/{table}/socket"
        while True:
            try:
                async with connect(address, max_size=2**22) as line:
                    self.people += 1
                    try:
                        await LoadUser(self, line, random.Random(self._dice.random())).play(secret)
                    finally:
                        self.people -= 1
                    return
            except (ConnectionClosed, OSError):
                self.counts.dropped += 1
                await asyncio.sleep(1)


class LoadUser:
    """One seat: answers at random, a moment after being asked."""

    def __init__(
        self, players: SimulatedPlayers, line: ClientConnection, dice: random.Random
    ) -> None:
        self.players = players
        self.line = line
        self.dice = dice
        self.number = -1
        """Which of the seat's decisions is next."""
        self.decision: dict[str, Any] = {}
        self.is_over = False
        self.asked = -1
        """The last decision that is or was being thought about."""
        self.sent: tuple[int, float, bool] | None = None
        """The answer that is on its way: to which decision, since when, and if in a window."""

    async def play(self, secret: str) -> None:
        await self._say(type="hello", id="hello", protocol=PROTOCOL, secret=secret)
        thinking: asyncio.Task[None] | None = None
        try:
            async for text in self.line:
                said = json.loads(text)
                if said["type"] == "refused":
                    self.players.counts.refused += 1
                    self.sent, self.asked = None, -1
                if said["type"] not in ("snapshot", "update"):
                    continue
                self._follow(said)
                self._note(len(text))
                if self.is_over:
                    return
                if self.decision.get("options") and self.number != self.asked:
                    self.asked = self.number
                    thinking = asyncio.create_task(self._think(self.number, self.decision))
        finally:
            if thinking is not None:
                thinking.cancel()

    def _follow(self, said: dict[str, Any]) -> None:
        """Take what is needed of a snapshot or an update; what it leaves out stays as it was."""
        self.number = said.get("number", self.number)
        if "table" in said:
            self.is_over = said["table"]["state"] == "over"
        view = said.get("patch") or said.get("view") or {}
        if "decision" in view:
            self.decision = view["decision"] or {}

    def _note(self, size: int) -> None:
        counts = self.players.counts
        counts.updates += 1
        counts.size += size
        if self.sent is not None and (self.is_over or self.number > self.sent[0]):
            _, since, window = self.sent
            self.sent = None
            if window:
                counts.windows += 1
            else:
                counts.waits.append(time.perf_counter() - since)

    async def _think(self, number: int, decision: dict[str, Any]) -> None:
        await asyncio.sleep(self.players.pace.next(self.dice))
        option = self.dice.randrange(len(decision["options"]))
        self.sent = (number, time.perf_counter(), bool(decision.get("window")))
        await self._say(type="answer", id=f"a{number}", number=number, options=[option])

    async def _say(self, **said: Any) -> None:
        await self.line.send(json.dumps(said))
