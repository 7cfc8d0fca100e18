"""Counting what happens in a turn: cards played, by type, player and base; minions destroyed."""

from __future__ import annotations

from typing import Final

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

MAX_PLAYS_PER_TURN: Final = 200
"""The maximum number of minions, or of actions, that a player can play in one turn."""
TOO_MANY: Final = -9
"""Key of a player who has played so many."""
POWERS: Final = -6
"""Key of the power of each minion when it was played, for each player and base."""
EARLIER: Final = -5
"""Key of the count of cards played outside the Play Cards phase: not "on your turn"."""


FALLEN: Final = -7
"""Key of the minions of a player that were destroyed at a base."""


DRIVEN: Final = -8
"""Key of the other players' minions that a player moved to a base."""

MAX_REPLACEMENTS_PER_TURN: Final = 30
"""How many cards of a player can do something instead of leaving play in one turn.

Without a limit, a minion that moves instead of being destroyed might be destroyed everywhere.
"""
REPLACED: Final = -10
"""Key of the cards of a player that did something instead of leaving play."""


def may_replace(table: Table, c: int) -> bool:
    """Whether a card can still do something instead of leaving play, this turn."""
    key = (REPLACED, table.state.controller[c])
    return table.state.turn_counts.get(key, 0) < MAX_REPLACEMENTS_PER_TURN


def count_replacement(table: Table, player: int) -> None:
    """Count a card of a player that did something instead of leaving play."""
    counts = table.state.turn_counts
    key = (REPLACED, player)
    counts[key] = counts.get(key, 0) + 1


def count_play(
    table: Table, player: int, definition: CardDefinition, serial: int, event: Event
) -> None:
    """Count the play and set the counts of the event, here and anywhere."""
    s = table.state
    counts = s.turn_counts
    type_ = definition.type
    anywhere = (type_, player, NONE)
    event.amount = event.amount_anywhere = counts[anywhere] = counts.get(anywhere, 0) + 1
    if event.amount >= MAX_PLAYS_PER_TURN and type_ != TITAN:
        counts[(TOO_MANY, player)] = 1
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
        if table.traits.counts_all_plays:
            _count_for_texts(table, player, type_, serial, event)
    if type_ == ACTION:
        like_this = (type_, player, serial, definition.played_on)
        event.amount_alike = counts[like_this] = counts.get(like_this, 0) + 1


def _count_for_texts(table: Table, player: int, type_: int, serial: int, event: Event) -> None:
    """Count what only cards with `counts_all_plays` read."""
    counts = table.state.turn_counts
    event.amount_by_all = sum(
        counts.get((type_, other, serial), 0) for other in range(table.num_players)
    )
    if type_ == MINION:
        powers = (type_, player, serial, POWERS)
        counts[(*powers, event.amount)] = queries.power(table, event.card.id)
        event.powers = [counts[(*powers, i)] for i in range(1, event.amount + 1)]


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
