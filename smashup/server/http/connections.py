"""Limits on connections: their number, and how long the server waits for a request.

uvicorn has no such timeouts, and its ``limit_concurrency`` would refuse ``/healthz`` as well. An
asyncio server that runs out of file descriptors stops accepting for a while, so the number of
connections stays below that limit:

- If one address has too many connections, or all together, the server closes the oldest connection
  without a complete request: of that address, or of the address with the most of them. Normal
  clients send their request immediately and are hardly ever affected.
- If all connections are in use, new ones can only request ``/healthz``.
- A client must send the headers and the body of a request within a time limit each, and read the
  response. WebSockets have other limits (`smashup.server.live.sockets`).

A trusted proxy forwards requests of many clients. Its connections count only toward the total; the
requests are limited by the client's address (`smashup.server.http.guard`).
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

MAX_DEFAULT_CONNECTIONS: Final = 20_000
"""Upper bound of the default limit, however many files may be open."""
FALLBACK_FILES: Final = 1024
"""Assumed limit of open files if the system does not report it."""
ACCEPT_BATCH: Final = 16
"""Connections that asyncio accepts in one step: its backlog argument. A small batch lets the server
handle WebSockets and close surplus connections during a burst of new ones."""
BACKLOG: Final = 512
"""Connections that wait in the kernel to be accepted."""
MAX_HEADER_BYTES: Final = 16_384
HEALTH_PATHS: Final = ("/healthz", "/healthz/live")


def raise_descriptor_limit() -> int:
    """Raise the limit of open files as far as permitted; return it."""
    try:
        import resource
    except ImportError:
        return FALLBACK_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(ValueError, OSError):  # some systems permit less than they report
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    return MAX_DEFAULT_CONNECTIONS * 2 if soft == resource.RLIM_INFINITY else soft


def connection_limit(configured: int, files: int) -> int:
    """Return the maximum number of connections; a quarter of the open files is reserved."""
    return min(configured or MAX_DEFAULT_CONNECTIONS, max(1, files * 3 // 4))


class Proxies:
    """Addresses whose connections carry the requests of many clients."""

    def __init__(self, trusted: tuple[str, ...]) -> None:
        self._trusts_all = "*" in trusted
        self._networks = []
        for text in trusted:
            with suppress(ValueError):
                self._networks.append(ip_network(text, strict=False))

    def __contains__(self, address: str) -> bool:
        if self._trusts_all:
            return True
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)


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
    _counts: Counter[str] = field(default_factory=Counter)
    _pending: dict[str, dict[Entry, None]] = field(default_factory=dict)
    """Connections without a complete request, by address, the oldest first."""

    def __post_init__(self) -> None:
        self.total = connection_limit(self.settings.max_connections, self.files)
        self._proxies = Proxies(self.settings.trusted_proxies)

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, protocol: LimitedHttp) -> bool:
        """Add a connection, closing an idle one if necessary. Return whether it may send any
        request; otherwise only health checks."""
        host = protocol.client[0] if protocol.client else ""
        entry = Entry(protocol, group_address(host), host in self._proxies)
        has_room = True
        limit = self.settings.max_connections_per_address
        if not entry.is_exempt and self._counts[entry.address] >= limit:
            has_room = self._evict(entry.address)
        elif len(self._open) >= self.total:
            crowded = max(self._pending, key=lambda a: len(self._pending[a]), default=None)
            has_room = crowded is not None and self._evict(crowded)
        self._open[protocol.transport] = entry
        self._counts[entry.address] += 1
        self.set_pending(protocol, True)
        return has_room

    def set_pending(self, protocol: LimitedHttp, is_pending: bool) -> None:
        """Set whether the server waits for a request on a connection."""
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

    def remove(self, transport: asyncio.BaseTransport) -> None:
        """Remove a closed connection."""
        entry = self._open.get(transport)
        if entry is None:
            return
        self.set_pending(entry.protocol, False)
        del self._open[transport]
        self._counts[entry.address] -= 1
        if not self._counts[entry.address]:
            del self._counts[entry.address]

    def _evict(self, address: str) -> bool:
        """Close the oldest connection of an address that has no complete request."""
        oldest = next(iter(self._pending.get(address, ())), None)
        if oldest is None:
            return False
        metrics.CLOSED_CONNECTIONS.labels("crowded").inc()
        transport = oldest.protocol.transport
        self.remove(transport)
        transport.abort()
        return True


class LimitedConfig(uvicorn.Config):
    """uvicorn's configuration with limits on connections."""

    def __init__(self, app: Any, connections: Connections, **more: Any) -> None:
        super().__init__(
            app,
            http=LimitedHttp,
            ws=LimitedSocket,
            backlog=ACCEPT_BATCH,
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
    _is_admitted = True

    @property
    def _connections(self) -> Connections:
        return cast(LimitedConfig, self.config).connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._is_admitted = self._connections.admit(self)
        if not self._is_admitted:
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
        if not self._is_admitted:
            self._refuse(503)
            return
        self._is_upgraded = True
        self._connections.set_pending(self, False)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_read_timer()
        self._cancel_write_timer()
        self._connections.remove(self.transport)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        seconds = self._connections.settings.write_timeout_seconds
        self._write_timer = self.loop.call_later(seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_write_timer()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        # Closing waits until everything is sent, but the client may not read it.
        seconds = self._connections.settings.write_timeout_seconds
        self._write_timer = self.loop.call_later(seconds, self.transport.abort)

    def _await_request(self) -> None:
        """Set the timer for the missing part of the request."""
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
            seconds = (
                settings.header_timeout_seconds if is_header else settings.body_timeout_seconds
            )
            self._read_timer = self.loop.call_later(seconds, self._time_out)

    def _time_out(self) -> None:
        """Close a connection whose request did not arrive in time."""
        self._read_timer = None
        metrics.CLOSED_CONNECTIONS.labels("slow").inc()
        cycle = cast("RequestResponseCycle | None", self.cycle)
        has_response = cycle is not None and cycle.response_started
        if self._has_data and (self._awaited is h11.IDLE or not has_response):
            self._refuse(408)
        else:
            self.transport.abort()

    def _refuse(self, status: int) -> None:
        """Send a status and close the connection."""
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

    Each message is compressed independently, so an idle connection holds no compressor of 50 kB.
    Updates of 2 kB become 620 bytes; with a shared window it would be 375.
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
            connections.remove(self.transport)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        is_new = not self.handshake_complete
        super().shutdown()
        if is_new:
            # The handshake was refused: ignore what the app sends now.
            self.handshake_complete = self.disconnected = True


def health_only(app: ASGIApp) -> ASGIApp:
    """Return an app that only answers health checks, for connections beyond the limit."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] in HEALTH_PATHS:
            await app(scope, receive, send)
            return
        metrics.CLOSED_CONNECTIONS.labels("full").inc()
        headers = [(b"connection", b"close"), (b"content-length", b"0"), (b"retry-after", b"5")]
        await send({"type": "http.response.start", "status": 503, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return answer
