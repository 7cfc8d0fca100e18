"""The updates that each viewer receives, numbered and made from what that viewer may see.

Every seat has its own stream, and spectators share one. Its version increases only when the visible
state of that seat changes: neither versions nor messages reveal how many picks another player made.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_core import to_json

from smashup.engine.views.types import EventView, LogLineView
from smashup.engine.views.view import SPECTATOR
from smashup.locale import render
from smashup.server.http.guard import TokenBucket
from smashup.server.live.close_codes import GOING_AWAY
from smashup.server.live.protocol import (
    SeatState,
    SeatStateChanges,
    Snapshot,
    TableInfo,
    Update,
    UpdateContents,
)
from smashup.server.live.seat_state import build_seat_state
from smashup.server.live.view_patch import ViewChecksum, make_patch
from smashup.server.operations import timekeeping

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

MAX_KEPT_UPDATES: Final = 10
"""Updates that can be sent again to a client that was disconnected for a moment."""
MAX_KEPT_BYTES: Final = 10_000
"""Maximum total size of these updates. Sending more would be no faster than a snapshot."""
MAX_UNSENT_EVENTS: Final = 50
"""Events that are kept for viewers who are disconnected for a moment."""
SNAPSHOT_LINES: Final = 300
"""Log lines in a snapshot."""
MAX_QUEUED_MESSAGES: Final = 200
"""The server closes a connection when more messages than this wait to be sent."""
RESYNCS_PER_SECOND: Final = 0.2
MAX_RESYNC_BURST: Final = 5


class PendingUpdate:
    """A new update, as encoded text and as data for translation."""

    def __init__(self, text: str, update: Update) -> None:
        self.text = text
        self.update = update


class Stream:
    """The updates of one seat, or of the spectators."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.id = secrets.token_hex(8)
        self.version = 0
        self.sent_lines = 0
        """How many log lines were sent."""
        self.sent_events = 0
        """How many events were sent."""
        self.next_chat = 0
        """The number of the first chat message that was not sent."""
        self.applied_truncations = 0
        """How many undone choices were taken into account."""
        self.recent_updates: deque[tuple[int, bytes]] = deque()
        """The last updates, by version."""
        self._recent_bytes = 0
        self._state: SeatState | None = None
        """The state that clients have after the last update."""
        self._checksum = ViewChecksum()

    def make_update(self, table: Table, info: TableInfo) -> PendingUpdate | None:
        """Return an update if the state has changed. The first call only prepares snapshots."""
        old, state = self._state, build_seat_state(table, self.viewer, info)
        rewound = self._rewind(table)
        lines = log_lines(table, self.viewer, self.sent_lines)
        chat = table.chat.messages_since(self.next_chat)
        if state == old and not lines and not chat and rewound is None:
            return None
        events = visible_events(table, self.viewer, self.sent_events) if old is not None else []
        self.sent_events = len(table.game.table.visible_events) if table.game is not None else 0
        self.version += 1
        self.sent_lines += len(lines)
        self.next_chat = table.chat.next_number
        self._state = state
        checksum = self._checksum.advance(old["view"] if old is not None else None, state["view"])
        if old is None:
            return None
        contents: UpdateContents = {
            "version": self.version, "now": timekeeping.now(), "lines": lines, "rewound": rewound,
            "chat": chat,
        }  # fmt: skip
        changes = seat_state_changes(old, state)
        update = cast(Update, {"type": "update", **contents, "changes": events, **changes})
        text = encode({**update, "checksum": checksum} if checksum is not None else update)
        self._remember(text)
        return PendingUpdate(text, update)

    def _remember(self, text: str) -> None:
        self.recent_updates.append((self.version, text.encode()))
        self._recent_bytes += len(self.recent_updates[-1][1])
        while len(self.recent_updates) > MAX_KEPT_UPDATES or self._recent_bytes > MAX_KEPT_BYTES:
            self._recent_bytes -= len(self.recent_updates.popleft()[1])

    def _rewind(self, table: Table) -> int | None:
        """Go back behind undone choices. Return the number of the first log line that was sent and
        is no longer valid; None if there is none."""
        truncations = table.log_history.truncations[self.applied_truncations :]
        self.applied_truncations += len(truncations)
        sent = self.sent_lines
        for truncation in truncations:
            self.sent_lines = min(self.sent_lines, truncation.first_line)
            self.sent_events = min(self.sent_events, truncation.first_event)
        return self.sent_lines if self.sent_lines < sent else None

    def make_snapshot(self, table: Table) -> str:
        """Return the complete state as of the last update."""
        assert self._state is not None, "call make_update first"
        first = max(0, self.sent_lines - SNAPSHOT_LINES)
        lines = log_lines(table, self.viewer, first)[: self.sent_lines - first]
        snapshot: Snapshot = {
            **self._state, "type": "snapshot", "version": self.version, "lines": lines,
            "stream": self.id, "seat": self.viewer if self.viewer != SPECTATOR else None,
            "rewound": None, "chat": table.chat.messages_since(0), "now": timekeeping.now(),
        }  # fmt: skip
        return encode(snapshot)

    def updates_since(self, stream: str | None, version: int | None) -> list[str] | None:
        """Return the updates after a version; None if they are no longer in memory."""
        if stream != self.id or version is None or not 0 < version <= self.version:
            return None
        updates = [text.decode() for number, text in self.recent_updates if number > version]
        return updates if len(updates) == self.version - version else None


