"""The chat of a table: free text, or phrases that all players read in their own language."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from smashup.server.errors import RateLimited, Refused
from smashup.server.http.guard import TokenBucket
from smashup.server.live.protocol import Chat, ChatMessage
from smashup.server.operations import timekeeping
from smashup.server.storage.records import ChatRecord
from smashup.server.tables.text import sanitize

MAX_KEPT_MESSAGES: Final = 100
"""Chat messages that stay in memory and that a snapshot contains."""
MESSAGES_PER_SECOND: Final = 0.5
"""Rate limit of each seat."""
MAX_BURST: Final = 5


class ChatHistory:
    """The last chat messages of a table."""

    def __init__(self, messages: Sequence[ChatRecord], seats: int) -> None:
        self.messages: deque[ChatRecord] = deque(messages, MAX_KEPT_MESSAGES)
        self.next_number = messages[-1].number + 1 if messages else 0
        self.lock = asyncio.Lock()
        """Held while a message is stored, independently of the table's lock."""
        self._buckets = [TokenBucket(MESSAGES_PER_SECOND, MAX_BURST) for _ in range(seats)]

    def has_message(self, seat: int, message_id: str) -> bool:
        """Return whether a message was stored before."""
        return any((m.seat, m.message_id) == (seat, message_id) for m in self.messages)

    def make_record(self, seat: int, chat: Chat) -> ChatRecord:
        """Return a message that is ready to be stored, or refuse it."""
        text = sanitize(chat.text)
        if bool(text) == (chat.phrase is not None):
            raise Refused("The message is empty: write a few words, or choose a phrase.")
        if not self._buckets[seat].take():
            raise RateLimited("You are sending messages too fast; wait a moment.")
        return ChatRecord(
            self.next_number, seat, timekeeping.now(), text, chat.phrase or "", chat.id
        )

    def renumber(self, message: ChatRecord) -> ChatRecord:
        """Return a message with the next free number."""
        return replace(message, number=self.next_number)

    def extend(self, messages: Sequence[ChatRecord]) -> None:
        """Add stored messages."""
        for message in messages:
            if message.number >= self.next_number:
                self.messages.append(message)
                self.next_number = message.number + 1

    def messages_since(self, number: int) -> list[ChatMessage]:
        """Return the messages from a number on."""
        return [
            ChatMessage(number=m.number, seat=m.seat, at=m.at, text=m.text, phrase=m.phrase)
            for m in self.messages
            if m.number >= number
        ]

    def find(self, number: int) -> ChatRecord | None:
        """Return a message that is still in memory."""
        return next((message for message in self.messages if message.number == number), None)

    def delete_text(self, before: float) -> None:
        """Delete the text of messages sent before a time."""
        for i, message in enumerate(self.messages):
            if message.at < before:
                self.messages[i] = replace(message, text="")
