"""The factions of Culture Shock (2019)."""
