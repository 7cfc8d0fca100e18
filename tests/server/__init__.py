"""The server, as its clients and its operator meet it."""
