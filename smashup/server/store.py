"""The database: tables, seats, an append-only log of answers, and the last play menu of each game.

SQLite with its write-ahead log and full synchronisation: when a write returns, it is on disk. One
thread does all the work, so that the event loop never waits and no two writes meet. What comes
while the disk is busy is written together afterwards: many tables wait for the disk only once.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from smashup.engine.errors import SaveError, reason
from smashup.server.records import (
    AnswerRecord,
    ChatRecord,
    Kept,
    ReportRecord,
    SeatRecord,
    Snapshot,
    TableRecord,
)

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
    "ALTER TABLE seats ADD COLUMN stops TEXT NOT NULL DEFAULT '[]';",
    """
    ALTER TABLE tables ADD COLUMN changed REAL NOT NULL DEFAULT 0;
    UPDATE tables SET changed = CAST(strftime('%s', 'now') AS REAL);
    DROP TRIGGER answers_stay;
    CREATE TRIGGER answers_stay BEFORE DELETE ON answers
    WHEN EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id)
    BEGIN SELECT RAISE(ABORT, 'answers are never removed'); END;
    """,
    """
    ALTER TABLE tables ADD COLUMN clock TEXT NOT NULL DEFAULT '{}';
    CREATE TABLE chat (
        table_id TEXT NOT NULL REFERENCES tables (id),
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        at REAL NOT NULL,
        text TEXT NOT NULL,
        phrase TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
    CREATE INDEX chat_by_time ON chat (at);
    CREATE TABLE replays (
        table_id TEXT PRIMARY KEY REFERENCES tables (id),
        facts BLOB NOT NULL
    );
    CREATE TABLE reports (
        id TEXT PRIMARY KEY,
        created REAL NOT NULL,
        table_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        facts TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX reports_by_time ON reports (created);
    """,
)
"""What brings a database from one version to the next; its version is how many were done."""


LOG_PAGES: Final = 8_000
"""Pages (of 4 KiB) in the log of writes before it is worked into the file."""


class Store:
    """All tables there are. Its methods wait for the one thread that works on the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._file: sqlite3.Connection | None = None
        self._waiting: list[tuple[Rows, asyncio.Future[None]]] = []
        """What is to be written next, and who wants to know when it is."""
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open or create the file; a `SaveError` says why it cannot be used."""
        await self._do(self._open)

    async def close(self) -> None:
        """Finish what was begun, and let go of the file."""
        if self._writer is not None:
            await self._writer
        await self._do(self._close)
        self._thread.shutdown()

    async def load(self, table_id: str) -> Kept | None:
        """A table with everything about it; None if there is no such table."""
        return await self._do(lambda: _load(self._use(), table_id))

    async def listed(self, state: str, count: int) -> list[Kept]:
        """The newest tables of the lobby in this state, without answers."""
        return await self._do(lambda: _listed(self._use(), state, count))

    async def remove(self, state: str, before: float, but: Collection[str], most: int) -> int:
        """Remove a few of the tables in this state that nobody has changed since then, with
        everything about them; how many were removed."""
        return await self._do(lambda: _remove(self._use(), state, before, but, most))

    async def write(
        self,
        table: TableRecord,
        seats: Sequence[SeatRecord] = (),
        answers: Sequence[AnswerRecord] = (),
        snapshot: Snapshot | None = None,
        same: bool = False,
    ) -> None:
        """Write all of this or nothing. When it returns, it is on disk.

        The record of a table that is the ``same`` as before need not be written again.
        """
        # Turned into rows here: the records may change before the thread comes to it.
        rows = _rows(table, seats, answers, snapshot)
        await self._put(rows[1:] if same else rows)

    async def say(self, table_id: str, line: ChatRecord) -> None:
        """Keep something said at a table."""
        row = (table_id, line.number, line.seat, line.at, line.text, line.phrase)
        await self._put([("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?)", [row])])

    async def forget_words(self, before: float) -> int:
        """Delete the words of everything said before then; how much that was."""
        return await self._do(lambda: _forget_words(self._use(), before))

    async def keep_replay(self, table_id: str, facts: bytes) -> None:
        """Keep how the game of a table went."""
        await self._put([("INSERT OR REPLACE INTO replays VALUES (?, ?)", [(table_id, facts)])])

    async def replay(self, table_id: str) -> bytes | None:
        """How the game of a table went, if that is kept."""
        return await self._do(lambda: _replay(self._use(), table_id))

    async def report(self, report: ReportRecord) -> None:
        """Keep a report for who runs the server."""
        facts = json.dumps(report.facts)
        row = (report.id, report.created, report.table_id, report.kind, facts)
        await self._put([("INSERT INTO reports VALUES (?, ?, ?, ?, ?)", [row])])

    async def reports(self, count: int) -> list[ReportRecord]:
        """The newest reports."""
        return await self._do(lambda: _reports(self._use(), count))

    async def forget_reports(self, before: float) -> int:
        """Delete the reports made before then; how many there were."""
        return await self._do(lambda: _forget_reports(self._use(), before))

    async def _put(self, rows: Rows) -> None:
        """Write this with whatever else waits to be written."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((rows, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting())
        await done

    async def _write_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                failures = await self._do(partial(_write, self._use(), [rows for rows, _ in batch]))
            except Exception as error:
                failures = [error] * len(batch)
            for (_, done), failure in zip(batch, failures, strict=True):
                if done.done():
                    continue  # whoever waited is gone
                if failure is None:
                    done.set_result(None)
                else:
                    done.set_exception(failure)

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
            # Everybody waits while the log of writes is worked into the file: rarely, then.
            self._file.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
            self._file.execute("PRAGMA foreign_keys = ON")
            self._migrate(self._file)
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise SaveError(
                    "The database {path} is in use: another server is running.",
                    path=str(self.path),
                ) from error
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
Rows = list[tuple[str, list[Row]]]
"""Statements and what they are carried out with."""

_TABLE = """
    INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET listed = excluded.listed, state = excluded.state,
        options = excluded.options, setup = excluded.setup, start = excluded.start,
        start_at = excluded.start_at, rules = excluded.rules, winners = excluded.winners,
        rematch = excluded.rematch, changed = excluded.changed, clock = excluded.clock
"""
_SEAT = "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ANSWER = "INSERT INTO answers VALUES (?, ?, ?, ?, ?)"
_SNAPSHOT = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)"


def _rows(
    table: TableRecord,
    seats: Sequence[SeatRecord],
    answers: Sequence[AnswerRecord],
    snapshot: Snapshot | None,
) -> Rows:
    t = table
    found: Rows = [
        (
            _TABLE,
            [
                (
                    t.id, t.created, t.listed, t.state, json.dumps(t.options),
                    None if t.setup is None else json.dumps(t.setup), json.dumps(t.start),
                    t.start_at, t.rules, json.dumps(t.winners), t.rematch, time.time(),
                    json.dumps(t.clock),
                )
            ],
        ),
        (
            _SEAT,
            [
                (
                    t.id, s.number, s.kind, s.level, s.name, s.lang, s.windows, s.secret,
                    json.dumps(s.factions), s.ready, s.left, s.resigned, json.dumps(s.votes),
                    json.dumps(s.stops),
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


def _write(file: sqlite3.Connection, batch: list[Rows]) -> list[Exception | None]:
    """Write several things in one go, each all or nothing; what went wrong with which."""
    try:
        _carry_out(file, batch)
        return [None] * len(batch)
    except sqlite3.Error as error:
        if len(batch) == 1:
            return [error]
    # One of them cannot be done: each for itself, so that it harms none of the others.
    return [failure for rows in batch for failure in _write(file, [rows])]


def _carry_out(file: sqlite3.Connection, batch: list[Rows]) -> None:
    """Everything in one transaction, and in few steps: at each the thread may have to wait."""
    together: dict[str, list[Row]] = {}
    for rows in batch:
        for statement, values in rows:
            together.setdefault(statement, []).extend(values)
    file.execute("BEGIN IMMEDIATE")
    try:
        for statement, values in together.items():
            file.executemany(statement, values)
        file.execute("COMMIT")
    except BaseException:
        if file.in_transaction:
            file.execute("ROLLBACK")
        raise


def _remove(
    file: sqlite3.Connection, state: str, before: float, but: Collection[str], most: int
) -> int:
    found = file.execute(
        "SELECT id FROM tables WHERE state = ? AND changed < ? ORDER BY changed", (state, before)
    )
    old = [(id_,) for (id_,) in found if id_ not in but][:most]
    if not old:
        return 0
    file.execute("BEGIN IMMEDIATE")
    try:
        # The answers of a table stay as long as the table does: so it goes first.
        file.execute("PRAGMA defer_foreign_keys = ON")
        file.executemany("DELETE FROM tables WHERE id = ?", old)
        for name in ("answers", "snapshots", "seats", "chat", "replays"):
            file.executemany(f"DELETE FROM {name} WHERE table_id = ?", old)
        file.execute("COMMIT")
    except BaseException:
        if file.in_transaction:
            file.execute("ROLLBACK")
        raise
    return len(old)


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
    kept.chat = [
        ChatRecord(*found)
        for found in file.execute(
            "SELECT number, seat, at, text, phrase FROM chat WHERE table_id = ? ORDER BY number",
            (table_id,),
        )
    ]
    return kept


def _replay(file: sqlite3.Connection, table_id: str) -> bytes | None:
    found = file.execute("SELECT facts FROM replays WHERE table_id = ?", (table_id,)).fetchone()
    return None if found is None else bytes(found[0])


def _reports(file: sqlite3.Connection, count: int) -> list[ReportRecord]:
    found = file.execute("SELECT * FROM reports ORDER BY created DESC, id LIMIT ?", (count,))
    return [
        ReportRecord(id_, created, table_id, kind, json.loads(facts))
        for id_, created, table_id, kind, facts in found
    ]


def _forget_words(file: sqlite3.Connection, before: float) -> int:
    return file.execute("UPDATE chat SET text = '' WHERE at < ? AND text <> ''", (before,)).rowcount


def _forget_reports(file: sqlite3.Connection, before: float) -> int:
    return file.execute("DELETE FROM reports WHERE created < ?", (before,)).rowcount


def _listed(file: sqlite3.Connection, state: str, count: int) -> list[Kept]:
    rows = file.execute(
        "SELECT * FROM tables WHERE listed AND state = ? ORDER BY created DESC, id LIMIT ?",
        (state, count),
    ).fetchall()
    return [_kept(file, row) for row in rows]


def _kept(file: sqlite3.Connection, row: Row) -> Kept:
    (id_, created, listed, state, options, setup, start, start_at, rules, winners, rematch, _,
     clock) = row  # fmt: skip
    table = TableRecord(
        id_, json.loads(options), created, bool(listed), state,
        None if setup is None else json.loads(setup), json.loads(start), start_at, rules,
        json.loads(winners), rematch, json.loads(clock),
    )  # fmt: skip
    seats = [
        SeatRecord(
            number, kind, level, name, lang, windows, json.loads(stops), secret,
            json.loads(factions), bool(ready), bool(gone), bool(resigned), json.loads(votes),
        )
        for _, number, kind, level, name, lang, windows, secret, factions, ready, gone, resigned,
        votes, stops
        in file.execute("SELECT * FROM seats WHERE table_id = ? ORDER BY number", (id_,))
    ]  # fmt: skip
    return Kept(table, seats)
