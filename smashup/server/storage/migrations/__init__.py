"""Alembic migrations of the server's database, for SQLite and PostgreSQL."""
