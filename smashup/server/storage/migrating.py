"""Migrates a database with Alembic, and refuses databases that this program cannot use."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from smashup.engine.errors import SaveError
from smashup.server.storage.schema import METADATA

FOLDER: Final = Path(__file__).parent / "migrations"
VERSION_TABLE: Final = "alembic_version"
BASELINE_TABLES: Final = frozenset(("tables", "seats", "log_entries"))
"""Tables that distinguish a newer version of our database from that of another program."""
Columns = dict[str, set[str]]
"""The names of the columns of each table."""


def alembic_config() -> Config:
    """Return Alembic's configuration."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def known_revisions() -> list[str]:
    """Return all revisions, the newest first."""
    scripts = ScriptDirectory.from_config(alembic_config())
    return [script.revision for script in scripts.walk_revisions()]


def check_revision(revision: str | None, columns: Columns, shown: str) -> None:
    """Raise a `SaveError` if a database with this revision, tables and columns cannot be used."""
    tables = columns.keys() - {VERSION_TABLE}
    known = known_revisions()
    if revision is None and "answers" in tables and "tables" in tables:
        raise SaveError(
            "The database {path} was written by a development version before the first release,"
            " which this version cannot read. Choose another database, or rename this one.",
            path=shown,
        )
    is_known = revision in known and not tables.isdisjoint(METADATA.tables)
    if tables and not is_known and (revision is None or not tables >= BASELINE_TABLES):
        raise SaveError(
            "The database {path} belongs to another program. Choose another database, or an empty"
            " one.",
            path=shown,
        )
    if revision is not None and revision not in known:
        raise SaveError(
            "The database {path} was written by a newer version of this program.", path=shown
        )
    if revision == known[0]:
        for table in METADATA.sorted_tables:
            if not set(table.columns.keys()) <= columns.get(table.name, set()):
                raise SaveError(
                    "The database {path} is damaged: the table “{table}” is missing or incomplete.",
                    path=shown,
                    table=table.name,
                )


def upgrade(connection: Connection, shown: str) -> None:
    """Run all missing migrations in the connection's transaction."""
    revision = MigrationContext.configure(connection).get_current_revision()
    check_revision(revision, _columns(connection), shown)
    if revision == known_revisions()[0]:
        return
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _columns(connection: Connection) -> Columns:
    columns = inspect(connection).get_multi_columns()
    return {table: {column["name"] for column in columns[_, table]} for _, table in columns}
