"""Restrictions: protection, bans, where cards may be played, which bases may score."""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import MINION
from smashup.engine.model.events import Cause
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import BANNED_NAME, NO_EXTRAS, SHELTERED, UNAFFECTED
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, queries

H_FORBIDS_PLAY: Final = Hook.FORBIDS_PLAY.value
H_FORBIDS_SCORING: Final = Hook.FORBIDS_SCORING.value
H_FORBIDS_SPECIALS: Final = Hook.FORBIDS_SPECIALS.value
H_FORBIDS_MOVE: Final = Hook.FORBIDS_MOVE.value
H_FORBIDS_RETURN: Final = Hook.FORBIDS_RETURN.value
H_FORBIDS_DESTRUCTION: Final = Hook.FORBIDS_DESTRUCTION.value
H_IGNORES_BASE: Final = Hook.IGNORES_BASE.value
H_PROTECTS: Final = Hook.PROTECTS.value
H_REVEALS_BASE_DECK_TOP: Final = Hook.REVEALS_BASE_DECK_TOP.value
H_TITANS_COEXIST: Final = Hook.TITANS_COEXIST.value
H_EXTRA_TITANS: Final = Hook.EXTRA_TITANS.value


def is_protected(table: Table, c: int, cause: Cause) -> bool:
    """Whether a card is "not affected" by this cause. Bases and rules are not any player's
    cards."""
    for effect in table.state.effects:
        if effect.kind == UNAFFECTED and effect.target == c and effect.amount == cause.card:
            return True
    if cause.controller < 0:
        return cause.card >= 0 and _is_ignored_base(table, cause.card, c)
    s = table.state
    for effect in s.effects:
        if (
            effect.kind == SHELTERED
            and effect.player == s.controller[c] != cause.controller
            and s.definition[c].type == MINION
            and effect.target == table.site_serial(c)
        ):
            return True
    for source in abilities.listeners(table, H_PROTECTS):
        if source.definition.protects(table.cards[source.card], table.cards[c], cause):
            return True
    return False


def _is_ignored_base(table: Table, base: int, c: int) -> bool:
    """Whether a card's controller ignores the abilities of a base."""
    controller = table.player_handles[table.state.controller[c]]
    return any(
        ability.definition.ignores_base(table.cards[ability.card], controller)
        for ability in abilities.listeners(table, H_IGNORES_BASE)
        if table.site_serial(ability.card) == table.site_serial(base)
    )


def keeps_power_and_controller(table: Table, c: int, cause: Cause) -> bool:
    """Whether "not affected" prevents this cause from changing a card's power or controller."""
    return table.edition.power_and_control_affect and is_protected(table, c, cause)


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
    """Whether an effect bans cards by name."""
    for effect in table.state.effects:  # noqa: SIM110 (a generator takes twice as long)
        if effect.kind == BANNED_NAME:
            return True
    return False


def is_banned(table: Table, player: int, c: int) -> bool:
    """Whether an effect bans a player from playing cards of this name."""
    s = table.state
    for effect in s.effects:
        if (
            effect.kind == BANNED_NAME
            and effect.player == player
            and s.definition[effect.target].name == s.definition[c].name
        ):
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
    return [
        site.serial
        for site in table.state.sites
        if queries.base_total(table, site.serial) >= queries.breakpoint(table, site.serial)
        and can_score(table, site.serial)
    ]


def titan_limit(table: Table, player: int) -> int:
    """Return how many titans a player may control."""
    controller = table.state.controller
    return 1 + sum(
        ability.definition.extra_titans
        for ability in abilities.listeners(table, H_EXTRA_TITANS)
        if controller[ability.card] == player
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
