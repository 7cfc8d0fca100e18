"""Which viewer knows which card, and which cards nobody can tell apart."""

from __future__ import annotations

from smashup.engine.model.constants import BASE_DECK, BURIED, DECK, HAND, LIMBO
from smashup.engine.model.decisions import CARDS, MOVES
from smashup.engine.model.knowledge import viewer_bit
from smashup.engine.model.redealing import HiddenCards
from smashup.engine.model.table import Table
from smashup.engine.rules import restrictions

_FACE_DOWN = frozenset((DECK, HAND, BURIED, LIMBO, BASE_DECK))


def knows_card(table: Table, player: int, c: int) -> bool:
    """Whether a player (-1: spectators) knows which card this is."""
    s = table.state
    if s.seen_by[c] & viewer_bit(player):
        return True
    # A base turned up in the middle of a card is seen at once.
    return (
        s.zone[c] == BASE_DECK and s.base_deck[-1] == c and restrictions.is_top_base_revealed(table)
    )


def hidden_groups(table: Table, player: int) -> list[list[int]]:
    """Cards a player cannot tell apart: groups whose faces may be exchanged.

    Unknown cards of a player's deck and (for others) hand hide among each other; so do cards
    that were mixed up. More than that is possible: `hidden_cards` knows it all.
    """
    hidden = hidden_cards(table, player)
    groups = [[c for c in pool if c not in hidden.in_mix] for pool in hidden.pools]
    return [*(group for group in groups if group), *(cards for cards, _ in hidden.mixes)]


def hidden_cards(table: Table, player: int) -> HiddenCards:
    """What a player (-1: a spectator) cannot tell of the table.

    Cards offered by a pending question of another player stay: that player has seen them.
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
