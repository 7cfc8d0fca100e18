"""Which viewer knows which card, and which cards a viewer cannot tell apart."""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import BASE_DECK, BURIED, DECK, HAND, LIMBO
from smashup.engine.model.decisions import CARDS, MOVES
from smashup.engine.model.knowledge import viewer_bit
from smashup.engine.model.redealing import HiddenCards
from smashup.engine.model.table import Table
from smashup.engine.rules import restrictions

_FACE_DOWN: Final = frozenset((DECK, HAND, BURIED, LIMBO, BASE_DECK))


def knows_card(table: Table, player: int, c: int) -> bool:
    """Whether a player (-1: spectators) knows which card this is."""
    s = table.state
    if s.seen_by[c] & viewer_bit(player):
        return True
    # A base revealed in the middle of a card is visible at once.
    return (
        s.zone[c] == BASE_DECK and s.base_deck[-1] == c and restrictions.is_top_base_revealed(table)
    )


def hidden_groups(table: Table, player: int) -> list[list[int]]:
    """Return groups of cards a player cannot tell apart, whose faces may be exchanged.

    Unknown cards of a player's deck and (for others) hand form a group; so do mixed-up
    cards. More exchanges are possible: `hidden_cards` covers them all.
    """
    hidden = hidden_cards(table, player)
    groups = [[c for c in pool if c not in hidden.in_mix] for pool in hidden.pools]
    return [*(group for group in groups if group), *(cards for cards, _ in hidden.mixes)]


def hidden_cards(table: Table, player: int) -> HiddenCards:
    """Return the hidden cards of a table for a player (-1: a spectator).

    Cards offered in a pending decision of another player stay: that player has seen them.
    """
    s = table.state
    offered: set[int] = set()
    decision = table.pending
    if decision is not None and decision.player != player:
        if decision.kind == CARDS:
            offered = set(decision.options)
        elif decision.kind == MOVES:
            offered = {m.card for m in decision.options}
    bit = viewer_bit(player)
    hidden = [
        c
        for c, zone in enumerate(s.zone)
        if zone in _FACE_DOWN
        and not s.seen_by[c] & bit
        and c not in offered
        and not (zone == BASE_DECK and knows_card(table, player, c))
    ]
    return HiddenCards(s, hidden, player)
