"""Calls, that is requests and sockets, as messages that another worker can make a call of again."""

from __future__ import annotations

from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope


def described(scope: Scope) -> dict[str, Any]:
    """All that the app may want to know of a call, but for its body."""
    return {
        "method": scope.get("method", ""),
        "scheme": scope.get("scheme", ""),
        "path": scope["path"],
        "query": scope.get("query_string", b"").decode("latin-1"),
        "headers": as_text(scope["headers"]),
        "client": scope.get("client"),
    }


def as_scope(kind: str, about: dict[str, Any], app: ASGIApp) -> Scope:
    """A call as an app is told of it: a request (``http``), or a ``websocket``."""
    scope: dict[str, Any] = {
        "type": kind,
        "app": app,
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": about["scheme"],
        "path": about["path"],
        "raw_path": about["path"].encode(),
        "root_path": "",
        "query_string": about["query"].encode("latin-1"),
        "headers": as_headers(about["headers"]),
        "client": tuple(about["client"]) if about["client"] else None,
        "server": None,
    }
    return scope | ({"method": about["method"]} if kind == "http" else {"subprotocols": []})


def as_text(headers: Any) -> list[tuple[str, str]]:
    """Headers for a message in JSON."""
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]


def as_headers(plain: Any) -> list[tuple[bytes, bytes]]:
    """Headers that came in a message."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in plain]


async def whole_body(receive: Receive) -> bytes:
    """The whole body of a request; the guard sees to it that it is short."""
    parts = []
    while True:
        part = await receive()
        if part["type"] == "http.disconnect":
            break
        parts.append(part.get("body", b""))
        if not part.get("more_body", False):
            break
    return b"".join(parts)


def read_again(body: bytes, receive: Receive) -> Receive:
    """A request whose body was read already."""
    read = False

    async def again() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
