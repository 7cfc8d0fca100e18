"""Middleware in front of the app: rate and size limits, allowed origins, security headers."""

from __future__ import annotations

import json
import time
from collections import Counter, OrderedDict
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smashup.engine.errors import SmashUpError
from smashup.engine.views.view import message
from smashup.server.errors import (
    Forbidden,
    Malformed,
    RateLimited,
    Refused,
    TransientError,
    refusal_code,
)
from smashup.server.http.addresses import group_address
from smashup.server.http.request_gate import RequestGate
from smashup.server.operations import logs, metrics
from smashup.server.operations.settings import Settings

MAX_TRACKED_ADDRESSES: Final = 10_000
"""Addresses with a rate limit in memory; the least recently active are dropped first."""
SAFE_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS"))

HEALTH_PATH: Final = "/healthz"
MAX_WAITING_REQUESTS: Final = 500
"""Requests of one address that may wait for a free slot."""
CREATE_PATHS: Final = frozenset(("/api/tables", "/api/tutorial"))
"""Paths that create tables."""
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
        " connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Whoever has the link of a table can use it, so no referrer may leak it."""
ASSET_HEADERS: Final = {
    name: HEADERS[name] for name in ("Cross-Origin-Resource-Policy", "X-Content-Type-Options")
}
"""Scripts, styles, fonts and art are not documents: the other headers have no effect on them."""
ASSETS: Final = ("/assets/", "/art/")


class TokenBucket:
    """A token bucket: a rate per second with bursts."""

    __slots__ = ("_tokens", "_updated_at", "capacity", "rate")

    def __init__(self, rate: float, capacity: float) -> None:
        self.rate = rate
        self.capacity = capacity
        self._tokens = capacity
        self._updated_at = time.monotonic()

    def take(self) -> bool:
        """Take a token; return whether there was one."""
        now = time.monotonic()
        gained = (now - self._updated_at) * self.rate
        self._tokens = min(self.capacity, self._tokens + gained)
        self._updated_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class AddressBuckets:
    """A token bucket for each address."""

    def __init__(self, rate: float, burst_seconds: float) -> None:
        self.rate = rate
        self.capacity = rate * burst_seconds
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take a token of an address; return whether there was one."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self.rate, self.capacity)
            if len(self._buckets) > MAX_TRACKED_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket.take()


class BodyTooLong(Exception):
    """The body of a request is longer than allowed."""


class Guard:
    """Middleware that applies the limits."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.sockets: Counter[str] = Counter()
        self._requests = AddressBuckets(settings.requests_per_second, 20)
        self._creations = AddressBuckets(settings.tables_per_second, 20)
        self._health_checks = AddressBuckets(settings.requests_per_second, 20)
        self._gate = RequestGate(settings.max_concurrent_requests_per_address, MAX_WAITING_REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    # --- requests ---------------------------------------------------------------------------

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def send_with_headers(event: Message) -> None:
            nonlocal has_started
            if event["type"] == "http.response.start":
                has_started = True
                headers = MutableHeaders(scope=event)
                is_asset = scope["path"].startswith(ASSETS)
                for name, value in (ASSET_HEADERS if is_asset else HEADERS).items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(event)

        received_bytes = 0

        async def receive_limited() -> Message:
            nonlocal received_bytes
            part = await receive()
            received_bytes += len(part.get("body", b""))
            if received_bytes > self.settings.max_body_bytes:
                raise BodyTooLong
            return part

        refusal = self._find_refusal(scope)
        if refusal is not None:
            await refuse(refusal, send_with_headers)
            return
        try:
            if scope["path"].startswith(HEALTH_PATH):
                await self.app(scope, receive_limited, send_with_headers)
            else:
                async with self._gate.enter(address_of(scope)):
                    await self.app(scope, receive_limited, send_with_headers)
        except RateLimited as error:
            await refuse(error, send_with_headers)
        except BodyTooLong:
            if not has_started:
                await refuse(RateLimited("This request is too long."), send_with_headers, 413)
        except Exception as error:
            logs.fail("request_failed", error=error, method=scope["method"])
            if not has_started:
                await send_server_error(error, send_with_headers)

    def _find_refusal(self, scope: Scope) -> Refused | None:
        """Return why a request does not reach the app; None if it does."""
        headers = Headers(scope=scope)
        address = address_of(scope)
        is_health = scope["path"].startswith(HEALTH_PATH)
        # Health checks have a separate limit: a load balancer that shares an address with a flood
        # still learns the state of the server.
        if not (self._health_checks if is_health else self._requests).take(address):
            return RateLimited("Too many requests; wait a moment.")
        if scope["method"] not in SAFE_METHODS:
            if not self._origin_allowed(headers):
                return Forbidden("Pages of other sites may not use this server.")
            creates_table = scope["path"] in CREATE_PATHS or scope["path"].endswith("/branch")
            if creates_table and not self._creations.take(address):
                return RateLimited("Too many new tables; wait a moment.")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return Malformed("The length of this request is not a number.")
        return None

    def _origin_allowed(self, headers: Headers) -> bool:
        """Return whether a request comes from an allowed page, or from no page at all."""
        origin = headers.get("origin")
        if origin is None or origin in self.settings.allowed_origins:
            return True
        try:
            return urlsplit(origin).netloc == headers.get("host") != ""
        except ValueError:
            return False

    # --- sockets ----------------------------------------------------------------------------

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        is_allowed = self._origin_allowed(Headers(scope=scope)) and self._requests.take(address)
        if not is_allowed or self.sockets[address] >= self.settings.max_sockets_per_address:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        self.sockets[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]


def address_of(scope: Scope) -> str:
    """Return the client's address, as limits count it."""
    client = scope.get("client")
    return group_address(str(client[0]) if client else "")


def problem(error: SmashUpError) -> dict[str, Any]:
    """Return the body of a refused request."""
    metrics.count_refusal("http", error)
    return {"code": refusal_code(error), "reason": message(error.message)}


async def send_server_error(error: Exception, send: Send) -> None:
    """Respond to a failed request without the reason, which could reveal hidden cards."""
    if isinstance(error, TransientError):
        later = Refused("The server cannot do that right now; try again in a moment.")
        await refuse(later, send, 503)
    else:
        await refuse(Refused("Internal server error. Please try again."), send, 500)


async def refuse(error: Refused, send: Send, status: int | None = None) -> None:
    """Respond to a request with a refusal."""
    body = json.dumps(problem(error)).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *([(b"retry-after", b"2")] if isinstance(error, RateLimited) else []),
    ]
    await send(
        {"type": "http.response.start", "status": status or error.status, "headers": headers}
    )
    await send({"type": "http.response.body", "body": body})
