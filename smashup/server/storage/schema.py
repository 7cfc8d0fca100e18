"""What is in the database, step by step as it grew.

A step brings a database from one version to the next; its version is how many were done. They are
written in SQLite's words, which PostgreSQL's are made from, but for rules about rows (triggers).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Step:
    """One step, for both databases."""

    sqlite: str
    own: str | None = None
    """In PostgreSQL's own words, where it needs others."""

    @property
    def postgres(self) -> str:
        if self.own is not None:
            return self.own
        words = self.sqlite
        for here, there in _WORDS.items():
            words = words.replace(here, there)
        return words


_WORDS: Final = {
    " WITHOUT ROWID": "",
    " REAL": " DOUBLE PRECISION",
    " BLOB": " BYTEA",
    # The answers of a table stay as long as the table does: it is the first to be removed.
    "REFERENCES tables (id)": "REFERENCES tables (id) DEFERRABLE",
}

STEPS: Final = (
    Step(
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
        """
    ),
    Step(
        """
        CREATE TRIGGER answers_stay_as_they_are BEFORE UPDATE ON answers
        BEGIN SELECT RAISE(ABORT, 'answers are never changed'); END;
        CREATE TRIGGER answers_stay BEFORE DELETE ON answers
        BEGIN SELECT RAISE(ABORT, 'answers are never removed'); END;
        """,
        """
        CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'answers are never changed'
                USING ERRCODE = 'integrity_constraint_violation';
        END $$;
        CREATE TRIGGER answers_stay_as_they_are BEFORE UPDATE ON answers
            FOR EACH ROW EXECUTE FUNCTION never_changed();
        CREATE FUNCTION never_removed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'answers are never removed'
                USING ERRCODE = 'integrity_constraint_violation';
        END $$;
        CREATE TRIGGER answers_stay BEFORE DELETE ON answers
            FOR EACH ROW EXECUTE FUNCTION never_removed();
        """,
    ),
    Step("ALTER TABLE seats ADD COLUMN stops TEXT NOT NULL DEFAULT '[]';"),
    Step(
        """
        ALTER TABLE tables ADD COLUMN changed REAL NOT NULL DEFAULT 0;
        UPDATE tables SET changed = CAST(strftime('%s', 'now') AS REAL);
        DROP TRIGGER answers_stay;
        CREATE TRIGGER answers_stay BEFORE DELETE ON answers
        WHEN EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id)
        BEGIN SELECT RAISE(ABORT, 'answers are never removed'); END;
        """,
        """
        ALTER TABLE tables ADD COLUMN changed DOUBLE PRECISION NOT NULL DEFAULT 0;
        UPDATE tables SET changed = extract(epoch FROM now());
        CREATE OR REPLACE FUNCTION never_removed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id) THEN
                RAISE EXCEPTION 'answers are never removed'
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN OLD;
        END $$;
        """,
    ),
    Step(
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
        """
    ),
    Step(
        """
        ALTER TABLE tables ADD COLUMN owner TEXT NOT NULL DEFAULT '';
        ALTER TABLE tables ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX tables_by_owner ON tables (owner) WHERE owner <> '';
        """,
        """
        ALTER TABLE tables ADD COLUMN owner TEXT NOT NULL DEFAULT '';
        ALTER TABLE tables ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX tables_by_owner ON tables (owner) WHERE owner <> '';
        CREATE FUNCTION still_held(ids TEXT[], epochs INTEGER[]) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            -- Nobody can take these tables over before what is written now is either there or not.
            PERFORM id FROM tables WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
            IF EXISTS (
                SELECT 1 FROM unnest(ids, epochs) AS mine (id, epoch)
                LEFT JOIN tables ON tables.id = mine.id
                WHERE coalesce(tables.epoch, 0) <> mine.epoch
            ) THEN
                RAISE EXCEPTION 'another worker has this table' USING ERRCODE = 'SU001';
            END IF;
        END $$;
        """,
    ),
    Step(
        """
        CREATE TABLE server_state (
            name TEXT PRIMARY KEY,
            at REAL NOT NULL,
            data BLOB NOT NULL
        );
        CREATE INDEX reports_by_table ON reports (table_id, created);
        """
    ),
)
"""Owner and epoch say which worker has a table: see `smashup.server.storage.store.Store.claim`."""
