"""What people say at a table: own words, or phrases that everybody reads in their language."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final

from smashup.server.errors import Refused, TooMuch
from smashup.server.http.guard import Bucket
from smashup.server.live.protocol import Chat, Spoken
from smashup.server.operations import timekeeping
from smashup.server.storage.records import ChatRecord
from smashup.server.tables.text import sanitize

TOLD: Final = 100
"""Things said that somebody who comes is told, and that are kept in memory."""
RATE: Final = 0.5
"""Things that somebody may say a second; a few more at once."""
AT_ONCE: Final = 5
REMEMBERED: Final = 50
"""Messages that count once even if they come twice."""


class Talk:
    """What was said at a table."""

    def __init__(self, said: Sequence[ChatRecord], seats: int) -> None:
        self.said: deque[ChatRecord] = deque(said, TOLD)
        self.next = said[-1].number + 1 if said else 0
        """The number of what is said next."""
        self.lock = asyncio.Lock()
        """One thing is said after another, whatever else goes on at the table."""
        self._buckets = [Bucket(RATE, AT_ONCE) for _ in range(seats)]
        self._heard: deque[tuple[int, str]] = deque(maxlen=REMEMBERED)

    def was_heard(self, seat: int, message: str) -> bool:
        """Whether somebody has said this very thing before, in a message that came twice."""
        return (seat, message) in self._heard

    def line(self, seat: int, chat: Chat) -> ChatRecord:
        """What somebody says, ready to be kept; or why it cannot be said."""
        text = sanitize(chat.text)
        if bool(text) == (chat.phrase is not None):
            raise Refused("Say something: a few words, or one of the phrases.")
        if not self._buckets[seat].take():
            raise TooMuch("You talk too fast; wait a moment.")
        return ChatRecord(self.next, seat, timekeeping.now(), text, chat.phrase or "")

    def add(self, line: ChatRecord, message: str) -> None:
        """It is kept: now everybody hears it."""
        self.said.append(line)
        self.next = line.number + 1
        self._heard.append((line.seat, message))

    def since(self, number: int) -> list[Spoken]:
        """What was said from a number on."""
        return [
            Spoken(number=s.number, seat=s.seat, at=s.at, text=s.text, phrase=s.phrase)
            for s in self.said
            if s.number >= number
        ]

    def find(self, number: int) -> ChatRecord | None:
        """Something said a while ago."""
        return next((line for line in self.said if line.number == number), None)

    def forget_words(self, before: float) -> None:
        """Words said before then are deleted."""
        for i, line in enumerate(self.said):
            if line.at < before:
                self.said[i] = ChatRecord(line.number, line.seat, line.at, "", line.phrase)
