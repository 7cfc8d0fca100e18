"""Requests and sockets on their way to the worker that has the table.

A call may come to any worker. What is about a table that another worker has is carried there as it
is, through the `Exchange`, and obeyed there by the same app; what the app says is carried back.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import AsyncExitStack
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smashup.engine.errors import SmashUpError
from smashup.server.crowd.calls import (
    as_headers,
    as_scope,
    as_text,
    described,
    read_again,
    whole_body,
)
from smashup.server.crowd.exchange import Cut, Exchange, Unreached
from smashup.server.crowd.neighbours import Neighbours
from smashup.server.crowd.reach import NOBODY
from smashup.server.errors import Elsewhere
from smashup.server.http.guard import SAFE, apologise, refuse
from smashup.server.live.streams import WAITING
from smashup.server.operations import logs
from smashup.server.tables.registry import Hub

A_TABLE: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,32})(/.*)?\Z")
ANYWHERE: Final = frozenset(("/replay", "/save", "/branch"))
"""What needs only the database: games that are over."""
COME_BACK: Final = 1012
"""Closed because the worker restarts, or the table moves: the client comes back by itself."""
GOING_AWAY: Final = 1001
TOO_MUCH: Final = 1008
SAID: Final = 400
"""Messages of one client that may wait for the worker that has the table."""


class Far:
    """One end of a socket that is carried; what the other end sent waits here."""

    def __init__(self, worker: str, most: int) -> None:
        self.worker = worker
        self.inbox: asyncio.Queue[Message] = asyncio.Queue(most + 1)

    def put(self, said: Message) -> bool:
        """Whether there was room for it. There is always room for the end."""
        if self.inbox.qsize() >= self.inbox.maxsize - 1:
            return False
        self.inbox.put_nowait(said)
        return True

    def end(self, said: Message) -> None:
        """Nothing comes after this, and nothing that came before matters any more."""
        while not self.inbox.empty():
            self.inbox.get_nowait()
        self.inbox.put_nowait(said)


class Carrier:
    """The app, for tables that are here and for those that are not."""

    def __init__(self, app: ASGIApp, hub: Hub, whole: ASGIApp) -> None:
        self.app = app
        self.hub = hub
        self.whole = whole
        """The app with everything before it, as calls that came here themselves know it."""
        self._channels = 0
        self._here: dict[str, Far] = {}
        """Sockets of clients at this worker, whose tables others have."""
        self._there: dict[str, Far] = {}
        """Sockets at other workers, whose tables are here; by worker and channel."""
        if hub.neighbours is not None:
            self.neighbours: Neighbours = hub.neighbours
            self.exchange: Exchange = hub.neighbours.exchange
            self.exchange.asks["request"] = self._requested
            self.exchange.tells |= {
                "open": self._opened,
                "said": self._said,
                "left": self._left,
                "accept": self._accepted,
                "text": self._told,
                "close": self._closed,
            }
            self.exchange.cut = self._cut

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        table_id = self._table(scope)
        if table_id is None or self.hub.has(table_id):
            await self.app(scope, receive, send)
        elif self.hub.leaving:
            await self._send_away(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(table_id, scope, receive, send)
        else:
            await self._request(table_id, scope, receive, send)

    def _table(self, scope: Scope) -> str | None:
        """The table that a call is about, if it may have to be carried."""
        if self.hub.neighbours is None or scope["type"] not in ("http", "websocket"):
            return None
        found = A_TABLE.match(scope["path"])
        return found[1] if found is not None and found[2] not in ANYWHERE else None

    async def _owner(self, table_id: str, stack: AsyncExitStack) -> str | None:
        """Who has a table, if that is known; None if it is here, or cannot be found or opened."""
        try:
            await stack.enter_async_context(self.hub.use(table_id))
        except Elsewhere as elsewhere:
            return elsewhere.owner
        except SmashUpError:
            return None  # the app says why
        except Exception as error:
            logs.fail("nobody knows where a table is", table_id, error)
            return NOBODY
        return None

    async def _send_away(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing is taken up here any more; another worker will do it."""
        if scope["type"] == "http":
            await refuse(Elsewhere(""), send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": COME_BACK})

    # --- requests ---------------------------------------------------------------------------

    async def _request(self, table_id: str, scope: Scope, receive: Receive, send: Send) -> None:
        body = await whole_body(receive)
        until = time.monotonic() + self._patience
        while True:
            async with AsyncExitStack() as stack:
                owner = await self._owner(table_id, stack)
                if owner is None:
                    await self.app(scope, read_again(body, receive), send)
                    return
            try:
                if owner == NOBODY:
                    raise Unreached
                found, answer = await self.exchange.inquire(
                    owner, "request", described(scope), body
                )
            except Unreached:
                pass  # it is not there any more, or not yet again
            except (Cut, TimeoutError):
                if scope["method"] not in SAFE:
                    break  # it may have been done
            else:
                if found is not None:
                    status, headers = found
                    start = {"status": status, "headers": as_headers(headers)}
                    await send({"type": "http.response.start", **start})
                    await send({"type": "http.response.body", "body": answer})
                    return
            if self.hub.leaving or time.monotonic() > until:
                break
            await asyncio.sleep(0.2)
        await refuse(Elsewhere(""), send)

    async def _requested(self, sender: str, about: Any, body: bytes) -> tuple[Any, bytes]:
        """A request that came to another worker: what the app says to it."""
        scope = as_scope("http", about, self.whole)
        status, headers, parts = 500, [], []

        async def forever() -> Message:
            await asyncio.Event().wait()
            raise AssertionError

        async def send(said: Message) -> None:
            nonlocal status, headers
            if said["type"] == "http.response.start":
                status, headers = said["status"], said.get("headers", [])
            elif said["type"] == "http.response.body":
                parts.append(said.get("body", b""))

        async with AsyncExitStack() as stack:
            table_id = self._table(scope)
            assert table_id is not None
            if await self._owner(table_id, stack) is not None:
                return None, b""  # not here any more
            try:
                await self.app(scope, read_again(body, forever), send)
            except Exception as error:
                logs.fail("a request stumbled", table_id, error, method=scope["method"])
                parts.clear()
                await apologise(error, send)
        return (status, as_text(headers)), b"".join(parts)

    # --- sockets, where the client is --------------------------------------------------------

    async def _socket(self, table_id: str, scope: Scope, receive: Receive, send: Send) -> None:
        until = time.monotonic() + self._patience
        while True:
            async with AsyncExitStack() as stack:
                owner = await self._owner(table_id, stack)
                if owner and await self.neighbours.ask_for(table_id, owner):
                    owner = await self._owner(table_id, stack)
                if owner is None:
                    await self.app(scope, receive, send)
                    return
            self._channels += 1
            channel = f"{self.exchange.name}/{self._channels}"
            far = self._here[channel] = Far(owner, WAITING)
            try:
                self.exchange.tell(owner, "open", (channel, described(scope)))
                first = await far.inbox.get()
                if first["type"] == "websocket.accept":
                    await send(first)
                    await self._carry(channel, far, receive, send)
                    return
            finally:
                self._here.pop(channel, None)
                self.exchange.tell(owner, "left", channel)
            if self.hub.leaving or time.monotonic() > until:
                await send(first)
                return
            await asyncio.sleep(0.2)

    async def _carry(self, channel: str, far: Far, receive: Receive, send: Send) -> None:
        tasks = [
            asyncio.create_task(self._carry_there(channel, far, receive)),
            asyncio.create_task(self._carry_here(far, send)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            # A client that is gone cannot be sent anything: that is nobody's fault.
            if isinstance(result, Exception) and not isinstance(result, OSError):
                raise result

    async def _carry_there(self, channel: str, far: Far, receive: Receive) -> None:
        while True:
            said = await receive()
            if said["type"] == "websocket.disconnect":
                return
            if said["type"] == "websocket.receive":
                text = said.get("text")
                body = said.get("bytes") or b"" if text is None else text.encode()
                self.exchange.tell(far.worker, "said", (channel, text is not None), body)

    async def _carry_here(self, far: Far, send: Send) -> None:
        while True:
            said = await far.inbox.get()
            await send(said)
            if said["type"] == "websocket.close":
                return

    def _accepted(self, sender: str, about: Any, body: bytes) -> None:
        self._hand(about, {"type": "websocket.accept"})

    def _told(self, sender: str, about: Any, body: bytes) -> None:
        text = body.decode()
        for channel in about:
            self._hand(channel, {"type": "websocket.send", "text": text})

    def _closed(self, sender: str, about: Any, body: bytes) -> None:
        channel, code = about
        far = self._here.get(channel)
        if far is not None and not far.put({"type": "websocket.close", "code": code}):
            far.end({"type": "websocket.close", "code": GOING_AWAY})

    def _hand(self, channel: str, said: Message) -> None:
        """Give a client something; one that does not read is sent away, and may come back."""
        far = self._here.get(channel)
        if far is not None and not far.put(said):
            del self._here[channel]
            far.end({"type": "websocket.close", "code": GOING_AWAY})

    # --- sockets, where the table is ---------------------------------------------------------

    def _opened(self, sender: str, about: Any, body: bytes) -> None:
        channel, what = about
        far = self._there[channel] = Far(sender, SAID)
        self.exchange.do(self._serve(channel, far, as_scope("websocket", what, self.whole)))

    async def _serve(self, channel: str, far: Far, scope: Scope) -> None:
        far.put({"type": "websocket.connect"})
        closed = False

        async def send(said: Message) -> None:
            nonlocal closed
            if said["type"] == "websocket.accept":
                self.exchange.tell(far.worker, "accept", channel)
            elif said["type"] == "websocket.send":
                self.exchange.tell_one_more(far.worker, "text", channel, said["text"].encode())
            elif said["type"] == "websocket.close":
                closed = True
                self.exchange.tell(far.worker, "close", (channel, said.get("code", 1000)))

        try:
            async with AsyncExitStack() as stack:
                table_id = self._table(scope)
                assert table_id is not None
                if await self._owner(table_id, stack) is None:
                    await self.app(scope, far.inbox.get, send)
        finally:
            self._there.pop(channel, None)
            if not closed:
                self.exchange.tell(far.worker, "close", (channel, COME_BACK))

    def _said(self, sender: str, about: Any, body: bytes) -> None:
        channel, is_text = about
        far = self._there.get(channel)
        if far is None:
            return
        said = {"text": body.decode()} if is_text else {"bytes": body}
        if not far.put({"type": "websocket.receive", **said}):
            far.end({"type": "websocket.disconnect", "code": TOO_MUCH})

    def _left(self, sender: str, about: Any, body: bytes) -> None:
        far = self._there.get(about)
        if far is not None:
            far.end({"type": "websocket.disconnect", "code": GOING_AWAY})

    # --- when it cannot go on ------------------------------------------------------------------

    def _cut(self, worker: str) -> None:
        """All sockets that are carried to or from a worker end; their clients come back."""
        for far in self._here.values():
            if far.worker == worker:
                far.end({"type": "websocket.close", "code": COME_BACK})
        for far in self._there.values():
            if far.worker == worker:
                far.end({"type": "websocket.disconnect", "code": COME_BACK})

    @property
    def _patience(self) -> float:
        """Seconds in which a worker that died is known to be dead, and a little more."""
        return self.exchange.lease + 4
