"""What players sent and received at each table, and the failures found."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from smashup.server.operations.logs import table_alias

MAX_PRINTED_FAILURES: Final = 40
"""Further failures are only counted until the final report."""


def fingerprint(data: Any) -> bytes:
    """Return a hash of plain data."""
    return blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).digest()


def without_translations(data: Any) -> Any:
    """Return a message without translated sentences."""
    if isinstance(data, list):
        return [without_translations(item) for item in data]
    if isinstance(data, dict):
        return {key: without_translations(data[key]) for key in data if key != "said"}
    return data


def find_cards(data: Any) -> Iterator[tuple[int, str]]:
    """Yield the id and name of each card that a message contains."""
    if isinstance(data, list):
        for item in data:
            yield from find_cards(item)
    elif isinstance(data, dict):
        if isinstance(data.get("id"), int) and isinstance(data.get("name"), str):
            yield data["id"], data["name"]
        for value in data.values():
            yield from find_cards(value)


@dataclass
class ReceivedState:
    """Everything that a player or spectator received about a table."""

    viewer: int
    views: list[bytes] = field(default_factory=list)
    """The fingerprints of all views, in the order in which they arrived."""
    cards: set[tuple[int, str]] = field(default_factory=set)
    """All cards in any message."""
    events: set[bytes] = field(default_factory=set)
    """The fingerprints of all events."""
    log: dict[int, str] = field(default_factory=dict)
    view: dict[str, Any] | None = None
    """The last view."""
    number: int | None = None
    """The number of the seat's next decision."""


@dataclass(frozen=True)
class AcknowledgedAnswer:
    """An answer that the server acknowledged."""

    seat: int
    message_id: str
    options: tuple[int, ...]


@dataclass
class ObservedTable:
    """A table, and what its players know about it."""

    id: str
    secrets: dict[int, str]
    """The secrets of the players, by seat."""
    num_seats: int
    clock: int = 0
    answers: list[AcknowledgedAnswer] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)
    """Seats and message ids of refused answers."""
    chat: list[tuple[int, str]] = field(default_factory=list)
    """Seats and texts of acknowledged chat messages."""
    received: list[ReceivedState] = field(default_factory=list)
    is_over: bool = False
    last_progress: float = field(default_factory=time.monotonic)
    """When the server last acknowledged an answer."""


class Records:
    """The records of a run."""

    def __init__(self) -> None:
        self.tables: list[ObservedTable] = []
        self.failures: list[str] = []
        self.counts: Counter[str] = Counter()
        self.latencies: list[float] = []
        """Seconds from an answer to its acknowledgement, while no faults are injected."""
        self.is_disrupted = True
        """Whether faults are injected: disconnects and long waits are expected."""
        self.is_stopping = False
        """Whether players no longer answer."""
        self.last_update = time.monotonic()
        """When a player last received an update."""
        self._last_id = 0

    def next_id(self) -> str:
        """Return a unique message id."""
        self._last_id += 1
        return f"m{self._last_id}"

    def add_failure(self, text: str, table: ObservedTable | None = None) -> None:
        """Record a failure and print it."""
        prefix = f"table {table_alias(table.id)}: " if table is not None else ""
        self.failures.append(prefix + text)
        if len(self.failures) <= MAX_PRINTED_FAILURES:
            print(f"FAILURE: {prefix}{text}", file=sys.stderr, flush=True)

    def check_exit(self, status: int | None, seconds: float) -> None:
        """Record a failure unless the server stopped normally."""
        if status is None:
            self.add_failure(f"the server did not stop within {seconds:.1f} s")
        elif status != 0:
            self.add_failure(f"the server exited with status {status} after {seconds:.1f} s")
