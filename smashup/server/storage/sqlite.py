"""SQLite: one file, one server. With its write-ahead log and full synchronisation, what is written
is on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TypeVar

from smashup.engine.errors import SaveError, clipped, reason
from smashup.server.storage import rows
from smashup.server.storage.inspection import inspect
from smashup.server.storage.rows import Line
from smashup.server.storage.schema import STEPS
from smashup.server.storage.store import NotHeld, OutOfReach, Store, Work

T = TypeVar("T")
UNWRITABLE: Final = frozenset(
    (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM,
    )
)
"""Errors of the disk, not of what was to be written: a later attempt may succeed."""
PATIENCE: Final = 2.0
"""Seconds in which a server that was ended may still hold on to the file."""
LOG_PAGES: Final = 8_000
"""Pages (of 4 KiB) in the log of writes before it is worked into the file."""


class SqliteStore(Store):
    """All tables in a file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self._file: sqlite3.Connection | None = None

    def _use(self) -> sqlite3.Connection:
        assert self._file is not None, "the store is not open"
        return self._file

    def _open(self) -> None:
        try:
            inspect(self.path, PATIENCE)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)  # all hidden cards are in it
            self._file = sqlite3.connect(self.path, isolation_level=None, timeout=PATIENCE)
            # One server a file: a second one is refused instead of playing the same tables.
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            # Everybody waits while the log of writes is worked into the file: rarely, then.
            self._file.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
            self._file.execute("PRAGMA foreign_keys = ON")
            self._migrate(self._file)
        except (sqlite3.Error, OSError, ValueError, OverflowError) as error:
            self._close()
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise SaveError(
                    "The database {path} is in use: another server is running.",
                    path=str(self.path),
                ) from error
            raise SaveError(
                "The database {path} cannot be used: {reason}.",
                path=str(self.path),
                reason=reason(error) if isinstance(error, OSError) else clipped(error),
            ) from error
        except SaveError:
            self._close()
            raise

    def _migrate(self, file: sqlite3.Connection) -> None:
        (version,) = file.execute("PRAGMA user_version").fetchone()
        if version > len(STEPS):
            raise SaveError(
                "The database {path} was written by a newer version of this program.",
                path=str(self.path),
            )
        for number, step in enumerate(STEPS[version:], version + 1):
            # All of a step or nothing; its number is part of it.
            file.executescript(
                f"BEGIN IMMEDIATE; {step.sqlite} PRAGMA user_version = {number}; COMMIT;"
            )

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    async def _do(self, work: Callable[[], T]) -> T:
        try:
            return await super()._do(work)
        except sqlite3.OperationalError as error:
            failure = _unwritable(error)
            if failure is error or failure is None:
                raise
            raise failure from error

    def _write(self, batch: list[Work]) -> list[Exception | None]:
        return [_unwritable(failure) for failure in super()._write(batch)]

    def _carry_out(self, batch: list[Work]) -> None:
        with self._transaction() as file:
            for work in batch:
                for table_id, epoch in work.epochs.items():
                    hold = rows.holds(file, [table_id]).get(table_id)
                    if epoch != (hold.epoch if hold is not None else 0):
                        raise NotHeld(table_id)
            # In few steps: at each the thread may have to wait.
            for statement, values in rows.together(work.rows for work in batch).items():
                file.executemany(statement, values)

    async def back_up(self, copy: Path) -> None:
        """Write all there is to another file. Whoever wants to write waits meanwhile."""
        await self._do(lambda: self._back_up(copy))

    def _back_up(self, copy: Path) -> None:
        copy.parent.mkdir(parents=True, exist_ok=True)
        # All of it or nothing: under another name until it is complete.
        partial = copy.with_name(f"{copy.name}.partial")
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)
        with closing(sqlite3.connect(partial)) as other:
            self._use().backup(other)
        partial.replace(copy)

    def _wholly(self, work: Callable[[Line], T]) -> T:
        with self._transaction() as file:
            file.execute("PRAGMA defer_foreign_keys = ON")
            return work(file)

    def _remove(self, state: str, before: float, but: Collection[str], most: int) -> int:
        old = rows.old(self._use(), state, before, but, most)
        if old:
            # The answers of a table stay as long as the table does: so it goes first.
            self._wholly(lambda line: rows.remove(line, old))
        return len(old)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        file = self._use()
        file.execute("BEGIN IMMEDIATE")
        try:
            yield file
            file.execute("COMMIT")
        except BaseException:
            if file.in_transaction:
                file.execute("ROLLBACK")
            raise


def _unwritable(failure: Exception | None) -> Exception | None:
    """An error of the disk as what it is for the callers: the database is out of reach."""
    if not isinstance(failure, sqlite3.OperationalError):
        return failure
    if (failure.sqlite_errorcode & 0xFF) not in UNWRITABLE:
        return failure
    found = OutOfReach(str(failure))
    found.__cause__ = failure
    return found
