"""Tables for people who sit apart: a lobby over HTTP, a table over a WebSocket, games on disk."""
