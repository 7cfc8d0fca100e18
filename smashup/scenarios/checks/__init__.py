"""Checks for the keys under `expect`."""
