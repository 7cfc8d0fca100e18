"""The legal plays: all ways to use a permission, and the menu of the Play Cards phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from smashup.engine.model.constants import (
    ACTION,
    FREE,
    HAND,
    MINION,
    NONE,
    ON_BASE,
    ON_MINION,
    PLAIN_PLAY,
    PLAY,
    STANDARD,
)  # fmt: skip
from smashup.engine.model.decisions import DONE_MOVE, PLAY_CARD, USE_TALENT, Move
from smashup.engine.model.hooks import Hook
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, play_counts, queries, restrictions, searching
from smashup.engine.rules.permissions import (
    EXTRA_ACTION,
    EXTRA_MINION,
    own_plays,
    permissions_in_play,
)

if TYPE_CHECKING:
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.events import Event

H_AFTER_SCORE: Final = Hook.AFTER_SCORE.value
H_BEFORE_SCORE: Final = Hook.BEFORE_SCORE.value
H_CAN_ATTACH_TO: Final = Hook.CAN_ATTACH_TO.value
H_CAN_PLAY_AT: Final = Hook.CAN_PLAY_AT.value
H_FORBIDS_PLAY: Final = Hook.FORBIDS_PLAY.value
H_CAN_PLAY_TITAN_AT: Final = Hook.CAN_PLAY_TITAN_AT.value
H_PLAYS_FROM_DISCARD: Final = Hook.PLAYS_FROM_DISCARD.value
H_PLAYS_LIKE_HAND: Final = Hook.PLAYS_LIKE_HAND.value
H_GRANTS_OWN_PLAY: Final = Hook.GRANTS_OWN_PLAY.value
H_GRANTS_PLAY: Final = Hook.GRANTS_PLAY.value
H_TALENT: Final = Hook.TALENT.value

MAX_NESTED_PLAYS: Final = 40
"""The maximum number of nested plays, each caused by the one before."""

_CAN_PLAY_ON: Final = 1 << H_CAN_PLAY_AT
_CAN_ATTACH: Final = 1 << H_CAN_ATTACH_TO
_CAN_PLAY_TITAN: Final = 1 << H_CAN_PLAY_TITAN_AT


# --- what may be played -----------------------------------------------------------------


def moves_with(table: Table, player: int, permission: PlayPermission) -> list[Move]:
    """Return all ways to use a permission: card and place."""
    moves: list[Move] = []
    if _has_enough_plays(table, player):
        return moves
    hand: list[int] = []
    if permission.card == NONE and permission.from_zone == HAND:
        hand = searching.distinct_cards(table, table.state.hands[player])
    _add_moves(table, player, permission, hand, _is_nothing_forbidden(table), moves)
    if permission.has_demands:
        moves = table.services.moves_satisfying(table, player, moves, permission)
    return moves


def replacing_moves(table: Table, player: int, permission: PlayPermission) -> list[Move]:
    """Return the plays that a player may make instead of an extra play that was just granted."""
    s = table.state
    index = table.index or abilities.ability_index(table)
    if s.phase != PLAY or s.current != player or not index[H_GRANTS_PLAY]:
        return []
    is_plain = permission in (EXTRA_MINION, EXTRA_ACTION)
    s.permissions.append(permission)  # the play to be replaced
    replacing = [
        other
        for other in permissions_in_play(table, player)
        if other.instead_of == PLAIN_PLAY
        and other.types & permission.types
        and (other.replaces is None if is_plain else other.replaces is permission)
    ]
    s.permissions.pop()
    return [move for other in replacing for move in moves_with(table, player, other)]


def _has_enough_plays(table: Table, player: int) -> bool:
    """Whether a player is in a loop: some cards can bring each other back forever.

    The loop ends here, within a card or between cards; normal games stay far below the limit.
    """
    return (
        len(table.resolutions) >= MAX_NESTED_PLAYS
        or (play_counts.TOO_MANY, player) in table.state.turn_counts
    )


def _is_nothing_forbidden(table: Table) -> bool:
    """Whether no card in play and no effect restricts playing cards."""
    index = table.index or abilities.ability_index(table)
    return not (index[H_FORBIDS_PLAY] or (table.state.effects and restrictions.has_bans(table)))


def _add_moves(
    table: Table,
    player: int,
    permission: PlayPermission,
    hand: list[int],
    nothing_forbidden: bool,
    moves: list[Move],
) -> None:
    s = table.state
    if not permission.is_unlimited and permission.has_lapsed(table):
        return
    is_extra = permission.replaces is not None or not (
        permission.is_normal or permission.instead_of
    )
    if is_extra and s.effects and not restrictions.can_play_extras(table, player):
        return
    if permission.card != NONE:
        if not _is_in_foreign_hand(table, player, permission.card):
            _moves_with(table, player, permission.card, permission, moves)
        return
    types = permission.types
    hosts: list[int] | None = None
    is_unlimited = permission.is_unlimited
    spots = _spots(table) if is_unlimited else {}
    definitions = s.definition
    if permission.from_zone != HAND:
        hand = searching.distinct_cards(table, s.discards[player])
    for c in hand:
        definition = definitions[c]
        if not definition.types & types:
            continue
        if is_unlimited:
            if definition.is_simple:  # the common case: no restrictions of place or time
                known = spots.get(c)
                if not known or known[0].permission is not permission:
                    known = spots[c] = _moves_at_any_base(table, c, definition, permission)
                moves += known if nothing_forbidden else _allowed_moves(table, player, c, known)
                continue
            if (
                nothing_forbidden
                and definition.played_on == ON_MINION
                and definition.special != "only"
            ):
                if hosts is None:
                    hosts = queries.minions(table)
                _attach_moves(table, player, c, permission, hosts, moves)
                continue
        if (
            (
                definition.type != MINION
                or definition.power <= permission.max_power
                or definition.types & types != MINION
            )
            and (not permission.name or permission.name == definition.name)
            and (not permission.names or definition.name in permission.names)
            and permission.not_name != definition.name
        ):
            _moves_with(table, player, c, permission, moves)
    if types & MINION and table.traits.specials[H_PLAYS_LIKE_HAND]:
        _moves_like_hand(table, player, permission, moves)
    if types & ACTION and permission.from_zone == HAND:
        index = table.index or abilities.ability_index(table)
        if index[H_PLAYS_FROM_DISCARD]:
            _moves_from_discard(table, player, permission, moves)


def _moves_like_hand(
    table: Table, player: int, permission: PlayPermission, moves: list[Move]
) -> None:
    """Add minions of the discard pile that may be played instead of one in hand."""
    if permission.from_zone != HAND or permission.name or permission.names:
        return
    s = table.state
    kinds = abilities.specials_for(table, H_PLAYS_LIKE_HAND)
    for c in searching.distinct_cards(table, s.discards[player]):
        definition = s.definition[c]
        if (
            definition in kinds
            and definition.power <= permission.max_power
            and definition.name != permission.not_name
            and definition.plays_like_hand(table.cards[c], table.player_handles[player])
        ):
            _moves_with(table, player, c, permission, moves)


def _is_in_foreign_hand(table: Table, player: int, c: int) -> bool:
    """Whether a card is in the hand of its owner, so that no other player can play it."""
    s = table.state
    return s.zone[c] == HAND and s.place[c] != player and queries.owner_of(table, c) != player


def _spots(table: Table) -> dict[int, list[Move]]:
    """Return the plays of each card at the bases, cached while the bases stay the same."""
    s = table.state
    bases = (s.serial, len(s.sites))
    if table.spot_cache_key != bases:
        table.spot_cache_key = bases
        table.spot_cache = {}
    return table.spot_cache


def _moves_at_any_base(
    table: Table, c: int, definition: CardDefinition, permission: PlayPermission
) -> list[Move]:
    """Return the plays of a card at each base, or of a standard action."""
    if definition.type == MINION or definition.played_on == ON_BASE:
        return [Move(PLAY_CARD, c, site.serial, False, permission) for site in table.state.sites]
    return [Move(PLAY_CARD, c, NONE, False, permission)]


def _allowed_moves(table: Table, player: int, c: int, moves: list[Move]) -> list[Move]:
    """Return the plays of a card that no card in play and no effect forbids."""
    if table.state.effects and restrictions.is_banned(table, player, c):
        return []
    forbidding = abilities.listeners(table, H_FORBIDS_PLAY)
    if not forbidding or moves[0].place == NONE:
        return moves
    return [move for move in moves if restrictions.can_play_at(table, player, c, move.place)]


def _moves_from_discard(
    table: Table, player: int, permission: PlayPermission, moves: list[Move]
) -> None:
    """Add actions that a minion in play lets its controller play on it from the discard pile."""
    s = table.state
    for ability in abilities.listeners(table, H_PLAYS_FROM_DISCARD):
        host = ability.card
        if s.controller[host] != player:
            continue
        for c in searching.distinct_cards(table, s.discards[player]):
            definition = s.definition[c]
            if (
                definition.played_on == ON_MINION
                and (not permission.name or permission.name == definition.name)
                and permission.not_name != definition.name
                and not (s.effects and restrictions.is_banned(table, player, c))
                and _may_attach(table, player, c, host, permission)
            ):
                moves.append(Move(PLAY_CARD, c, host, True, permission))


def fits_window(table: Table, player: int, c: int) -> bool:
    """Whether the open scoring window is the special timing of a card."""
    event = table.window
    if event is None or table.state.definition[c] not in abilities.specials_for(table, event.hook):
        return False
    if not is_window_open(table, event) or not restrictions.can_play_specials(table, player):
        return False
    s = table.state
    controller = s.controller[c]
    s.controller[c] = player
    fits = s.definition[c].can_play_as_special(table.cards[c], event)
    s.controller[c] = controller
    return fits


def is_window_open(table: Table, event: Event) -> bool:
    """Whether a window is still open: a scoring window closes when the base leaves play.

    The window before scoring also closes when a card forbids the base to score.
    """
    scoring = event.hook in (H_BEFORE_SCORE, H_AFTER_SCORE)
    if not scoring or event.base is None:
        return True
    s = table.state
    if event.base.serial != s.scoring or s.scoring not in s.site_at:
        return False
    return event.hook == H_AFTER_SCORE or restrictions.can_score(table, s.scoring)


def _moves_with(
    table: Table, player: int, c: int, permission: PlayPermission, moves: list[Move]
) -> None:
    """Add the plays of a card at all places that a permission allows."""
    s = table.state
    definition = s.definition[c]
    if definition.special == "only" and not fits_window(table, player, c):
        return
    if definition.fused_action is not None and permission.types & ACTION:
        s.definition[c] = definition.fused_action
        _moves_with(table, player, c, permission, moves)
        s.definition[c] = definition
        if not permission.types & MINION or definition.power > permission.max_power:
            return
    if s.effects and restrictions.is_banned(table, player, c):
        return
    if definition.type == ACTION and definition.played_on == STANDARD:
        if not permission.on_opponents_minion and permission.on == NONE and permission.at == NONE:
            moves.append(Move(PLAY_CARD, c, NONE, False, permission))
        return
    if definition.type == ACTION and definition.played_on == ON_MINION:
        for host in queries.minions(table, at=permission.at, not_at=permission.not_at):
            if _may_attach(table, player, c, host, permission):
                moves.append(Move(PLAY_CARD, c, host, True, permission))
        return
    if permission.on != NONE or permission.on_opponents_minion:
        return
    picky = bool(definition.hooks & _CAN_PLAY_ON)
    controller = s.controller[c]
    if picky:  # "you" in its text is the player who would play it
        s.controller[c] = player
    forbidden = bool(abilities.ability_index(table)[H_FORBIDS_PLAY])
    at = permission.at
    for site in s.sites:
        serial = site.serial
        if (at != NONE and at != serial) or serial == permission.not_at:
            continue
        if permission.where_you_have_a_minion and not queries.count_minions(table, player, serial):
            continue
        if permission.where_you_have_no_minion and queries.count_minions(table, player, serial):
            continue
        if permission.sites and serial not in permission.sites:
            continue
        if picky and not definition.can_play_at(table.cards[c], table.base(serial)):
            continue
        if forbidden and not restrictions.can_play_at(table, player, c, serial):
            continue
        moves.append(Move(PLAY_CARD, c, serial, False, permission))
    s.controller[c] = controller


def _attach_moves(
    table: Table,
    player: int,
    c: int,
    permission: PlayPermission,
    hosts: list[int],
    moves: list[Move],
) -> None:
    """Add the plays of an action on minions, by an unlimited permission and without
    restrictions."""
    s = table.state
    definition = s.definition[c]
    if not definition.hooks & _CAN_ATTACH:
        moves += [Move(PLAY_CARD, c, host, True, permission) for host in hosts]
        return
    controller = s.controller[c]
    s.controller[c] = player
    me = table.cards[c]
    for host in hosts:
        if definition.can_attach_to(me, table.cards[host]):
            moves.append(Move(PLAY_CARD, c, host, True, permission))
    s.controller[c] = controller


def _may_attach(table: Table, player: int, c: int, host: int, permission: PlayPermission) -> bool:
    s = table.state
    if permission.on != NONE and permission.on != host:
        return False
    if permission.on_opponents_minion and s.controller[host] == player:
        return False
    serial = table.site_serial(host)
    if (permission.at != NONE and permission.at != serial) or permission.not_at == serial:
        return False
    controller = s.controller[c]
    s.controller[c] = player  # "you" in its text is the player who would play it
    is_allowed = _text_allows_host(table, player, c, host)
    s.controller[c] = controller
    return is_allowed and restrictions.can_play_at(table, player, c, serial)


def _text_allows_host(table: Table, player: int, c: int, host: int) -> bool:
    """Whether an action's own text lets a player play it on a minion now."""
    definition = table.state.definition[c]
    if definition.special == "only":
        window = table.window
        if window is None or not fits_window(table, player, c):
            return False
        if table.cards[host] not in definition.special_hosts(table.cards[c], window):
            return False
    return not definition.hooks & _CAN_ATTACH or definition.can_attach_to(
        table.cards[c], table.cards[host]
    )


