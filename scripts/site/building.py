"""Building the site, strictly: a warning of the generator is a failure."""

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

from scripts.site.gathering import ROOT, Gathering, nav_of

WORKSHOP = ROOT / "build/site"
"""Where pages are gathered (pages/) and the site is built (html/)."""
SEAL = "built-from.txt"
"""Where it is written down what the site was built from."""


class Unsound(Exception):
    """The site has a fault. The message is what the generator said."""


def settings(root: Path, files: dict[str, bytes]) -> str:
    """mkdocs.yml with the navigation filled in: it stands last in the file."""
    known = (
        (root / "mkdocs.yml")
        .read_text(encoding="utf-8")
        .replace("[ROOT]", f"[{json.dumps(str(root))}]")
    )
    above, mark, below = known.partition("\nnav:\n")
    nav = nav_of(yaml.safe_load(mark + below)["nav"], files)
    return above + "\n" + yaml.safe_dump({"nav": nav}, allow_unicode=True, sort_keys=False)


def plain(said: str) -> str:
    """What the generator says without its colours and its own inner life."""
    told, _, trace = re.sub(r"\x1b\[[\d;]*m", "", said).partition("\nTraceback (most recent")
    return "\n".join([told, *re.findall(r"^\w*Error: .+$", trace, re.MULTILINE)])


def gather(workshop: Path = WORKSHOP, root: Path = ROOT) -> str:
    """Write the pages, and say what they are by a number that changes when any of them does."""
    gathering = Gathering(root)
    gathering.write(workshop / "pages")
    config = settings(root, gathering.files)
    (workshop / "mkdocs.yml").write_text(config, encoding="utf-8")
    digest = hashlib.sha256(
        f"{version('zensical')} {version('mkdocstrings-python')} {config}".encode()
    )
    for at, content in sorted(gathering.files.items()):
        digest.update(f"\n{at} {len(content)} ".encode() + content)
    for file in sorted((root / "smashup").rglob("*.py")):  # the reference is made of these
        digest.update(file.read_bytes())
    return digest.hexdigest()


@contextmanager
def alone(workshop: Path) -> Iterator[None]:
    """One at a time: tests run side by side, and each may want the site built."""
    workshop.mkdir(parents=True, exist_ok=True)
    with (workshop / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(workshop: Path = WORKSHOP, root: Path = ROOT) -> bool:
    """Build the site, unless the one there is made of the same. Says whether it did."""
    with alone(workshop):
        return _build(workshop, root)


def _build(workshop: Path, root: Path) -> bool:
    digest = gather(workshop, root)
    seal = workshop / SEAL
    if seal.exists() and seal.read_text(encoding="utf-8") == digest:
        return False
    seal.unlink(missing_ok=True)
    shutil.rmtree(workshop / "html", ignore_errors=True)
    run = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "-f", "mkdocs.yml"],
        cwd=workshop, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if run.returncode:
        raise Unsound(plain(run.stdout))
    seal.write_text(digest, encoding="utf-8")
    return True
