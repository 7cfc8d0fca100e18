"""The wheel contains the browser client and works in an empty environment.

Empty means: a Python, this wheel, and the packages it asks for; no Node.js, no compiler, nothing of
the project's folder. The packages come from a folder of wheels packed anew from those installed
here, of which only what the lock file names for everybody is offered: a dependency that the wheel
forgets to declare, or one that only developers have, is missing there too.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from scripts.wheel import CLIENT, build_wheel, copy_sources

ROOT = Path(__file__).parents[2]
FILES = ("index.html", "licenses.md", "assets/index-D6bYZ1XZ.js", "art/factions/kaiju.svg")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel with the browser client, or with a placeholder of the same structure."""
    folder = tmp_path_factory.mktemp("wheel")
    copy_sources(folder / "source")
    for name in FILES:
        file = folder / "source" / CLIENT / name
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("<!doctype html>built")
    return build_wheel(folder / "source", folder)


def test_the_wheel_is_complete(wheel: Path) -> None:
    with ZipFile(wheel) as packed:
        names = packed.namelist()
    for name in FILES:
        assert f"{CLIENT}/{name}" in names
    assert "smashup/bots/weights.json" in names
    assert "smashup/bots/network/weights.npz" in names
    assert "smashup/locale/fr/LC_MESSAGES/smashup.po" in names
    for name in ("LICENSE", "NOTICE.md", "client/art/CREDITS.md"):
        assert any(packed_name.endswith(f"licenses/{name}") for packed_name in names), name
    assert wheel.name.endswith("-py3-none-any.whl")  # no compiler needed
    assert not [name for name in names if name.startswith(("tests", "scripts", "docs"))]


def locked_packages() -> list[str]:
    """Return the packages that every installation has."""
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    return re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==", lock, re.MULTILINE)


def repack(package: str, into: Path) -> None:
    """Build a wheel of a package that is installed in this environment."""
    found = distribution(package)
    tag = re.findall(r"^Tag: (.+)$", found.read_text("WHEEL") or "", re.MULTILINE)[0]
    info = f"{re.sub(r'[-.]+', '_', found.name).lower()}-{found.version}"
    record = []
    with ZipFile(into / f"{info}-{tag}.whl", "w") as packed:
        for path in found.files or []:
            name = path.as_posix()
            if name.startswith("..") or name.endswith((".pyc", "/RECORD", "/INSTALLER")):
                continue
            name = re.sub(r"^[^/]+\.dist-info/", f"{info}.dist-info/", name)
            content = Path(str(path.locate())).read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            record.append(f"{name},sha256={digest.decode()},{len(content)}")
            packed.writestr(name, content)
        packed.writestr(f"{info}.dist-info/RECORD", "\n".join(record) + "\n")


@pytest.fixture(scope="module")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create an environment and install only the wheel."""
    folder = tmp_path_factory.mktemp("elsewhere")
    wheel_folder = folder / "house"
    wheel_folder.mkdir()
    for package in locked_packages():
        with contextlib.suppress(PackageNotFoundError):  # for another system
            repack(package, wheel_folder)
    place = folder / "place"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True, timeout=60)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", place, "install", "--quiet", "--no-index",
         "--no-compile", "--disable-pip-version-check", "--find-links", wheel_folder, wheel],
        check=True, timeout=120, env={k: v for k, v in os.environ.items() if "PIP_" not in k},
    )  # fmt: skip
    return place


def around(place: Path) -> dict[str, str]:
    """Return an environment with only its own commands on the path."""
    home = place.parent / "home"
    home.mkdir(exist_ok=True)
    path = str(place / "bin")
    assert not any(shutil.which(tool, path=path) for tool in ("node", "npm", "cc", "gcc", "make"))
    return {"PATH": path, "HOME": str(home), "LC_ALL": "C.UTF-8"}


def smashup(place: Path, *words: str) -> str:
    run = subprocess.run(
        [place / "bin/smashup", *words],
        cwd=place.parent, env=around(place), timeout=120, text=True,
        stdin=subprocess.DEVNULL, capture_output=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_wheel_plays_a_game(empty: Path) -> None:
    received = smashup(
        empty, "play", "--watch", "--fast", "--seats", "random,random", "--seed", "3"
    )
    assert re.search(r"wins!", received)


def test_the_wheel_runs_a_duel(empty: Path) -> None:
    words = ("duel", "easy", "random", "--games", "2", "--processes", "1", "--json")
    assert json.loads(smashup(empty, *words))["games"] == 2


def test_the_wheel_contains_translations(empty: Path) -> None:
    assert "Singes Cyborgs" in smashup(empty, "--lang", "fr", "cards")


@contextlib.contextmanager
def server(place: Path) -> Iterator[str]:
    """Run a server on a free port; yield its address."""
    stored = place.parent / "games.sqlite"
    running = subprocess.Popen(
        [place / "bin/smashup", "serve", "--port", "0", "--database", stored],
        cwd=place.parent, env=around(place) | {"PYTHONUNBUFFERED": "1"}, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        assert running.stdout is not None
        message = []
        for line in running.stdout:
            message.append(line)
            if found := re.search(r"http://[\w.:]+", line):
                yield found[0]
                return
        raise AssertionError("".join(message))
    finally:
        running.terminate()
        running.wait(20)
        assert running.stdout is not None
        running.stdout.close()


def test_the_wheel_serves_a_table(empty: Path) -> None:
    with server(empty) as address:
        with urllib.request.urlopen(f"{address}/", timeout=20) as page:
            assert "<!doctype html>" in page.read().decode().lower()
        with urllib.request.urlopen(f"{address}/api/cards", timeout=20) as cards:
            assert "Cyborg Apes" in cards.read().decode()
