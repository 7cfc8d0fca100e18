"""Which cards players may play as Specials, and who might hold one."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from smashup.engine.model.constants import (
    MINION,
    ON_MINION,
)
from smashup.engine.model.decisions import (
    PLAY_CARD,
    Move,
)
from smashup.engine.model.events import ActiveAbility, Event
from smashup.engine.model.hooks import Hook
from smashup.engine.model.knowledge import PUBLIC, SPECTATOR
from smashup.engine.model.table import Table
from smashup.engine.rules import (
    abilities,
    menu,
    restrictions,
    searching,
)

H_PLAYS_FROM_DISCARD: Final = Hook.PLAYS_FROM_DISCARD.value


def special_moves(
    table: Table, player: int, event: Event, answered: Set[int] = frozenset()
) -> list[Move]:
    """Return the cards in hand that a player may play at their special timing now.

    Cards that have ``answered`` the event before are excluded.
    """
    s = table.state
    moves: list[Move] = []
    timed = abilities.specials_for(table, event.hook)
    definitions = s.definition
    held = [c for c in s.hands[player] if definitions[c] in timed and c not in answered]
    from_discard = abilities.listeners(table, H_PLAYS_FROM_DISCARD) if timed else []
    if not (held or from_discard) or not menu.is_window_open(table, event):
        return moves
    for c in searching.distinct_cards(table, held):
        moves.extend(_special_plays(table, player, c, event))
    for ability in from_discard:
        if s.controller[ability.card] == player:
            moves.extend(_special_plays_from_discard(table, player, ability, event, answered))
    return moves if not moves or restrictions.can_play_specials(table, player) else []


def _special_plays(table: Table, player: int, c: int, event: Event) -> list[Move]:
    """Return all ways to play a card in hand at its special timing now."""
    s = table.state
    controller = s.controller[c]
    s.controller[c] = player  # "you" in its text is the player who would play it
    moves = _special_moves_of(table, player, c, event)
    s.controller[c] = controller
    return moves


def _special_moves_of(table: Table, player: int, c: int, event: Event) -> list[Move]:
    definition = table.state.definition[c]
    me = table.cards[c]
    if not definition.can_play_as_special(me, event) or restrictions.is_banned(table, player, c):
        return []
    if definition.special_is_extra and not restrictions.can_play_extras(table, player):
        return []
    if definition.type == MINION:
        return [
            Move(PLAY_CARD, c, base.serial)
            for base in definition.special_bases(me, event)
            if restrictions.can_play_at(table, player, c, base.serial)
        ]
    if definition.played_on == ON_MINION:
        return [
            Move(PLAY_CARD, c, host.id, True)
            for host in definition.special_hosts(me, event)
            if restrictions.can_play_at(table, player, c, table.site_serial(host.id))
        ]
    return [Move(PLAY_CARD, c)]


def _special_plays_from_discard(
    table: Table, player: int, ability: ActiveAbility, event: Event, answered: Set[int]
) -> list[Move]:
    """Return actions that a minion lets its controller play on it from the discard pile now."""
    s = table.state
    host = ability.card
    timed = abilities.specials_for(table, event.hook)
    found: list[Move] = []
    for c in searching.distinct_cards(table, s.discards[player]):
        if (
            s.definition[c] in timed
            and s.definition[c].played_on == ON_MINION
            and c not in answered
        ):
            plays = _special_plays(table, player, c, event)
            found.extend(move for move in plays if move.place == host)
    return found


def might_have_special(
    table: Table, player: int, event: Event, answered: Set[int] = frozenset()
) -> bool:
    """Whether a player might hold a card to play now, judging by public information.

    Computed from the cards everybody has seen and those left, never from the hand itself.
    Cards that have ``answered`` the event before were public then.
    """
    s = table.state
    hand = s.hands[player]
    hiding = {s.hidden_with[c] for c in hand if not s.seen_by[c] & PUBLIC}
    mixed: set[int] = set()
    for mix in s.mixes:
        if mix.viewer == SPECTATOR and not mix.cards.isdisjoint(hand):
            mixed |= mix.known
            hiding |= {s.hidden_with[c] for c in mix.cards}
    timed = abilities.specials_for(table, event.hook)
    possible = [
        c
        for c, definition in enumerate(s.definition)
        if definition in timed
        and c not in answered
        and (c in hand if s.seen_by[c] & PUBLIC else c in mixed or s.hidden_with[c] in hiding)
    ]
    if (
        not possible
        or not menu.is_window_open(table, event)
        or not restrictions.can_play_specials(table, player)
    ):
        return False
    return any(_special_plays(table, player, c, event) for c in possible)
