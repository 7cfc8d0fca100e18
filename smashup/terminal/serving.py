"""`smashup serve`: a server for tables in the browser."""

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
from smashup.terminal.keeping import data_folder
from smashup.terminal.translation import printable, tr

if TYPE_CHECKING:
    from smashup.terminal.parsing import Commands, Parser

HOST = "127.0.0.1"
PORT = 8000
KEPT = {"open": 7, "over": 90, "playing": 365, "chat": 30, "names": 30, "reports": 180}
"""What is deleted after so many days: see `smashup.server.settings.Settings`."""


LIMITS = {
    "connections": "max_connections",
    "connections-per-address": "max_connections_per_address",
    "sockets-per-address": "sockets_each",
    "requests-per-second": "request_rate",
    "tables-per-second": "creation_rate",
}
"""What an operator may limit, and the field of `smashup.server.settings.Settings` for it."""


def add_database(parser: Parser) -> None:
    """Where the games of a server are kept."""
    parser.add_argument(
        "--database",
        default=os.environ.get("SMASHUP_DATABASE"),
        metavar=tr("FILE"),
        help=tr(
            "where the games are kept: a file, or postgresql://user:password@host/name"
            " (default: {path}; or the environment's SMASHUP_DATABASE)",
            path=str(default_database()),
        ),
    )


def add_serve(commands: Commands, help_form: type[argparse.HelpFormatter]) -> Parser:
    """The subcommand and its own options."""
    serve = commands.add_parser(
        "serve",
        help=tr("let people play over the network"),
        description=tr(
            "Runs a server for tables in the browser, until Ctrl-C. All games are kept in one file"
            " and go on where they were when it is started again. For a crowd, several workers"
            " share a PostgreSQL database, and talk to each other through Redis."
        ),
        formatter_class=help_form,
        allow_abbrev=False,
    )
    serve.add_argument(
        "--host",
        default=HOST,
        metavar=tr("ADDRESS"),
        help=tr("where to listen; 0.0.0.0 for all networks (default {default})", default=HOST),
    )
    serve.add_argument(
        "--port",
        type=int,
        metavar=tr("N"),
        help=tr(
            "the port; 0 for any that is free (default {default}, or the next one that is free)",
            default=PORT,
        ),
    )
    add_database(serve)
    serve.add_argument(
        "--redis",
        default=os.environ.get("SMASHUP_REDIS", ""),
        metavar=tr("URL"),
        help=tr(
            "how several workers talk to each other: redis://host:6379"
            " (or the environment's SMASHUP_REDIS)"
        ),
    )
    serve.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar=tr("N"),
        help=tr("processes that serve the tables (default 1); several need PostgreSQL and Redis"),
    )
    serve.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar=tr("URL"),
        help=tr("another site whose pages may use this server (may be given several times)"),
    )
    serve.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar=tr("ADDRESS"),
        help=tr(
            "a proxy on another machine, or a network of them like 10.0.0.0/8, that says where"
            " calls come from (may be given several times; one on this machine is always heard)"
        ),
    )
    serve.add_argument(
        "--metrics",
        default="",
        metavar=tr("ADDRESS"),
        help=tr("where to serve metrics to Prometheus, like 127.0.0.1:9100 (default: nowhere)"),
    )
    serve.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help=tr(
            "how the server writes of itself, to standard error (default {default})", default="text"
        ),
    )
    serve.add_argument(
        "--log-level",
        choices=("debug", "info", "warning"),
        default="warning",
        help=tr("what it writes at least (default {default})", default="warning"),
    )
    serve.add_argument(
        "--backup",
        default="",
        metavar=tr("FOLDER"),
        help=tr("where a copy of the SQLite file goes every day; the last seven are kept"),
    )
    serve.add_argument(
        "--keep",
        action="append",
        default=[],
        type=_days,
        metavar=tr("WHAT=DAYS"),
        help=tr(
            "how many days something is kept: {what} (may be given several times)",
            what=", ".join(f"{what}={days}" for what, days in KEPT.items()),
        ),
    )
    serve.add_argument(
        "--trust-clock",
        action="store_true",
        help=tr("the system clock is right, though the server was last used long ago"),
    )
    serve.add_argument(
        "--limit",
        action="append",
        default=[],
        type=_limit,
        metavar=tr("WHAT=NUMBER"),
        help=tr(
            "a limit other than the default, for each address or in all: {what} (may be given"
            " several times)",
            what=", ".join(LIMITS),
        ),
    )
    serve.add_argument("--open", action="store_true", help=tr("show it in the browser"))
    return serve


def _days(words: str) -> tuple[str, float]:
    """What is kept, and for how many days."""
    what, _, days = words.partition("=")
    try:
        number = float(days)
    except ValueError:
        number = -1
    if what not in KEPT or not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(
            tr("{words} does not say how long something is kept.", words=printable(words))
        )
    return what, number


def _limit(words: str) -> tuple[str, float]:
    """A field of the settings, and its value."""
    what, _, value = words.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = 0
    field = LIMITS.get(what, "")
    is_count = not field.endswith("_rate")
    if not field or not 0 < number < float("inf") or (is_count and number != int(number)):
        raise argparse.ArgumentTypeError(
            tr(
                "{words} is not a limit: use {what}, and a number above 0.",
                words=printable(words),
                what=", ".join(LIMITS),
            )
        )
    return field, int(number) if is_count else number


def default_database() -> Path:
    return data_folder() / "tables.sqlite"


def serve(options: argparse.Namespace, cards: Catalogue) -> int:
    """`smashup serve`."""
    # Only here: all other commands start faster without it.
    from smashup.server.running import serve as run
    from smashup.server.settings import Settings

    settings = Settings(
        database=options.database or default_database(),
        redis=options.redis,
        workers=options.workers,
        host=options.host,
        port=PORT if options.port is None else options.port,
        faction_files=tuple(options.faction_file),
        origins=tuple(options.origin),
        proxies=(*Settings.proxies, *options.proxy),
        metrics=options.metrics,
        log=options.log,
        log_level=options.log_level,
        backups=options.backup,
        trust_clock=options.trust_clock,
        **{f"keep_{what}": days for what, days in options.keep},
        **dict(options.limit),
    )
    told = partial(_tell, show=options.open)
    run(settings, cards, told, nearby=options.port is None)
    return 0


def _tell(address: str, show: bool) -> None:
    print(
        tr("Smash Up is served at {address} (Ctrl-C ends it)", address=printable(address)),
        flush=True,
    )
    if show:
        here = address.replace("//0.0.0.0:", "//127.0.0.1:")
        # Some browsers make whoever starts them wait until they are closed.
        Thread(target=_show, args=(here,), daemon=True).start()


def _show(address: str) -> None:
    """Show a page in the browser, if there is one with a window of its own."""
    windows = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    # Elsewhere it would be a browser for the terminal, in which this is running.
    if not (windows and webbrowser.open(address)):
        print(tr("Open this address in a browser to play."), flush=True)
