"""Redacts a table: hidden information is redealt, so that the data can be shared.

What one seat knows stays unchanged, including the numbers of its cards. The cards that the seat has
not seen trade places at random among themselves: everyone can derive from the decks
which cards those are. The random generator is reseeded, so that later draws reveal nothing about
the real table. What other seats have seen of hidden cards is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.constants import BURIED, HAND
from smashup.engine.model.knowledge import ALL_VIEWERS, Mix, viewer_bit
from smashup.engine.model.redealing import HiddenCards
from smashup.engine.model.state import State
from smashup.engine.rules import visibility

SPECTATOR: Final = -1


def rewind_to_last_menu(game: Game) -> Game | None:
    """Copy the game at its last play menu; None before the first."""
    menu = game.table.last_menu
    if menu is None:
        return None
    table = Game(game.setup.without_seed(), game.catalogue, menu)
    table.table.logging = False
    return table


def redact_table(table: Game, viewer: int, dice: Random) -> dict[str, Any]:
    """Export a table at a play menu without what a player (-1: a spectator) does not know.

    The result can be restored like a snapshot.
    """
    assert table.at_menu
    table.table.pending = None  # its options would reveal another player's hand
    known = [
        visibility.knows_card(table.table, viewer, c)
        for c in range(len(table.table.state.definition))
    ]
    s = table.table.state.copy()
    lots = _redeal(s, visibility.hidden_cards(table.table, viewer), dice)
    for c, seen in enumerate(s.seen_by):
        if seen == ALL_VIEWERS and c not in lots:
            continue
        s.seen_by[c] = viewer_bit(viewer) if known[c] and c not in lots else 0
        if s.zone[c] == HAND:
            s.seen_by[c] |= 1 << s.place[c]
        elif s.zone[c] == BURIED:
            s.seen_by[c] |= 1 << s.controller[c]
    s.rng = dice.getrandbits(62)
    facts = s.to_dict()
    # The cause of an effect does not matter to the rules, but it is visible.
    facts["effects"] = [
        [
            e.kind,
            e.target,
            e.amount,
            e.player,
            e.until,
            e.until_player,
            e.stamp,
            e.source,
            e.source_name,
        ]
        for e in s.effects
    ]
    return facts


def _redeal(s: State, hidden: HiddenCards, dice: Random) -> dict[int, int]:
    """Redeal hidden cards among their places.

    Places are processed in an order that is independent of the cards there.
    """
    order = {c: i for i, c in enumerate(c for cards in _hidden_piles(s) for c in cards)}
    lots = hidden.lots(dice.shuffle, order.__getitem__)
    zone, place, pool = s.zone[:], s.place[:], s.hidden_with[:]
    controller, played_by = s.controller[:], s.played_by[:]
    for cards in _hidden_piles(s):
        for i, c in enumerate(cards):
            if c not in lots:
                continue
            drawn = cards[i] = lots[c]
            zone[drawn], place[drawn], pool[drawn] = s.zone[c], s.place[c], s.hidden_with[c]
            # The earlier controller reveals where a card was; but who buried it is public.
            buried = s.zone[c] == BURIED
            controller[drawn] = s.controller[c] if buried else s.owner[drawn]
            played_by[drawn] = s.played_by[c] if buried else s.owner[drawn]
    s.zone, s.place, s.hidden_with = zone, place, pool
    s.controller, s.played_by = controller, played_by
    s.mixes = [
        Mix(m.viewer, frozenset([lots.get(c, c) for c in m.cards]), m.known)
        for m in s.mixes
        if m.viewer == hidden.viewer
    ]
    return lots


def _hidden_piles(s: State) -> Iterator[list[int]]:
    """Yield all piles with face-down cards."""
    yield from s.hands
    yield from s.decks
    for site in s.sites:
        yield site.cards
    yield s.limbo
    yield s.base_deck