def _titan_moves(
    table: Table, player: int, cost: int, permission: PlayPermission | None, moves: list[Move]
) -> None:
    """Add titans that may be played instead of a regular play, or at no cost (``cost``)."""
    s = table.state
    for c in s.set_aside[player]:
        definition = s.definition[c]
        if not (definition.hooks & _CAN_PLAY_TITAN and definition.titan_cost & cost):
            continue
        if not restrictions.can_play_titan(table, player):
            return
        me = table.cards[c]
        for site in s.sites:
            base = table.base(site.serial)
            if definition.can_play_titan_at(me, base):
                moves.append(Move(PLAY_CARD, c, site.serial, False, permission))


def play_menu(table: Table, player: int) -> list[Move]:
    """Return all moves of the current player in the Play Cards phase."""
    s = table.state
    moves: list[Move] = []
    if _has_enough_plays(table, player):
        return [DONE_MOVE]
    permissions = s.permissions
    seen_permissions: list[PlayPermission] = []
    with_demands: list[PlayPermission] = []
    hand = searching.distinct_cards(table, s.hands[player])
    aside = bool(s.set_aside[player])
    index = table.index or abilities.ability_index(table)
    nothing_forbidden = _is_nothing_forbidden(table)
    for permission in permissions:
        if permission.is_normal:
            if aside:
                _titan_moves(table, player, permission.types, permission, moves)
            # An equal extra play is used first, since the regular play allows more.
            plain = EXTRA_MINION if permission.types == MINION else EXTRA_ACTION
            if plain in permissions and restrictions.can_play_extras(table, player):
                continue
        if permission in seen_permissions:
            continue
        seen_permissions.append(permission)
        if not permission.has_demands:
            _add_moves(table, player, permission, hand, nothing_forbidden, moves)
        elif not any(permission.allows_same_as(other) for other in with_demands):
            with_demands.append(permission)
            moves += moves_with(table, player, permission)
    if index[H_GRANTS_PLAY]:
        granted: list[tuple[int | str, ...]] = []
        for offered in permissions_in_play(table, player):
            if offered.granted_stamp:  # of equal granted abilities of a card, the oldest
                if offered.to_tuple() in granted:
                    continue
                granted.append(offered.to_tuple())
            moves.extend(moves_with(table, player, offered))
    if table.traits.specials[H_GRANTS_OWN_PLAY]:
        for own in own_plays(table, player):
            moves.extend(moves_with(table, player, own))
    if aside:
        _titan_moves(table, player, FREE, None, moves)
    for ability in index[H_TALENT]:
        c = ability.card
        if (
            s.controller[c] == player
            and (c, ability.stamp) not in s.talents_used
            and ability.definition.talent_if(table.cards[c])
        ):
            moves.append(Move(USE_TALENT, c, ability=ability))
    moves.append(DONE_MOVE)
    if table.table_script is not None:
        moves.extend(table.table_script.moves())
    return moves
