"""What a game was worth to each seat: always adding up to nothing."""

from __future__ import annotations

from typing import Final

WIN: Final = "win"
"""+1 for the winner and together -1 for the others, at the end of the game."""
POINTS: Final = "points"
"""Every VP as it is scored, against what the others score; in all about -1 to 1 a game."""
REWARDS: Final = (WIN, POINTS)

VP_TO_WIN: Final = 15


def outcome(players: int, winners: list[int]) -> list[float]:
    """The worth of a finished game to each seat; nothing to anybody if nobody has won."""
    if not winners:
        return [0.0] * players
    share = 1.0 / len(winners)
    return [
        (players * (share if p in winners else 0.0) - 1.0) / (players - 1) for p in range(players)
    ]


def points(before: list[int], after: list[int]) -> list[float]:
    """The worth of VP just scored: a seat's own less the mean of the others', in games won."""
    gained = [new - old for old, new in zip(before, after, strict=True)]
    total = sum(gained)
    others = len(gained) - 1
    return [(mine - (total - mine) / others) / VP_TO_WIN for mine in gained]
