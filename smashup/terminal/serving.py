"""`smashup serve`: a server for tables in the browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from smashup.engine.catalogue import Catalogue
from smashup.terminal.keeping import data_folder
from smashup.terminal.words import printable, say

if TYPE_CHECKING:
    from smashup.terminal.arguments import Commands, Parser

HOST = "127.0.0.1"
PORT = 8000


def add_serve(commands: Commands, help_form: type[argparse.HelpFormatter]) -> Parser:
    """The subcommand and its own options."""
    serve = commands.add_parser(
        "serve",
        help=say("let people play over the network"),
        description=say(
            "Runs a server for tables in the browser, until Ctrl-C. All games are kept in one file"
            " and go on where they were when it is started again."
        ),
        formatter_class=help_form,
        allow_abbrev=False,
    )
    serve.add_argument(
        "--host",
        default=HOST,
        metavar=say("ADDRESS"),
        help=say("where to listen; 0.0.0.0 for all networks (default {default})", default=HOST),
    )
    serve.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar=say("N"),
        help=say("the port; 0 for any that is free (default {default})", default=PORT),
    )
    serve.add_argument(
        "--database",
        metavar=say("FILE"),
        help=say("where the games are kept (default: {path})", path=str(default_database())),
    )
    serve.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar=say("URL"),
        help=say("another site whose pages may use this server (may be given several times)"),
    )
    return serve


def default_database() -> Path:
    return data_folder() / "tables.sqlite"


def serve(options: argparse.Namespace, cards: Catalogue) -> int:
    """`smashup serve`."""
    # Only here: all other commands start faster without it.
    from smashup.server.running import serve as run
    from smashup.server.settings import Settings

    path = Path(options.database).expanduser() if options.database else default_database()
    settings = Settings(
        database=path,
        host=options.host,
        port=options.port,
        faction_files=tuple(options.faction_file),
        origins=tuple(options.origin),
    )
    run(settings, cards, _tell)
    return 0


def _tell(address: str) -> None:
    print(
        say("Smash Up is served at {address} (Ctrl-C ends it)", address=printable(address)),
        flush=True,
    )
