"""Limits on connections: how many there are, and how long the server waits for a request.

uvicorn has no such timeouts, and its ``limit_concurrency`` would refuse ``/healthz`` as well. An
asyncio server that runs out of file descriptors accepts nobody for a while, so the number of
connections stays below that limit:

- Where an address has too many, or everyone together, the oldest connection without a complete
  request is closed: of that address, or of the address that has the most of them. Clients send
  their request at once and are hardly ever hit.
- If all connections are in use, new ones may ask for ``/healthz`` and nothing else.
- A request has to arrive within a time limit, headers and body each, and its response has to be
  read. Sockets of tables have limits of their own (`smashup.server.live.sockets`).

A trusted proxy speaks for many clients. Its connections count for the total only; the requests on
them are limited by the client's address (`smashup.server.http.guard`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any, Final, cast

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from smashup.server.http.addresses import group_address
from smashup.server.operations import metrics
from smashup.server.operations.settings import Settings

MAX_DERIVED: Final = 20_000
"""Connections at most where nothing is configured, however many files may be open."""
FALLBACK_FILES: Final = 1024
"""Open files assumed where the system does not say."""
ACCEPTED_AT_ONCE: Final = 16
"""Connections accepted before anything else is done, and before the surplus is closed: asyncio
accepts as many as the backlog it was told. A burst of requests on new connections thus leaves room
for the sockets of tables in between."""
BACKLOG: Final = 512
"""Connections that the system keeps waiting to be accepted."""
MAX_HEADER_BYTES: Final = 16_384
HEALTH_PATHS: Final = ("/healthz", "/healthz/live")


def raise_descriptor_limit() -> int:
    """Allow this process as many open files as the system permits; how many that are."""
    try:
        import resource
    except ImportError:
        return FALLBACK_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(ValueError, OSError):  # some systems permit less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    return MAX_DERIVED * 2 if soft == resource.RLIM_INFINITY else soft


def connection_limit(configured: int, files: int) -> int:
    """How many connections to hold: a quarter of the open files stays for everything else."""
    return min(configured or MAX_DERIVED, max(1, files * 3 // 4))


class Proxies:
    """Addresses whose connections carry the requests of many clients."""

    def __init__(self, trusted: tuple[str, ...]) -> None:
        self._everyone = "*" in trusted
        self._networks = []
        for words in trusted:
            with suppress(ValueError):
                self._networks.append(ip_network(words, strict=False))

    def __contains__(self, address: str) -> bool:
        if self._everyone:
            return True
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)


@dataclass(eq=False)
class Entry:
    """One open connection."""

    protocol: LimitedHttp
    address: str
    is_exempt: bool
    """Whether a trusted proxy opened it."""


@dataclass
class Connections:
    """All open connections of this process."""

    settings: Settings
    files: int
    total: int = field(init=False)
    _proxies: Proxies = field(init=False)
    _open: dict[asyncio.BaseTransport, Entry] = field(default_factory=dict)
    _each: Counter[str] = field(default_factory=Counter)
    _pending: dict[str, dict[Entry, None]] = field(default_factory=dict)
    """Connections without a complete request, by address, the oldest first."""

    def __post_init__(self) -> None:
        self.total = connection_limit(self.settings.max_connections, self.files)
        self._proxies = Proxies(self.settings.proxies)

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, protocol: LimitedHttp) -> bool:
        """Count a new connection, closing an idle one if need be; whether it may ask for anything.

        Otherwise there is room for checks of the server's health only.
        """
        host = protocol.client[0] if protocol.client else ""
        entry = Entry(protocol, group_address(host), host in self._proxies)
        has_room = True
        limit = self.settings.max_connections_per_address
        if not entry.is_exempt and self._each[entry.address] >= limit:
            has_room = self._evict(entry.address)
        elif len(self._open) >= self.total:
            crowded = max(self._pending, key=lambda a: len(self._pending[a]), default=None)
            has_room = crowded is not None and self._evict(crowded)
        self._open[protocol.transport] = entry
        self._each[entry.address] += 1
        self.set_pending(protocol, True)
        return has_room

    def set_pending(self, protocol: LimitedHttp, is_pending: bool) -> None:
        """Note whether a connection still owes a request."""
        entry = self._open.get(protocol.transport)
        if entry is None:
            return
        waiting = self._pending.setdefault(entry.address, {})
        if not is_pending:
            waiting.pop(entry, None)
        elif entry not in waiting:
            waiting[entry] = None
        if not waiting:
            del self._pending[entry.address]

    def forget(self, transport: asyncio.BaseTransport) -> None:
        """A connection is closed."""
        entry = self._open.get(transport)
        if entry is None:
            return
        self.set_pending(entry.protocol, False)
        del self._open[transport]
        self._each[entry.address] -= 1
        if not self._each[entry.address]:
            del self._each[entry.address]

    def _evict(self, address: str) -> bool:
        """Close the oldest connection of an address that has no complete request."""
        oldest = next(iter(self._pending.get(address, ())), None)
        if oldest is None:
            return False
        metrics.CLOSED_CONNECTIONS.labels("crowded").inc()
        transport = oldest.protocol.transport
        self.forget(transport)
        transport.abort()
        return True


class LimitedConfig(uvicorn.Config):
    """uvicorn's configuration with limits on connections."""

    def __init__(self, app: Any, connections: Connections, **more: Any) -> None:
        super().__init__(
            app,
            http=LimitedHttp,
            ws=LimitedSocket,
            backlog=ACCEPTED_AT_ONCE,
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            **more,
        )
        self.connections = connections


