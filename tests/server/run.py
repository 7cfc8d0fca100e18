"""A server as a process: ``python -m tests.server.run DATABASE [REDIS WORKERS LEASE]``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from smashup.cards import catalogue
from smashup.server.operations.running import serve
from smashup.server.operations.settings import Settings
from tests.server.house import GENEROUS


def tell(address: str) -> None:
    print(address, flush=True)


if __name__ == "__main__":
    database, *crowd = sys.argv[1:]
    more: dict[str, Any] = {}
    if crowd:
        more = {"redis": crowd[0], "workers": int(crowd[1]), "lease": float(crowd[2])}
    kept = database if "://" in database else Path(database)
    serve(Settings(database=kept, port=0, **more, **GENEROUS), catalogue(), tell)
