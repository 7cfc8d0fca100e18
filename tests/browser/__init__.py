"""The game as people meet it: a real browser at a real server."""
