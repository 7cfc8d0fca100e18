"""The learned evaluation: a small network that estimates each seat's probability of winning."""
