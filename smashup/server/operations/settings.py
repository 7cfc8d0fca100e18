"""What a server can be told: where it listens and keeps its games, and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """All settings; only the database has no default."""

    database: Path | str = field(repr=False)
    """Where every table is kept: a SQLite file, or a ``postgresql://`` address (with secrets)."""
    workers: int = 1
    """Processes that serve the same tables."""
    host: str = "127.0.0.1"
    port: int = 8000
    faction_files: tuple[str, ...] = ()
    """Python files with factions of one's own."""
    bot_files: tuple[str, ...] = ()
    """Python files with bots of one's own."""
    origins: tuple[str, ...] = ()
    """Further web addresses whose pages may use this server, like ``https://example.org``."""
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses or networks of proxies, whose word about where a call comes from is taken."""
    metrics: str = ""
    """Where metrics are served to who runs the server, like ``127.0.0.1:9100``; else nowhere."""
    log: str = "text"
    """How the server writes of itself: ``text`` or ``json``."""
    log_level: str = "warning"
    """What it writes at least: ``debug``, ``info`` or ``warning``."""

    thinkers: int = max(1, (os.cpu_count() or 2) - 1)
    """Processes in which bots think."""
    think_limit: int = 30
    """Seconds after which a bot that has not answered is given up."""
    beat: float = 1.5
    """Seconds that a window for Specials lasts at least, where two people or more play."""
    idle: float = 600
    """Seconds after which a table that nobody looks at leaves the memory."""
    abandoned: float = 60
    """Seconds without a connection after which the others may put a bot in a seat."""

    backups: str = ""
    """A folder for copies of a SQLite file, one a day; nothing is copied without it."""

    trust_clock: bool = False
    """Whether the system clock is right, though it is far ahead of the database."""
    keep_open: float = 7
    """Days after which a table that has not begun, and nobody has touched, is removed."""
    keep_over: float = 90
    """The same for a game that is over."""
    keep_playing: float = 365
    """The same for a game that nobody has gone on with."""
    keep_chat: float = 30
    """Days after which the words that people said are deleted."""
    keep_names: float = 30
    """Days after the end of a game after which the names of its people are deleted."""
    keep_reports: float = 180
    """Days after which reports to who runs the server are deleted."""

    reports_of_table: int = 20
    """Reports that are stored from one table in a day."""
    reports_of_address: int = 20
    """The same from one address."""
    reports_of_all: int = 500
    """The same of all tables together."""

    message_size: int = 8_192
    """The longest message of a client, in bytes."""
    body_size: int = 16_384
    """The longest body of a request, in bytes."""
    message_rate: float = 10
    """Messages a second on one connection; ten times as many may come at once."""
    request_rate: float = 20
    """Requests a second from one address; twenty times as many may come at once."""
    creation_rate: float = 0.5
    """New tables a second from one address; twenty times as many may come at once."""
    requests_at_once: int = 16
    """Requests of one address that are worked on at a time; the others wait."""
    max_connections: int = 0
    """Connections to one process; 0 for three quarters of the files it may open."""
    max_connections_per_address: int = 200
    """Connections from one address, unless it is that of a trusted proxy."""
    header_timeout: float = 10
    """Seconds in which a connection has to send the headers of a request."""
    body_timeout: float = 10
    """Seconds in which the body of a request has to arrive."""
    write_timeout: float = 30
    """Seconds after which a connection is closed whose client does not read its response."""
    sockets_each: int = 40
    """Sockets of tables from one address at a time."""
    watchers: int = 200
    """Connections to one table at a time."""
    strikes: int = 20
    """Unusable messages after which a connection is closed."""
    hello_within: float = 10
    """Seconds in which a new connection has to say who it is."""
