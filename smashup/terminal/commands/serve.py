"""`smashup serve`: runs the server for games in the browser."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from smashup.engine.model.catalogue import Catalogue
from smashup.terminal.game.save_files import data_folder
from smashup.terminal.translation import printable, tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Parser, Subparsers

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
RETENTION_DAYS = {
    "open": 7,
    "finished": 90,
    "unfinished": 365,
    "chat": 30,
    "names": 30,
    "reports": 180,
}
"""How many days the server keeps each kind of data: `Settings`."""


LIMITS = {
    "connections": "max_connections",
    "connections-per-address": "max_connections_per_address",
    "sockets-per-address": "max_sockets_per_address",
    "requests-per-second": "requests_per_second",
    "tables-per-second": "tables_per_second",
}
"""Limits an operator can set, with their fields of `Settings`."""


def add_database_option(parser: Parser) -> None:
    """Add the option for the server's database."""
    parser.add_argument(
        "--database",
        default=os.environ.get("SMASHUP_DATABASE"),
        metavar=tr("FILE"),
        help=tr(
            "database: a file, or postgresql://user:password@host/name (default:"
            " {path}, or the environment variable SMASHUP_DATABASE)",
            path=str(default_database()),
        ),
    )


def add_serve(commands: Subparsers) -> Parser:
    """Add the subcommand and its options."""
    serve = commands.add_parser(
        "serve",
        help=tr("let people play over the network"),
        description=tr(
            "Runs a server for games in the browser until Ctrl-C. It stores all games"
            " in one file and resumes them after a restart. For many players, several"
            " workers can share a PostgreSQL database."
        ),
    )
    serve.add_argument(
        "--host",
        default=DEFAULT_HOST,
        metavar=tr("ADDRESS"),
        help=tr(
            "where to listen; 0.0.0.0 for all networks (default {default})", default=DEFAULT_HOST
        ),
    )
    serve.add_argument(
        "--port",
        type=int,
        metavar=tr("N"),
        help=tr(
            "the port; 0 for any that is free (default {default}, or the next one that is free)",
            default=DEFAULT_PORT,
        ),
    )
    add_database_option(serve)
    serve.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar=tr("N"),
        help=tr("number of worker processes (default 1); several need PostgreSQL"),
    )
    serve.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar=tr("URL"),
        help=tr("another site whose pages may use this server (may be given several times)"),
    )
    serve.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar=tr("ADDRESS"),
        help=tr(
            "address of a trusted proxy on another machine, or a network like"
            " 10.0.0.0/8 (may be given several times; proxies on this machine are"
            " always trusted)"
        ),
    )
    serve.add_argument(
        "--metrics-address",
        default="",
        metavar=tr("ADDRESS"),
        help=tr("address for Prometheus metrics, like 127.0.0.1:9100 (default: none)"),
    )
    serve.add_argument(
        "--log-format",
        choices=("text", "json"),
        default="text",
        help=tr("format of the log on standard error (default {default})", default="text"),
    )
    serve.add_argument(
        "--log-level",
        choices=("debug", "info", "warning"),
        default="warning",
        help=tr("lowest level to log (default {default})", default="warning"),
    )
    serve.add_argument(
        "--backup-folder",
        default="",
        metavar=tr("FOLDER"),
        help=tr("folder for daily copies of the SQLite file; keeps the last seven"),
    )
    serve.add_argument(
        "--keep",
        action="append",
        default=[],
        type=_parse_retention,
        metavar=tr("WHAT=DAYS"),
        help=tr(
            "how many days to keep data: {what} (may be given several times)",
            what=", ".join(f"{what}={days}" for what, days in RETENTION_DAYS.items()),
        ),
    )
    serve.add_argument(
        "--trust-clock",
        action="store_true",
        help=tr("accept the system clock although the server was last used long ago"),
    )
    serve.add_argument(
        "--limit",
        action="append",
        default=[],
        type=_parse_limit,
        metavar=tr("WHAT=NUMBER"),
        help=tr(
            "change a limit, per address or in total: {what} (may be given several times)",
            what=", ".join(LIMITS),
        ),
    )
    serve.add_argument("--open", action="store_true", help=tr("open the page in the browser"))
    return serve


def _parse_retention(words: str) -> tuple[str, float]:
    """Parse WHAT=DAYS."""
    what, _, days = words.partition("=")
    try:
        number = float(days)
    except ValueError:
        number = -1
    if what not in RETENTION_DAYS or not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(
            tr(
                "{words} is not a retention period: use {what} with a number of days.",
                words=printable(words),
                what=", ".join(RETENTION_DAYS),
            )
        )
    return what, number


def _parse_limit(words: str) -> tuple[str, float]:
    """Parse WHAT=NUMBER into a field of the settings and its value."""
    what, _, value = words.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = 0
    field = LIMITS.get(what, "")
    is_count = not field.endswith("_per_second")
    if not field or not 0 < number < float("inf") or (is_count and number != int(number)):
        raise argparse.ArgumentTypeError(
            tr(
                "{words} is not a limit: use {what} with a number above 0.",
                words=printable(words),
                what=", ".join(LIMITS),
            )
        )
    return field, int(number) if is_count else number


def default_database() -> Path:
    return data_folder() / "tables.sqlite"


def run_serve(options: argparse.Namespace, cards: Catalogue) -> int:
    """`smashup serve`."""
    # Imported late because the server slows down the start of all other commands.
    from smashup.server.operations.running import serve as run
    from smashup.server.operations.settings import Settings

    settings = Settings(
        database=options.database or default_database(),
        workers=options.workers,
        host=options.host,
        port=DEFAULT_PORT if options.port is None else options.port,
        faction_files=tuple(options.faction_file),
        bot_files=tuple(options.bot_file),
        allowed_origins=tuple(options.allow_origin),
        trusted_proxies=(*Settings.trusted_proxies, *options.trusted_proxy),
        metrics_address=options.metrics_address,
        log_format=options.log_format,
        log_level=options.log_level,
        backup_folder=options.backup_folder,
        trust_clock=options.trust_clock,
        **{f"keep_{what}_days": days for what, days in options.keep},
        **dict(options.limit),
    )
    on_ready = partial(_print_address, show=options.open)
    run(settings, cards, on_ready, allow_other_port=options.port is None)
    return 0


def _print_address(address: str, show: bool) -> None:
    print(
        tr("Smash Up is running at {address} (press Ctrl-C to stop)", address=printable(address)),
        flush=True,
    )
    if show:
        local_url = address.replace("//0.0.0.0:", "//127.0.0.1:")
        # Some browsers block the process that starts them until they are closed.
        Thread(target=_open_browser, args=(local_url,), daemon=True).start()


def _open_browser(address: str) -> None:
    """Open a page in a graphical browser, if there is one."""
    has_display = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    # Without a display, webbrowser would open a text browser in this terminal.
    if not (has_display and webbrowser.open(address)):
        print(tr("Open this address in a browser to play."), flush=True)
