"""What everybody was told and has done, table by table; and what should not have been."""

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

SHOWN: Final = 40
"""Faults that are told at once; the rest is counted."""


def fingerprint(data: Any) -> bytes:
    """The same for the same data."""
    return blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).digest()


def plain(data: Any) -> Any:
    """A message without what was added for somebody's language."""
    if isinstance(data, list):
        return [plain(item) for item in data]
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items() if key != "said"}
    return data


def faces(data: Any) -> Iterator[tuple[int, str]]:
    """All cards that a message names."""
    if isinstance(data, list):
        for item in data:
            yield from faces(item)
    elif isinstance(data, dict):
        if isinstance(data.get("id"), int) and isinstance(data.get("name"), str):
            yield data["id"], data["name"]
        for value in data.values():
            yield from faces(value)


@dataclass
class Told:
    """What one seat, or somebody who watches, was told of a table."""

    viewer: int
    views: list[bytes] = field(default_factory=list)
    """The fingerprints of all views, in the order in which they came."""
    decisions: set[bytes] = field(default_factory=set)
    """The decisions that came with refusals."""
    cards: set[tuple[int, str]] = field(default_factory=set)
    """All cards that were ever named, in whatever message."""
    changes: set[bytes] = field(default_factory=set)
    log: dict[int, str] = field(default_factory=dict)
    view: dict[str, Any] | None = None
    """The last one."""
    number: int | None = None
    chat: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Given:
    """An answer that was acknowledged."""

    seat: int
    message: str
    options: tuple[int, ...]


@dataclass
class Notes:
    """A table, and what people there know of it."""

    id: str
    secrets: dict[int, str]
    """By seat, for those that people have."""
    seats: int
    clock: int = 0
    given: list[Given] = field(default_factory=list)
    undone: list[tuple[int, str]] = field(default_factory=list)
    """Seats and messages of choices that were taken back, as far as that was acknowledged."""
    refused: list[tuple[int, str]] = field(default_factory=list)
    """Seats and messages of answers that were refused for good."""
    said: list[tuple[int, str]] = field(default_factory=list)
    """What was said, and acknowledged."""
    told: list[Told] = field(default_factory=list)
    is_over: bool = False
    resigned: bool = False
    progress: float = field(default_factory=time.monotonic)
    """When something was last answered here."""


class Book:
    """All tables, and what happened at them."""

    def __init__(self) -> None:
        self.tables: list[Notes] = []
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()
        self.waits: list[float] = []
        """Seconds from an answer to its acknowledgement, while nothing was wrong."""
        self.rough = True
        """Whether the server is being disturbed; cuts and long waits are to be expected."""
        self.quiet = False
        """Whether nobody is to choose anything any more."""
        self.heard = time.monotonic()
        """When somebody was last told something new."""
        self.ids = 0

    def next_id(self) -> str:
        """A name for a message that no other has."""
        self.ids += 1
        return f"m{self.ids}"

    def fault(self, what: str, notes: Notes | None = None) -> None:
        """Something is not as it should be."""
        where = f"table {table_alias(notes.id)}: " if notes is not None else ""
        self.faults.append(where + what)
        if len(self.faults) <= SHOWN:
            print(f"FAULT: {where}{what}", file=sys.stderr, flush=True)
