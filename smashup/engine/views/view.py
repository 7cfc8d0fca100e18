"""Views: what a player may see, as plain data. A server sends nothing else about a game.

A view is built from what the player has seen, not by hiding parts of the whole. A face-down card
the player has not seen is ``{"hidden": True}`` and nothing else.
"""

from __future__ import annotations

from typing import Final, Literal

from smashup.engine.model.constants import (
    ACTION,
    MINION,
    NONE,
    PHASE_NAMES,
    TITAN,
)
from smashup.engine.model.knowledge import viewer_bit
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.rules import visibility
from smashup.engine.rules.permissions import describe_restrictions, plays_left
from smashup.engine.views import types
from smashup.engine.views.bases import BasesView
from smashup.engine.views.decision_view import view_decision
from smashup.engine.views.faces import Faces, face_for, faces_of
from smashup.engine.views.sentences import message

__all__ = ["SPECTATOR", "message", "view"]

SPECTATOR = -1
_PLAY_KINDS: Final[dict[int, Literal["minion", "action", "card", "titan"]]] = {
    MINION: "minion",
    ACTION: "action",
    MINION | ACTION: "card",
    TITAN: "titan",
}


def view(table: Table, player: int = SPECTATOR) -> types.View:
    """Return the table as one player (or a spectator) may see it."""
    s = table.state
    setup = table.setup
    bit = viewer_bit(player)
    seen_by = s.seen_by
    faces = faces_of(table)
    return {
        "you": player if player >= 0 else None,
        "edition": setup.edition,
        "printing": setup.printing,
        "turn": s.turn,
        "current": s.current,
        "first": s.first,
        "phase": PHASE_NAMES[s.phase],
        "scoring": s.scoring if s.scoring >= 0 else None,
        "players": [_player(table, faces, p, bit) for p in range(table.num_players)],
        "bases": BasesView(table, faces, player).bases(),
        "base_deck_size": len(s.base_deck),
        "base_deck_known": [
            {"from_top": i, "card": faces.show(c)}
            for i, c in enumerate(reversed(s.base_deck))
            if seen_by[c] & bit or (i == 0 and visibility.knows_card(table, player, c))
        ],
        "base_discard": [faces.show(c) for c in s.base_discard],
        "madness_size": len(s.madness),
        "limbo": [face_for(table, faces, c, player) for c in s.limbo],
        "permissions": len(s.permissions),
        "plays": [_plays(table, permission, count) for permission, count in plays_left(table)],
        "decision": view_decision(table, faces, table.pending, player),
        "over": s.over,
        "winners": s.winners[:],
    }


def _player(table: Table, faces: Faces, p: int, bit: int) -> types.PlayerView:
    s = table.state
    seen_by = s.seen_by
    hand = s.hands[p]
    known = [c for c in hand if seen_by[c] & bit]
    return {
        "index": p,
        "vp": s.vp[p],
        "factions": faces.factions[p][:],
        "hand": faces.show_all(known) + [{"hidden": True}] * (len(hand) - len(known)),
        "hand_size": len(hand),
        "deck_size": len(s.decks[p]),
        "deck_known": [
            {"from_top": i, "card": faces.show(c)}
            for i, c in enumerate(reversed(s.decks[p]))
            if seen_by[c] & bit
        ],
        "discard": faces.show_all(s.discards[p]),
        "aside": faces.show_all(s.set_aside[p]),
    }


def _plays(table: Table, permission: PlayPermission, count: int) -> types.Plays:
    """Return a permission to play cards with its count; all players know the card that granted
    it."""
    origin = permission.source_card
    return {
        "kind": _PLAY_KINDS[permission.types],
        "count": count,
        "normal": permission.is_normal,
        "source": origin if origin != NONE and table.in_play(origin) else None,
        "notes": [message(note) for note in describe_restrictions(table, permission)],
    }
