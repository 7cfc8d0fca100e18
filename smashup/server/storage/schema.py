"""The database schema for SQLAlchemy. Alembic migrates databases to it.

JSON is stored as text and decoded row by row, so that a damaged row does not break a query.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)

METADATA: Final = MetaData()


def _table_id() -> Column[str]:
    return Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False)


TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("listed", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("setup", Text),
    Column("start", Text, nullable=False),
    Column("start_at", Integer, nullable=False),
    Column("rules", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("rematch", Text, nullable=False),
    Column("clock", Text, nullable=False),
    Column("due_at", Double),
    Index("tables_in_the_lobby", "listed", "state", "created"),
    Index("tables_by_change", "state", "changed"),
    Index(
        "tables_due",
        "due_at",
        sqlite_where=text("due_at IS NOT NULL"),
        postgresql_where=text("due_at IS NOT NULL"),
    ),
)

SEATS: Final = Table(
    "seats",
    METADATA,
    _table_id(),
    Column("number", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("lang", Text, nullable=False),
    Column("windows", Text, nullable=False),
    Column("stops", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("factions", Text, nullable=False),
    Column("ready", Integer, nullable=False),
    Column("gone", Integer, nullable=False),
    Column("resigned", Integer, nullable=False),
    Column("votes", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "number"),
    Index("seats_by_name", "name"),
)

LOG_ENTRIES: Final = Table(
    "log_entries",
    METADATA,
    _table_id(),
    Column("number", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("message_id", Text, nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "number"),
)
"""Append-only: triggers refuse to change an entry, or to remove one whose table still exists."""

SNAPSHOTS: Final = Table(
    "snapshots",
    METADATA,
    Column(
        "table_id",
        Text,
        ForeignKey("tables.id", ondelete="CASCADE"),
        primary_key=True,
        nullable=False,
    ),
    Column("at", Integer, nullable=False),
    Column("digest", Text, nullable=False),
    Column("facts", Text, nullable=False),
)

CHAT: Final = Table(
    "chat",
    METADATA,
    _table_id(),
    Column("number", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("text", Text, nullable=False),
    Column("phrase", Text, nullable=False),
    Column("message_id", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "number"),
    Index("chat_by_time", "at"),
)

REPLAYS: Final = Table(
    "replays",
    METADATA,
    Column(
        "table_id",
        Text,
        ForeignKey("tables.id", ondelete="CASCADE"),
        primary_key=True,
        nullable=False,
    ),
    Column("facts", LargeBinary, nullable=False),
)

ANALYSES: Final = Table(
    "analyses",
    METADATA,
    Column(
        "table_id",
        Text,
        ForeignKey("tables.id", ondelete="CASCADE"),
        primary_key=True,
        nullable=False,
    ),
    Column("changed", Double, nullable=False),
    Column("facts", LargeBinary, nullable=False),
)
"""Analyses of finished games, complete or in progress."""

REPORTS: Final = Table(
    "reports",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Index("reports_by_time", "created"),
    Index("reports_by_table", "table_id", "created"),
)

PRESENCE: Final = Table(
    "presence",
    METADATA,
    _table_id(),
    Column("seat", Integer, nullable=False),
    Column("worker", Text, nullable=False),
    Column("seen_at", Double, nullable=False),
    PrimaryKeyConstraint("table_id", "seat", "worker"),
    Index("presence_by_worker", "worker"),
)
"""Which seats (-1: spectators) are connected to which worker. Workers refresh their rows."""

SERVER_STATE: Final = Table(
    "server_state",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
