"""The server's own process: ``python -m scripts.chaos.serving DATABASE WORKERS PORT``."""

from __future__ import annotations

import sys

from scripts.chaos.trouble import settings
from smashup.cards import catalogue
from smashup.server.operations.running import serve
from smashup.server.operations.settings import Settings


def main() -> None:
    database, workers, port = sys.argv[1:]
    chosen = Settings(**settings(database, int(workers), int(port)))
    serve(chosen, catalogue(), lambda address: print(address, flush=True))


if __name__ == "__main__":
    main()
