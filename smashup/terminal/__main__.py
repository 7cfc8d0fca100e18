"""`python -m smashup.terminal` runs the `smashup` command."""

from __future__ import annotations

import sys

from smashup.terminal.main import main

if __name__ == "__main__":
    sys.exit(main())
