"""A server with a wrong system clock: ``python -m tests.server.clock_jump_server FILE DATABASE``.

The file contains by how many seconds ``time.time`` is wrong. It is read at every call. The
monotonic clock does not change, as on a real system.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

file, database = Path(sys.argv[1]), Path(sys.argv[2])
correct_time = time.time


def wrong_time() -> float:
    """Return the manipulated system time."""
    try:
        return correct_time() + float(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return correct_time()


if __name__ == "__main__":
    time.time = wrong_time
    # Imported late, because the server reads the clock when it is imported.
    from smashup.cards import catalogue
    from smashup.server.operations.running import serve
    from smashup.server.operations.settings import Settings
    from tests.server.live_server import UNLIMITED

    settings = Settings(database=database, port=0, **UNLIMITED)
    serve(settings, catalogue(), lambda address: print(address, flush=True))
