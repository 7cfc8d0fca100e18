"""The `smashup` command: play in a terminal, browse cards, run bots, scenarios and the server."""
