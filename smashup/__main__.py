"""``python -m smashup``: the `smashup` command."""

import sys

from smashup.terminal.main import main

if __name__ == "__main__":
    sys.exit(main())
