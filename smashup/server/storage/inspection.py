"""A look at a SQLite file before the server uses it.

It is opened for reading only: a file that is damaged, or belongs to another program, stays exactly
as it is, and the operator gets one sentence about it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from smashup.engine.errors import SaveError, clipped
from smashup.server.storage.migrating import VERSION_TABLE, Columns, check_revision

SIGNATURE: Final = b"SQLite format 3\x00"
VERSIONS: Final = slice(18, 20)
"""Where the header says which format version writing and reading the file needs."""
KNOWN_VERSIONS: Final = frozenset((1, 2))
"""Without and with a write-ahead log. SQLite opens a file that needs more to write for reading."""
CHECK_SECONDS: Final = 1.0
"""How long the pages of a file are checked; a large one is not checked to its end."""
STEPS_BETWEEN_LOOKS: Final = 10_000


def inspect_file(path: Path, patience: float) -> None:
    """Raise a `SaveError` if there is a file that cannot be used; otherwise do nothing.

    If the file is locked, wait for so many seconds.
    """
    if not path.exists():
        return
    if not path.is_file():
        raise SaveError("The database {path} is not a file.", path=str(path))
    with path.open("rb") as file:
        start = file.read(VERSIONS.stop)
    if not start:
        return  # an empty file is a database with nothing in it
    if not start.startswith(SIGNATURE):
        raise SaveError("The file {path} is not a database of this program.", path=str(path))
    with _reading(path, patience) as database:
        _check_version(database, path)
        _check_pages(database, path)
    if not KNOWN_VERSIONS.issuperset(start[VERSIONS]):
        raise _damaged(path, "its header does not allow writing")


@contextmanager
def _reading(path: Path, patience: float) -> Iterator[sqlite3.Connection]:
    """A connection that leaves no trace."""
    log, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    # Where a server was killed there is a log, which is read with the file. That needs an index.
    how = "mode=ro" if log.exists() else "mode=ro&immutable=1"
    had_index = index.exists()
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=patience)
        ) as database:
            yield database
    finally:
        if not had_index:
            index.unlink(missing_ok=True)


def _check_version(database: sqlite3.Connection, path: Path) -> None:
    found = _columns(database)
    revision = None
    if VERSION_TABLE in found:
        rows = database.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall()
        revision = str(rows[0][0]) if rows else None
    check_revision(revision, found, str(path))


def _columns(database: sqlite3.Connection) -> Columns:
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {
        name: {row[1] for row in database.execute(f'PRAGMA table_info("{_quoted(name)}")')}
        for (name,) in tables
        if not str(name).startswith("sqlite_")
    }


def _quoted(name: object) -> str:
    return str(name).replace('"', '""')


def _check_pages(database: sqlite3.Connection, path: Path) -> None:
    until = time.monotonic() + CHECK_SECONDS
    database.set_progress_handler(lambda: time.monotonic() > until, STEPS_BETWEEN_LOOKS)
    try:
        (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return  # as far as it was checked, it is sound
        raise
    finally:
        database.set_progress_handler(None, 0)
    if found != "ok":
        raise _damaged(path, clipped(str(found).strip().rstrip(".")))


def _damaged(path: Path, reason: str) -> SaveError:
    return SaveError(
        "The database {path} is damaged: {reason}. Restore it from a backup.",
        path=str(path),
        reason=reason,
    )
