"""Records as rows of the database, and back. The same for SQLite and PostgreSQL."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from smashup.server.operations import logs
from smashup.server.storage.records import (
    AnswerRecord,
    ChatRecord,
    Kept,
    ReportRecord,
    SeatRecord,
    Snapshot,
    TableRecord,
)
from smashup.server.tables.clocks import ends_at

Row = tuple[Any, ...]
Rows = list[tuple[str, list[Row]]]
"""Statements and what they are carried out with."""


class Hold(NamedTuple):
    """Who has a table: the name of a worker or nothing, and since which claim."""

    owner: str
    epoch: int


class Found(Protocol):
    """What a statement has brought."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...


class Line(Protocol):
    """A connection to a database. Gaps in statements are written as ``?``."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Found: ...
    def executemany(self, statement: str, values: Iterable[Row], /) -> Any: ...


def _insert(table: str, columns: str, key: str = "", kept: Collection[str] = ()) -> str:
    """A statement that inserts rows; with a ``key``, a row that is there is written anew, but for
    the columns that are ``kept``."""
    names = columns.split()
    statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    if not key:
        return statement
    news = [name for name in names if name not in key.split() and name not in kept]
    updates = ", ".join(f"{name} = excluded.{name}" for name in news)
    return f"{statement} ON CONFLICT ({', '.join(key.split())}) DO UPDATE SET {updates}"


_TABLE_COLUMNS: Final = (
    "id created listed state options setup start start_at rules winners rematch changed clock"
)
_SEAT_COLUMNS: Final = (
    "table_id number kind level name lang windows secret factions ready gone resigned votes stops"
)
TABLE: Final = _insert("tables", _TABLE_COLUMNS, "id", kept=("created",))
SEAT: Final = _insert("seats", _SEAT_COLUMNS, "table_id number")
ANSWER: Final = _insert("answers", "table_id number seat option message")
SNAPSHOT: Final = _insert("snapshots", "table_id at digest facts", "table_id")
CHAT: Final = _insert("chat", "table_id number seat at text phrase")
REPLAY: Final = _insert("replays", "table_id facts", "table_id")
REPORT: Final = _insert("reports", "id created table_id kind facts")
STATE: Final = _insert("server_state", "name at data", "name")
NEVER: Final = float("inf")
EARLIEST: Final = 1_388_534_400.0
"""2014, before this program was written: a time before that cannot be right."""
LATEST: Final = 4_102_444_800.0
"""The year 2100: nor can one after that."""
MAX_FUTURE: Final = 366 * 86_400.0
"""How far ahead of the other clocks a remembered time may lie."""
CLOCK: Final = "clock"
PROBE: Final = "probe"
PROBE_BYTES: Final = 32_768
"""As much as an answer with its snapshot needs."""
OF_A_TABLE: Final = ("answers", "snapshots", "seats", "chat", "replays")
"""What goes when a table goes."""


def of_table(
    table: TableRecord,
    seats: Sequence[SeatRecord],
    answers: Sequence[AnswerRecord],
    snapshot: Snapshot | None,
    same: bool,
    changed: float,
) -> Rows:
    """Everything about a table that is to be written."""
    t = table
    found: Rows = []
    if not same:
        row = (
            t.id, t.created, int(t.listed), t.state, json.dumps(t.options),
            None if t.setup is None else json.dumps(t.setup), json.dumps(t.start),
            t.start_at, t.rules, json.dumps(t.winners), t.rematch, changed,
            json.dumps(t.clock),
        )  # fmt: skip
        found.append((TABLE, [row]))
    if seats:
        rows = [
            (
                t.id, s.number, s.kind, s.level, s.name, s.lang, s.windows, s.secret,
                json.dumps(s.factions), int(s.ready), int(s.left), int(s.resigned),
                json.dumps(s.votes), json.dumps(s.stops),
            )
            for s in seats
        ]  # fmt: skip
        found.append((SEAT, rows))
    if answers:
        found.append((ANSWER, [(t.id, a.number, a.seat, a.option, a.message) for a in answers]))
    if snapshot is not None:
        facts = json.dumps(snapshot.facts)
        found.append((SNAPSHOT, [(t.id, snapshot.at, snapshot.digest, facts)]))
    return found


def of_line(table_id: str, line: ChatRecord) -> Rows:
    """Something said at a table."""
    return [(CHAT, [(table_id, line.number, line.seat, line.at, line.text, line.phrase)])]


def of_replay(table_id: str, facts: bytes) -> Rows:
    """How a game went."""
    return [(REPLAY, [(table_id, facts)])]


def of_report(report: ReportRecord) -> Rows:
    """A report for who runs the server."""
    facts = json.dumps(report.facts)
    return [(REPORT, [(report.id, report.created, report.table_id, report.kind, facts)])]


def of_probe(at: float) -> Rows:
    """Something to see whether the database can be written: never the same twice."""
    return [(STATE, [(PROBE, at, os.urandom(PROBE_BYTES))])]


def together(batch: Iterable[Rows]) -> dict[str, list[Row]]:
    """Several things to be written, in as few statements as possible."""
    found: dict[str, list[Row]] = {}
    for rows in batch:
        for statement, values in rows:
            found.setdefault(statement, []).extend(values)
    # What others point at comes first.
    return dict(sorted(found.items(), key=lambda item: item[0] != TABLE))


# --- reading --------------------------------------------------------------------------------


def load(line: Line, table_id: str) -> Kept | None:
    """A table with everything about it."""
    found = _kept(line, "id = ?", (table_id,))
    if not found:
        return None
    (kept,) = found
    kept.answers = [
        AnswerRecord(*row)
        for row in line.execute(
            "SELECT number, seat, option, message FROM answers WHERE table_id = ? ORDER BY number",
            (table_id,),
        ).fetchall()
    ]
    menu = line.execute(
        "SELECT at, digest, facts FROM snapshots WHERE table_id = ?", (table_id,)
    ).fetchone()
    if menu is not None:
        kept.snapshot = Snapshot(menu[0], menu[1], json.loads(menu[2]))
    kept.chat = [
        ChatRecord(*row)
        for row in line.execute(
            "SELECT number, seat, at, text, phrase FROM chat WHERE table_id = ? ORDER BY number",
            (table_id,),
        ).fetchall()
    ]
    return kept


def listed(line: Line, state: str, count: int) -> list[Kept]:
    """The newest tables of the lobby in a state."""
    newest = "listed = 1 AND state = ? ORDER BY created DESC, id LIMIT ?"
    return _kept(line, newest, (state, count), leave_out_damaged=True)


def _kept(line: Line, which: str, values: Row, leave_out_damaged: bool = False) -> list[Kept]:
    names = ", ".join(_TABLE_COLUMNS.split())
    found = line.execute(f"SELECT {names} FROM tables WHERE {which}", values).fetchall()
    seats: dict[str, list[Row]] = {row[0]: [] for row in found}
    for row in _seats(line, list(seats)):
        seats[row[0]].append(row)
    tables: list[Kept] = []
    for row in found:
        try:
            tables.append(Kept(_table(row), [_seat(seat) for seat in seats[row[0]]]))
        except (ValueError, TypeError, RecursionError) as error:
            if not leave_out_damaged:
                raise
            logs.fail("table_damaged", str(row[0]), error)
    return tables


def _table(row: Row) -> TableRecord:
    (id_, created, listed, state, options, setup, start, start_at, rules, winners, rematch, _,
     clock) = row  # fmt: skip
    return TableRecord(
        id_, json.loads(options), created, bool(listed), state,
        None if setup is None else json.loads(setup), json.loads(start), start_at, rules,
        json.loads(winners), rematch, json.loads(clock),
    )  # fmt: skip


def _seats(line: Line, table_ids: list[str]) -> list[Row]:
    if not table_ids:
        return []
    names = ", ".join(_SEAT_COLUMNS.split())
    gaps = ", ".join("?" * len(table_ids))
    found = line.execute(
        f"SELECT {names} FROM seats WHERE table_id IN ({gaps}) ORDER BY number", table_ids
    )
    return found.fetchall()


def _seat(row: Row) -> SeatRecord:
    (_, number, kind, level, name, lang, windows, secret, factions, ready, gone, resigned, votes,
     stops) = row  # fmt: skip
    return SeatRecord(
        number, kind, level, name, lang, windows, json.loads(stops), secret,
        json.loads(factions), bool(ready), bool(gone), bool(resigned), json.loads(votes),
    )  # fmt: skip


def replay(line: Line, table_id: str) -> bytes | None:
    """How the game of a table went."""
    found = line.execute("SELECT facts FROM replays WHERE table_id = ?", (table_id,)).fetchone()
    return None if found is None else bytes(found[0])


def reports(line: Line, count: int) -> list[ReportRecord]:
    """The newest reports."""
    found = line.execute(
        "SELECT id, created, table_id, kind, facts FROM reports ORDER BY created DESC, id LIMIT ?",
        (count,),
    ).fetchall()
    return [
        ReportRecord(id_, created, table_id, kind, json.loads(facts))
        for id_, created, table_id, kind, facts in found
    ]


# --- removing -------------------------------------------------------------------------------


def old(line: Line, state: str, before: float, but: Collection[str], most: int) -> list[Row]:
    """Which tables to remove: nobody has them, and nobody has changed them for long."""
    found = line.execute(
        "SELECT id FROM tables WHERE state = ? AND changed BETWEEN ? AND ? AND owner = ''"
        " ORDER BY changed",
        (state, EARLIEST, before),
    ).fetchall()
    return [(id_,) for (id_,) in found if id_ not in but][:most]


def remove(line: Line, tables: list[Row]) -> None:
    """Remove tables with everything about them; one that was taken up again meanwhile stays."""
    line.executemany("DELETE FROM tables WHERE id = ? AND owner = ''", tables)
    for name in OF_A_TABLE:
        line.executemany(
            f"DELETE FROM {name} WHERE table_id = ?"
            f" AND NOT EXISTS (SELECT 1 FROM tables WHERE id = {name}.table_id)",
            tables,
        )


def forget_words(line: Line, before: float) -> int:
    """Delete the words of what was said before then."""
    return line.execute("UPDATE chat SET text = '' WHERE at < ? AND text <> ''", (before,)).rowcount


def forget_reports(line: Line, before: float) -> int:
    """Delete the reports made before then."""
    return line.execute("DELETE FROM reports WHERE created < ?", (before,)).rowcount


def forget_names(line: Line, before: float) -> int:
    """Delete the names of people at tables that were over before then."""
    return line.execute(
        "UPDATE seats SET name = 'P' || CAST(number + 1 AS TEXT)"
        " WHERE secret <> '' AND name <> 'P' || CAST(number + 1 AS TEXT) AND table_id IN"
        " (SELECT id FROM tables WHERE state = 'over' AND changed BETWEEN ? AND ?)",
        (EARLIEST, before),
    ).rowcount


def count_reports(line: Line, since: float, table_id: str = "") -> int:
    """Reports made since then: all of them, or those of one table."""
    found = line.execute(
        "SELECT count(*) FROM reports WHERE created >= ? AND (table_id = ? OR ? = '')",
        (since, table_id, table_id),
    ).fetchone()
    return int(found[0])


# --- time -----------------------------------------------------------------------------------


def newest(line: Line, now: float) -> float | None:
    """How late it was when the database was last used, as far as that can be true; None if nothing
    in it says so. ``now`` is the time by the system clock, which may be wrong as well."""
    changed = _last_change(line, now + MAX_FUTURE) or _last_change(line, LATEST)
    found = line.execute("SELECT at FROM server_state WHERE name = ?", (CLOCK,)).fetchall()
    for (at,) in found:
        # A clock that was set back makes everything look far ahead, but the tables agree.
        latest = min(LATEST, max(now, changed or 0.0) + MAX_FUTURE)
        if isinstance(at, int | float) and EARLIEST <= at <= latest:
            return float(at)
        logs.fail("remembered_time_damaged", hint="the newest time of the tables is used instead")
    return changed


def _last_change(line: Line, latest: float) -> float | None:
    """When a table was last changed, ignoring impossible times."""
    (at,) = line.execute(
        "SELECT max(changed) FROM tables WHERE changed BETWEEN ? AND ?", (EARLIEST, latest)
    ).fetchone()
    return None if at is None else float(at)


def keep_clock(line: Line, at: float) -> None:
    """Remember how late it is; never that it is earlier than before, unless that cannot be."""
    line.execute(
        "INSERT INTO server_state (name, at, data) VALUES (?, ?, ?) ON CONFLICT (name)"
        " DO UPDATE SET at = excluded.at WHERE server_state.at NOT BETWEEN excluded.at AND ?",
        (CLOCK, at, b"", at + MAX_FUTURE),
    )
    # A table whose time is damaged gets old from now on.
    line.execute("UPDATE tables SET changed = ? WHERE changed < ?", (at, EARLIEST))


def due(line: Line, before: float) -> list[str]:
    """Games with a clock that runs out before then, or in which it is a bot's turn; the longest
    due first."""
    found = line.execute("SELECT id, clock FROM tables WHERE state = 'playing' AND clock <> '{}'")
    clocks = [(_ends(clock), id_) for id_, clock in found.fetchall()]
    return [id_ for ends, id_ in sorted(clocks) if ends < before]


def _ends(clock: str) -> float:
    try:
        return ends_at(json.loads(clock))
    except (ValueError, TypeError, KeyError, RecursionError):
        return NEVER  # opening the table says what is wrong with it


# --- who has which table --------------------------------------------------------------------


def holds(line: Line, table_ids: Sequence[str]) -> dict[str, Hold]:
    """Who has which of these tables."""
    if not table_ids:
        return {}
    gaps = ", ".join("?" * len(table_ids))
    found = line.execute(f"SELECT id, owner, epoch FROM tables WHERE id IN ({gaps})", table_ids)
    return {id_: Hold(owner, epoch) for id_, owner, epoch in found.fetchall()}


def claim(line: Line, table_id: str, owner: str, seen: Hold) -> bool:
    """Take a table over, if nothing has changed since it was looked at."""
    found = line.execute(
        "UPDATE tables SET owner = ?, epoch = epoch + 1 WHERE id = ? AND epoch = ? AND owner = ?",
        (owner, table_id, seen.epoch, seen.owner),
    )
    return found.rowcount == 1


def release(line: Line, table_id: str, hold: Hold) -> None:
    """Let go of a table."""
    line.execute(
        "UPDATE tables SET owner = '' WHERE id = ? AND epoch = ? AND owner = ?",
        (table_id, hold.epoch, hold.owner),
    )


def owners(line: Line) -> set[str]:
    """Everybody who has a table."""
    found = line.execute("SELECT DISTINCT owner FROM tables WHERE owner <> ''").fetchall()
    return {owner for (owner,) in found}


def owned(line: Line, owner: str) -> dict[str, str]:
    """The tables that somebody has, and the state of each."""
    found = line.execute(
        "SELECT id, state FROM tables WHERE owner = ? AND owner <> '' ORDER BY id", (owner,)
    )
    return dict(found.fetchall())
