"""Put the `smashup` command into the environment that runs this: the project itself, not a copy."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = """\
#!{python}
import sys

from smashup.terminal.main import main

if __name__ == "__main__":  # worker processes import this file
    sys.exit(main())
"""


def main() -> None:
    """Write a path file, so that Python finds the package, and the command."""
    packages = Path(sysconfig.get_path("purelib"))
    (packages / "smashup.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    command = Path(sysconfig.get_path("scripts")) / "smashup"
    command.write_text(SCRIPT.format(python=sys.executable), encoding="utf-8")
    command.chmod(0o755)


if __name__ == "__main__":
    main()
