"""A server in a separate process: ``python -m tests.browser.serve DATABASE CLIENT``.

Every game has the same seed: the same factions always get the same cards.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import uvicorn

from smashup.server.http.app import create_app
from smashup.server.operations.settings import Settings
from smashup.server.tables.seats import seating
from tests.server.live_server import UNLIMITED

SEED: Final = int(os.environ.get("BROWSER_SEED", "18"))
WINDOW_SECONDS: Final = 0.1
"""Duration of Specials windows: long enough to see them, too short to slow down tests."""


def main(database: Path, client: Path, *faction_files: str) -> None:
    seating.new_secret = lambda: f"{SEED:064x}"
    settings = Settings(
        database,
        **{
            **UNLIMITED,
            "min_window_seconds": WINDOW_SECONDS,
            "max_sockets_per_address": 1000,
            "faction_files": faction_files,
        },
    )
    with socket.create_server(("127.0.0.1", 0), backlog=512) as sock:
        config = uvicorn.Config(
            create_app(settings, client=client),
            ws="websockets-sansio",
            ws_max_size=settings.max_message_bytes,
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
        print("http://{}:{}".format(*sock.getsockname()), flush=True)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([sock])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
