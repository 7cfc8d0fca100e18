"""Extra plays: cards and titans that a player may play in addition to the regular ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import (
    HAND,
    LIMBO,
    NONE,
    PLAY,
    SET_ASIDE,
)
from smashup.engine.model.decisions import (
    LATER,
    LATER_MOVE,
    MOVES,
    PASS,
    PASS_MOVE,
    PLAY_CARD,
    Move,
    Purpose,
)
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.rules import (
    choosing,
    menu,
    playing,
    restrictions,
    zones,
)

if TYPE_CHECKING:
    from smashup.engine.card_api import Card


def grant_extra_play(table: Table, player: int, permission: PlayPermission) -> Card | None:
    """Grant a player an extra play; return the card if it was played at once.

    Culture Shock p. 11, Extra: playable at once; later in the phase too, unless it names a
    specific card or comes from a Special. Outside Play Cards: now or not at all.
    """
    s = table.state
    special = bool(table.resolutions) and table.resolutions[-1].special
    may_wait = s.phase == PLAY and s.current == player and not special and permission.card == NONE
    if may_wait and (permission.from_zone != HAND or permission.name or permission.names):
        may_wait = False  # "cards that specify how to choose the extra card": immediately
    if not may_wait:
        return offer_play(table, player, permission)
    if table.edition.extra_at_once:
        return offer_play(table, player, permission, later=True)
    s.permissions.append(permission)
    return None


def offer_play(
    table: Table, player: int, permission: PlayPermission, later: bool = False, must: bool = False
) -> Card | None:
    """Let a player use a permission now; return the card that was played, if any."""
    moves = menu.moves_with(table, player, permission)
    moves += menu.replacing_moves(table, player, permission)
    return _offer_moves(table, player, permission, moves, later, must)


def _offer_moves(
    table: Table,
    player: int,
    permission: PlayPermission,
    moves: list[Move],
    later: bool,
    must: bool,
) -> Card | None:
    """Let a player make one of the moves that a permission allows now."""
    if not moves:
        if later:
            table.state.permissions.append(permission)
        return None
    if later:
        moves.append(LATER_MOVE)
    elif not must:
        moves.append(PASS_MOVE)
    move = moves[
        choosing.ask(table, player, Purpose.EXTRA_PLAY, "Play an extra card?", MOVES, moves)
    ]
    if move.verb == LATER:
        table.state.permissions.append(permission)
        return None
    if move.verb == PASS:
        return None
    used = move.permission or permission
    if used is not permission or permission in table.state.permissions:
        # A play instead of this one uses it up. If an equal one was kept for later, this play
        # uses up its own, not that.
        table.state.permissions.append(permission)
    return playing.play_card(table, player, move.card, move.place, move.on_card, used)


def offer_one_of(table: Table, player: int, permissions: list[PlayPermission]) -> Card | None:
    """Offer a player a play with one of several permissions; return the card if one was played."""
    moves = [
        move for permission in permissions for move in menu.moves_with(table, player, permission)
    ]
    if not moves:
        return None
    moves.append(PASS_MOVE)
    move = moves[
        choosing.ask(table, player, Purpose.EXTRA_PLAY, "Play an extra card?", MOVES, moves)
    ]
    if move.verb == PASS:
        return None
    return playing.play_card(table, player, move.card, move.place, move.on_card, move.permission)


def play_given_card(
    table: Table, player: int, c: int, permission: PlayPermission, must: bool = False
) -> Card | None:
    """Have a player play a given card, from any zone; return it if it was played.

    A revealed card without a legal place (Shoggoth-like) is discarded instead.
    """
    s = table.state
    moves = menu.moves_with(table, player, permission)
    if not moves:
        if s.zone[c] == LIMBO:
            zones.discard(table, player, [c])
        return None
    return _offer_moves(table, player, permission, moves, False, must)


def play_titan(table: Table, player: int, c: int, sites: list[int], optional: bool) -> bool:
    """Let a player play one of their titans at one of these sites."""
    s = table.state
    if s.zone[c] != SET_ASIDE or not restrictions.can_play_titan(table, player):
        return False
    moves = [Move(PLAY_CARD, c, serial) for serial in sites]
    if not moves:
        return False
    if optional:
        moves.append(PASS_MOVE)
    move = moves[choosing.ask(table, player, Purpose.TITAN_PLAY, "Play your titan?", MOVES, moves)]
    if move.verb == PASS:
        return False
    playing.play_card(table, player, c, move.place, False, None)
    return True
