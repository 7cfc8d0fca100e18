"""How messages between workers are written: one line of JSON that says what follows, then all the
bodies as they are. A body that goes to several sockets is written once."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

ENOUGH: Final = 32_000_000
"""Bytes that may wait to be sent to one worker."""


class Part(NamedTuple):
    """One message: what it is, what it is about, and its body."""

    kind: str
    about: Any
    body: bytes


class Bag:
    """Messages for one worker that wait to be sent."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.size = 0

    def add(self, kind: str, about: Any, body: bytes) -> None:
        self.parts.append(Part(kind, about, body))
        self.size += len(body) + 100

    def add_for_one_more(self, kind: str, whom: Any, body: bytes) -> None:
        """Add a message for a list of addressees; the last one, if it is the same, for one more."""
        if self.parts:
            last = self.parts[-1]
            if last.kind == kind and last.body == body and whom not in last.about:
                last.about.append(whom)
                return
        self.add(kind, [whom], body)


def sealed(sender: str, number: int, parts: list[Part]) -> bytes:
    """Messages as they are sent: the ``number`` of the envelope shows if one was lost before it."""
    contents = [(part.kind, part.about, len(part.body)) for part in parts]
    head = json.dumps((sender, number, contents), separators=(",", ":")).encode()
    return b"\n".join((head, b"".join(part.body for part in parts)))


def opened(data: bytes) -> tuple[str, int, list[Part]]:
    """Sender, number and messages of an envelope."""
    head, _, bodies = data.partition(b"\n")
    sender, number, contents = json.loads(head)
    parts = []
    at = 0
    for kind, about, length in contents:
        parts.append(Part(kind, about, bodies[at : at + length]))
        at += length
    return sender, number, parts
