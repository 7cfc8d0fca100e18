"""Cease and Desist (2016)."""
