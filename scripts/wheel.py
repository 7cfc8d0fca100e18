"""`make wheel`: build a wheel with the browser client in dist/.

It is built from a copy of the sources, without leftovers of earlier builds.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CLIENT: Final = Path("smashup/server/client")
METADATA: Final = ("pyproject.toml", "README.md", "LICENSE", "NOTICE.md", "client/art/CREDITS.md")
"""Files beside the package that describe it."""
_IGNORED = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")


def copy_sources(to: Path, root: Path = ROOT) -> None:
    """Copy everything that a wheel is made of."""
    shutil.copytree(root / "smashup", to / "smashup", ignore=_IGNORED)
    copy_metadata(to, root)


def copy_metadata(to: Path, root: Path = ROOT) -> None:
    """Copy the files that describe the package."""
    for name in METADATA:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, to / name)


def build_wheel(source: Path, into: Path) -> Path:
    """Build the wheel of a folder."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--disable-pip-version-check", "--wheel-dir", str(into), str(source)],
        check=True, timeout=300,
    )  # fmt: skip
    return max(into.glob("smashup-*.whl"), key=lambda wheel: wheel.stat().st_mtime_ns)


def main(argv: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(prog="python -m scripts.wheel", description=__doc__).parse_args(argv)
    if not (ROOT / CLIENT / "index.html").exists():
        print("The browser client is not built yet: run `make client`.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        copy_sources(Path(folder) / "source")
        wheel = build_wheel(Path(folder) / "source", ROOT / "dist")
    print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
