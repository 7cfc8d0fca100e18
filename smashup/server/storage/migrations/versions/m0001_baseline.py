"""The baseline: every table of the server."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SQLITE_TRIGGERS: Final = (
    "CREATE TRIGGER log_entries_stay_as_they_are BEFORE UPDATE ON log_entries"
    " BEGIN SELECT RAISE(ABORT, 'log entries are never changed'); END",
    "CREATE TRIGGER log_entries_stay BEFORE DELETE ON log_entries"
    " WHEN EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id)"
    " BEGIN SELECT RAISE(ABORT, 'log entries are never removed'); END",
)
POSTGRES_TRIGGERS: Final = (
    "CREATE FUNCTION refuse_log_update() RETURNS trigger LANGUAGE plpgsql AS $$"
    " BEGIN RAISE EXCEPTION 'log entries are never changed'"
    " USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE TRIGGER log_entries_stay_as_they_are BEFORE UPDATE ON log_entries"
    " FOR EACH ROW EXECUTE FUNCTION refuse_log_update()",
    "CREATE FUNCTION refuse_log_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id) THEN"
    " RAISE EXCEPTION 'log entries are never removed'"
    " USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN OLD; END $$",
    "CREATE TRIGGER log_entries_stay BEFORE DELETE ON log_entries"
    " FOR EACH ROW EXECUTE FUNCTION refuse_log_removal()",
)


def _table_id(primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(
        "table_id",
        sa.Text,
        sa.ForeignKey("tables.id", ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=False,
    )


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("listed", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("setup", sa.Text),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("start_at", sa.Integer, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("winners", sa.Text, nullable=False),
        sa.Column("rematch", sa.Text, nullable=False),
        sa.Column("clock", sa.Text, nullable=False),
        sa.Column("due_at", sa.Double),
    )
    op.create_index("tables_in_the_lobby", "tables", ["listed", "state", "created"])
    op.create_index("tables_by_change", "tables", ["state", "changed"])
    is_due = sa.text("due_at IS NOT NULL")
    op.create_index(
        "tables_due", "tables", ["due_at"], sqlite_where=is_due, postgresql_where=is_due
    )
    op.create_table(
        "seats",
        _table_id(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("lang", sa.Text, nullable=False),
        sa.Column("windows", sa.Text, nullable=False),
        sa.Column("stops", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("factions", sa.Text, nullable=False),
        sa.Column("ready", sa.Integer, nullable=False),
        sa.Column("gone", sa.Integer, nullable=False),
        sa.Column("resigned", sa.Integer, nullable=False),
        sa.Column("votes", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number"),
    )
    op.create_index("seats_by_name", "seats", ["name"])
    op.create_table(
        "log_entries",
        _table_id(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("message_id", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number"),
    )
    op.create_table(
        "snapshots",
        _table_id(primary_key=True),
        sa.Column("at", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
    op.create_table(
        "chat",
        _table_id(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("phrase", sa.Text, nullable=False),
        sa.Column("message_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number"),
    )
    op.create_index("chat_by_time", "chat", ["at"])
    op.create_table(
        "replays", _table_id(primary_key=True), sa.Column("facts", sa.LargeBinary, nullable=False)
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
    op.create_index("reports_by_time", "reports", ["created"])
    op.create_index("reports_by_table", "reports", ["table_id", "created"])
    op.create_table(
        "presence",
        _table_id(),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", "worker"),
    )
    op.create_index("presence_by_worker", "presence", ["worker"])
    op.create_table(
        "server_state",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in SQLITE_TRIGGERS if is_sqlite else POSTGRES_TRIGGERS:
        op.execute(sa.text(statement))
