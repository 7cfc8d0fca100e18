"""Seats: new tables, joining, leaving, rematches and branches of recordings."""
