"""The hooks of the engine: one member for each method that a card can override."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Hook(IntEnum):
    """An ability by the name of its method or attribute in `CardDefinition`, in capitals.

    To add a hook, add its method there and its member here. Its number is its position in the
    index of abilities; rules that use it often keep the number in a constant (``H_AURA``).
    """

    ON_PLAY = 0
    TALENT = 1
    CAN_PLAY_AS_SPECIAL = 2
    POWER_BONUS = 3
    HOST_BONUS = 4
    AURA = 5
    STARTING_POWER = 6
    HOST_PRINTED_POWER = 7
    PLAYER_POWER = 8
    EXCLUDED_FROM_TOTAL = 9
    BREAKPOINT_CHANGE = 10
    STARTING_BREAKPOINT = 11
    EXTRA_NAMES = 12
    PROTECTS = 13
    FORBIDS_DESTRUCTION = 14
    FORBIDS_MOVE = 15
    FORBIDS_PLAY = 16
    FORBIDS_SCORING = 17
    FORBIDS_SPECIALS = 18
    CANCELS = 19
    EXTRA_TITANS = 20
    TITANS_COEXIST = 21
    PLAYS_FROM_DISCARD = 22
    GRANTS_PLAY = 23
    INSTEAD_OF_DISCARD = 24
    INSTEAD_OF_LEAVING = 25
    REDIRECTS = 26
    START_OF_TURN = 27
    END_OF_TURN = 28
    AFTER_PLAY = 29
    AFTER_MOVE = 30
    AFTER_LEAVING_PLAY = 31
    AFTER_DISCARD = 32
    AFTER_TALENT = 33
    AFTER_SPECIAL = 34
    AFTER_DECK_SEEN = 35
    AFTER_ENTERING_HAND = 36
    AFTER_GIVING = 37
    AFTER_CONTROL_CHANGE = 38
    AFTER_TRANSFER = 39
    AFTER_BASE_PLAYED = 40
    BEFORE_SCORE = 41
    ON_SCORE = 42
    AFTER_SCORE = 43
    AFTER_REPLACEMENT = 44
    DELAYED_EFFECT = 45
    CAN_PLAY_AT = 46
    CAN_ATTACH_TO = 47
    CAN_PLAY_TITAN_AT = 48
    CARD_BONUS = 49
    REVEALS_BASE_DECK_TOP = 50
    TRANSFERS_WHEN_HOST_LEAVES = 51
    AFTER_DRAW = 52
    GRANTS_OWN_PLAY = 53
    GIVES_NAMES = 54
    PREVENTS = 55
    FORBIDS_RETURN = 56
    PLAYS_LIKE_HAND = 57
    IGNORES_BASE = 58


METHODS: Final[tuple[str, ...]] = tuple(hook.name.lower() for hook in Hook)
"""The method name of each hook."""
CONDITIONS: Final[tuple[str, ...]] = tuple(f"{method}_if" for method in METHODS)
"""The name of the method that says whether a hook triggers."""


def hooks(*found: Hook) -> tuple[Hook, ...]:
    """Return hooks for card attributes that name some of the card's abilities."""
    return found
