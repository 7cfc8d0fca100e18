"""`make site` builds the documentation site, `make preview` serves it while you write."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from scripts.site.build import BUILD_DIR, BuildFailed, build
from scripts.site.links import BrokenLink
from scripts.site.preview import serve


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.site", description=__doc__)
    parser.add_argument("what", choices=("build", "serve"), nargs="?", default="build")
    parser.add_argument("--port", type=int, default=8300, help="port of the preview (default 8300)")
    options = parser.parse_args(argv)
    try:
        if options.what == "serve":
            return serve(options.port)
        built = build()
    except (BrokenLink, BuildFailed) as fault:
        print(f"The site cannot be built:\n{fault}", file=sys.stderr)
        return 1
    page = BUILD_DIR / "html/index.html"
    print(f"The site is {'built' if built else 'up to date'}: {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
