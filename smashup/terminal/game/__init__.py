"""A game at the terminal: seats, prompts, the log and save files."""
