"""What each seat has been told: numbered updates, made from what that seat may see.

Every seat has a stream of its own, and spectators share one. Its version grows only when what that
seat sees has changed: neither numbers nor messages tell how many picks somebody else has made.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from smashup.engine.views import SPECTATOR, message
from smashup.locale import render
from smashup.server.protocol import Contents, Line, Snapshot, Update, View, Wishes
from smashup.server.windows import is_window

if TYPE_CHECKING:
    from smashup.server.table import Table

KEPT: Final = 50
"""Updates that can be sent again to somebody who was away for a moment."""
LINES: Final = 300
"""Lines of the log in a snapshot."""
WAITING: Final = 200
"""Messages that may wait for a slow connection before it is given up."""


class Stream:
    """The updates of one seat, or of the spectators."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.id = secrets.token_hex(8)
        self.version = 0
        self.lines = 0
        """How much of the log was told."""
        self.kept: deque[Update] = deque(maxlen=KEPT)
        self._last: Contents | None = None

    def refresh(self, table: Table) -> Update | None:
        """An update, if there is something new to tell."""
        seat = table.seats[self.viewer] if self.viewer != SPECTATOR else None
        now = Contents(
            version=self.version,
            table=table.info(),
            view=seen(table, self.viewer),
            lines=[],
            number=table.given(self.viewer) if seat is not None else None,
            wishes=Wishes(lang=seat.lang, windows=seat.windows) if seat is not None else None,
        )
        news = lines(table, self.viewer, self.lines)
        if now == self._last and not news:
            return None
        self.version += 1
        self.lines += len(news)
        now["version"] = self.version
        self._last = now
        update: Update = {**now, "type": "update", "lines": news}
        self.kept.append(update)
        return update

    def snapshot(self, table: Table) -> Snapshot:
        """Everything, as of the last update."""
        assert self._last is not None, "nothing was told yet"
        first = max(0, self.lines - LINES)
        told = lines(table, self.viewer, first)[: self.lines - first]
        seat = self.viewer if self.viewer != SPECTATOR else None
        return {
            **self._last,
            "type": "snapshot",
            "stream": self.id,
            "seat": seat,
            "lines": told,
        }

    def missed(self, stream: str | None, version: int | None) -> list[Update] | None:
        """The updates since a version; None if they are not known any more."""
        if stream != self.id or version is None or not 0 < version <= self.version:
            return None
        news = [update for update in self.kept if update["version"] > version]
        return news if len(news) == self.version - version else None


def seen(table: Table, viewer: int) -> View | None:
    """The table as a seat may see it. In a window for Specials nobody learns who is asked."""
    game = table.game
    if game is None:
        return None
    view = cast(View, game.view(viewer))
    decision = game.decision
    if (
        decision is not None
        and decision.player != viewer
        and table.people() > 1
        and is_window(decision)
    ):
        view["decision"] = {"player": None, "window": True}
    return view


def lines(table: Table, viewer: int, since: int) -> list[Line]:
    """The log from a line on, as a seat may read it."""
    if table.game is None:
        return []
    return [
        Line(number=number, message=cast(Any, message(line)))
        for number, line in table.game.events(viewer, since)
    ]


class Connection:
    """Somebody who watches: a seat's owner or a spectator, and what waits to be sent to them."""

    def __init__(self, viewer: int, lang: str | None) -> None:
        self.viewer = viewer
        self.lang = lang
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue(WAITING)

    def send(self, data: Any, names: Sequence[str]) -> None:
        """Put a message in the outbox. Who reads too slowly is sent away, and may come back."""
        self.post(written(data, self.lang, names))

    def post(self, text: str | None) -> None:
        """The same for a message that is written already; None ends the connection."""
        if self.outbox.full():
            while not self.outbox.empty():
                self.outbox.get_nowait()
            text = None
        self.outbox.put_nowait(text)


def written(data: Any, lang: str | None, names: Sequence[str]) -> str:
    """A message as it is sent, with every sentence also in the language asked for."""
    if lang is not None:
        data = _said(data, lang, names)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _said(data: Any, lang: str, names: Sequence[str]) -> Any:
    if isinstance(data, list):
        return [_said(item, lang, names) for item in data]
    if isinstance(data, dict):
        if "english" in data:
            return {**data, "said": render(data, lang, names)}
        return {key: _said(value, lang, names) for key, value in data.items()}
    return data
