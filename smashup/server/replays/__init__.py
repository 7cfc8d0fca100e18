"""Recordings of finished games."""
