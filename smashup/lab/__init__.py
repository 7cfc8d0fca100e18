"""The laboratory: many games, kept as data, and what they tell.

A *study* says which games are played (`matrix`, `tournament`); a *folder* keeps them, chunk by
chunk, so that a study can be stopped and go on; a *crew* plays chunks, here (`crowd`) or on a Ray
cluster (`cluster`); *findings* are what the games add up to (`reckoning`), and `report` shows them.
"""
