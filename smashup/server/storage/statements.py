"""The SQL statements that write to the database. They are constant, so that a batch of writes needs
few statements, and drivers can prepare them."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from sqlalchemy import Table, bindparam, insert, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import UpdateBase

from smashup.server.storage.rows import Values
from smashup.server.storage.schema import (
    ANALYSES,
    CHAT,
    LOG_ENTRIES,
    PRESENCE,
    REPLAYS,
    REPORTS,
    SEATS,
    SERVER_STATE,
    SNAPSHOTS,
    TABLES,
)


class Statement(Enum):
    """The statements, in the order of execution in a transaction."""

    CREATE_TABLE = 1
    APPEND = 2
    """Append to the log. Executed first, so that a worker that was too slow changes nothing."""
    PROGRESS = 3
    START = 4
    SEAT = 5
    SNAPSHOT = 6
    CHAT = 7
    REPLAY = 8
    REPORT = 9
    STATE = 10
    PRESENCE = 11
    ANALYSIS = 12


Batch = list[tuple[Statement, list[Values]]]
"""Rows to be written in one transaction, in the order of the statements."""

_PROGRESS: Final = (
    update(TABLES)
    .where(TABLES.c.id == bindparam("of_table"))
    .values(
        changed=bindparam("new_changed"),
        state=bindparam("new_state"),
        start_at=bindparam("new_start_at"),
        rules=bindparam("new_rules"),
        winners=bindparam("new_winners"),
        rematch=bindparam("new_rematch"),
        clock=bindparam("new_clock"),
        due_at=bindparam("new_due_at"),
    )
)
_START: Final = (
    update(TABLES)
    .where(TABLES.c.id == bindparam("of_table"))
    .values(setup=bindparam("new_setup"), start=bindparam("new_start"))
)


def statements_for(dialect: str) -> dict[Statement, UpdateBase]:
    """Return all statements for SQLite or PostgreSQL."""
    return {
        Statement.CREATE_TABLE: insert(TABLES),
        Statement.APPEND: insert(LOG_ENTRIES),
        Statement.PROGRESS: _PROGRESS,
        Statement.START: _START,
        Statement.SEAT: _upsert(SEATS, dialect),
        Statement.SNAPSHOT: _upsert(SNAPSHOTS, dialect),
        Statement.CHAT: insert(CHAT),
        Statement.REPLAY: _upsert(REPLAYS, dialect),
        Statement.REPORT: insert(REPORTS),
        Statement.STATE: _upsert(SERVER_STATE, dialect),
        Statement.PRESENCE: _upsert(PRESENCE, dialect),
        Statement.ANALYSIS: _upsert(ANALYSES, dialect),
    }


def _upsert(table: Table, dialect: str) -> UpdateBase:
    """Insert a row, or replace the one with the same key."""
    statement: Any = (sqlite if dialect == "sqlite" else postgresql).insert(table)
    keys = [column.name for column in table.primary_key]
    upsert: UpdateBase = statement.on_conflict_do_update(
        index_elements=keys,
        set_={c.name: statement.excluded[c.name] for c in table.columns if c.name not in keys},
    )
    return upsert
