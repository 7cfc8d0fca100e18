"""Fixtures: folders in memory, a PostgreSQL server on demand, and a restored log."""

from __future__ import annotations

import logging
import os
import secrets
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from scripts import dev_services


@pytest.fixture(scope="session")
def memory_folder() -> Iterator[Path | None]:
    """A folder in memory if there is enough space, so that commits do not wait for the disk."""
    if not dev_services.has_room(dev_services.MEMORY_FOLDER):
        yield None
        return
    with TemporaryDirectory(prefix="smashup-tests-", dir=dev_services.MEMORY_FOLDER) as folder:
        yield Path(folder)


@pytest.fixture
def tmp_path(tmp_path: Path, memory_folder: Path | None) -> Iterator[Path]:
    """An empty folder, in memory if possible."""
    if memory_folder is None:
        yield tmp_path
        return
    with TemporaryDirectory(dir=memory_folder) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[dev_services.Postgres]:
    try:
        dev_services.postgres_programs()
    except dev_services.NotInstalled as missing:
        pytest.fail(str(missing), pytrace=False)
    with dev_services.postgres(in_memory=True) as server:
        yield server


@pytest.fixture
def shared_database(postgres: dev_services.Postgres) -> str:
    """The URL of a new PostgreSQL database."""
    return postgres.create_database(f"t{secrets.token_hex(6)}")


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A new database, of either kind."""
    if request.param == "sqlite":
        return tmp_path / "tables.sqlite"
    url: str = request.getfixturevalue("shared_database")
    return url


@pytest.fixture(autouse=True)
def restored_log(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the log configuration that a server in this process changes."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    for module, hook in ((warnings, "showwarning"), (sys, "excepthook"),
                         (sys, "unraisablehook"), (threading, "excepthook")):  # fmt: skip
        monkeypatch.setattr(module, hook, getattr(module, hook))
    monkeypatch.setenv("PYTHONWARNINGS", os.environ.get("PYTHONWARNINGS", ""))
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
