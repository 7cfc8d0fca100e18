"""`smashup preview`: the cards of a faction file as the browser shows them, while you write it."""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from smashup.cards.authoring.places import FactionError
from smashup.cards.plugins import check_file, load_file, with_plugins
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import Catalogue
from smashup.terminal.cli.options import add_language_option
from smashup.terminal.translation import printable, render, tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Subparsers

POLL_SECONDS = 0.3
"""Interval between checks of the file."""


def add_preview(commands: Subparsers) -> None:
    """Add the subcommand and its options."""
    preview = commands.add_parser(
        "preview",
        help=tr("show the cards of a faction file in the browser"),
        description=tr(
            "Shows the cards of a faction file as in the browser, and reloads the page whenever the"
            " file is saved. Problems in the file appear here and on the page."
        ),
    )
    preview.add_argument("file", metavar=tr("FILE"))
    preview.add_argument(
        "--port", type=int, default=0, metavar=tr("N"), help=tr("port (default: any free one)")
    )
    preview.add_argument(
        "--no-open", action="store_true", help=tr("do not open a browser, only print the address")
    )
    add_language_option(preview)


def run_preview(options: argparse.Namespace) -> int:
    """Serve the cards until Ctrl-C."""
    if not 0 <= options.port <= 65535:
        raise SetupError("{port} is not a port: use a number from 0 to 65535.", port=options.port)
    path = Path(options.file)
    cards, name = load_cards(path)  # a file that is wrong from the start is an error
    with tempfile.TemporaryDirectory() as folder:
        preview = FactionPreview(path, Path(folder), options.port)
        preview.start(cards, name)
        preview.check_code()
        address = f"http://127.0.0.1:{preview.port}/factions/{quote(name)}"
        print(
            tr("The cards of {faction} are at {address} (press Ctrl-C to stop)",
               faction=printable(name), address=address),
            flush=True,
        )  # fmt: skip
        if not options.no_open:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        try:
            while True:
                time.sleep(POLL_SECONDS)
                preview.look()
        except KeyboardInterrupt:
            preview.stop()
    return 0


def load_cards(path: Path) -> tuple[Catalogue, str]:
    """Return all cards with those of the file, and the name of its first faction."""
    return with_plugins([str(path)])[0], load_file(path).factions[0].name


class FactionPreview:
    """A server for a faction file, started again when the file has changed."""

    def __init__(self, path: Path, folder: Path, port: int) -> None:
        self.path = path
        self.folder = folder
        """Where the tables of the server are stored."""
        self._starts = 0
        self.port = port or _free_port()
        self.problem = ""
        """What is wrong with the current file."""
        self._seen = self._stamp()
        self._server: Any = None
        self._thread: threading.Thread | None = None

    def start(self, cards: Catalogue, name: str) -> None:
        """Serve these cards and name their faction; raise a `SetupError` if the port is taken."""
        import uvicorn

        from smashup.server.http.preview import create_preview_app
        from smashup.server.operations.settings import Settings

        if not _is_free(self.port):
            raise SetupError(
                "The port {port} is in use: choose another one with --port, or leave it out.",
                port=self.port,
            )
        self._starts += 1
        database = self.folder / f"preview{self._starts}.sqlite"
        settings = Settings(database=database, port=self.port)
        app = create_preview_app(settings, cards, name, str(self._seen), lambda: self.problem)
        config = uvicorn.Config(
            app, host="127.0.0.1", port=self.port, log_level="warning", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.02)

    def stop(self) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(10)

    def look(self) -> bool:
        """Load the file again if it has changed; return whether its cards are served now."""
        stamp = self._stamp()
        if stamp == self._seen:
            return False
        self._seen = stamp
        try:
            cards, name = load_cards(self.path)
        except FactionError as error:
            self.problem = printable(render(error.message))
            print(self.problem, file=sys.stderr, flush=True)
            return False
        self.stop()
        self.start(cards, name)
        print(tr("{path} was loaded again.", path=printable(str(self.path))), flush=True)
        self.check_code()
        return True

    def check_code(self) -> None:
        """Show the first problem in the code of the abilities, if there is one."""
        self.problem = ""
        try:
            check_file(self.path)
        except FactionError as error:
            self.problem = printable(render(error.message))
            print(self.problem, file=sys.stderr, flush=True)

    def _stamp(self) -> tuple[int, int]:
        try:
            found = self.path.stat()
        except OSError:
            return (0, 0)  # just being written
        return (found.st_mtime_ns, found.st_size)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
