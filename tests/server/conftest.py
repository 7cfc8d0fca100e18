"""Folders in memory, and a real PostgreSQL, started when the first test needs it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from scripts import backing


@pytest.fixture(scope="session")
def memory_folder() -> Iterator[Path | None]:
    """A folder in memory, where there is room: commits do not wait for the disk there."""
    if not backing.has_room(backing.MEMORY):
        yield None
        return
    with TemporaryDirectory(prefix="smashup-tests-", dir=backing.MEMORY) as folder:
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
def postgres() -> Iterator[backing.Postgres]:
    try:
        backing.postgres_programs()
    except backing.Missing as missing:
        pytest.skip(str(missing))
    with backing.postgres(in_memory=True) as running:
        yield running


@pytest.fixture
def shared_database(postgres: backing.Postgres) -> str:
    """The address of a new database in PostgreSQL."""
    return postgres.create(f"t{secrets.token_hex(6)}")


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A new database, of either kind."""
    if request.param == "sqlite":
        return tmp_path / "tables.sqlite"
    found: str = request.getfixturevalue("shared_database")
    return found
