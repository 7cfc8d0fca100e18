"""Bots that play at tables: a process pool, shared fairly."""
