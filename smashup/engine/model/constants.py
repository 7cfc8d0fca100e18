"""The engine's vocabulary: card types, zones, ways of leaving play, durations, phases."""

from __future__ import annotations

from typing import Final

# Card types.
MINION: Final = 1
ACTION: Final = 2
TITAN: Final = 4
BASE: Final = 8
FREE: Final = 16
"""The cost of a titan: no regular play."""
TYPE_NAMES: Final = {MINION: "minion", ACTION: "action", TITAN: "titan", BASE: "base"}

# Where an action is played.
STANDARD: Final = 0
ON_BASE: Final = 1
ON_MINION: Final = 2

# Zones. `State.zone[card]` is one of these; every physical card is in exactly one.
DECK: Final = 0
HAND: Final = 1
DISCARD: Final = 2
AT_BASE: Final = 3
"""On a base: minions, titans and actions played on the base."""
ON_CARD: Final = 4
"""On another card: actions played on a minion."""
SET_ASIDE: Final = 5
"""Set aside near its owner: titans not in play."""
LIMBO: Final = 6
"""On the table without a place yet: an action that resolves, or revealed cards."""
BASE_DECK: Final = 7
BASE_DISCARD: Final = 8
BASE_IN_PLAY: Final = 9
"""A base card in play."""
BURIED: Final = 10
MADNESS_DECK: Final = 11
REMOVED: Final = 12
"""Out of the game."""
ZONE_NAMES: Final = (
    "deck", "hand", "discard", "base", "card", "aside", "limbo", "base deck", "base discard",
    "middle", "buried", "madness deck", "box",
)  # fmt: skip

# Destinations beyond the zones, for cards that leave play or are placed.
DECK_TOP: Final = 20
DECK_BOTTOM: Final = 21
DECK_SHUFFLED: Final = 22
DECK_TOP_OR_BOTTOM: Final = 23
"""As the player chooses."""

# How a card left play.
DESTROYED: Final = 1
RETURNED: Final = 2
PLACED: Final = 3
SCORED: Final = 4
"""Discarded with a scored base: not destroyed (Culture Shock p. 9, Back to Your Corners)."""
DISCARDED_BY_RULE: Final = 5
"""Discarded because its host or base left play, or by a rule."""

# Durations.
END_OF_TURN: Final = 0
YOUR_NEXT_TURN: Final = 1
"""Until the start of a given player's next turn."""
WHILE_IN_PLAY: Final = 2
END_OF_YOUR_TURN: Final = 3
"""The end of the next turn of a given player, the current turn included."""
WHILE_ATTACHED: Final = 4
"""Of control that an action takes: as long as that action is in play."""

# Whose cards a selector looks for.
ANYONE: Final = 0
YOURS: Final = 1
OTHERS: Final = 2

# Phases of a turn, in order; SETUP comes before the first, OVER after the last.
SETUP: Final = 0
START: Final = 1
PLAY: Final = 2
SCORE: Final = 3
DRAW: Final = 4
END: Final = 5
OVER: Final = 6
PHASE_NAMES: Final = ("setup", "start", "play", "score", "draw", "end", "over")

NO_LIMIT: Final = 1_000_000
ANY_MINION: Final = -2
"""For a permission to play an action: the action must directly affect a minion, no matter which."""
REGULAR_PLAY: Final = 1
"""For a permission: it replaces the regular play of its type."""
PLAIN_PLAY: Final = 2
"""For a permission: it replaces the regular play, or an extra play that names no card."""
NONE: Final = -1
"""The option "none of these" in a choice of cards, bases or players."""
