"""Counting what happens in a turn: cards played, by type, player and base; minions destroyed."""

from __future__ import annotations

from smashup.engine.model.constants import (
    ACTION,
    MINION,
    NONE,
    PLAY,
    TITAN,
)
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import Event
from smashup.engine.model.table import Table
from smashup.engine.rules import queries

POWERS = -6
"""Key of the power of each minion when it was played, for each player and base."""
EARLIER = -5
"""Key of the count of cards played outside the Play Cards phase: not "on your turn"."""


FALLEN = -7
"""Key of the minions of a player that were destroyed at a base."""


DRIVEN = -8
"""Key of the other players' minions that a player moved to a base."""


def count_play(
    table: Table, player: int, definition: CardDefinition, serial: int, event: Event
) -> None:
    """Count the play and set the counts of the event, here and anywhere."""
    s = table.state
    counts = s.turn_counts
    type_ = definition.type
    anywhere = (type_, player, NONE)
    event.amount = event.amount_anywhere = counts[anywhere] = counts.get(anywhere, 0) + 1
    if s.phase != PLAY or s.current != player:
        off_turn = (type_, player, NONE, EARLIER)
        counts[off_turn] = counts.get(off_turn, 0) + 1
    if serial != NONE:
        here = (type_, player, serial)
        event.amount = counts[here] = counts.get(here, 0) + 1
        earlier = (type_, player, serial, EARLIER)
        if s.phase != PLAY:
            counts[earlier] = counts.get(earlier, 0) + 1
        elif s.current == player:
            event.amount_on_turn = event.amount - counts.get(earlier, 0)
        if type_ == MINION:
            counts[(type_, player, serial, POWERS, event.amount)] = queries.power(
                table, event.card.id
            )
    if type_ == ACTION:
        like_this = (type_, player, serial, definition.played_on)
        event.amount_alike = counts[like_this] = counts.get(like_this, 0) + 1


def count_plays(table: Table, player: int, types: int, on_turn: bool) -> int:
    """Return how many cards of some types a player has played this turn.

    ``on_turn``: only those of the player's own Play Cards phase.
    """
    counts = table.state.turn_counts
    count = 0
    for type_ in (MINION, ACTION, TITAN):
        if type_ & types:
            count += counts.get((type_, player, NONE), 0)
            if on_turn:
                count -= counts.get((type_, player, NONE, EARLIER), 0)
    return count


def count_by_all(table: Table, definition: CardDefinition, serial: int) -> int:
    """Return how many cards of this type all players have played there this turn."""
    counts = table.state.turn_counts
    type_ = definition.type
    count = 0
    for player in range(table.num_players):
        count += counts.get((type_, player, serial), 0)
    return count


def plays_at(table: Table, type_: int, player: int, serial: int) -> int:
    """How many cards of a type a player has played at a base this turn."""
    return table.state.turn_counts.get((type_, player, serial), 0)


def count_destroyed_minion(table: Table, player: int, serial: int) -> None:
    """Note that a minion which a player controlled at a base was destroyed."""
    counts = table.state.turn_counts
    key = (FALLEN, player, serial)
    counts[key] = counts.get(key, 0) + 1


def destroyed_minions(table: Table, player: int, serial: int) -> int:
    """How many minions of a player were destroyed at a base this turn."""
    return table.state.turn_counts.get((FALLEN, player, serial), 0)


def count_moved_minion(table: Table, c: int, player: int, serial: int) -> None:
    """Record that a player moved a minion to a base, if it is another player's."""
    s = table.state
    if player >= 0 and s.definition[c].type == MINION and s.controller[c] != player:
        key = (DRIVEN, player, serial)
        s.turn_counts[key] = s.turn_counts.get(key, 0) + 1


def moved_minions(table: Table, player: int, serial: int) -> int:
    """Return how many minions of other players a player has moved to a base this turn."""
    return table.state.turn_counts.get((DRIVEN, player, serial), 0)
