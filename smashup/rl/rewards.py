"""Zero-sum rewards of a game for each seat."""

from __future__ import annotations

from typing import Final

WIN: Final = "win"
"""+1 for the winner and -1 in total for the others, at the end of the game."""
POINTS: Final = "points"
"""VP when scored, relative to the other seats; about -1 to 1 in total per game."""
REWARDS: Final = (WIN, POINTS)

VP_TO_WIN: Final = 15


def game_rewards(players: int, winners: list[int]) -> list[float]:
    """Return the reward of each seat for a finished game; 0 without a winner."""
    if not winners:
        return [0.0] * players
    share = 1.0 / len(winners)
    return [
        (players * (share if p in winners else 0.0) - 1.0) / (players - 1) for p in range(players)
    ]


def point_rewards(before: list[int], after: list[int]) -> list[float]:
    """Return the reward for VP just scored: own VP minus the others' mean, as part of a win."""
    gained = [new - old for old, new in zip(before, after, strict=True)]
    total = sum(gained)
    others = len(gained) - 1
    return [(mine - (total - mine) / others) / VP_TO_WIN for mine in gained]
