"""PostgreSQL, for several workers on one or more machines, or for one that has it anyway.

One connection, used by one thread. If it breaks, what was on its way counts as not known, the
tables in question are read anew, and the next to use it connects again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from smashup.engine.errors import SaveError
from smashup.server.http.addresses import shown
from smashup.server.storage import rows
from smashup.server.storage.rows import Found, Line, Row
from smashup.server.storage.schema import STEPS
from smashup.server.storage.store import NotHeld, OutOfReach, Store, Work

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as missing:
    raise SaveError(
        "PostgreSQL needs more than is installed here: pip install 'smashup[crowd]'."
    ) from missing

T = TypeVar("T")
CONNECT_WITHIN: Final = 5
PATIENCE: Final = 3.0
"""Seconds in which a server that was ended may still hold on to the database."""
AGAIN: Final = 1.0
"""Seconds after which a database that is out of reach is tried again."""
LIMITS: Final = (
    # A worker that stalls in the middle of something must not keep others from a table for long.
    "SET idle_in_transaction_session_timeout = '4s'",
    "SET lock_timeout = '8s'",
    "SET statement_timeout = '20s'",
    "SET synchronous_commit = on",
)
STALLED: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = %s AND datname = current_database() AND pid <> pg_backend_pid()
    AND wait_event = 'ClientRead' AND xact_start < clock_timestamp() - interval '4 seconds'
"""
"""Ends what others have begun and do not go on with. The limits do not see to that where somebody
stopped in the middle of sending: the database then waits for the rest, with all locks held."""
NAME: Final = "smashup"
"""What our connections are called."""
OURS: Final = 0x5347
MIGRATING: Final = 1
SERVING: Final = 2
LOST: Final = "SU001"
"""What `still_held` calls it when a table is somebody else's."""


class Call:
    """A connection whose statements have their gaps as in SQLite."""

    def __init__(self, line: psycopg.Connection[Any]) -> None:
        self.line = line

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Found:
        return self.line.execute(_gaps(statement), values)

    def executemany(self, statement: str, values: Iterable[Row], /) -> Any:
        with self.line.cursor() as cursor:
            cursor.executemany(_gaps(statement), values)


def _gaps(statement: str) -> str:
    return statement.replace("?", "%s")


