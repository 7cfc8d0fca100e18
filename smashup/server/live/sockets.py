"""The socket of a table: hello, then updates and answers, until somebody hangs up."""

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
from smashup.server.errors import Malformed, NotFound, Outdated, RateLimited, Stale, TransientError
from smashup.server.http.guard import Bucket, address_of
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
    Ping,
    Preview,
    Refusal,
    Resync,
    Said,
)
from smashup.server.live.seat_state import seen
from smashup.server.live.streams import Connection
from smashup.server.operations import logs, metrics
from smashup.server.operations.settings import Settings
from smashup.server.tables.answering import handle_message
from smashup.server.tables.registry import TableRegistry
from smashup.server.tables.table import Table
from smashup.server.tables.window_privacy import shown_number

router = APIRouter()

CLOSE_TIMEOUT: Final = 2.0
"""Seconds in which the other side has to take notice that it is closed."""


class CloseSocket(Exception):
    """The connection is to be closed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class MessageReader:
    """One connection as messages: reads them strictly and counts those that are no good."""

    def __init__(self, socket: WebSocket, settings: Settings) -> None:
        self.socket = socket
        self.settings = settings
        self._strikes = settings.strikes
        self._bucket = Bucket(settings.message_rate, settings.message_rate * 10)

    async def read(self) -> Said | Refusal:
        """The next message, or what is to be said about one that cannot be used."""
        said = await self.socket.receive()
        if said["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(said.get("code", 1000))
        text = said.get("text")
        data: str | bytes = text if text is not None else said.get("bytes") or b""
        if len(data if isinstance(data, bytes) else data.encode("utf-8", "replace")) > (
            self.settings.message_size
        ):
            raise CloseSocket(TOO_LONG)
        if not self._bucket.take():
            return self._strike(data, RateLimited("Too many messages; wait a moment."))
        try:
            return FROM_CLIENT.validate_json(data)
        except (ValidationError, UnicodeError):
            return self._strike(data, Malformed("This message cannot be understood."))

    def _strike(self, data: str | bytes, error: SmashUpError) -> Refusal:
        self._strikes -= 1
        if self._strikes < 0:
            raise CloseSocket(POLICY_VIOLATION)
        return refusal(_id_in(data), error)


@router.websocket("/api/tables/{table_id}/socket")
async def at_table(socket: WebSocket, table_id: str) -> None:
    """Sit at a table or watch it."""
    registry: TableRegistry = socket.app.state.registry
    try:
        await socket.accept()
    except RuntimeError:
        return  # who called has hung up already
    line = MessageReader(socket, registry.settings)
    code = NORMAL
    try:
        hello = await _hello(line)
        if hello.protocol != PROTOCOL:
            raise Outdated("This page is out of date. Reload it to play on.")
        if re.fullmatch(TABLE_ID, table_id) is None:
            raise NotFound("There is no such table.")
        async with registry.use(table_id) as table:
            viewer = table.seat_of(hello.secret) if hello.secret is not None else SPECTATOR
            connection = Connection(viewer, hello.lang, address_of(socket.scope))
            await _watch(line, table, connection, hello)
    except WebSocketDisconnect:
        return
    except CloseSocket as goodbye:
        code = goodbye.code
    except TransientError as error:
        logs.warn("socket_cut", table_id, error)
        code = SERVICE_RESTART
    except SmashUpError as error:
        # Only a hello gets here: there is no such table, seat or room.
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(json.dumps(refusal(hello.id, error)))
        code = POLICY_VIOLATION
    except Exception as error:
        # Nobody is told what it was: it could show hidden cards.
        logs.fail("socket_failed", table_id, error)
        code = INTERNAL_ERROR
    await _close(socket, code)


async def _hello(line: MessageReader) -> Hello:
    try:
        async with asyncio.timeout(line.settings.hello_within):
            while True:
                said = await line.read()
                if isinstance(said, Hello):
                    return said
                if not isinstance(said, dict):
                    said = refusal(said.id, Malformed("Say hello first."))
                await line.socket.send_text(json.dumps(said))
    except TimeoutError:
        raise CloseSocket(POLICY_VIOLATION) from None


async def _watch(line: MessageReader, table: Table, connection: Connection, hello: Hello) -> None:
    connection.send(Ack(type="ack", id=hello.id, number=None), table.names)
    table.connect(connection, hello)
    # Who does not read is not heard of by the sender, which waits for them.
    tasks = [
        asyncio.create_task(_send(line.socket, connection)),
        asyncio.create_task(_listen(line, table, connection)),
        asyncio.create_task(_give_up(connection)),
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


async def _send(socket: WebSocket, connection: Connection) -> None:
    while (text := await connection.outbox.get()) is not None:
        await socket.send_text(text)


async def _give_up(connection: Connection) -> None:
    await connection.given_up.wait()


async def _listen(line: MessageReader, table: Table, connection: Connection) -> None:
    while True:
        said = await line.read()
        connection.send(
            said if isinstance(said, dict) else await _handle(table, connection, said),
            table.names,
        )


async def _handle(
    table: Table, connection: Connection, said: Said
) -> Ack | Preview | Hint | Refusal:
    """Do what a message asks for; the reply."""
    viewer = connection.viewer
    if isinstance(said, Ping):
        return Ack(type="ack", id=said.id, number=None)
    if isinstance(said, Hello):
        return refusal(said.id, Malformed("You have said hello already."))
    if isinstance(said, Resync):
        if not connection.resyncs.take():
            return refusal(said.id, RateLimited("Too many messages; wait a moment."))
        table.viewers.send_snapshot(connection)
        return Ack(type="ack", id=said.id, number=None)
    if viewer == SPECTATOR:
        return refusal(said.id, Malformed("Spectators have nothing to choose."))
    try:
        return await handle_message(table, viewer, said)
    except SmashUpError as error:
        refused = refusal(said.id, error)
        refused["number"] = shown_number(table, viewer)
        view = seen(table, viewer)
        refused["decision"] = view["decision"] if view is not None else None
        return refused


def refusal(id_: str | None, error: SmashUpError) -> Refusal:
    """What is said about a message that was not obeyed."""
    metrics.count_refusal("socket", error)
    reason = error.message
    if isinstance(error, CardFailure):
        logs.fail("card_failed", "", error)
        reason = error.public_message
    return Refusal(
        type="refused",
        id=id_,
        reason=cast(Any, message(reason)),
        stale=isinstance(error, Stale),
        number=None,
        decision=None,
        outdated=isinstance(error, Outdated),
    )


def _id_in(data: str | bytes) -> str | None:
    """The id of a message that is no good otherwise, if it has one."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return None
    found = said.get("id") if isinstance(said, dict) else None
    return found if isinstance(found, str) and found.isascii() and len(found) <= 64 else None


async def _close(socket: WebSocket, code: int) -> None:
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT):
            await socket.close(code)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        return  # it is closed already, or nobody reads
