"""What each seat has been told: numbered updates, made from what that seat may see.

Every seat has a stream of its own, and spectators share one. Its version grows only when what that
seat sees has changed: neither numbers nor messages tell how many picks somebody else has made.
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
from smashup.server.http.guard import Bucket
from smashup.server.live.protocol import Contents, Scene, SceneChanges, Snapshot, TableInfo, Update
from smashup.server.live.seat_state import scene_of
from smashup.server.live.view_patch import ViewChecksum, make_patch
from smashup.server.operations import timekeeping

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

MAX_KEPT_UPDATES: Final = 10
"""Updates that can be sent again to a client that was away for a moment."""
MAX_KEPT_BYTES: Final = 10_000
"""What they may have together. More of them would be no quicker than a snapshot."""
MAX_UNTOLD_EVENTS: Final = 50
"""Events that are kept for viewers who are away for a moment."""
LINES: Final = 300
"""Lines of the log in a snapshot."""
WAITING: Final = 200
"""Messages that may wait for a slow connection before it is given up."""

RESYNC_RATE: Final = 0.2
"""Snapshots that a client may ask for in a second, beside a few at once."""
MAX_RESYNCS_AT_ONCE: Final = 5


class PendingUpdate:
    """An update that was just made: as it is sent, and as data for other languages."""

    def __init__(self, text: str, update: Update) -> None:
        self.text = text
        self.update = update


class Stream:
    """The updates of one seat, or of the spectators."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.id = secrets.token_hex(8)
        self.version = 0
        self.lines = 0
        """How much of the log was told."""
        self.changes = 0
        """How much of what happened was told."""
        self.spoken = 0
        """How much of what was said at the table was told."""
        self.cuts = 0
        """How many choices that were taken back were told."""
        self.kept: deque[tuple[int, bytes]] = deque()
        """The last updates, by version."""
        self._kept_bytes = 0
        self._scene: Scene | None = None
        """What the clients have: updates tell how it changes."""
        self._checksum = ViewChecksum()

    def refresh(self, table: Table, info: TableInfo) -> PendingUpdate | None:
        """Return an update, if there is something new to tell; at first, a snapshot has it all."""
        old, scene = self._scene, scene_of(table, self.viewer, info)
        rewound = self._rewind(table)
        news = lines(table, self.viewer, self.lines)
        chat = table.talk.since(self.spoken)
        if scene == old and not news and not chat and rewound is None:
            return None
        changes = happened(table, self.viewer, self.changes) if old is not None else []
        self.changes = len(table.game.table.visible_events) if table.game is not None else 0
        self.version += 1
        self.lines += len(news)
        self.spoken = table.talk.next
        self._scene = scene
        checksum = self._checksum.advance(old["view"] if old is not None else None, scene["view"])
        if old is None:
            return None
        contents: Contents = {
            "version": self.version, "now": timekeeping.now(), "lines": news, "rewound": rewound,
            "chat": chat,
        }  # fmt: skip
        update = cast(
            Update, {"type": "update", **contents, "changes": changes, **scene_changes(old, scene)}
        )
        text = dumps({**update, "checksum": checksum} if checksum is not None else update)
        self._keep(text)
        return PendingUpdate(text, update)

    def _keep(self, text: str) -> None:
        self.kept.append((self.version, text.encode()))
        self._kept_bytes += len(self.kept[-1][1])
        while len(self.kept) > MAX_KEPT_UPDATES or self._kept_bytes > MAX_KEPT_BYTES:
            self._kept_bytes -= len(self.kept.popleft()[1])

    def _rewind(self, table: Table) -> int | None:
        """Go back to where the story still holds; the first line told that no longer does."""
        cuts = table.story.cuts[self.cuts :]
        self.cuts += len(cuts)
        told = self.lines
        for cut in cuts:
            self.lines = min(self.lines, cut.line)
            self.changes = min(self.changes, cut.change)
        return self.lines if self.lines < told else None

    def snapshot(self, table: Table) -> str:
        """Everything, as of the last update."""
        assert self._scene is not None, "nothing was told yet"
        first = max(0, self.lines - LINES)
        told = lines(table, self.viewer, first)[: self.lines - first]
        snapshot: Snapshot = {
            **self._scene, "type": "snapshot", "version": self.version, "lines": told,
            "stream": self.id, "seat": self.viewer if self.viewer != SPECTATOR else None,
            "rewound": None, "chat": table.talk.since(0), "now": timekeeping.now(),
        }  # fmt: skip
        return dumps(snapshot)

    def missed(self, stream: str | None, version: int | None) -> list[str] | None:
        """The updates since a version; None if they are not known any more."""
        if stream != self.id or version is None or not 0 < version <= self.version:
            return None
        news = [text.decode() for number, text in self.kept if number > version]
        return news if len(news) == self.version - version else None


