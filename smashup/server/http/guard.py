"""What stands before the app: rate and size limits, origins, and headers for every answer."""

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
from smashup.server.errors import Forbidden, Malformed, RateLimited, Refused, TransientError
from smashup.server.http.addresses import group_address
from smashup.server.http.request_gate import RequestGate
from smashup.server.operations import logs, metrics
from smashup.server.operations.settings import Settings

ADDRESSES: Final = 10_000
"""Addresses whose requests are counted at a time; the longest silent are forgotten first."""
SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))

HEALTH: Final = "/healthz"
MAX_WAITING_REQUESTS: Final = 500
"""Requests of one address that may wait for others of it."""
CREATE_PATHS: Final = frozenset(("/api/tables", "/api/tutorial"))
"""Where new tables come from."""
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
"""The link of a table is all that a stranger needs: no referrer takes it elsewhere."""
ASSET_HEADERS: Final = {
    name: HEADERS[name] for name in ("Cross-Origin-Resource-Policy", "X-Content-Type-Options")
}
"""Scripts, styles, fonts and art are not documents: the other headers have no effect on them."""
ASSETS: Final = ("/assets/", "/art/")


class Bucket:
    """So many things a second, and a few at once."""

    __slots__ = ("_at", "_left", "most", "rate")

    def __init__(self, rate: float, most: float) -> None:
        self.rate = rate
        self.most = most
        self._left = most
        self._at = time.monotonic()

    def take(self) -> bool:
        """Whether there is room for one more."""
        now = time.monotonic()
        self._left = min(self.most, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: float, at_once: float) -> None:
        self.rate = rate
        self.most = rate * at_once
        self._each: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        bucket = self._each.get(address)
        if bucket is None:
            bucket = self._each[address] = Bucket(self.rate, self.most)
            if len(self._each) > ADDRESSES:
                self._each.popitem(last=False)
        self._each.move_to_end(address)
        return bucket.take()


class BodyTooLong(Exception):
    """The body of a request is longer than allowed."""


class Guard:
    """The app behind its limits."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.sockets: Counter[str] = Counter()
        self._requests = Buckets(settings.request_rate, 20)
        self._creations = Buckets(settings.creation_rate, 20)
        self._health_checks = Buckets(settings.request_rate, 20)
        self._gate = RequestGate(settings.requests_at_once, MAX_WAITING_REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    # --- requests ---------------------------------------------------------------------------

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def with_headers(said: Message) -> None:
            nonlocal begun
            if said["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=said)
                is_asset = scope["path"].startswith(ASSETS)
                for name, value in (ASSET_HEADERS if is_asset else HEADERS).items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(said)

        read = 0

        async def measured() -> Message:
            nonlocal read
            part = await receive()
            read += len(part.get("body", b""))
            if read > self.settings.body_size:
                raise BodyTooLong
            return part

        refusal = self._refusal(scope)
        if refusal is not None:
            await refuse(refusal, with_headers)
            return
        try:
            if scope["path"].startswith(HEALTH):
                await self.app(scope, measured, with_headers)
            else:
                async with self._gate.enter(address_of(scope)):
                    await self.app(scope, measured, with_headers)
        except RateLimited as error:
            await refuse(error, with_headers)
        except BodyTooLong:
            if not begun:
                await refuse(RateLimited("This request is too long."), with_headers, 413)
        except Exception as error:
            logs.fail("request_failed", error=error, method=scope["method"])
            if not begun:
                await send_server_error(error, with_headers)

    def _refusal(self, scope: Scope) -> Refused | None:
        """Why a request does not even reach the app."""
        headers = Headers(scope=scope)
        address = address_of(scope)
        is_health = scope["path"].startswith(HEALTH)
        # Checks of the server's health have an allowance of their own: whoever shares an address
        # with a flood still learns how the server is.
        if not (self._health_checks if is_health else self._requests).take(address):
            return RateLimited("Too many requests; wait a moment.")
        if scope["method"] not in SAFE:
            if not self._origin_allowed(headers):
                return Forbidden("Pages of other sites may not use this server.")
            founds = scope["path"] in CREATE_PATHS or scope["path"].endswith("/branch")
            if founds and not self._creations.take(address):
                return RateLimited("Too many new tables; wait a moment.")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return Malformed("The length of this request is not a number.")
        return None

    def _origin_allowed(self, headers: Headers) -> bool:
        """Whether a page of this server, of a friend, or no page at all, is asking."""
        origin = headers.get("origin")
        if origin is None or origin in self.settings.origins:
            return True
        try:
            return urlsplit(origin).netloc == headers.get("host") != ""
        except ValueError:
            return False

    # --- sockets ----------------------------------------------------------------------------

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        welcome = self._origin_allowed(Headers(scope=scope)) and self._requests.take(address)
        if not welcome or self.sockets[address] >= self.settings.sockets_each:
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
    """Where a request comes from, as limits count it."""
    client = scope.get("client")
    return group_address(str(client[0]) if client else "")


def problem(error: SmashUpError) -> dict[str, Any]:
    """A refusal as the lobby sends it."""
    metrics.count_refusal("http", error)
    return {"reason": message(error.message)}


async def send_server_error(error: Exception, send: Send) -> None:
    """Answer a request that stumbled. Nobody is told over what: it could show hidden cards."""
    if isinstance(error, TransientError):
        later = Refused("The server cannot do that right now; try again in a moment.")
        await refuse(later, send, 503)
    else:
        await refuse(Refused("The server has stumbled. Please try again."), send, 500)


async def refuse(error: Refused, send: Send, status: int | None = None) -> None:
    """Answer a request with a sentence."""
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
