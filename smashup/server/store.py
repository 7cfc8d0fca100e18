"""The database: tables, seats, an append-only log of answers, and the last play menu of each game.

SQLite with its write-ahead log and full synchronisation: when a write returns, it is on disk. One
thread does all the work, so that the event loop never waits and no two writes meet.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from smashup.engine.errors import SaveError, reason
from smashup.server.records import AnswerRecord, Kept, SeatRecord, Snapshot, TableRecord

T = TypeVar("T")

MIGRATIONS: Final = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        created REAL NOT NULL,
        listed INTEGER NOT NULL,
        state TEXT NOT NULL,
        options TEXT NOT NULL,
        setup TEXT,
        start TEXT NOT NULL,
        start_at INTEGER NOT NULL,
        rules TEXT NOT NULL,
        winners TEXT NOT NULL,
        rematch TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_in_the_lobby ON tables (listed, state, created);
    CREATE TABLE seats (
        table_id TEXT NOT NULL REFERENCES tables (id),
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        level TEXT NOT NULL,
        name TEXT NOT NULL,
        lang TEXT NOT NULL,
        windows TEXT NOT NULL,
        secret TEXT NOT NULL,
        factions TEXT NOT NULL,
        ready INTEGER NOT NULL,
        gone INTEGER NOT NULL,
        resigned INTEGER NOT NULL,
        votes TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
    CREATE TABLE answers (
        table_id TEXT NOT NULL REFERENCES tables (id),
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        option INTEGER NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        table_id TEXT PRIMARY KEY REFERENCES tables (id),
        at INTEGER NOT NULL,
        digest TEXT NOT NULL,
        facts TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
    """
    CREATE TRIGGER answers_stay_as_they_are BEFORE UPDATE ON answers
    BEGIN SELECT RAISE(ABORT, 'answers are never changed'); END;
    CREATE TRIGGER answers_stay BEFORE DELETE ON answers
    BEGIN SELECT RAISE(ABORT, 'answers are never removed'); END;
    """,
)
"""What brings a database from one version to the next; its version is how many were done."""


class Store:
    """All tables there are. Its methods wait for the one thread that works on the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._file: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open or create the file; a `SaveError` says why it cannot be used."""
        await self._do(self._open)

    async def close(self) -> None:
        """Finish what was begun, and let go of the file."""
        await self._do(self._close)
        self._thread.shutdown()

    async def load(self, table_id: str) -> Kept | None:
        """A table with everything about it; None if there is no such table."""
        return await self._do(lambda: _load(self._use(), table_id))

    async def listed(self, state: str, count: int) -> list[Kept]:
        """The newest tables of the lobby in this state, without answers."""
        return await self._do(lambda: _listed(self._use(), state, count))

    async def write(
        self,
        table: TableRecord,
        seats: Sequence[SeatRecord] = (),
        answers: Sequence[AnswerRecord] = (),
        snapshot: Snapshot | None = None,
    ) -> None:
        """Write all of this or nothing. When it returns, it is on disk."""
        # Turned into rows here: the records may change before the thread comes to it.
        rows = _rows(table, seats, answers, snapshot)
        await self._do(lambda: _write(self._use(), rows))

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _use(self) -> sqlite3.Connection:
        assert self._file is not None, "the store is not open"
        return self._file

    def _open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(self.path, isolation_level=None, timeout=2)
            # One server a file: a second one is refused instead of playing the same tables.
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute("PRAGMA foreign_keys = ON")
            self._migrate(self._file)
        except (sqlite3.Error, OSError) as error:
            raise SaveError(
                "The database {path} cannot be used: {reason}.",
                path=str(self.path),
                reason=reason(error) if isinstance(error, OSError) else str(error),
            ) from error

    def _migrate(self, file: sqlite3.Connection) -> None:
        (version,) = file.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise SaveError(
                "The database {path} was written by a newer version of this program.",
                path=str(self.path),
            )
        for number, step in enumerate(MIGRATIONS[version:], version + 1):
            # All of a step or nothing; its number is part of it.
            file.executescript(f"BEGIN IMMEDIATE; {step} PRAGMA user_version = {number}; COMMIT;")

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


# --- rows -----------------------------------------------------------------------------------

Row = tuple[Any, ...]

_TABLE = """
    INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET listed = excluded.listed, state = excluded.state,
        options = excluded.options, setup = excluded.setup, start = excluded.start,
        start_at = excluded.start_at, rules = excluded.rules, winners = excluded.winners,
        rematch = excluded.rematch