def compact_history(table: Table, streams: Collection[Stream]) -> None:
    """Remove events that all streams have sent, and old events that a stream has missed."""
    if table.game is not None:
        count = len(table.game.table.visible_events)
        sent = min((stream.sent_events for stream in streams), default=count)
        table.game.compact_history(max(sent, count - MAX_UNSENT_EVENTS))


def seat_state_changes(old: SeatState, new: SeatState) -> SeatStateChanges:
    """Return the changed fields."""
    changed = {field: value for field, value in new.items() if value != old.get(field)}
    if "view" in changed and old["view"] is not None and new["view"] is not None:
        changed["patch"] = make_patch(old["view"], new["view"])
        del changed["view"]
    return cast(SeatStateChanges, changed)


def log_lines(table: Table, viewer: int, since: int) -> list[LogLineView]:
    """Return the log from a line on, as a viewer may read it."""
    return table.log_history.lines(table.game, viewer, since) if table.game is not None else []


def visible_events(table: Table, viewer: int, since: int) -> list[EventView]:
    """Return the events from a number on, as a viewer may see them."""
    return cast("list[EventView]", table.game.events(viewer, since)) if table.game else []


class Connection:
    """The connection of a player or spectator, with the messages that wait to be sent."""

    def __init__(self, viewer: int, lang: str | None, address: str = "") -> None:
        self.viewer = viewer
        self.lang = lang
        self.address = address
        """The client's address, as limits count it."""
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue(MAX_QUEUED_MESSAGES)
        """Encoded messages; None closes the connection."""
        self.close_code = GOING_AWAY
        self.is_overflowing = asyncio.Event()
        """Set when too many messages wait for a client that does not read them."""
        self.resyncs = TokenBucket(RESYNCS_PER_SECOND, MAX_RESYNC_BURST)

    def send(self, data: Any, names: Sequence[str]) -> None:
        """Queue a message, translated if the client asked for a language."""
        self.send_encoded(
            encode(data if self.lang is None else translate_message(data, self.lang, names))
        )

    def send_untranslated(self, text: str, names: Sequence[str]) -> None:
        """Queue a message that was encoded without translations."""
        if self.lang is None:
            self.send_encoded(text)
        else:
            message = json.loads(text)
            message.pop("checksum", None)  # it is that of the view without translations
            self.send(message, names)

    def send_encoded(self, text: str | None) -> None:
        """Queue an encoded message; None closes the connection. If the queue is full, the client
        reads too slowly: drop everything and close."""
        if self.outbox.full():
            while not self.outbox.empty():
                self.outbox.get_nowait()
            self.is_overflowing.set()
            text = None
        self.outbox.put_nowait(text)


def encode(data: Any) -> str:
    """Encode a message as JSON. Pydantic's encoder takes a third of the time of `json`."""
    return to_json(data).decode()


def translate_message(data: Any, lang: str, names: Sequence[str], context: str = "") -> Any:
    """Return a message with a translation of each sentence; ``context`` is the event of a line."""
    if isinstance(data, list):
        return [translate_message(item, lang, names) for item in data]
    if isinstance(data, dict):
        if "english" in data:
            return {**data, "said": render(data, lang, names, context)}
        event = data.get("event")
        context = event if isinstance(event, str) else ""
        return {key: translate_message(value, lang, names, context) for key, value in data.items()}
    return data
