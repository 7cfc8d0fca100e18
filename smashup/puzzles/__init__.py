"""Puzzles: positions of bot games with one solution for the turn, proven by search."""
