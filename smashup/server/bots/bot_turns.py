"""Fair scheduling of the bot processes among addresses, and among the tables of an address.

Shares are measured in CPU seconds, not in decisions: an expert bot costs two hundred times as much
as an easy bot. Tables with viewers have priority over tables without, which still get a small
share, so that their games end. One process beyond the configured number is reserved for bots that
do not search; they never wait for a search to end.
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
COST_FACTORS: Final = {WATCHED: 1.0, UNWATCHED: 10.0}
"""Weight of a CPU second: tables without viewers get an eleventh of a busy pool."""
MAX_REMEMBERED: Final = 10_000
"""Idle addresses and tables whose usage is remembered."""

Path = tuple[str, ...]
"""Watched or not, address, table."""


@dataclass(frozen=True)
class Claim:
    """The table and addresses that a bot works for."""

    table: str
    addresses: tuple[str, ...] = ("",)
    """The addresses of the table's players; the one with the least usage is charged."""
    watched: bool = True


class Usage:
    """Weighted CPU seconds of each node of the tree, comparable among siblings.

    Start-time fair queueing: a node that was idle continues from the usage of the sibling that was
    served last, so it cannot save up for a burst.
    """

    def __init__(self) -> None:
        self._used: dict[Path, float] = {}
        self._served: dict[Path, float] = {}
        """By parent: the usage of the child that was served last, at that time."""
        self._active: Counter[Path] = Counter()

    def of(self, path: Path) -> tuple[float, ...]:
        """Return the sort key of a path: the usage of its class, its address and its table."""
        return tuple(self._current(prefix) for prefix in _prefixes(path))

    def enter(self, path: Path) -> None:
        """Count a turn that waits or runs under this path."""
        for prefix in _prefixes(path):
            if not self._active[prefix]:
                self._used[prefix] = self._current(prefix)
            self._active[prefix] += 1

    def leave(self, path: Path) -> None:
        """Remove such a turn."""
        for prefix in _prefixes(path):
            self._active[prefix] -= 1
            if not self._active[prefix]:
                del self._active[prefix]
        if len(self._used) > MAX_REMEMBERED:
            self._used = {p: used for p, used in self._used.items() if p in self._active}
            self._served = {p: at for p, at in self._served.items() if not p or p in self._active}

    def serve(self, path: Path) -> None:
        """Record that a turn under this path is granted."""
        for prefix in _prefixes(path):
            self._served[prefix[:-1]] = self._current(prefix)

    def charge(self, path: Path, seconds: float) -> None:
        """Add CPU seconds; negative ones correct an estimate."""
        for prefix in _prefixes(path):
            self._used[prefix] = self._current(prefix) + seconds * COST_FACTORS[path[0]]

    def _current(self, prefix: Path) -> float:
        used = self._used.get(prefix, 0.0)
        if prefix in self._active:
            return used
        return max(used, self._served.get(prefix[:-1], 0.0))


def _prefixes(path: Path) -> Iterator[Path]:
    return (path[:length] for length in range(1, len(path) + 1))


@dataclass(eq=False)
class BotTurn:
    """The right to use one process until it is released."""

    turns: BotTurns
    claim: Claim
    path: Path
    is_quick: bool
    estimate: float
    """Expected duration in seconds."""
    number: int
    asked_at: float = field(default_factory=time.monotonic)
    granted: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    granted_at: float = 0.0

    @property
    def waited(self) -> float:
        """Seconds until the turn was granted."""
        return self.granted_at - self.asked_at

    def release(self) -> None:
        """Release the process."""
        self.turns.release(self)


class BotTurns:
    """Grants turns on a number of processes."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._usage = Usage()
        self._waiting: list[BotTurn] = []
        self._running: set[BotTurn] = set()
        self._count = 0

    @property
    def waiting(self) -> int:
        """The number of waiting turns."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """The number of busy processes."""
        return len(self._running)

    async def take(
        self, claim: Claim, estimate: float, is_quick: bool, timeout: float | None = None
    ) -> BotTurn:
        """Wait for a turn; raise `TimeoutError` if it is not granted in time."""
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
        """End a turn and grant the next one."""
        if turn not in self._running:
            return
        self._running.discard(turn)
        self._usage.charge(turn.path, time.monotonic() - turn.granted_at - turn.estimate)
        self._usage.leave(turn.path)
        self._grant()

    def reclassify(self, claim: Claim) -> None:
        """Update the priority of waiting turns of a table whose viewers have changed."""
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
