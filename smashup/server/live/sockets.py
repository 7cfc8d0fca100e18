"""The WebSocket of a table: hello, then messages and updates until one side disconnects."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from typing import Any, Final, cast

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from smashup.engine.errors import CardFailure, SmashUpError
from smashup.engine.views.view import SPECTATOR, message
from smashup.server.errors import (
    Malformed,
    NotFound,
    Outdated,
    RateLimited,
    Stale,
    TransientError,
    refusal_code,
)
from smashup.server.http.guard import TokenBucket, address_of
from smashup.server.http.schemas import TABLE_ID
from smashup.server.live.close_codes import (
    INTERNAL_ERROR,
    NORMAL,
    POLICY_VIOLATION,
    SERVICE_RESTART,
    TOO_LONG,
)
from smashup.server.live.protocol import (
    FROM_CLIENT,
    PROTOCOL,
    Ack,
    Hello,
    Hint,
    Incoming,
    Ping,
    Preview,
    Refusal,
    Resync,
)
from smashup.server.live.seat_state import visible_view
from smashup.server.live.streams import Connection
from smashup.server.operations import logs, metrics
from smashup.server.operations.settings import Settings
from smashup.server.tables.answering import handle_message
from smashup.server.tables.decisions.window_privacy import visible_decision_number
from smashup.server.tables.registry import TableRegistry
from smashup.server.tables.table import Table

router = APIRouter()

CLOSE_TIMEOUT_SECONDS: Final = 2.0
"""How long the server waits for the client to confirm a close."""


class CloseSocket(Exception):
    """The server closes the connection with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class MessageReader:
    """Reads the messages of a connection, validates them, and counts invalid ones."""

    def __init__(self, socket: WebSocket, settings: Settings) -> None:
        self.socket = socket
        self.settings = settings
        self._invalid_left = settings.max_invalid_messages
        rate = settings.messages_per_second
        self._bucket = TokenBucket(rate, rate * 10)

    async def read(self) -> Incoming | Refusal:
        """Return the next message, or the refusal of an invalid one."""
        event = await self.socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1000))
        text = event.get("text")
        data: str | bytes = text if text is not None else event.get("bytes") or b""
        size = len(data if isinstance(data, bytes) else data.encode("utf-8", "replace"))
        if size > self.settings.max_message_bytes:
            raise CloseSocket(TOO_LONG)
        if not self._bucket.take():
            return self._refuse(data, RateLimited("Too many messages; wait a moment."))
        try:
            return FROM_CLIENT.validate_json(data)
        except (ValidationError, UnicodeError):
            return self._refuse(data, Malformed("This message cannot be understood."))

    def _refuse(self, data: str | bytes, error: SmashUpError) -> Refusal:
        self._invalid_left -= 1
        if self._invalid_left < 0:
            raise CloseSocket(POLICY_VIOLATION)
        return make_refusal(_find_id(data), error)


@router.websocket("/api/tables/{table_id}/socket")
async def serve_socket(socket: WebSocket, table_id: str) -> None:
    """Play at a table or watch it."""
    registry: TableRegistry = socket.app.state.registry
    try:
        await socket.accept()
    except RuntimeError:
        return  # the client has disconnected already
    reader = MessageReader(socket, registry.settings)
    code = NORMAL
    try:
        hello = await _receive_hello(reader)
        if hello.protocol != PROTOCOL:
            raise Outdated("This page is out of date. Reload it to play on.")
        if re.fullmatch(TABLE_ID, table_id) is None:
            raise NotFound("There is no such table.")
        async with registry.use(table_id) as table:
            viewer = table.seat_of(hello.secret) if hello.secret is not None else SPECTATOR
            connection = Connection(viewer, hello.lang, address_of(socket.scope))
            await _run_connection(reader, table, connection, hello)
    except WebSocketDisconnect:
        return
    except CloseSocket as close:
        code = close.code
    except TransientError as error:
        logs.warn("socket_closed_by_error", table_id, error)
        code = SERVICE_RESTART
    except SmashUpError as error:
        # The server refuses the hello: there is no such table or seat, or it is full.
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(json.dumps(make_refusal(hello.id, error)))
        code = POLICY_VIOLATION
    except Exception as error:
        # The client does not learn the reason: it could reveal hidden cards.
        logs.fail("socket_failed", table_id, error)
        code = INTERNAL_ERROR
    await _close(socket, code)


