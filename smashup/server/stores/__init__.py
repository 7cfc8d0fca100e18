"""Databases for `smashup.server.store`: SQLite for one server, PostgreSQL for a crowd."""
