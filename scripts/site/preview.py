"""Preview the site: collect the pages again whenever one changes."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from scripts.site.build import BUILD_DIR, STAMP_FILE, write_pages
from scripts.site.links import BrokenLink
from scripts.site.page_set import ROOT

WATCHED = ("*.md", "docs/**/*", "mkdocs.yml", "smashup/**/*.py", "client/art/CREDITS.md")


def last_change(root: Path = ROOT) -> int:
    """Return when an input of the site last changed."""
    files = (file for pattern in WATCHED for file in root.glob(pattern) if file.is_file())
    return max(file.stat().st_mtime_ns for file in files)


def serve(port: int) -> int:
    """Serve until Ctrl-C."""
    seen = last_change()
    write_pages()
    (BUILD_DIR / STAMP_FILE).unlink(missing_ok=True)  # a preview is not a strict build
    generator = subprocess.Popen(
        [sys.executable, "-m", "zensical", "serve", "-f", "mkdocs.yml", "-a", f"localhost:{port}"],
        cwd=BUILD_DIR,
    )
    try:
        while generator.poll() is None:
            time.sleep(0.5)
            now = last_change()
            if now != seen:
                seen = now
                try:
                    write_pages()
                except BrokenLink as fault:
                    print(fault, file=sys.stderr)  # the author may be about to fix it
    except KeyboardInterrupt:
        pass
    finally:
        generator.terminate()
        generator.wait()
    return generator.returncode if generator.returncode > 0 else 0
