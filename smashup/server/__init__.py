"""The server for online games: a lobby over HTTP, a WebSocket for each table, and storage."""
