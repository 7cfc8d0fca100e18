"""Folders in memory, and a real PostgreSQL, started when the first test needs it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from scripts import dev_services


@pytest.fixture(scope="session")
def memory_folder() -> Iterator[Path | None]:
    """A folder in memory, where there is room: commits do not wait for the disk there."""
    if not dev_services.has_room(dev_services.MEMORY):
        yield None
        return
    with TemporaryDirectory(prefix="smashup-tests-", dir=dev_services.MEMORY) as folder:
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
        pytest.skip(str(missing))
    with dev_services.postgres(in_memory=True) as running:
        yield running


@pytest.fixture
def shared_database(postgres: dev_services.Postgres) -> str:
    """The address of a new database in PostgreSQL."""
    return postgres.create(f"t{secrets.token_hex(6)}")


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A new database, of either kind."""
    if request.param == "sqlite":
        return tmp_path / "tables.sqlite"
    found: str = request.getfixturevalue("shared_database")
    return found
