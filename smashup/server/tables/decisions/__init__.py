"""Decisions of players: picks, previews, hints, undo and Specials windows."""
