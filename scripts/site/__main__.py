"""`make site` builds the documentation site, `make site-serve` shows it while you write."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from scripts.site.building import WORKSHOP, Unsound, build
from scripts.site.links import LostLink
from scripts.site.serving import serve


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.site", description=__doc__)
    parser.add_argument("what", choices=("build", "serve"), nargs="?", default="build")
    parser.add_argument("--port", type=int, default=8300, help="where to show it (default 8300)")
    options = parser.parse_args(argv)
    try:
        if options.what == "serve":
            return serve(options.port)
        built = build()
    except (LostLink, Unsound) as fault:
        print(f"The site has a fault:\n{fault}", file=sys.stderr)
        return 1
    page = WORKSHOP / "html/index.html"
    print(f"The site is {'built' if built else 'as it was'}: {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