class LimitedHttp(H11Protocol):
    """HTTP with limits."""

    _read_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _awaited: Any = None
    """Which part of a request the timer waits for: h11.IDLE the headers, h11.SEND_BODY the body."""
    _has_data = False
    _is_upgraded = False
    _may_ask = True

    @property
    def _connections(self) -> Connections:
        return cast(LimitedConfig, self.config).connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._may_ask = self._connections.admit(self)
        if not self._may_ask:
            self.app = cast(Any, health_only(cast(ASGIApp, self.app)))
        self._await_request()

    def data_received(self, data: bytes) -> None:
        self._has_data = True
        super().data_received(data)
        self._await_request()

    def on_response_complete(self) -> None:
        self._has_data = False
        super().on_response_complete()
        self._await_request()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._cancel_read_timer()
        self._cancel_write_timer()
        if not self._may_ask:
            self._refuse(503)
            return
        self._is_upgraded = True
        self._connections.set_pending(self, False)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_read_timer()
        self._cancel_write_timer()
        self._connections.forget(self.transport)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        seconds = self._connections.settings.write_timeout
        self._write_timer = self.loop.call_later(seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_write_timer()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        # Closing waits until everything is sent, and perhaps nobody reads it.
        seconds = self._connections.settings.write_timeout
        self._write_timer = self.loop.call_later(seconds, self.transport.abort)

    def _await_request(self) -> None:
        """Set the timer for what is missing of the request."""
        if self._is_upgraded or self.transport.is_closing():
            self._cancel_read_timer()
            return
        state = self.conn.their_state
        awaited = state if state in (h11.IDLE, h11.SEND_BODY) else None
        self._connections.set_pending(self, awaited is not None)
        if awaited is self._awaited:
            return
        self._cancel_read_timer()
        self._awaited = awaited
        if awaited is not None:
            settings = self._connections.settings
            is_header = awaited is h11.IDLE
            seconds = settings.header_timeout if is_header else settings.body_timeout
            self._read_timer = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        """The request does not arrive."""
        self._read_timer = None
        metrics.CLOSED_CONNECTIONS.labels("slow").inc()
        cycle = cast("RequestResponseCycle | None", self.cycle)
        has_response = cycle is not None and cycle.response_started
        if self._has_data and (self._awaited is h11.IDLE or not has_response):
            self._refuse(408)
        else:
            self.transport.abort()

    def _refuse(self, status: int) -> None:
        """Say why, and close."""
        reason = {408: b"Request Timeout", 503: b"Service Unavailable"}[status]
        self.transport.write(
            b"HTTP/1.1 %d %b\r\nconnection: close\r\ncontent-length: 0\r\n\r\n" % (status, reason)
        )
        self.transport.close()

    def _cancel_read_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None
        self._awaited = None

    def _cancel_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None


class LimitedSocket(WebSocketsSansIOProtocol):
    """WebSockets that count as connections, and that a stopping server refuses only once.

    Each message is compressed on its own: an idle connection then holds no compressor, which would
    take 50 kB. Updates of 2 kB become 620 bytes, with a window that is kept 375.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                server_max_window_bits=12,
                client_max_window_bits=12,
                compress_settings={"memLevel": 5},
            )
        ]

    def connection_lost(self, exc: Exception | None) -> None:
        connections = getattr(self.config, "connections", None)
        if connections is not None:
            connections.forget(self.transport)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        is_new = not self.handshake_complete
        super().shutdown()
        if is_new:
            # It has been refused: whatever the app says about it now comes too late.
            self.handshake_complete = self.disconnected = True


def health_only(app: ASGIApp) -> ASGIApp:
    """The app, for a connection for which there is no room."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] in HEALTH_PATHS:
            await app(scope, receive, send)
            return
        metrics.CLOSED_CONNECTIONS.labels("full").inc()
        headers = [(b"connection", b"close"), (b"content-length", b"0"), (b"retry-after", b"5")]
        await send({"type": "http.response.start", "status": 503, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return answer