"""
_SEAT = "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ANSWER = "INSERT INTO answers VALUES (?, ?, ?, ?, ?)"
_SNAPSHOT = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)"


def _rows(
    table: TableRecord,
    seats: Sequence[SeatRecord],
    answers: Sequence[AnswerRecord],
    snapshot: Snapshot | None,
) -> list[tuple[str, list[Row]]]:
    t = table
    found: list[tuple[str, list[Row]]] = [
        (
            _TABLE,
            [
                (
                    t.id, t.created, t.listed, t.state, json.dumps(t.options),
                    None if t.setup is None else json.dumps(t.setup), json.dumps(t.start),
                    t.start_at, t.rules, json.dumps(t.winners), t.rematch,
                )
            ],
        ),
        (
            _SEAT,
            [
                (
                    t.id, s.number, s.kind, s.level, s.name, s.lang, s.windows, s.secret,
                    json.dumps(s.factions), s.ready, s.left, s.resigned, json.dumps(s.votes),
                )
                for s in seats
            ],
        ),
        (_ANSWER, [(t.id, a.number, a.seat, a.option, a.message) for a in answers]),
    ]  # fmt: skip
    if snapshot is not None:
        facts = json.dumps(snapshot.facts)
        found.append((_SNAPSHOT, [(t.id, snapshot.at, snapshot.digest, facts)]))
    return found


def _write(file: sqlite3.Connection, rows: list[tuple[str, list[Row]]]) -> None:
    file.execute("BEGIN IMMEDIATE")
    try:
        for statement, values in rows:
            file.executemany(statement, values)
        file.execute("COMMIT")
    except BaseException:
        if file.in_transaction:
            file.execute("ROLLBACK")
        raise


def _load(file: sqlite3.Connection, table_id: str) -> Kept | None:
    row = file.execute("SELECT * FROM tables WHERE id = ?", (table_id,)).fetchone()
    if row is None:
        return None
    kept = _kept(file, row)
    kept.answers = [
        AnswerRecord(*found)
        for found in file.execute(
            "SELECT number, seat, option, message FROM answers WHERE table_id = ? ORDER BY number",
            (table_id,),
        )
    ]
    menu = file.execute(
        "SELECT at, digest, facts FROM snapshots WHERE table_id = ?", (table_id,)
    ).fetchone()
    if menu is not None:
        kept.snapshot = Snapshot(menu[0], menu[1], json.loads(menu[2]))
    return kept


def _listed(file: sqlite3.Connection, state: str, count: int) -> list[Kept]:
    rows = file.execute(
        "SELECT * FROM tables WHERE listed AND state = ? ORDER BY created DESC, id LIMIT ?",
        (state, count),
    ).fetchall()
    return [_kept(file, row) for row in rows]


def _kept(file: sqlite3.Connection, row: Row) -> Kept:
    (id_, created, listed, state, options, setup, start, start_at, rules, winners, rematch) = row
    table = TableRecord(
        id_, json.loads(options), created, bool(listed), state,
        None if setup is None else json.loads(setup), json.loads(start), start_at, rules,
        json.loads(winners), rematch,
    )  # fmt: skip
    seats = [
        SeatRecord(
            number, kind, level, name, lang, windows, secret, json.loads(factions), bool(ready),
            bool(gone), bool(resigned), json.loads(votes),
        )
        for _, number, kind, level, name, lang, windows, secret, factions, ready, gone, resigned,
        votes in file.execute("SELECT * FROM seats WHERE table_id = ? ORDER BY number", (id_,))
    ]  # fmt: skip
    return Kept(table, seats)
