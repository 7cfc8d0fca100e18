"""Restrictions: protection, bans, where cards may be played, which bases may score."""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import ACTION, MINION, NONE, TITAN
from smashup.engine.model.events import Cause
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import (
    BANNED_NAME,
    NO_ACTIONS,
    NO_EXTRAS,
    NO_MOVES,
)
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, queries

H_FORBIDS_PLAY: Final = Hook.FORBIDS_PLAY.value
H_FORBIDS_SCORING: Final = Hook.FORBIDS_SCORING.value
H_FORBIDS_SPECIALS: Final = Hook.FORBIDS_SPECIALS.value
H_FORBIDS_MOVE: Final = Hook.FORBIDS_MOVE.value
H_FORBIDS_RETURN: Final = Hook.FORBIDS_RETURN.value
H_FORBIDS_DESTRUCTION: Final = Hook.FORBIDS_DESTRUCTION.value
H_REVEALS_BASE_DECK_TOP: Final = Hook.REVEALS_BASE_DECK_TOP.value
H_TITANS_COEXIST: Final = Hook.TITANS_COEXIST.value
H_EXTRA_TITANS: Final = Hook.EXTRA_TITANS.value

MAX_TITAN_PLAYS_PER_TURN: Final = 10
"""A titan that loses a clash at once could otherwise be played again and again."""


def can_destroy(table: Table, c: int, cause: Cause) -> bool:
    """Whether no card forbids destroying a card."""
    for ability in abilities.listeners(table, H_FORBIDS_DESTRUCTION):
        if ability.definition.forbids_destruction(table.cards[ability.card], table.cards[c], cause):
            return False
    return True


def can_return(table: Table, c: int, cause: Cause) -> bool:
    """Whether no card forbids returning a card to a hand."""
    for source in abilities.listeners(table, H_FORBIDS_RETURN):
        if source.definition.forbids_return(table.cards[source.card], table.cards[c], cause):
            return False
    return True


def can_move(table: Table, c: int, serial: int, cause: Cause) -> bool:
    """Whether no card forbids moving a card to a base."""
    for ability in abilities.listeners(table, H_FORBIDS_MOVE):
        me = table.cards[ability.card]
        if ability.definition.forbids_move(me, table.cards[c], table.base(serial), cause):
            return False
    for effect in table.state.effects:
        if (
            effect.kind == NO_MOVES
            and effect.player == cause.player
            and table.state.definition[c].type == MINION
        ):
            return False
    return True


def can_play_at(table: Table, player: int, c: int, serial: int) -> bool:
    """Whether no card forbids playing a card at a base: can't beats can."""
    for ability in abilities.listeners(table, H_FORBIDS_PLAY):
        me = table.cards[ability.card]
        base = table.base(serial)
        if ability.definition.forbids_play(me, table.player_handles[player], table.cards[c], base):
            return False
    return True


def has_bans(table: Table) -> bool:
    """Whether an effect bans cards by name or type."""
    for effect in table.state.effects:
        if effect.kind == BANNED_NAME or effect.kind == NO_ACTIONS:
            return True
    return False


def is_banned(table: Table, player: int, c: int) -> bool:
    """Whether an effect bans a player from playing cards of this name or type."""
    s = table.state
    for effect in s.effects:
        if effect.player != player:
            continue
        if effect.kind == NO_ACTIONS and s.definition[c].type == ACTION:
            return True
        if effect.kind == BANNED_NAME and s.definition[effect.target].name == s.definition[c].name:
            return True
    return False


def can_play_extras(table: Table, player: int) -> bool:
    """Whether no effect keeps a player with a minion at some base from playing extra cards."""
    for effect in table.state.effects:
        if (
            effect.kind == NO_EXTRAS
            and effect.player != player
            and queries.count_minions(table, player, effect.target)
        ):
            return False
    return True


def can_play_specials(table: Table, player: int) -> bool:
    """Whether no card forbids a player to play Specials while a base scores."""
    scoring = table.state.scoring
    if scoring < 0:
        return True
    seat = table.player_handles[player]
    base = table.base(scoring)
    return not any(
        ability.definition.forbids_specials(table.cards[ability.card], seat, base)
        for ability in abilities.listeners(table, H_FORBIDS_SPECIALS)
    )


def can_score(table: Table, serial: int) -> bool:
    """Whether no card forbids a base to score."""
    for ability in abilities.listeners(table, H_FORBIDS_SCORING):
        if ability.definition.forbids_scoring(table.cards[ability.card], table.base(serial)):
            return False
    return True


def bases_ready_to_score(table: Table) -> list[int]:
    """Return the sites whose total power reaches the breakpoint and that may score."""
    ready = queries.sites_at_breakpoint(table)
    return [serial for serial in ready if can_score(table, serial)] if ready else ready


def titan_limit(table: Table, player: int) -> int:
    """Return how many titans a player may control."""
    controller = table.state.controller
    return 1 + sum(
        ability.definition.extra_titans
        for ability in abilities.listeners(table, H_EXTRA_TITANS)
        if controller[ability.card] == player
    )


def can_play_titan(table: Table, player: int) -> bool:
    """Whether a player may play a titan now: below both limits."""
    plays = table.state.turn_counts.get((TITAN, player, NONE), 0)
    return plays < MAX_TITAN_PLAYS_PER_TURN and len(queries.titans(table, player)) < titan_limit(
        table, player
    )


def is_top_base_revealed(table: Table) -> bool:
    """Whether the top card of the base deck is face up."""
    for ability in abilities.listeners(table, H_REVEALS_BASE_DECK_TOP):
        if ability.definition.reveals_base_deck_top(table.cards[ability.card]):
            return True
    return False


def do_titans_clash_at(table: Table, serial: int) -> bool:
    """Whether titans of different players clash at a base."""
    return not any(
        table.site_serial(ability.card) == serial
        for ability in abilities.listeners(table, H_TITANS_COEXIST)
    )
