"""Judging finished games: reviews of every decision, turning points, and better lines."""
