"""What people say at a table: own words, or phrases that everybody reads in their language."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from smashup.server.errors import RateLimited, Refused
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


class Talk:
    """What was said at a table."""

    def __init__(self, said: Sequence[ChatRecord], seats: int) -> None:
        self.said: deque[ChatRecord] = deque(said, TOLD)
        self.next = said[-1].number + 1 if said else 0
        """The number of what is said next."""
        self.lock = asyncio.Lock()
        """One thing is said after another, whatever else goes on at the table."""
        self._buckets = [Bucket(RATE, AT_ONCE) for _ in range(seats)]

    def was_heard(self, seat: int, message_id: str) -> bool:
        """Whether a message has come before."""
        return any((s.seat, s.message_id) == (seat, message_id) for s in self.said)

    def check(self, seat: int, chat: Chat) -> ChatRecord:
        """A chat message, ready to be stored; or why it is refused."""
        text = sanitize(chat.text)
        if bool(text) == (chat.phrase is not None):
            raise Refused("Say something: a few words, or one of the phrases.")
        if not self._buckets[seat].take():
            raise RateLimited("You talk too fast; wait a moment.")
        return ChatRecord(self.next, seat, timekeeping.now(), text, chat.phrase or "", chat.id)

    def numbered(self, line: ChatRecord) -> ChatRecord:
        """A message with the next number."""
        return replace(line, number=self.next)

    def extend(self, lines: Sequence[ChatRecord]) -> None:
        """These lines are stored: now everybody hears them."""
        for line in lines:
            if line.number >= self.next:
                self.said.append(line)
                self.next = line.number + 1

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
                self.said[i] = replace(line, text="")
