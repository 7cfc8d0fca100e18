"""A rules engine, a card language and a terminal table for the card game Smash Up."""

__version__ = "0.1.0"
