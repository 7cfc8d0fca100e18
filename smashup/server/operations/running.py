"""Runs a server until it is stopped."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn

from smashup.engine.errors import SetupError, reason
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

MAX_PORTS_TRIED: Final = 50
"""How many ports are tried if the default port is in use."""


def serve(
    settings: Settings,
    cards: Catalogue,
    on_ready: Callable[[str], None],
    allow_other_port: bool = False,
) -> None:
    """Run a server until Ctrl-C; call ``on_ready`` with its address once it accepts connections.

    If the port is in use, ``allow_other_port`` selects the next free one.
    """
    logs.configure(settings.log_format, settings.log_level)
    _check_settings(settings)
    asyncio.run(_check_database(settings))
    with (
        metrics.multiprocess_metrics() if settings.workers > 1 else nullcontext(),
        metrics.serve_metrics(settings.metrics_address),
        _listen_on_free_port(settings) if allow_other_port else _listen(settings) as sock,
    ):
        host, port = sock.getsockname()[:2]
        url_host = f"[{host}]" if ":" in host else host
        announce = partial(on_ready, f"http://{url_host}:{port}/")
        if settings.workers > 1:
            from smashup.server.operations.supervisor import supervise

            supervise(settings, sock, announce)
        else:
            with suppress(KeyboardInterrupt):
                run_worker(settings, cards, sock, lambda registry: announce())


def run_worker(
    settings: Settings,
    cards: Catalogue | None,
    sock: socket.socket,
    on_ready: Callable[[TableRegistry], None],
    is_supervised: bool = False,
) -> None:
    """Serve a socket, alone or as one of several workers; call ``on_ready`` once it is ready."""
    logs.configure(settings.log_format, settings.log_level)
    is_stopped = False

    def stop_while_starting(*_: object) -> None:
        """Stop a process that has nothing to finish yet."""
        nonlocal is_stopped
        is_stopped = True
        sys.exit(0)

    before = signal.signal(signal.SIGTERM, stop_while_starting)
    try:
        server = _create_server(settings, cards, on_ready, is_supervised)
        server.should_exit = is_stopped  # Python ignores exceptions in finalizers
        # uvicorn listens to signals a moment later. Having shut down, it passes on the last one.
        signal.signal(signal.SIGTERM, server.handle_exit)
        server.run([sock])
    finally:
        signal.signal(signal.SIGTERM, before)


def _create_server(
    settings: Settings,
    cards: Catalogue | None,
    on_ready: Callable[[TableRegistry], None],
    is_supervised: bool,
) -> _Server:
    app = create_app(settings, cards)
    config = LimitedConfig(
        app,
        Connections(settings, raise_descriptor_limit()),
        ws_max_size=settings.max_message_bytes,
        log_config=None,  # see `smashup.server.operations.logs`
        access_log=False,
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    _tune_gc()
    # Players wait for the database thread: let it run promptly.
    sys.setswitchinterval(0.0005)
    return _Server(config, app.state.registry, on_ready, is_supervised)


class _Server(uvicorn.Server):
    """A uvicorn server that reports when it is ready, and hands its tables over when it stops."""

    def __init__(
        self,
        config: uvicorn.Config,
        registry: TableRegistry,
        on_ready: Callable[[TableRegistry], None],
        is_supervised: bool,
    ) -> None:
        super().__init__(config)
        self.registry = registry
        self.on_ready = on_ready
        self.is_supervised = is_supervised

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for sock in sockets or ():
            sock.listen(BACKLOG)  # uvicorn's backlog is how many asyncio accepts at once
        if self.started:
            logs.info("worker_ready", version=__version__)
            self.on_ready(self.registry)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Players reconnect to other workers, which continue with the tables.
        logs.info("worker_stopping", tables=len(self.registry.tables))
        await self.registry.leave()
        await super().shutdown(sockets)
        logs.info("worker_stopped")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Ctrl-C in a terminal reaches all processes; workers wait for the supervisor.
        if not (self.is_supervised and sig == signal.SIGINT):
            super().handle_exit(sig, frame)


def _check_settings(settings: Settings) -> None:
    """Refuse settings that do not fit together."""
    if settings.workers < 1:
        raise SetupError(
            "{option} needs a number of at least 1, not {number}.",
            option="--workers",
            number=settings.workers,
        )
    is_shared = is_shareable(settings.database)
    if settings.workers > 1 and not is_shared:
        raise SetupError(
            "Several workers need a database that they can share: --database postgresql://..."
        )
    if settings.backup_folder and is_shared:
        raise SetupError("Daily backups work for SQLite only; use pg_dump for PostgreSQL.")
    if settings.backup_folder:
        _check_backup_folder(Path(settings.backup_folder))


def _check_backup_folder(folder: Path) -> None:
    """Create the folder of the backups; raise a `SetupError` if no file can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise SetupError(
            "The backup folder {path} cannot be used: {why}.", path=str(folder), why=reason(error)
        ) from error


def _tune_gc() -> None:
    """Keep the pauses of garbage collection short: they delay all players.

    Young objects are collected a few thousand at a time, in about 10 ms; 100,000 would take up to
    250 ms. Full collections are rare, because they take longer with more tables and find nothing:
    what exists now stays, and a table that is no longer needed breaks its own reference cycles
    (`Game.dispose`).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 5, 10_000)


async def _check_database(settings: Settings) -> None:
    """Check that the database can be used, before the address is announced."""
    store = store_at(settings.database)
    try:
        await store.open()
    finally:
        await store.close()


def _listen_on_free_port(settings: Settings) -> socket.socket:
    """Listen on the first free port from that of the settings on."""
    for port in range(settings.port, settings.port + MAX_PORTS_TRIED):
        try:
            return _listen(replace(settings, port=port))
        except SetupError:
            continue
    return _listen(settings)  # raises the error


def _listen(settings: Settings) -> socket.socket:
    if not 0 <= settings.port <= 65535:
        raise SetupError("{port} is not a port: use a number from 0 to 65535.", port=settings.port)
    try:
        kind = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=kind, backlog=BACKLOG)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (while")[
            0
        ]  # Python repeats the address
        raise SetupError(
            "The server cannot listen on {host}, port {port}: {reason}.",
            host=settings.host,
            port=settings.port,
            reason=Message(reason, {}),
        ) from error
