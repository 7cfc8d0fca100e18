"""The entry point of the server: ``python -m scripts.chaos.server_main DATABASE WORKERS PORT``."""

from __future__ import annotations

import sys

from smashup.cards import catalogue
from smashup.server.operations.running import serve
from smashup.server.operations.settings import Settings


def main() -> None:
    database, workers, port = sys.argv[1:]
    settings = Settings(
        database=database,
        workers=int(workers),
        port=int(port),
        min_window_seconds=0.3,
        idle_table_seconds=20,
        bot_processes=1,
        # All players share one address.
        messages_per_second=50,
        requests_per_second=10_000,
        tables_per_second=10_000,
        max_sockets_per_address=100_000,
        # The players share the cores with the server and may be slow.
        hello_timeout_seconds=60,
    )
    serve(settings, catalogue(), lambda address: print(address, flush=True))


if __name__ == "__main__":
    main()
