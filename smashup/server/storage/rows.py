"""Converts records to rows of the database and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from smashup.server.storage.records import (
    ChatRecord,
    EntryKind,
    LogEntry,
    ReportRecord,
    SeatRecord,
    StoredSnapshot,
    TableRecord,
)

Values = dict[str, Any]


def table_values(table: TableRecord, changed: float) -> Values:
    """Return the row of a new table."""
    return {
        "id": table.id,
        "created": table.created,
        "changed": changed,
        "listed": int(table.listed),
        "state": table.state,
        "options": json.dumps(table.options),
        "setup": None if table.setup is None else json.dumps(table.setup),
        "start": json.dumps(table.start),
        "start_at": table.start_at,
        "rules": table.rules,
        "winners": json.dumps(table.winners),
        "rematch": table.rematch,
        "clock": json.dumps(table.clock),
        "due_at": table.due_at,
    }


def progress_values(table: TableRecord, changed: float) -> Values:
    """Return the columns of a table that change with log entries."""
    return {
        "of_table": table.id,
        "new_changed": changed,
        "new_state": table.state,
        "new_start_at": table.start_at,
        "new_rules": table.rules,
        "new_winners": json.dumps(table.winners),
        "new_rematch": table.rematch,
        "new_clock": json.dumps(table.clock),
        "new_due_at": table.due_at,
    }


def start_values(table: TableRecord) -> Values:
    """Return the columns that change when a game starts."""
    return {
        "of_table": table.id,
        "new_setup": None if table.setup is None else json.dumps(table.setup),
        "new_start": json.dumps(table.start),
    }


def table_from(row: Row[Any]) -> TableRecord:
    """Return the table of a row; raise `ValueError` or `TypeError` if it is damaged."""
    return TableRecord(
        id=row.id,
        options=json.loads(row.options),
        created=row.created,
        listed=bool(row.listed),
        state=row.state,
        setup=None if row.setup is None else json.loads(row.setup),
        start=json.loads(row.start),
        start_at=row.start_at,
        rules=row.rules,
        winners=json.loads(row.winners),
        rematch=row.rematch,
        clock=json.loads(row.clock),
        due_at=row.due_at,
    )


def seat_values(table_id: str, seat: SeatRecord) -> Values:
    """Return the row of a seat."""
    return {
        "table_id": table_id,
        "number": seat.number,
        "kind": seat.kind,
        "level": seat.level,
        "name": seat.name,
        "lang": seat.lang,
        "windows": seat.windows,
        "stops": json.dumps(seat.stop_cards),
        "secret": seat.secret,
        "factions": json.dumps(seat.factions),
        "ready": int(seat.ready),
        "gone": int(seat.left),
        "resigned": int(seat.resigned),
        "votes": json.dumps(seat.votes),
    }


def seat_from(row: Row[Any]) -> SeatRecord:
    """Return the seat of a row."""
    return SeatRecord(
        number=row.number,
        kind=row.kind,
        level=row.level,
        name=row.name,
        lang=row.lang,
        windows=row.windows,
        stop_cards=json.loads(row.stops),
        secret=row.secret,
        factions=json.loads(row.factions),
        ready=bool(row.ready),
        left=bool(row.gone),
        resigned=bool(row.resigned),
        votes=json.loads(row.votes),
    )


def entry_values(table_id: str, entry: LogEntry) -> Values:
    """Return the row of a log entry."""
    return {
        "table_id": table_id,
        "number": entry.number,
        "kind": entry.kind.value,
        "seat": entry.seat,
        "message_id": entry.message_id,
        "data": json.dumps(entry.data),
    }


def entry_from(row: Row[Any]) -> LogEntry:
    """Return the log entry of a row."""
    return LogEntry(row.number, EntryKind(row.kind), row.seat, row.message_id, json.loads(row.data))


def snapshot_values(table_id: str, snapshot: StoredSnapshot) -> Values:
    """Return the row of a snapshot."""
    return {
        "table_id": table_id,
        "at": snapshot.at,
        "digest": snapshot.digest,
        "facts": json.dumps(snapshot.facts),
    }


def chat_values(table_id: str, line: ChatRecord) -> Values:
    """Return the row of a chat message."""
    return {
        "table_id": table_id,
        "number": line.number,
        "seat": line.seat,
        "at": line.at,
        "text": line.text,
        "phrase": line.phrase,
        "message_id": line.message_id,
    }


def chat_from(rows: Sequence[Row[Any]]) -> list[ChatRecord]:
    """Return the chat messages of rows."""
    return [
        ChatRecord(row.number, row.seat, row.at, row.text, row.phrase, row.message_id)
        for row in rows
    ]


def report_values(report: ReportRecord) -> Values:
    """Return the row of a report."""
    return {
        "id": report.id,
        "created": report.created,
        "table_id": report.table_id,
        "kind": report.kind,
        "facts": json.dumps(report.facts),
    }


def report_from(row: Row[Any]) -> ReportRecord:
    """Return the report of a row."""
    return ReportRecord(row.id, row.created, row.table_id, row.kind, json.loads(row.facts))
