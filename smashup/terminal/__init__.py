"""The table in a terminal: play, browse the cards, run scenarios."""