def compact_history(table: Table, streams: Collection[Stream]) -> None:
    """Forget what happened in the game as far as the streams have told it.

    Of what a viewer who is away missed, only the last events are kept.
    """
    if table.game is not None:
        count = len(table.game.table.visible_events)
        told = min((stream.changes for stream in streams), default=count)
        table.game.compact_history(max(told, count - MAX_UNTOLD_EVENTS))


def scene_changes(old: Scene, new: Scene) -> SceneChanges:
    """What changed of how things are."""
    changed = {field: value for field, value in new.items() if value != old.get(field)}
    if "view" in changed and old["view"] is not None and new["view"] is not None:
        changed["patch"] = make_patch(old["view"], new["view"])
        del changed["view"]
    return cast(SceneChanges, changed)


def lines(table: Table, viewer: int, since: int) -> list[LogLineView]:
    """The log from a line on, as a seat may read it."""
    return table.story.lines(table.game, viewer, since) if table.game is not None else []


def happened(table: Table, viewer: int, since: int) -> list[EventView]:
    """What happened from a number on, as a seat may know it."""
    return cast("list[EventView]", table.game.events(viewer, since)) if table.game else []


class Connection:
    """Somebody who watches: a seat's owner or a spectator, and what waits to be sent to them."""

    def __init__(self, viewer: int, lang: str | None, address: str = "") -> None:
        self.viewer = viewer
        self.lang = lang
        self.address = address
        """Where they call from."""
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue(WAITING)
        self.close_code = 1001
        """The WebSocket code with which it is closed."""
        self.given_up = asyncio.Event()
        """Set when too much waits for somebody who does not read."""
        self.resyncs = Bucket(RESYNC_RATE, MAX_RESYNCS_AT_ONCE)

    def send(self, data: Any, names: Sequence[str]) -> None:
        """Put a message in the outbox. Who reads too slowly is sent away, and may come back."""
        self.post(dumps(data if self.lang is None else said(data, self.lang, names)))

    def resend(self, text: str, names: Sequence[str]) -> None:
        """The same for a message that was written for somebody without a language."""
        if self.lang is None:
            self.post(text)
        else:
            message = json.loads(text)
            message.pop("checksum", None)  # it is that of the view without translations
            self.send(message, names)

    def post(self, text: str | None) -> None:
        """The same for a message that is written already; None ends the connection."""
        if self.outbox.full():
            while not self.outbox.empty():
                self.outbox.get_nowait()
            self.given_up.set()
            text = None
        self.outbox.put_nowait(text)


def dumps(data: Any) -> str:
    """A message as it is sent; pydantic's encoder takes a third of the time of `json`."""
    return to_json(data).decode()


def said(data: Any, lang: str, names: Sequence[str], context: str = "") -> Any:
    """A message with every sentence also in a language; ``context``: the event it tells of."""
    if isinstance(data, list):
        return [said(item, lang, names) for item in data]
    if isinstance(data, dict):
        if "english" in data:
            return {**data, "said": render(data, lang, names, context)}
        event = data.get("event")
        context = event if isinstance(event, str) else ""
        return {key: said(value, lang, names, context) for key, value in data.items()}
    return data
