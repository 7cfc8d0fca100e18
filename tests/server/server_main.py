"""Runs a server in a process: ``python -m tests.server.server_main DATABASE [WORKERS]``."""

from __future__ import annotations

import sys
from pathlib import Path

from smashup.cards import catalogue
from smashup.server.operations.running import serve
from smashup.server.operations.settings import Settings
from tests.server.live_server import UNLIMITED


def print_address(address: str) -> None:
    print(address, flush=True)


if __name__ == "__main__":
    url, *workers = sys.argv[1:]
    database = url if "://" in url else Path(url)
    count = int(workers[0]) if workers else 1
    settings = Settings(database=database, port=0, workers=count, **UNLIMITED)
    serve(settings, catalogue(), print_address)
