"""Renders findings as an HTML page."""
