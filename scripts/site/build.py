"""Build the documentation site. Warnings of the generator are errors."""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import yaml

from scripts.site.page_set import ROOT, PageSet, complete_nav

BUILD_DIR = ROOT / "build/site"
"""Holds the collected pages (pages/) and the site built from them (html/)."""
STAMP_FILE = "built-from.txt"
"""Holds the digest of everything the site was built from."""


class BuildFailed(Exception):
    """The generator refused the pages; the message is its output."""


def render_settings(root: Path, files: dict[str, bytes]) -> str:
    """Return mkdocs.yml with the complete navigation, which is its last key."""
    known = (
        (root / "mkdocs.yml")
        .read_text(encoding="utf-8")
        .replace("[ROOT]", f"[{json.dumps(str(root))}]")
    )
    above, mark, below = known.partition("\nnav:\n")
    nav = complete_nav(yaml.safe_load(mark + below)["nav"], files)
    return above + "\n" + yaml.safe_dump({"nav": nav}, allow_unicode=True, sort_keys=False)


def clean_output(output: str) -> str:
    """Remove colors and tracebacks from the output of the generator."""
    text, _, trace = re.sub(r"\x1b\[[\d;]*m", "", output).partition("\nTraceback (most recent")
    return "\n".join([text, *re.findall(r"^\w*Error: .+$", trace, re.MULTILINE)])


def write_pages(build_dir: Path = BUILD_DIR, root: Path = ROOT) -> str:
    """Write the pages and the settings; return a digest of all inputs."""
    pages = PageSet(root)
    pages.write(build_dir / "pages")
    config = render_settings(root, pages.files)
    (build_dir / "mkdocs.yml").write_text(config, encoding="utf-8")
    digest = hashlib.sha256(
        f"{version('zensical')} {version('mkdocstrings-python')} {config}".encode()
    )
    for at, content in sorted(pages.files.items()):
        digest.update(f"\n{at} {len(content)} ".encode() + content)
    for file in sorted((root / "smashup").rglob("*.py")):  # the API reference
        digest.update(file.read_bytes())
    return digest.hexdigest()


@contextmanager
def lock_build(build_dir: Path) -> Iterator[None]:
    """Allow one build at a time: tests run in parallel, and each may need the site."""
    build_dir.mkdir(parents=True, exist_ok=True)
    with (build_dir / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(build_dir: Path = BUILD_DIR, root: Path = ROOT) -> bool:
    """Build the site unless it is up to date; return whether it was built."""
    with lock_build(build_dir):
        return _build(build_dir, root)


def _build(build_dir: Path, root: Path) -> bool:
    digest = write_pages(build_dir, root)
    stamp = build_dir / STAMP_FILE
    if stamp.exists() and stamp.read_text(encoding="utf-8") == digest:
        return False
    stamp.unlink(missing_ok=True)
    shutil.rmtree(build_dir / "html", ignore_errors=True)
    run = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "-f", "mkdocs.yml"],
        cwd=build_dir, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if run.returncode:
        raise BuildFailed(clean_output(run.stdout))
    stamp.write_text(digest, encoding="utf-8")
    return True
