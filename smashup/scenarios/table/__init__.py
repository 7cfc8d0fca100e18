"""Builds the table of a scenario: made-up cards, zones, regular setups."""
