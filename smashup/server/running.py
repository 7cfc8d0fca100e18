"""A server as a program: listens, says where, and runs until it is told to stop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from smashup.engine.catalogue import Catalogue
from smashup.engine.errors import SetupError
from smashup.engine.messages import Message
from smashup.server.app import create_app
from smashup.server.settings import Settings
from smashup.server.store import Store


def serve(settings: Settings, cards: Catalogue, listening: Callable[[str], None]) -> None:
    """Run a server until Ctrl-C; ``listening`` is told its address once it takes calls."""
    asyncio.run(_try(Store(settings.database)))
    with _listen(settings) as sock:
        host, port = sock.getsockname()[:2]
        config = uvicorn.Config(
            create_app(settings, cards),
            ws="websockets-sansio",
            ws_max_size=settings.message_size,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        shown = f"[{host}]" if ":" in host else host
        listening(f"http://{shown}:{port}/")
        uvicorn.Server(config).run([sock])


async def _try(store: Store) -> None:
    """See that the database can be used, before anybody is told of an address."""
    try:
        await store.open()
    finally:
        await store.close()


def _listen(settings: Settings) -> socket.socket:
    if not 0 <= settings.port <= 65535:
        raise SetupError("{port} is not a port: 0 to 65535.", port=settings.port)
    try:
        kind = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=kind, backlog=512)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while")[0]  # Python says where again
        raise SetupError(
            "Nobody can be served at {host}, port {port}: {reason}.",
            host=settings.host,
            port=settings.port,
            reason=Message(why, {}),
        ) from error
