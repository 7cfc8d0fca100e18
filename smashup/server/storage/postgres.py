"""PostgreSQL, for several workers on one or more machines.

psycopg makes the connections directly: URLs have libpq's format, and the limits below apply to
every connection.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from smashup.engine.errors import SaveError
from smashup.extras import install_command
from smashup.server.errors import DatabaseUnavailable, EntryExists
from smashup.server.http.addresses import redact_url
from smashup.server.storage.statements import Batch, statements_for

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as missing:
    raise SaveError(
        "PostgreSQL support is not installed: {install}",
        install=install_command("postgresql"),
    ) from missing

CONNECT_SECONDS: Final = 5
POOL_SIZE: Final = 4
APPLICATION: Final = "smashup"
"""The name of our connections in `pg_stat_activity`."""
SESSION_LIMITS: Final = {
    # A worker that stalls in the middle of a transaction must not block others for long.
    "idle_in_transaction_session_timeout": "4s",
    "lock_timeout": "8s",
    "statement_timeout": "20s",
    "synchronous_commit": "on",
}
TERMINATE_STALLED: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = :application AND datname = current_database()
    AND pid <> pg_backend_pid() AND wait_event = 'ClientRead'
    AND xact_start < clock_timestamp() - make_interval(secs => :seconds)
"""
"""Terminates transactions of stalled workers. The limits do not cover a worker that stopped while
it was sending: PostgreSQL then waits for the rest, with all locks held."""
STALLED_SECONDS: Final = 4.0
LOCK_NOT_AVAILABLE: Final = "55P03"
DEADLOCK_DETECTED: Final = "40P01"


class PostgresDatabase:
    """A database that several workers can share."""

    dialect: Final = "postgresql"
    is_shared: Final = True

    def __init__(self, url: str) -> None:
        self.url = url
        self.shown = redact_url(url)
        self._parts: dict[str, Any] = {}
        self._statements = statements_for(self.dialect)

    async def prepare(self) -> None:
        """Check the URL, and connect once to get a clear reason for a failure."""
        self._parts = _parse(self.url)
        try:
            await (await self.connect()).close()
        except psycopg.Error as error:
            raise self.explain(error) from error

    async def connect(self, autocommit: bool = False) -> psycopg.AsyncConnection[Any]:
        """Open a connection."""
        limits = " ".join(f"-c {name}={value}" for name, value in SESSION_LIMITS.items())
        return await psycopg.AsyncConnection.connect(
            self.url,
            autocommit=autocommit,
            connect_timeout=int(self._parts.get("connect_timeout") or CONNECT_SECONDS),
            application_name=APPLICATION,
            keepalives_idle=10,
            tcp_user_timeout=10_000,
            options=f"{self._parts.get('options') or ''} {limits}".strip(),
        )

    def create_engine(self) -> AsyncEngine:
        """Create an engine with a small pool."""
        return create_async_engine(
            "postgresql+psycopg://",
            async_creator=self.connect,
            pool_size=POOL_SIZE,
            max_overflow=POOL_SIZE,
            pool_timeout=20,
            pool_use_lifo=True,
        )

    async def commit_batch(self, engine: AsyncEngine, batch: Batch) -> None:
        """Commit everything in one transaction."""
        try:
            await self._commit(engine, batch)
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != DEADLOCK_DETECTED:
                raise
            await self._commit(engine, batch)  # the other transaction has continued

    async def _commit(self, engine: AsyncEngine, batch: Batch) -> None:
        try:
            async with engine.begin() as connection:
                for statement, values in batch:
                    await connection.execute(self._statements[statement], values)
        except IntegrityError as error:
            raise EntryExists from error

    def explain(self, error: Exception) -> SaveError:
        """Return why the database cannot be used, without secrets."""
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        return SaveError(
            "The database {path} cannot be used: {reason}.",
            path=self.shown,
            reason=_first_line(cause, str(self._parts.get("password") or "")),
        )

    def translate(self, error: DBAPIError) -> Exception:
        """Return `DatabaseUnavailable` for a lost connection; any other error unchanged."""
        is_lost = error.connection_invalidated or isinstance(
            error, OperationalError | InterfaceError
        )
        return DatabaseUnavailable(type(error.orig).__name__) if is_lost else error

    async def recover(self, error: DBAPIError, engine: AsyncEngine) -> None:
        """If a lock was not available, terminate the transactions of stalled workers."""
        if getattr(error.orig, "sqlstate", None) != LOCK_NOT_AVAILABLE:
            return
        try:
            async with engine.begin() as connection:
                await connection.execute(
                    text(TERMINATE_STALLED),
                    {"application": APPLICATION, "seconds": STALLED_SECONDS},
                )
        except (SQLAlchemyError, psycopg.Error):
            return  # it is retried when the next lock is not available


def _parse(url: str) -> dict[str, Any]:
    """Return the parts of a URL. An error does not repeat it, because it may contain a password."""
    try:
        # With two @ signs, a part of the password would be taken for the host.
        if url.partition("://")[2].partition("/")[0].count("@") <= 1:
            return dict(conninfo_to_dict(url))
    except psycopg.Error:
        pass
    raise SaveError(
        "This is not a database URL: use postgresql://user:password@host:5432/name, and encode"
        " special characters in the password, such as %40 for @."
    )


def _first_line(error: BaseException, password: str) -> str:
    """Return the first line of an error message without the password."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # If several addresses were tried, skip the line "Multiple attempts failed".
    first = next((line for line in lines if not line.startswith("Multiple")), "no connection")
    if password:
        first = first.replace(password, "***")
    return first.removeprefix("connection failed: ").removesuffix(".")
