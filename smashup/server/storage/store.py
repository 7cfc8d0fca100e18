"""The database: tables, seats, one append-only log per table, and related data.

The database is the only coordinator between workers. Each change of a table appends to its log, in
the transaction that changes the rows of the table and its seats. The primary key (table, number)
decides which worker was first: the others get `EntryExists`, have changed nothing, and catch up.
When a write returns, it is committed.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import (
    func,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from smashup.engine.errors import SaveError, clipped
from smashup.server.errors import DatabaseUnavailable
from smashup.server.operations import logs, timekeeping
from smashup.server.storage import rows
from smashup.server.storage.cleanup import Cleanup
from smashup.server.storage.due_times import DueTimes
from smashup.server.storage.group_commit import GroupCommitter, Write
from smashup.server.storage.migrating import upgrade
from smashup.server.storage.presence import Presence
from smashup.server.storage.records import (
    ChatRecord,
    LogEntry,
    ReportRecord,
    SeatRecord,
    StoredChanges,
    StoredSnapshot,
    StoredTable,
    TableRecord,
)
from smashup.server.storage.retention import RetentionClock
from smashup.server.storage.schema import (
    ANALYSES,
    CHAT,
    LOG_ENTRIES,
    REPLAYS,
    REPORTS,
    SEATS,
    SNAPSHOTS,
    TABLES,
)
from smashup.server.storage.statements import Batch, Statement, statements_for

PROBE: Final = "probe"
PROBE_BYTES: Final = 32_768
"""About the size of an answer with its snapshot."""
MIGRATION_LOCK: Final = 0x53475550
CLOSE_SECONDS: Final = 3.0
"""How long the store waits for open transactions before it closes."""


class Database(Protocol):
    """SQLite or PostgreSQL."""

    shown: str

    @property
    def dialect(self) -> str: ...
    @property
    def is_shared(self) -> bool: ...

    async def prepare(self) -> None: ...
    def create_engine(self) -> AsyncEngine: ...
    async def commit_batch(self, engine: AsyncEngine, batch: Batch) -> None: ...
    def explain(self, error: Exception) -> SaveError: ...
    def translate(self, error: DBAPIError) -> Exception: ...
    async def recover(self, error: DBAPIError, engine: AsyncEngine) -> None: ...


class Position(NamedTuple):
    """The number of log entries and chat messages of a table, to compare with the database."""

    entries: int
    chat: int


class Store:
    """All tables of a database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.worker = secrets.token_hex(6)
        """The id of this worker among those that share the database."""
        self.trust_clock = False
        """Accept the system clock even if it is far ahead of the database."""
        self.retention = RetentionClock(None)
        """The clock by which old data is deleted."""
        self._engine: AsyncEngine | None = None
        self._snapshot_engine: AsyncEngine | None = None
        """The same engine with transactions that see one state of the database."""
        self._is_closing = False
        self._transactions: set[asyncio.Task[Any]] = set()
        """Tasks with an open transaction."""
        self._statements = statements_for(database.dialect)
        self._committer = GroupCommitter(self._commit)
        self.presence = Presence(self)
        self.due_times = DueTimes(self)
        self.cleanup = Cleanup(self)

    @property
    def is_shared(self) -> bool:
        """Whether several workers can use the database."""
        return self.database.is_shared

    async def open(self) -> None:
        """Open or create the database; raise `SaveError` if it cannot be used."""
        self._is_closing = False
        await self.database.prepare()
        engine = self.database.create_engine()
        self._engine = self._snapshot_engine = engine
        if self.is_shared:
            self._snapshot_engine = engine.execution_options(isolation_level="REPEATABLE READ")
        try:
            async with engine.begin() as connection:
                if self.is_shared:  # several workers may start at once
                    lock = text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
                    await connection.execute(lock)
                await connection.run_sync(upgrade, self.database.shown)
        except SaveError:
            raise
        except (SQLAlchemyError, OSError) as error:
            raise self.database.explain(error) from error
        try:
            newest = await self.cleanup.newest_time(timekeeping.now())
        except Exception as error:
            raise SaveError(
                "The database cannot be used: {reason}.", reason=clipped(error)
            ) from error
        self.retention = RetentionClock(newest, self.trust_clock)

    async def close(self) -> None:
        """Finish open transactions and close the database.

        A transaction that is open when its connection is discarded would never end.
        """
        self._is_closing = True
        if self._transactions:
            _, unfinished = await asyncio.wait(self._transactions, timeout=CLOSE_SECONDS)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)
        await self._committer.finish()
        if self._engine is not None:
            await self._engine.dispose()

    async def back_up(self, copy: Path) -> None:
        """Copy a SQLite file."""
        from smashup.server.storage.sqlite import back_up

        assert self._engine is not None, "the store is not open"
        await back_up(self._engine, copy)

    async def ping(self) -> None:
        """Check that the database responds."""
        async with self.reading() as connection:
            await connection.execute(select(1))

    async def probe(self) -> None:
        """Check that the database can be written, in the same way as answers are."""
        write = Write("")
        data = os.urandom(PROBE_BYTES)
        write.add(Statement.STATE, {"name": PROBE, "at": self.retention.now(), "data": data})
        await self._committer.put(write)

    # --- tables: writing --------------------------------------------------------------------

    async def create_table(
        self,
        table: TableRecord,
        seats: Sequence[SeatRecord] = (),
        entries: Sequence[LogEntry] = (),
        snapshot: StoredSnapshot | None = None,
    ) -> None:
        """Store a new table."""
        write = Write(table.id)
        write.add(Statement.CREATE_TABLE, rows.table_values(table, self.retention.now()))
        self._add(write, table.id, entries, seats, snapshot)
        await self._committer.put(write)

    async def append(
        self,
        table: TableRecord,
        entries: Sequence[LogEntry],
        seats: Sequence[SeatRecord] = (),
        snapshot: StoredSnapshot | None = None,
        is_start: bool = False,
    ) -> None:
        """Append to the log of a table, and store the new state of the table and its seats.

        Raise `EntryExists` if another worker was faster. ``is_start`` also stores setup and start.
        """
        assert entries, "every change of a table is an entry of its log"
        # Converted now, because the records may change before the commit.
        write = Write(table.id)
        write.add(Statement.PROGRESS, rows.progress_values(table, self.retention.now()))
        if is_start:
            write.add(Statement.START, rows.start_values(table))
        self._add(write, table.id, entries, seats, snapshot)
        await self._committer.put(write)

    def _add(
        self,
        write: Write,
        table_id: str,
        entries: Sequence[LogEntry],
        seats: Sequence[SeatRecord],
        snapshot: StoredSnapshot | None,
    ) -> None:
        write.add(Statement.APPEND, *(rows.entry_values(table_id, entry) for entry in entries))
        write.add(Statement.SEAT, *(rows.seat_values(table_id, seat) for seat in seats))
        if snapshot is not None:
            write.add(Statement.SNAPSHOT, rows.snapshot_values(table_id, snapshot))

    async def add_chat(self, table_id: str, line: ChatRecord) -> None:
        """Store a chat message; raise `EntryExists` if its number is taken."""
        write = Write(table_id)
        write.add(Statement.CHAT, rows.chat_values(table_id, line))
        await self._committer.put(write)

    async def save_replay(self, table_id: str, facts: bytes) -> None:
        """Store the recording of a finished game. Every worker would store the same."""
        write = Write(table_id)
        write.add(Statement.REPLAY, {"table_id": table_id, "facts": facts})
        await self._committer.put(write)

    async def save_analysis(self, table_id: str, facts: bytes) -> None:
        """Store the analysis of a game, complete or in progress."""
        write = Write(table_id)
        changed = self.retention.now()
        write.add(Statement.ANALYSIS, {"table_id": table_id, "changed": changed, "facts": facts})
        await self._committer.put(write)

    async def add_report(self, report: ReportRecord) -> None:
        """Store a report for the operator."""
        write = Write(report.table_id)
        write.add(Statement.REPORT, rows.report_values(report))
        await self._committer.put(write)

    # --- tables: reading --------------------------------------------------------------------

    async def load(self, table_id: str) -> StoredTable | None:
        """Return a table with all its data; None if there is no such table."""
        async with self.reading() as connection:
            changes = await self._load_changes(connection, table_id, 0, 0)
            if changes is None:
                return None
            query = select(SNAPSHOTS).where(SNAPSHOTS.c.table_id == table_id)
            row = (await connection.execute(query)).first()
        snapshot = (
            None if row is None else StoredSnapshot(row.at, row.digest, json.loads(row.facts))
        )
        return StoredTable(
            changes.table, changes.seats, changes.entries, snapshot, changes.chat, changes.present
        )

    async def load_changes(self, table_id: str, since: Position) -> StoredChanges | None:
        """Return what a worker needs to catch up with a table; None if the table was deleted."""
        async with self.reading() as connection:
            return await self._load_changes(connection, table_id, since.entries, since.chat)

    async def _load_changes(
        self, connection: AsyncConnection, table_id: str, entries: int, chat: int
    ) -> StoredChanges | None:
        row = (await connection.execute(select(TABLES).where(TABLES.c.id == table_id))).first()
        if row is None:
            return None
        seats = select(SEATS).where(SEATS.c.table_id == table_id).order_by(SEATS.c.number)
        log = (
            select(LOG_ENTRIES)
            .where(LOG_ENTRIES.c.table_id == table_id, LOG_ENTRIES.c.number >= entries)
            .order_by(LOG_ENTRIES.c.number)
        )
        lines = (
            select(CHAT)
            .where(CHAT.c.table_id == table_id, CHAT.c.number >= chat)
            .order_by(CHAT.c.number)
        )
        return StoredChanges(
            rows.table_from(row),
            [rows.seat_from(seat) for seat in await connection.execute(seats)],
            [rows.entry_from(entry) for entry in await connection.execute(log)],
            rows.chat_from((await connection.execute(lines)).all()),
            (await self.presence.read(connection, [table_id])).get(table_id, set()),
        )

    async def positions(self, table_ids: Collection[str]) -> dict[str, Position]:
        """Return the positions of tables, without deleted ones."""
        entries = (
            select(func.max(LOG_ENTRIES.c.number))
            .where(LOG_ENTRIES.c.table_id == TABLES.c.id)
            .scalar_subquery()
        )
        lines = (
            select(func.max(CHAT.c.number)).where(CHAT.c.table_id == TABLES.c.id).scalar_subquery()
        )
        query = select(TABLES.c.id, entries, lines).where(TABLES.c.id.in_(table_ids))
        async with self.reading() as connection:
            return {
                id_: Position(_next_number(entry), _next_number(line))
                for id_, entry, line in await connection.execute(query)
            }

    async def list_tables(self, state: str, count: int) -> list[StoredTable]:
        """Return the newest listed tables in a state, without their logs."""
        newest = (
            select(TABLES)
            .where(TABLES.c.listed == 1, TABLES.c.state == state)
            .order_by(TABLES.c.created.desc(), TABLES.c.id)
            .limit(count)
        )
        async with self.reading() as connection:
            table_rows = (await connection.execute(newest)).all()
            ids = [row.id for row in table_rows]
            query = select(SEATS).where(SEATS.c.table_id.in_(ids)).order_by(SEATS.c.number)
            seats: dict[str, list[Any]] = {id_: [] for id_ in ids}
            for seat in await connection.execute(query):
                seats[seat.table_id].append(seat)
            present = await self.presence.read(connection, ids)
        tables: list[StoredTable] = []
        for row in table_rows:
            try:
                records = [rows.seat_from(seat) for seat in seats[row.id]]
                stored = StoredTable(rows.table_from(row), records)
                stored.present = present.get(row.id, set())
                tables.append(stored)
            except (ValueError, TypeError, RecursionError) as error:
                logs.fail("table_damaged", str(row.id), error)
        return tables

    async def load_replay(self, table_id: str) -> bytes | None:
        """Return the recording of a table's game, if there is one."""
        query = select(REPLAYS.c.facts).where(REPLAYS.c.table_id == table_id)
        async with self.reading() as connection:
            recording = (await connection.execute(query)).scalar_one_or_none()
        return None if recording is None else bytes(recording)

    async def load_analysis(self, table_id: str) -> tuple[bytes, float] | None:
        """Return the analysis of a game and the seconds since it was stored, if there is one."""
        query = select(ANALYSES).where(ANALYSES.c.table_id == table_id)
        async with self.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else (bytes(row.facts), self.retention.now() - row.changed)

    async def list_reports(self, count: int) -> list[ReportRecord]:
        """Return the newest reports."""
        query = select(REPORTS).order_by(REPORTS.c.created.desc(), REPORTS.c.id).limit(count)
        async with self.reading() as connection:
            return [rows.report_from(row) for row in await connection.execute(query)]

    async def count_reports(self, since: float, table_id: str = "") -> int:
        """Return the number of reports since a time, in total or from one table."""
        query = select(func.count()).select_from(REPORTS).where(REPORTS.c.created >= since)
        if table_id:
            query = query.where(REPORTS.c.table_id == table_id)
        async with self.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    # --- connections ------------------------------------------------------------------------

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """Run statements in one transaction."""
        async with self._begin(self._engine) as connection:
            yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Read in a transaction that sees one state of the database."""
        async with self._begin(self._snapshot_engine) as connection:
            yield connection

    @asynccontextmanager
    async def _begin(self, engine: AsyncEngine | None) -> AsyncIterator[AsyncConnection]:
        assert engine is not None, "the store is not open"
        if self._is_closing:
            raise DatabaseUnavailable("the store is closed")
        task = asyncio.current_task()
        assert task is not None
        is_outermost = task not in self._transactions
        self._transactions.add(task)
        try:
            async with engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            raise await self._translate_error(error) from error
        finally:
            if is_outermost:
                self._transactions.discard(task)

    async def _commit(self, batch: list[Write]) -> None:
        """Commit several writes in one transaction."""
        assert self._engine is not None, "the store is not open"
        rows_by_statement: dict[Statement, list[rows.Values]] = {}
        for write in batch:
            for statement, values in write.rows.items():
                rows_by_statement.setdefault(statement, []).extend(values)
        ordered = sorted(rows_by_statement.items(), key=lambda item: item[0].value)
        try:
            await self.database.commit_batch(self._engine, ordered)
        except DBAPIError as error:
            raise await self._translate_error(error) from error

    async def _translate_error(self, error: DBAPIError) -> Exception:
        assert self._engine is not None
        await self.database.recover(error, self._engine)
        return self.database.translate(error)


def _next_number(number: int | None) -> int:
    return 0 if number is None else number + 1


def _has_other_scheme(database: str) -> bool:
    scheme, separator, _ = database.partition("://")
    return bool(separator) and scheme != "sqlite" and "/" not in scheme


def is_shareable(database: Path | str) -> bool:
    """Return whether several workers can use this database."""
    return str(database).startswith(("postgresql://", "postgres://"))


def store_at(database: Path | str, must_exist: bool = False) -> Store:
    """Return a store for a file (a path, or ``sqlite:///path``) or a ``postgresql://`` URL.

    Opening the store creates a missing file, unless it ``must_exist``.
    """
    if is_shareable(database):
        from smashup.server.storage.postgres import PostgresDatabase

        return Store(PostgresDatabase(str(database)))
    if not isinstance(database, Path) and _has_other_scheme(database):
        # The error does not repeat the URL, because it may contain a password.
        raise SaveError(
            "This database cannot be used: use a file, or postgresql://user:password@host/name."
        )
    path = Path(str(database).removeprefix("sqlite:///")).expanduser()
    if must_exist and not path.is_file():
        raise SaveError("There is no database {path}.", path=str(path))
    from smashup.server.storage.sqlite import SqliteDatabase

    return Store(SqliteDatabase(path))