async def _receive_hello(reader: MessageReader) -> Hello:
    try:
        async with asyncio.timeout(reader.settings.hello_timeout_seconds):
            while True:
                incoming = await reader.read()
                if isinstance(incoming, Hello):
                    return incoming
                if not isinstance(incoming, dict):
                    incoming = make_refusal(incoming.id, Malformed("Say hello first."))
                await reader.socket.send_text(json.dumps(incoming))
    except TimeoutError:
        raise CloseSocket(POLICY_VIOLATION) from None


async def _run_connection(
    reader: MessageReader, table: Table, connection: Connection, hello: Hello
) -> None:
    """Send and receive until one side closes the connection."""
    connection.send(Ack(type="ack", id=hello.id, number=None), table.names)
    table.connect(connection, hello)
    tasks = [
        asyncio.create_task(_send_messages(reader.socket, connection)),
        asyncio.create_task(_receive_messages(reader, table, connection)),
        # Sending blocks while the client does not read, so it cannot notice an overflow itself.
        asyncio.create_task(_wait_for_overflow(connection)),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        table.disconnect(connection)
    for result in results:
        if isinstance(result, Exception):
            raise result
    raise CloseSocket(connection.close_code)


async def _send_messages(socket: WebSocket, connection: Connection) -> None:
    while (text := await connection.outbox.get()) is not None:
        await socket.send_text(text)


async def _wait_for_overflow(connection: Connection) -> None:
    await connection.is_overflowing.wait()


async def _receive_messages(reader: MessageReader, table: Table, connection: Connection) -> None:
    while True:
        incoming = await reader.read()
        connection.send(
            incoming if isinstance(incoming, dict) else await _handle(table, connection, incoming),
            table.names,
        )


async def _handle(
    table: Table, connection: Connection, incoming: Incoming
) -> Ack | Preview | Hint | Refusal:
    """Process a message and return the reply."""
    viewer = connection.viewer
    if isinstance(incoming, Ping):
        return Ack(type="ack", id=incoming.id, number=None)
    if isinstance(incoming, Hello):
        return make_refusal(incoming.id, Malformed("You have said hello already."))
    if isinstance(incoming, Resync):
        if not connection.resyncs.take():
            return make_refusal(incoming.id, RateLimited("Too many messages; wait a moment."))
        table.viewers.send_snapshot(connection)
        return Ack(type="ack", id=incoming.id, number=None)
    if viewer == SPECTATOR:
        return make_refusal(incoming.id, Malformed("Spectators have nothing to choose."))
    try:
        return await handle_message(table, viewer, incoming)
    except SmashUpError as error:
        refusal = make_refusal(incoming.id, error)
        refusal["number"] = visible_decision_number(table, viewer)
        view = visible_view(table, viewer)
        refusal["decision"] = view["decision"] if view is not None else None
        return refusal


def make_refusal(id_: str | None, error: SmashUpError) -> Refusal:
    """Return the reply to a refused message."""
    metrics.count_refusal("socket", error)
    reason = error.message
    if isinstance(error, CardFailure):
        logs.fail("card_failed", "", error)
        reason = error.public_message
    return Refusal(
        type="refused",
        id=id_,
        code=refusal_code(error),
        reason=cast(Any, message(reason)),
        stale=isinstance(error, Stale),
        number=None,
        decision=None,
        outdated=isinstance(error, Outdated),
    )


def _find_id(data: str | bytes) -> str | None:
    """Return the id of an invalid message, if it has one."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None
    id_ = content.get("id") if isinstance(content, dict) else None
    return id_ if isinstance(id_, str) and id_.isascii() and len(id_) <= 64 else None


async def _close(socket: WebSocket, code: int) -> None:
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
            await socket.close(code)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        return  # it is closed already, or the client does not read
