"""Bring a database up to date with Alembic, and refuse one that this program cannot use."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from smashup.engine.errors import SaveError

FOLDER: Final = Path(__file__).parent / "migrations"
VERSION_TABLE: Final = "alembic_version"


def alembic_config() -> Config:
    """Alembic's configuration, without a file."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def known_revisions() -> list[str]:
    """All revisions, the newest first."""
    scripts = ScriptDirectory.from_config(alembic_config())
    return [script.revision for script in scripts.walk_revisions()]


def check_revision(revision: str | None, tables: set[str], shown: str) -> None:
    """Raise a `SaveError` if a database with this revision and these tables cannot be used."""
    if revision is not None and revision not in known_revisions():
        raise SaveError(
            "The database {path} was written by a newer version of this program.", path=shown
        )
    if revision is None and "answers" in tables:
        raise SaveError(
            "The database {path} was written by version 0.1, which this version cannot read."
            " Choose another database, or rename this one.",
            path=shown,
        )
    if revision is None and tables & {"tables", "seats", "log_entries"}:
        raise SaveError("The file {path} is not a database of this program.", path=shown)


def upgrade(connection: Connection, shown: str) -> None:
    """Run all migrations that are missing, in the connection's transaction."""
    revision = MigrationContext.configure(connection).get_current_revision()
    check_revision(revision, set(inspect(connection).get_table_names()), shown)
    if revision == known_revisions()[0]:
        return
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
