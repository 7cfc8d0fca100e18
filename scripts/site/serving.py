"""Showing the site while it is being written: pages are gathered again as soon as one changes."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from scripts.site.building import SEAL, WORKSHOP, gather
from scripts.site.gathering import ROOT
from scripts.site.links import LostLink

WATCHED = ("*.md", "docs/**/*", "mkdocs.yml", "smashup/**/*.py", "client/art/CREDITS.md")


def newest(root: Path = ROOT) -> int:
    """When anything the site is made of was last changed."""
    files = (file for pattern in WATCHED for file in root.glob(pattern) if file.is_file())
    return max(file.stat().st_mtime_ns for file in files)


def serve(port: int) -> int:
    """Until Ctrl-C."""
    seen = newest()
    gather()
    (WORKSHOP / SEAL).unlink(missing_ok=True)  # what is shown is not built strictly
    generator = subprocess.Popen(
        [sys.executable, "-m", "zensical", "serve", "-f", "mkdocs.yml", "-a", f"localhost:{port}"],
        cwd=WORKSHOP,
    )
    try:
        while generator.poll() is None:
            time.sleep(0.5)
            now = newest()
            if now != seen:
                seen = now
                try:
                    gather()
                except LostLink as fault:
                    print(fault, file=sys.stderr)  # it may be mended with the next word
    except KeyboardInterrupt:
        pass
    finally:
        generator.terminate()
        generator.wait()
    return generator.returncode if generator.returncode > 0 else 0
