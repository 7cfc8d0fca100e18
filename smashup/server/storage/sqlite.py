"""SQLite, for a single server process. The write-ahead log is fully synchronized, so committed data
is on disk."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from smashup.engine.errors import SaveError, clipped, reason
from smashup.server.errors import DatabaseUnavailable, EntryExists
from smashup.server.storage.inspection import inspect_file
from smashup.server.storage.rows import Values
from smashup.server.storage.statements import Batch, statements_for

DISK_ERRORS: Final = frozenset(
    (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM,
    )
)
"""Errors of the disk rather than of the data: a later attempt may succeed."""
LOCK_SECONDS: Final = 2.0
"""How long to wait for a stopping server to release the file."""
CHECKPOINT_PAGES: Final = 8_000
"""Size of the write-ahead log, in pages of 4 KiB, at which it is copied into the file. Writers wait
meanwhile."""


class SqliteDatabase:
    """A SQLite file."""

    dialect: Final = "sqlite"
    is_shared: Final = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.shown = str(path)
        dialect = sqlite_dialect.dialect(paramstyle="named")
        self._sql = {
            statement: str(executable.compile(dialect=dialect))
            for statement, executable in statements_for(self.dialect).items()
        }

    async def prepare(self) -> None:
        """Check the file; create an empty one if there is none."""
        try:
            await asyncio.to_thread(self._prepare)
        except (sqlite3.Error, OSError, ValueError, OverflowError) as error:
            raise self.explain(error) from error

    def _prepare(self) -> None:
        inspect_file(self.path, LOCK_SECONDS)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch(mode=0o600)  # it contains all hidden cards

    def create_engine(self) -> AsyncEngine:
        """Create an engine with a single connection, which locks the file."""
        engine = create_async_engine(
            f"sqlite+aiosqlite:///{self.path.absolute()}",
            pool_size=1,
            max_overflow=0,
            pool_timeout=60,
            pool_reset_on_return=None,  # every transaction is committed or rolled back
            connect_args={"timeout": LOCK_SECONDS},
        )

        @event.listens_for(engine.sync_engine, "connect")
        def _configure(connection: Any, _: object) -> None:
            connection.isolation_level = None  # the driver would start transactions too late
            for pragma in (
                "locking_mode = EXCLUSIVE",  # refuses a second server
                "journal_mode = WAL",
                "synchronous = FULL",
                f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
                "foreign_keys = ON",
            ):
                connection.execute(f"PRAGMA {pragma}")

        @event.listens_for(engine.sync_engine, "begin")
        def _begin(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

        return engine

    async def commit_batch(self, engine: AsyncEngine, batch: Batch) -> None:
        """Commit a batch in one transaction.

        In one call to the driver's thread: with a call for each statement, as in SQLAlchemy, all
        players would wait for a dozen thread switches.
        """
        work = [(self._sql[statement], values) for statement, values in batch]
        async with engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            try:
                await driver._execute(_commit, driver._conn, work)
            except sqlite3.IntegrityError as error:
                raise EntryExists from error
            except sqlite3.OperationalError as error:
                if _is_disk_error(error):
                    raise DatabaseUnavailable(str(error)) from error
                raise

    def explain(self, error: Exception) -> SaveError:
        """Return why the file cannot be used."""
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        if isinstance(cause, sqlite3.OperationalError) and "locked" in str(cause):
            return SaveError(
                "The database {path} is in use: another server is running. Stop it first.",
                path=self.shown,
            )
        return SaveError(
            "The database {path} cannot be used: {reason}.",
            path=self.shown,
            reason=reason(cause) if isinstance(cause, OSError) else clipped(cause),
        )

    def translate(self, error: DBAPIError) -> Exception:
        """Return `DatabaseUnavailable` for an error of the disk; any other error unchanged."""
        if isinstance(error.orig, sqlite3.OperationalError) and _is_disk_error(error.orig):
            return DatabaseUnavailable(str(error.orig))
        return error

    async def recover(self, error: DBAPIError, engine: AsyncEngine) -> None:
        """Do nothing: no other process uses the file."""


def _is_disk_error(error: sqlite3.OperationalError) -> bool:
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in DISK_ERRORS


def _commit(connection: sqlite3.Connection, work: list[tuple[str, list[Values]]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for sql, values in work:
            connection.executemany(sql, values)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


async def back_up(engine: AsyncEngine, copy: Path) -> None:
    """Copy the database to another file. Writers wait meanwhile."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    # Use another name until the copy is complete.
    partial = copy.with_name(f"{copy.name}.partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    with closing(sqlite3.connect(partial, check_same_thread=False)) as target:
        async with engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            await driver.backup(target)
    partial.replace(copy)
