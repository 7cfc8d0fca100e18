"""Server settings: addresses, storage, retention and limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """All settings of a server. Only the database has no default."""

    database: Path | str = field(repr=False)
    """A SQLite file, or a ``postgresql://`` URL, which may contain a password."""
    workers: int = 1
    """Number of processes that serve the same tables."""
    host: str = "127.0.0.1"
    port: int = 8000
    faction_files: tuple[str, ...] = ()
    """Python files with additional factions."""
    bot_files: tuple[str, ...] = ()
    """Python files with additional bots."""
    allowed_origins: tuple[str, ...] = ()
    """Other sites whose pages may use this server, like ``https://example.org``."""
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses or networks of proxies that may report the address of a client."""
    metrics_address: str = ""
    """Where the server serves Prometheus metrics, like ``127.0.0.1:9100``; empty: nowhere."""
    log_format: str = "text"
    """``text`` or ``json``."""
    log_level: str = "warning"
    """The lowest level that is logged: ``debug``, ``info`` or ``warning``."""

    bot_processes: int = max(1, (os.cpu_count() or 2) - 1)
    """Number of processes that compute bot moves."""
    bot_timeout_seconds: int = 30
    """A bot that takes longer is terminated."""
    min_window_seconds: float = 1.5
    """Minimum duration of a Specials window at tables with two or more people."""
    idle_table_seconds: float = 600
    """A table without viewers is removed from memory after this time."""
    abandoned_seat_seconds: float = 60
    """A disconnected player can be replaced with a bot after this time."""

    backup_folder: str = ""
    """Where the server saves a daily copy of a SQLite file; empty: no backups."""

    trust_clock: bool = False
    """Accept the system clock even if it is far ahead of the newest time in the database."""
    keep_open_days: float = 7
    """The server deletes a table without a game this long after its last change."""
    keep_finished_days: float = 90
    """The same for tables with a finished game."""
    keep_unfinished_days: float = 365
    """The same for tables with an unfinished game."""
    keep_chat_days: float = 30
    """The server deletes the text of chat messages after this time."""
    keep_names_days: float = 30
    """The server deletes the names of players this long after the end of a game."""
    keep_reports_days: float = 180
    """The server deletes reports to the operator after this time."""

    max_daily_reports_per_table: int = 20
    max_daily_reports_per_address: int = 20
    max_daily_reports: int = 500
    """Maximum number of reports of all tables that the server stores per day."""

    max_message_bytes: int = 8_192
    """Maximum size of a WebSocket message from a client."""
    max_body_bytes: int = 16_384
    """Maximum size of the body of an HTTP request."""
    messages_per_second: float = 10
    """Rate limit of one WebSocket; bursts may be ten times as large."""
    requests_per_second: float = 20
    """Rate limit of HTTP requests from one address; bursts may be twenty times as large."""
    tables_per_second: float = 0.5
    """Rate limit of new tables from one address; bursts may be twenty times as large."""
    max_concurrent_requests_per_address: int = 16
    """Further requests from the same address wait."""
    max_connections: int = 0
    """Maximum number of connections to one process; 0: three quarters of its open file limit."""
    max_connections_per_address: int = 200
    """Maximum number of connections from one address. Trusted proxies are exempt."""
    header_timeout_seconds: float = 10
    """Time in which a client must send the headers of a request."""
    body_timeout_seconds: float = 10
    """Time in which a client must send the body of a request."""
    write_timeout_seconds: float = 30
    """The server closes a connection whose client does not read a response for this long."""
    max_sockets_per_address: int = 40
    """Maximum number of concurrent WebSockets from one address."""
    max_sockets_per_table: int = 200
    """Maximum number of concurrent WebSockets at one table."""
    max_invalid_messages: int = 20
    """The server closes a WebSocket after more invalid messages than this."""
    hello_timeout_seconds: float = 10
    """Time in which a new WebSocket must send its hello message."""
