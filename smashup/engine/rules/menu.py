"""What may be played: every way to use a right, and the menu of the Play Cards phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import (
    ACTION,
    HAND,
    MINION,
    NONE,
    NOWHERE,
    ON_BASE,
    ON_MINION,
)  # fmt: skip
from smashup.engine.model.decisions import DONE_MOVE, PLAY_CARD, USE_TALENT, Move
from smashup.engine.model.definitions import (
    H_AFTER_SCORE,
    H_BEFORE_SCORE,
    H_CAN_ATTACH,
    H_CAN_PLAY_ON,
    H_FORBIDS_PLAY,
    H_GOES_FOR_ACTION,
    H_GOES_FOR_MINION,
    H_GOES_FREE,
    H_PLAYS_FROM_DISCARD,
    H_RIGHT,
    H_TALENT,
)  # fmt: skip
from smashup.engine.model.permissions import Right
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, queries, searching
from smashup.engine.rules.permissions import rights_in_play

if TYPE_CHECKING:
    from smashup.engine.model.definitions import Kind
    from smashup.engine.model.events import Event

MINION_PLAY = Right(MINION, normal=True)
ACTION_PLAY = Right(ACTION, normal=True)
EXTRA_MINION = Right(MINION)
EXTRA_ACTION = Right(ACTION)
DEEPEST = 40
"""Cards that can be amid being played at once, each brought about by the one before."""
LONGEST = 200
"""Cards of a type that a player can play in one turn."""

_CAN_PLAY_ON = 1 << H_CAN_PLAY_ON
_CAN_ATTACH = 1 << H_CAN_ATTACH
_FOR_MINION = 1 << H_GOES_FOR_MINION
_FOR_ACTION = 1 << H_GOES_FOR_ACTION
_FREE = 1 << H_GOES_FREE


# --- what may be played -----------------------------------------------------------------


def moves_with(table: Table, player: int, right: Right) -> list[Move]:
    """Every way to use a right: card, place."""
    moves: list[Move] = []
    if _has_enough_plays(table, player):
        return moves
    _add_moves(
        table, player, right, searching.distinct_cards(table, table.state.hands[player]), moves
    )
    if right.is_aimed:
        moves = table.services.moves_satisfying(table, player, moves, right)
    return moves


def _has_enough_plays(table: Table, player: int) -> bool:
    """Whether a player goes round in a circle: some cards can bring each other back for ever.

    Such a circle ends here, in the middle of a card and between cards; nobody else gets so far.
    """
    tally = table.state.tally
    return (
        len(table.frames) >= DEEPEST
        or tally.get((ACTION, player, NONE), 0) >= LONGEST
        or tally.get((MINION, player, NONE), 0) >= LONGEST
    )


def _add_moves(table: Table, player: int, right: Right, hand: list[int], moves: list[Move]) -> None:
    s = table.state
    if not right.is_unlimited and right.has_lapsed(table):
        return
    if right.card != NONE:
        if not _is_in_foreign_hand(table, player, right.card):
            _moves_with(table, player, right.card, right, moves)
        return
    types = right.types
    hosts: list[int] | None = None
    free = (
        right.is_unlimited
        and not abilities.ability_index(table)[H_FORBIDS_PLAY]
        and not (s.effects and queries.has_bans(table))
    )
    for c in hand if right.source == HAND else searching.distinct_cards(table, s.discards[player]):
        kind = s.kind[c]
        if not kind.type & types:
            continue
        if free and kind.is_simple:  # anywhere, any time: most cards by most rights
            moves += _moves_at_any_base(table, c, kind, right)
        elif free and kind.where == ON_MINION and kind.special != "only":
            if hosts is None:
                hosts = queries.minions(table)
            _attach_moves(table, player, c, right, hosts, moves)
        elif (
            (kind.type != MINION or kind.power <= right.max_power)
            and (not right.name or right.name == kind.name)
            and right.not_name != kind.name
        ):
            _moves_with(table, player, c, right, moves)
    if types & ACTION and right.source == HAND:
        _moves_from_discard(table, player, right, moves)


def _is_in_foreign_hand(table: Table, player: int, c: int) -> bool:
    """Whether a card went to the hand of its owner: nobody else can play it from there."""
    s = table.state
    return s.zone[c] == HAND and s.place[c] != player and queries.owner_of(table, c) != player


def _moves_at_any_base(table: Table, c: int, kind: Kind, right: Right) -> list[Move]:
    """A card at each base, or a standard action.

    Made once while the bases stay: menus offer it again and again.
    """
    s = table.state
    bases = (s.serial, len(s.sites))
    if table.spot_cache_key != bases:
        table.spot_cache_key = bases
        table.spot_cache = {}
    moves = table.spot_cache.get(c)
    if not moves or moves[0].right is not right:
        if kind.type == MINION or kind.where == ON_BASE:
            moves = [Move(PLAY_CARD, c, site.serial, False, right) for site in s.sites]
        else:
            moves = [Move(PLAY_CARD, c, NONE, False, right)]
        table.spot_cache[c] = moves
    return moves


def _moves_from_discard(table: Table, player: int, right: Right, moves: list[Move]) -> None:
    """Actions that a minion in play lets its controller play onto it from the discard pile."""
    s = table.state
    for source in abilities.listeners(table, H_PLAYS_FROM_DISCARD):
        host = source.card
        if s.controller[host] != player:
            continue
        me = table.cards[host]
        for c in searching.distinct_cards(table, s.discards[player]):
            kind = s.kind[c]
            if (
                kind.where == ON_MINION
                and (not right.name or right.name == kind.name)
                and right.not_name != kind.name
                and source.kind.plays_from_discard(me, table.cards[c])
                and not (s.effects and queries.is_banned(table, player, c))
                and _may_attach(table, player, c, host, right)
            ):
                moves.append(Move(PLAY_CARD, c, host, True, right))


def fits_window(table: Table, player: int, c: int) -> bool:
    """Whether the scoring window that is open is the special timing of a card."""
    event = table.window
    if event is None or table.state.kind[c] not in abilities.specials_for(table, event.hook):
        return False
    if not is_window_open(table, event) or not queries.can_play_specials(table, player):
        return False
    table.state.controller[c] = player
    return table.state.kind[c].special_if(table.cards[c], event)


def is_window_open(table: Table, event: Event) -> bool:
    """Whether a window is still open: that of a scoring closes when the base leaves play."""
    scoring = event.hook in (H_BEFORE_SCORE, H_AFTER_SCORE)
    return not scoring or event.base is None or event.base.serial in table.state.site_at


def _moves_with(table: Table, player: int, c: int, right: Right, moves: list[Move]) -> None:
    """Every place a card may be played at by a right."""
    s = table.state
    kind = s.kind[c]
    if kind.special == "only" and not fits_window(table, player, c):
        return
    if s.effects and queries.is_banned(table, player, c):
        return
    if kind.type == ACTION and kind.where == NOWHERE:
        if not right.on_others and right.on == NONE and right.at == NONE:
            moves.append(Move(PLAY_CARD, c, NONE, False, right))
        return
    if kind.type == ACTION and kind.where == ON_MINION:
        for host in queries.minions(table, at=right.at, not_at=right.not_at):
            if _may_attach(table, player, c, host, right):
                moves.append(Move(PLAY_CARD, c, host, True, right))
        return
    if right.on != NONE or right.on_others:
        return
    picky = bool(kind.hooks & _CAN_PLAY_ON)
    if picky:
        s.controller[c] = player
    forbidden = bool(abilities.ability_index(table)[H_FORBIDS_PLAY])
    at = right.at
    for site in s.sites:
        serial = site.serial
        if (at != NONE and at != serial) or serial == right.not_at:
            continue
        if right.with_yours and not queries.count_minions(table, player, serial):
            continue
        if picky and not kind.can_play_on(table.cards[c], table.base(serial)):
            continue
        if forbidden and not queries.can_play_at(table, player, c, serial):
            continue
        moves.append(Move(PLAY_CARD, c, serial, False, right))


def _attach_moves(
    table: Table, player: int, c: int, right: Right, hosts: list[int], moves: list[Move]
) -> None:
    """An action on a minion by a right without limits, where nothing is forbidden."""
    s = table.state
    kind = s.kind[c]
    if not kind.hooks & _CAN_ATTACH:
        moves += [Move(PLAY_CARD, c, host, True, right) for host in hosts]
        return
    s.controller[c] = player
    me = table.cards[c]
    for host in hosts:
        if kind.can_attach(me, table.cards[host]):
            moves.append(Move(PLAY_CARD, c, host, True, right))


def _may_attach(table: Table, player: int, c: int, host: int, right: Right) -> bool:
    s = table.state
    if right.on != NONE and right.on != host:
        return False
    if right.on_others and s.controller[host] == player:
        return False
    serial = table.site_serial(host)
    if (right.at != NONE and right.at != serial) or right.not_at == serial:
        return False
    kind = s.kind[c]
    if kind.special == "only":
        window = table.window
        if window is None or not fits_window(table, player, c):
            return False
        if table.cards[host] not in kind.special_hosts(table.cards[c], window):
            return False
    if kind.hooks & _CAN_ATTACH:
        s.controller[c] = player
        if not kind.can_attach(table.cards[c], table.cards[host]):
            return False
    return queries.can_play_at(table, player, c, serial)


def _titan_moves(
    table: Table, player: int, bit: int, right: Right | None, moves: list[Move]
) -> None:
    """Titans that may be played instead of a regular play, or at no cost (``bit`` says)."""
    s = table.state
    for c in s.aside[player]:
        kind = s.kind[c]
        if not kind.hooks & bit:
            continue
        if len(queries.titans(table, player)) >= queries.titan_limit(table, player):
            return
        me = table.cards[c]
        for site in s.sites:
            base = table.base(site.serial)
            if bit == _FOR_MINION:
                may = kind.goes_instead_of_minion(me, base)
            elif bit == _FOR_ACTION:
                may = kind.goes_instead_of_action(me, base)
            else:
                may = kind.goes_free(me, base)
            if may:
                moves.append(Move(PLAY_CARD, c, site.serial, False, right))


def play_menu(table: Table, player: int) -> list[Move]:
    """Everything the current player may do in the Play Cards phase."""
    s = table.state
    moves: list[Move] = []
    if _has_enough_plays(table, player):
        return [DONE_MOVE]
    rights = s.rights
    done: set[int] = set()
    aimed: list[Right] = []
    hand = searching.distinct_cards(table, s.hands[player])
    aside = bool(s.aside[player])
    for right in rights:
        if right.normal:
            minion = right.types == MINION
            if aside:
                _titan_moves(table, player, _FOR_MINION if minion else _FOR_ACTION, right, moves)
            # An equal extra play is used first: the regular play can do more.
            if (EXTRA_MINION if minion else EXTRA_ACTION) in rights:
                continue
        if id(right) not in done:
            done.add(id(right))
            if right.is_aimed:
                if not any(right.same_as(other) for other in aimed):
                    aimed.append(right)
                    moves.extend(moves_with(table, player, right))
            else:
                _add_moves(table, player, right, hand, moves)
    index = abilities.ability_index(table)
    if index[H_RIGHT]:
        for offered in rights_in_play(table, player):
            moves.extend(moves_with(table, player, offered))
    if aside:
        _titan_moves(table, player, _FREE, None, moves)
    for source in index[H_TALENT]:
        c = source.card
        if (
            s.controller[c] == player
            and (c, source.stamp) not in s.talents_used
            and source.kind.talent_if(table.cards[c])
        ):
            moves.append(Move(USE_TALENT, c, source=source))
    moves.append(DONE_MOVE)
    if table.director is not None:
        moves.extend(table.director.moves())
    return moves
