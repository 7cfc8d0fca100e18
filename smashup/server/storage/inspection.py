"""Inspects a SQLite file before the server uses it.

The file is opened read-only: one that is damaged or belongs to another program is not changed, and
the operator gets a clear error.
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
VERSION_BYTES: Final = slice(18, 20)
"""The bytes of the header with the format versions for writing and reading."""
KNOWN_VERSIONS: Final = frozenset((1, 2))
"""Without and with a write-ahead log. SQLite opens files with other versions read-only."""
CHECK_SECONDS: Final = 1.0
"""Time limit of the page check; large files are checked only partially."""
PROGRESS_STEPS: Final = 10_000


def inspect_file(path: Path, lock_timeout: float) -> None:
    """Raise a `SaveError` if the file exists and cannot be used.

    ``lock_timeout`` is how many seconds to wait for a locked file.
    """
    if not path.exists():
        return
    if not path.is_file():
        raise SaveError("The database {path} is not a file.", path=str(path))
    with path.open("rb") as file:
        start = file.read(VERSION_BYTES.stop)
    if not start:
        return  # an empty file is an empty database
    if not start.startswith(SIGNATURE):
        raise SaveError("The file {path} is not a database of this program.", path=str(path))
    with _open_read_only(path, lock_timeout) as database:
        _check_version(database, path)
        _check_pages(database, path)
    if not KNOWN_VERSIONS.issuperset(start[VERSION_BYTES]):
        raise _damaged(path, "its header does not allow writing")


@contextmanager
def _open_read_only(path: Path, lock_timeout: float) -> Iterator[sqlite3.Connection]:
    """Open a connection that does not change the file or leave others behind."""
    log, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    # After a server was killed, there is a write-ahead log to read, which needs an index.
    mode = "mode=ro" if log.exists() else "mode=ro&immutable=1"
    had_index = index.exists()
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=lock_timeout)
        ) as database:
            yield database
    finally:
        if not had_index:
            index.unlink(missing_ok=True)


def _check_version(database: sqlite3.Connection, path: Path) -> None:
    columns = _columns(database)
    revision = None
    if VERSION_TABLE in columns:
        rows = database.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall()
        revision = str(rows[0][0]) if rows else None
    check_revision(revision, columns, str(path))


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
    deadline = time.monotonic() + CHECK_SECONDS
    database.set_progress_handler(lambda: time.monotonic() > deadline, PROGRESS_STEPS)
    try:
        (result,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return  # no damage was found within the time limit
        raise
    finally:
        database.set_progress_handler(None, 0)
    if result != "ok":
        raise _damaged(path, clipped(str(result).strip().rstrip(".")))


def _damaged(path: Path, reason: str) -> SaveError:
    return SaveError(
        "The database {path} is damaged: {reason}. Restore it from a backup.",
        path=str(path),
        reason=reason,
    )
