"""The database: records, tables and checks on stored data."""
