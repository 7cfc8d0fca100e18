"""A table with everything a seat cannot know dealt anew, as plain data: fit to be handed on.

What one seat knows stays exactly as it is, cards by their numbers included. Where cards lie that
the seat has not seen, others of the same unknown ones lie, by lot: which cards those are together
everybody can work out from the decks. Chance begins anew as well, so that nothing that comes later
tells of the real table. What others have seen of hidden cards is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.state import State
from smashup.engine.words import BURIED, HAND

SPECTATOR: Final = -1


def at_last_menu(game: Game) -> Game | None:
    """The same table at its last play menu; None before the first."""
    menu = game.last_menu
    if menu is None:
        return None
    table = Game(game.setup.without_seed(), game.catalogue, menu)
    table.titan_ids = game.titan_ids
    table.logging = False
    return table


def redacted(table: Game, viewer: int, dice: Random) -> dict[str, Any]:
    """A table at a play menu as data, with nothing in it that a seat (-1: a spectator) does not
    know. It can be restored like a snapshot."""
    assert table.at_menu
    table.pending = None  # what it offers to somebody else would tell of their hand
    groups = table.hidden_groups(viewer)
    known = [table.knows(viewer, c) for c in range(len(table.state.kind))]
    s = table.state.copy()
    _deal(s, groups, dice)
    everybody = (1 << table.players) - 1
    lots = {c for group in groups for c in group}
    for c, seen in enumerate(s.seen):
        if seen == everybody and c not in lots:
            continue
        s.seen[c] = 1 << viewer if known[c] and c not in lots and viewer != SPECTATOR else 0
        if s.zone[c] == HAND:
            s.seen[c] |= 1 << s.place[c]
        elif s.zone[c] == BURIED:
            s.seen[c] |= 1 << s.controller[c]
    s.rng = dice.getrandbits(62)
    facts = s.facts()
    # Where power comes from is no matter of the rules, but seen all the same.
    facts["effects"] = [
        [e.what, e.target, e.amount, e.player, e.until, e.until_player, e.stamp, e.source, e.giver]
        for e in s.effects
    ]
    return facts


def _deal(s: State, groups: list[list[int]], dice: Random) -> None:
    """Draw lots for the places where cards of each group lie.

    Places are gone through in an order that has nothing to do with the cards there.
    """
    group_of = {c: number for number, group in enumerate(groups) for c in group}
    lots = [sorted(group) for group in groups]
    for lot in lots:
        dice.shuffle(lot)
    zone, place, pool = s.zone[:], s.place[:], s.pool[:]
    controller, played_by = s.controller[:], s.played_by[:]
    for cards in _piles(s):
        for i, c in enumerate(cards):
            if c not in group_of:
                continue
            drawn = cards[i] = lots[group_of[c]].pop()
            zone[drawn], place[drawn], pool[drawn] = s.zone[c], s.place[c], s.pool[c]
            # Who controlled a card before says where it was; but who buried it can be seen.
            buried = s.zone[c] == BURIED
            controller[drawn] = s.controller[c] if buried else s.owner[drawn]
            played_by[drawn] = s.played_by[c] if buried else s.owner[drawn]
    assert not any(lots)
    s.zone, s.place, s.pool = zone, place, pool
    s.controller, s.played_by = controller, played_by


def _piles(s: State) -> Iterator[list[int]]:
    """Wherever cards may lie face down."""
    yield from s.hands
    yield from s.decks
    for site in s.sites:
        yield site.cards
    yield s.revealed
    yield s.base_deck
