"""The WebSocket of a table: protocol, connections and the updates each viewer receives."""
