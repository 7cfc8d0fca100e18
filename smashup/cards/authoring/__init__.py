"""Tools for people who write factions: checks of files, declarations and abilities."""
