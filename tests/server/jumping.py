"""A server whose system clock can be set: ``python -m tests.server.jumping FILE DATABASE``.

The file says by how many seconds ``time.time`` is wrong; it is read at every call.
The monotonic clock stays as it is, as on a real system.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

file, database = Path(sys.argv[1]), Path(sys.argv[2])
right = time.time


def wrong() -> float:
    """The system clock, as somebody has set it."""
    try:
        return right() + float(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return right()


if __name__ == "__main__":
    time.time = wrong
    # Only now: the server reads the clock when it is imported.
    from smashup.cards import catalogue
    from smashup.server.operations.running import serve
    from smashup.server.operations.settings import Settings
    from tests.server.house import GENEROUS
    from tests.server.run import tell

    serve(Settings(database=database, port=0, **GENEROUS), catalogue(), tell)
