"""A server as a process: ``python -m tests.server.run DATABASE [WORKERS]``."""

from __future__ import annotations

import sys
from pathlib import Path

from smashup.cards import catalogue
from smashup.server.operations.running import serve
from smashup.server.operations.settings import Settings
from tests.server.house import GENEROUS


def tell(address: str) -> None:
    print(address, flush=True)


if __name__ == "__main__":
    database, *workers = sys.argv[1:]
    kept = database if "://" in database else Path(database)
    count = int(workers[0]) if workers else 1
    serve(Settings(database=kept, port=0, workers=count, **GENEROUS), catalogue(), tell)
