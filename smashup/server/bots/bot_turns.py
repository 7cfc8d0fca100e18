"""Who may use a bot process next: a fair share for each address, and within it for each table.

Fairness is counted in seconds of thinking, not in decisions: an expert bot costs two hundred times
what an easy bot costs. Tables that someone is watching go before tables without a viewer, which
still get a small share, so that their games end. One slot beyond the configured processes is kept
for bots that answer at once; they never wait for a search to end.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

WATCHED: Final = "watched"
UNWATCHED: Final = "unwatched"
COST: Final = {WATCHED: 1.0, UNWATCHED: 10.0}
"""How much a second of thinking counts: unwatched tables get an eleventh of a busy pool."""
MAX_REMEMBERED: Final = 10_000
"""Addresses and tables whose use is remembered while they ask for nothing."""

Path = tuple[str, ...]
"""Watched or not, address, table."""


@dataclass(frozen=True)
class Claim:
    """On whose behalf a bot thinks."""

    table: str
    addresses: tuple[str, ...] = ("",)
    """Where the table's players are; the one that used the least so far is charged."""
    watched: bool = True


class Usage:
    """Seconds of thinking that each part of the tree has used, comparable among siblings.

    Start-time fair queueing: who was idle starts level with whoever was served last and cannot
    save up for a burst.
    """

    def __init__(self) -> None:
        self._used: dict[Path, float] = {}
        self._served: dict[Path, float] = {}
        """By parent: the use of the child that was served last, when it was."""
        self._active: Counter[Path] = Counter()

    def of(self, path: Path) -> tuple[float, ...]:
        """What decides who is next: the use of the class, then of the address, then the table."""
        return tuple(self._current(prefix) for prefix in _prefixes(path))

    def enter(self, path: Path) -> None:
        """Something waits or runs under this path."""
        for prefix in _prefixes(path):
            if not self._active[prefix]:
                self._used[prefix] = self._current(prefix)
            self._active[prefix] += 1

    def leave(self, path: Path) -> None:
        """It does no longer."""
        for prefix in _prefixes(path):
            self._active[prefix] -= 1
            if not self._active[prefix]:
                del self._active[prefix]
        if len(self._used) > MAX_REMEMBERED:
            self._used = {p: used for p, used in self._used.items() if p in self._active}
            self._served = {p: at for p, at in self._served.items() if not p or p in self._active}

    def serve(self, path: Path) -> None:
        """Something under this path gets its turn."""
        for prefix in _prefixes(path):
            self._served[prefix[:-1]] = self._current(prefix)

    def charge(self, path: Path, seconds: float) -> None:
        """Count seconds of thinking; negative ones correct an estimate."""
        for prefix in _prefixes(path):
            self._used[prefix] = self._current(prefix) + seconds * COST[path[0]]

    def _current(self, prefix: Path) -> float:
        used = self._used.get(prefix, 0.0)
        if prefix in self._active:
            return used
        return max(used, self._served.get(prefix[:-1], 0.0))


def _prefixes(path: Path) -> Iterator[Path]:
    return (path[:length] for length in range(1, len(path) + 1))


@dataclass(eq=False)
class BotTurn:
    """The right to use one process; given back when the work is done."""

    turns: BotTurns
    claim: Claim
    path: Path
    is_quick: bool
    estimate: float
    """Seconds it is expected to take."""
    number: int
    asked_at: float = field(default_factory=time.monotonic)
    granted: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    granted_at: float = 0.0

    @property
    def waited(self) -> float:
        """Seconds it had to wait."""
        return self.granted_at - self.asked_at

    def release(self) -> None:
        """The work is done."""
        self.turns.release(self)


class BotTurns:
    """Hands out turns on a number of processes."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._usage = Usage()
        self._waiting: list[BotTurn] = []
        self._running: set[BotTurn] = set()
        self._count = 0

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """How many processes are in use."""
        return len(self._running)

    async def take(
        self, claim: Claim, estimate: float, is_quick: bool, timeout: float | None = None
    ) -> BotTurn:
        """Wait for a turn; `TimeoutError` if it does not come in time."""
        self._count += 1
        path = self._path(claim)
        turn = BotTurn(self, claim, path, is_quick, estimate, self._count)
        self._usage.enter(path)
        self._waiting.append(turn)
        self._grant()
        try:
            async with asyncio.timeout(timeout):
                await turn.granted
        except BaseException:
            if turn in self._running:
                self.release(turn)
            else:
                self._waiting.remove(turn)
                self._usage.leave(turn.path)
            raise
        return turn

    def release(self, turn: BotTurn) -> None:
        """A turn is over; the next one begins."""
        if turn not in self._running:
            return
        self._running.discard(turn)
        self._usage.charge(turn.path, time.monotonic() - turn.granted_at - turn.estimate)
        self._usage.leave(turn.path)
        self._grant()

    def reclassify(self, claim: Claim) -> None:
        """Someone came to watch a table, or left: what waits there moves up or down."""
        for turn in self._waiting:
            if turn.claim.table == claim.table:
                self._usage.leave(turn.path)
                turn.claim, turn.path = claim, self._path(claim)
                self._usage.enter(turn.path)

    def _path(self, claim: Claim) -> Path:
        level = WATCHED if claim.watched else UNWATCHED
        paths: Sequence[Path] = [(level, a, claim.table) for a in claim.addresses or ("",)]
        return min(paths, key=lambda path: self._usage.of(path)[:2])

    def _grant(self) -> None:
        while (turn := self._next()) is not None:
            self._waiting.remove(turn)
            self._running.add(turn)
            self._usage.serve(turn.path)
            self._usage.charge(turn.path, turn.estimate)
            turn.granted_at = time.monotonic()
            if not turn.granted.done():
                turn.granted.set_result(None)

    def _next(self) -> BotTurn | None:
        searching = sum(not turn.is_quick for turn in self._running)
        reserve = int(searching >= self.processes)
        if len(self._running) >= self.processes + reserve:
            return None
        ready = [t for t in self._waiting if t.is_quick or searching < self.processes]
        return min(ready, key=lambda t: (*self._usage.of(t.path), t.number), default=None)
