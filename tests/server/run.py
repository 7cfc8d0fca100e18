"""A server as a process of its own: ``python -m tests.server.run DATABASE``."""

from __future__ import annotations

import sys
from pathlib import Path

from smashup.cards import catalogue
from smashup.server.running import serve
from smashup.server.settings import Settings
from tests.server.house import GENEROUS


def tell(address: str) -> None:
    print(address, flush=True)


if __name__ == "__main__":
    serve(Settings(database=Path(sys.argv[1]), port=0, **GENEROUS), catalogue(), tell)