class PostgresStore(Store):
    """All tables in a PostgreSQL database."""

    def __init__(self, url: str, shared: bool = False) -> None:
        super().__init__()
        self._url = url
        self.shown = shown(url)
        """Where it is, without secrets."""
        self.shared = shared
        self._line: psycopg.Connection[Any] | None = None
        self._next_try = 0.0

    def _use(self) -> Call:
        return Call(self._connection())

    def _connection(self) -> psycopg.Connection[Any]:
        if self._line is None or self._line.closed:
            self._reopen()
        assert self._line is not None
        return self._line

    def _reopen(self) -> None:
        """Connect again, not too often. Why it is not possible is nothing for the players."""
        if time.monotonic() < self._next_try:
            raise OutOfReach
        try:
            self._open()
        except SaveError as error:
            self._next_try = time.monotonic() + AGAIN
            raise OutOfReach from error

    def _open(self) -> None:
        parts = _parts(self._url)
        try:
            line = psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=int(parts.get("connect_timeout") or CONNECT_WITHIN),
                application_name=NAME,
                keepalives_idle=10,
                tcp_user_timeout=10_000,
            )
            try:
                for limit in LIMITS:
                    line.execute(limit)
                self._enter(line)
                self._migrate(line)
            except BaseException:
                line.close()
                raise
        except psycopg.Error as error:
            raise SaveError(
                "The database {path} cannot be used: {reason}.",
                path=self.shown,
                reason=_why(error, str(parts.get("password") or "")),
            ) from error
        self._line = line

    def _enter(self, line: psycopg.Connection[Any]) -> None:
        """One server a database, or several workers that know of each other."""
        kind = "_shared" if self.shared else ""
        until = time.monotonic() + PATIENCE
        while True:
            row = line.execute(
                f"SELECT pg_try_advisory_lock{kind}(%s, %s)", (OURS, SERVING)
            ).fetchone()
            if row is not None and row[0]:
                return
            if time.monotonic() > until:
                raise SaveError(
                    "The database {path} is in use: another server is running.", path=self.shown
                )
            time.sleep(0.1)

    def _migrate(self, line: psycopg.Connection[Any]) -> None:
        with line.transaction():
            # Two workers may start at once: one after the other.
            line.execute("SELECT pg_advisory_xact_lock(%s, %s)", (OURS, MIGRATING))
            line.execute("CREATE TABLE IF NOT EXISTS about (version INTEGER, identity TEXT)")
            line.execute(
                "INSERT INTO about SELECT 0, md5(random()::text || clock_timestamp()::text)"
                " WHERE NOT EXISTS (SELECT 1 FROM about)"
            )
        while True:
            with line.transaction():
                line.execute("SELECT pg_advisory_xact_lock(%s, %s)", (OURS, MIGRATING))
                found = line.execute("SELECT version, identity FROM about").fetchone()
                assert found is not None
                version, self.identity = found
                if version > len(STEPS):
                    raise SaveError(
                        "The database {path} was written by a newer version of this program.",
                        path=self.shown,
                    )
                if version == len(STEPS):
                    return
                # All of a step or nothing; its number is part of it.
                line.execute(STEPS[version].postgres)
                line.execute("UPDATE about SET version = %s", (version + 1,))

    def _close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    async def _do(self, work: Callable[[], T]) -> T:
        try:
            return await super()._do(work)
        except psycopg.errors.LockNotAvailable as error:
            await super()._do(self._end_stalled)
            raise OutOfReach from error
        except psycopg.Error as error:
            if not self._is_usable():
                raise OutOfReach from error
            raise

    def _end_stalled(self) -> None:
        """See that a worker that stands still does not keep others from a table."""
        with suppress(psycopg.Error, OutOfReach):
            self._connection().execute(STALLED, (NAME,))

    def _is_usable(self) -> bool:
        return self._line is not None and not self._line.closed

    def _carry_out(self, batch: list[Work]) -> None:
        line = self._connection()
        epochs = {table_id: epoch for work in batch for table_id, epoch in work.epochs.items()}
        if any(epochs[id_] != epoch for work in batch for id_, epoch in work.epochs.items()):
            raise NotHeld  # one table under two claims: each for itself
        call = Call(line)
        try:
            # Everything is sent at once, and answered at once.
            with line.pipeline(), line.transaction():
                if epochs:
                    line.execute("SELECT still_held(%s, %s)", (list(epochs), list(epochs.values())))
                for statement, values in rows.together(work.rows for work in batch).items():
                    call.executemany(statement, values)
        except psycopg.Error as error:
            if error.sqlstate == LOST:
                raise NotHeld from error
            if not self._is_usable():
                raise OutOfReach from error
            raise

    def _remove(self, state: str, before: float, but: Collection[str], most: int) -> int:
        line = self._connection()
        old = rows.old(Call(line), state, before, but, most)
        if old:
            # The answers of a table stay as long as the table does: so it goes first.
            self._wholly(lambda call: rows.remove(call, old))
        return len(old)

    def _wholly(self, work: Callable[[Line], T]) -> T:
        line = self._connection()
        with line.transaction():
            line.execute("SET CONSTRAINTS ALL DEFERRED")
            return work(Call(line))


def _parts(url: str) -> dict[str, Any]:
    """What an address is made of. One that is wrong is not repeated: it may show a password."""
    try:
        # With two of them, a part of the password would be taken for the host.
        if url.partition("://")[2].partition("/")[0].count("@") <= 1:
            return conninfo_to_dict(url)
    except psycopg.Error:
        pass
    raise SaveError(
        "This is no address of a database: one looks like"
        " postgresql://user:password@host:5432/name, and signs like @ in a password like %40."
    )


def _why(error: psycopg.Error, password: str) -> str:
    """The first line of what went wrong, without a password in it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # Where several addresses were tried, the last one says it without "Multiple attempts failed".
    first = next((line for line in lines if not line.startswith("Multiple")), "no connection")
    if password:
        first = first.replace(password, "***")
    return first.removeprefix("connection failed: ").removesuffix(".")
