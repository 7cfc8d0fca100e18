"""A server as a program: listens, says where, and runs until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Final

import uvicorn

from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.messages import Message
from smashup.server.http.app import create_app
from smashup.server.http.connections import (
    BACKLOG,
    Connections,
    LimitedConfig,
    raise_descriptor_limit,
)
from smashup.server.operations import logs, metrics
from smashup.server.operations.settings import Settings
from smashup.server.storage.store import is_shareable, store_at
from smashup.server.tables.registry import TableRegistry
from smashup.version import __version__

NEARBY: Final = 50
"""How many ports are tried where any will do."""


def serve(
    settings: Settings,
    cards: Catalogue,
    listening: Callable[[str], None],
    nearby: bool = False,
) -> None:
    """Run a server until Ctrl-C; ``listening`` is told its address once it takes calls.

    If its port is taken, one ``nearby`` will do, where that is said.
    """
    logs.configure(settings.log, settings.log_level)
    _check(settings)
    asyncio.run(_try(settings))
    with (
        metrics.multiprocess_metrics() if settings.workers > 1 else nullcontext(),
        metrics.served(settings.metrics),
        _listen_nearby(settings) if nearby else _listen(settings) as sock,
    ):
        host, port = sock.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        ready = partial(listening, f"http://{shown}:{port}/")
        if settings.workers > 1:
            from smashup.server.operations.supervisor import supervise

            supervise(settings, sock, ready)
        else:
            # Having shut down properly, uvicorn passes on the signal that ended it.
            before = signal.signal(signal.SIGTERM, lambda *_: None)
            try:
                with suppress(KeyboardInterrupt):
                    work(settings, cards, sock, lambda registry: ready())
            finally:
                signal.signal(signal.SIGTERM, before)


def work(
    settings: Settings,
    cards: Catalogue | None,
    sock: socket.socket,
    ready: Callable[[TableRegistry], None],
    supervised: bool = False,
) -> None:
    """Serve calls that come to a socket, alone or as one of several; ``ready`` is told when."""
    logs.configure(settings.log, settings.log_level)
    app = create_app(settings, cards)
    config = LimitedConfig(
        app,
        Connections(settings, raise_descriptor_limit()),
        ws_max_size=settings.message_size,
        log_config=None,  # see `smashup.server.operations.logs`
        access_log=False,
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    _tune_gc()
    # The thread that writes needs a moment now and then, and everybody waits for it.
    sys.setswitchinterval(0.0005)
    _Server(config, app.state.registry, ready, supervised).run([sock])


class _Server(uvicorn.Server):
    """A server that says when it takes calls, and is ready to be ended."""

    def __init__(
        self,
        config: uvicorn.Config,
        registry: TableRegistry,
        ready: Callable[[TableRegistry], None],
        supervised: bool,
    ) -> None:
        super().__init__(config)
        self.registry = registry
        self.ready = ready
        self.supervised = supervised

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for sock in sockets or ():
            sock.listen(BACKLOG)  # uvicorn's backlog is how many asyncio accepts at once
        if self.started:
            logs.info("worker_ready", version=__version__)
            self.ready(self.registry)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Players connect to other workers, which go on with the tables.
        logs.info("worker_stopping", tables=len(self.registry.tables))
        await self.registry.leave()
        await super().shutdown(sockets)
        logs.info("worker_stopped")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Ctrl-C at the terminal comes to all processes; the supervisor says what is to be done.
        if not (self.supervised and sig == signal.SIGINT):
            super().handle_exit(sig, frame)


def _check(settings: Settings) -> None:
    """What cannot be served like this."""
    if settings.workers < 1:
        raise SetupError("{number} is not a number of workers.", number=settings.workers)
    shareable = is_shareable(settings.database)
    if settings.workers > 1 and not shareable:
        raise SetupError(
            "Several workers need a database that they can share: --database postgresql://..."
        )
    if settings.backups and shareable:
        raise SetupError("Only a SQLite file is copied every day; for PostgreSQL there is pg_dump.")


def _tune_gc() -> None:
    """Let Python look through all of its memory for what is not needed any more only rarely.

    It makes everybody wait while it looks, the longer the more tables there are, and finds nothing:
    what is there now stays, and a table that is done with takes itself apart (`Game.dispose`).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 500)


async def _try(settings: Settings) -> None:
    """Check that the database can be used, before the address is announced."""
    store = store_at(settings.database)
    try:
        await store.open()
    finally:
        await store.close()


def _listen_nearby(settings: Settings) -> socket.socket:
    """The first port from the settings' own on that nobody uses."""
    for port in range(settings.port, settings.port + NEARBY):
        try:
            return _listen(replace(settings, port=port))
        except SetupError:
            continue
    return _listen(settings)  # which says what is wrong


def _listen(settings: Settings) -> socket.socket:
    if not 0 <= settings.port <= 65535:
        raise SetupError("{port} is not a port: 0 to 65535.", port=settings.port)
    try:
        kind = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=kind, backlog=BACKLOG)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while")[0]  # Python says where again
        raise SetupError(
            "Nobody can be served at {host}, port {port}: {reason}.",
            host=settings.host,
            port=settings.port,
            reason=Message(why, {}),
        ) from error
