"""What a player may see, as plain data: the only thing that ever leaves a server.

Built from what the player has seen, never by taking away from the whole. A face-down card the
player has not seen is ``{"hidden": True}`` and nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal, cast

from smashup.engine.model.constants import (
    ACTION,
    AT_BASE,
    BASE,
    BURIED,
    MINION,
    NONE,
    ON_CARD,
    PHASE_NAMES,
    TITAN,
    TYPE_NAMES,
)
from smashup.engine.model.decisions import (
    CARDS,
    FACTIONS,
    MOVE_NAMES,
    MOVES,
    OPTION_KINDS,
    PLAY_CARD,
    PLAYERS,
    SITES,
    TRIGGERS,
    WORDS,
    Decision,
)
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.knowledge import viewer_bit
from smashup.engine.model.messages import Message, Name
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, queries, visibility
from smashup.engine.rules.permissions import describe_restrictions, plays_left
from smashup.engine.views import types
from smashup.engine.views.breakdown import (
    Contribution,
    breakpoint_contributions,
    has_power,
    other_power_contributions,
    power_contributions,
)
from smashup.engine.views.labels import is_special
from smashup.engine.views.question_context import reason_for, subjects_of

SPECTATOR = -1
_PLAY_KINDS: Final[dict[int, Literal["minion", "action", "card", "titan"]]] = {
    MINION: "minion",
    ACTION: "action",
    MINION | ACTION: "card",
    TITAN: "titan",
}


def view(table: Table, player: int = SPECTATOR) -> types.View:
    """The table as one player (or a spectator) may see it."""
    decision = table.pending
    s = table.state
    bit = viewer_bit(player)
    factions: list[set[str]] = [set() for _ in range(table.num_players)]
    for kind, owner in set(zip(s.definition, s.owner, strict=True)):  # most cards have copies
        if owner >= 0:
            factions[owner].add(kind.faction)
    for picks, known in zip(s.drafted, factions, strict=False):  # empty unless they are drafted
        known.update(table.catalogue.factions[pick].name for pick in picks)
    return {
        "you": player if player >= 0 else None,
        "edition": table.setup.edition,
        "printing": table.setup.printing,
        "turn": s.turn,
        "current": s.current,
        "first": s.first,
        "phase": PHASE_NAMES[s.phase],
        "scoring": s.scoring if s.scoring >= 0 else None,
        "players": [_seat(table, p, player, factions[p]) for p in range(table.num_players)],
        "bases": [_base(table, site.serial, player) for site in s.sites],
        "base_deck_size": len(s.base_deck),
        "base_deck_known": [
            {"from_top": i, "card": _face(table, c)}
            for i, c in enumerate(reversed(s.base_deck))
            if s.seen_by[c] & bit or (i == 0 and visibility.knows_card(table, player, c))
        ],
        "base_discard": [_face(table, c) for c in s.base_discard],
        "madness_size": len(s.madness),
        "limbo": [_seen_face(table, c, player) for c in s.limbo],
        "rights": len(s.permissions),
        "plays": [_plays(table, permission, count) for permission, count in plays_left(table)],
        "decision": _decision(table, decision, player),
        "over": s.over,
        "winners": s.winners[:],
    }


@lru_cache(maxsize=4096)
def _printed_face(kind: CardDefinition) -> types.Face:
    """What every copy of a card shows, wherever it is: views copy it, as they hold many faces."""
    face: types.Face = {
        "id": NONE,
        "name": kind.name,
        "type": TYPE_NAMES[kind.type],
        "text": kind.text,
        "owner": None,
    }
    if kind.type == MINION or kind.power:
        face["printed_power"] = kind.power
    if kind.type == BASE:
        face["printed_breakpoint"] = kind.breakpoint
    return face


def _face(table: Table, c: int) -> types.Face:
    """A card as printed."""
    s = table.state
    kind = s.definition[c]
    face = _printed_face(kind).copy()
    face["id"] = c
    if s.owner[c] >= 0:
        face["owner"] = s.owner[c]
    if kind.type == BASE:
        face["vp"] = list(kind.vp)
    if c in s.tokens:
        face["tokens"] = s.tokens[c]
    return face


def _seen_face(table: Table, c: int, player: int) -> types.Face:
    return _face(table, c) if visibility.knows_card(table, player, c) else {"hidden": True}


def _seat(table: Table, p: int, viewer: int, factions: set[str]) -> types.Player:
    s = table.state
    bit = viewer_bit(viewer)
    hand = s.hands[p]
    known = [c for c in hand if s.seen_by[c] & bit]
    return {
        "index": p,
        "vp": s.vp[p],
        "factions": sorted(factions),
        "hand": [_face(table, c) for c in known] + [{"hidden": True}] * (len(hand) - len(known)),
        "hand_size": len(hand),
        "deck_size": len(s.decks[p]),
        "deck_known": [
            {"from_top": i, "card": _face(table, c)}
            for i, c in enumerate(reversed(s.decks[p]))
            if s.seen_by[c] & bit
        ],
        "discard": [_face(table, c) for c in s.discards[p]],
        "aside": [_face(table, c) for c in s.set_aside[p]],
    }


def _base(table: Table, serial: int, viewer: int) -> types.Base:
    s = table.state
    site = s.site_at[serial]
    face = _face(table, site.base)
    totals = [queries.player_total(table, serial, p) for p in range(table.num_players)]
    return {
        **face,
        "serial": serial,
        "breakpoint": queries.breakpoint(table, serial),
        "total": queries.base_total(table, serial),
        "totals": totals,
        "places": [
            {"player": p, "place": place, "vp": face["vp"][place - 1]}
            for p, place, _ in queries.rank_totals(table, serial, totals)
        ],
        "counters": s.counters[site.base],
        "cards": [_card_in_play(table, c, viewer) for c in site.cards],
        "breakpoint_parts": _parts(breakpoint_contributions(table, serial)),
        "side_power": [
            {"player": p, "parts": _parts(parts)}
            for p in range(table.num_players)
            if (parts := other_power_contributions(table, serial, p))
        ],
    }


def _card_in_play(table: Table, c: int, viewer: int) -> types.InPlay:
    s = table.state
    controller = s.controller[c]
    if s.zone[c] == BURIED:
        shown = cast("types.InPlay", _seen_face(table, c, viewer))
        shown["buried"] = True
        shown["controller"] = controller
        shown.pop("owner", None)
        return shown
    face = cast("types.InPlay", _face(table, c))
    face["controller"] = controller
    kind = s.definition[c]
    if s.zone[c] == AT_BASE and (kind.type in (MINION, TITAN) or has_power(table, c)):
        face["power"] = queries.power(table, c)
        face["power_parts"] = _parts(power_contributions(table, c))
        if kind.type == MINION and queries.is_excluded_from_total(table, c):
            face["withheld"] = True
    if abilities.has_cancelled_ability(table, c):
        face["cancelled"] = True
    if s.counters[c]:
        face["counters"] = s.counters[c]
    if c in s.on_card:
        face["actions"] = [_card_in_play(table, a, viewer) for a in s.on_card[c]]
    return face


def _parts(parts: list[Contribution]) -> list[types.Part]:
    """What a number is made of; a card that brings something is named if it is still seen."""
    return [
        {
            "label": message(part.label),
            "amount": part.amount,
            "source": part.source if part.source != NONE else None,
        }
        for part in parts
    ]


def _plays(table: Table, permission: PlayPermission, count: int) -> types.Plays:
    """A permission to play cards, with its count; all players know the card that gave it."""
    origin = permission.source_card
    return {
        "kind": _PLAY_KINDS[permission.types],
        "count": count,
        "normal": permission.is_normal,
        "source": origin if origin != NONE and table.in_play(origin) else None,
        "notes": [message(note) for note in describe_restrictions(table, permission)],
    }


# --- decisions ------------------------------------------------------------------------------


def _decision(table: Table, decision: Decision | None, viewer: int) -> types.Decision | None:
    """The pending choice. Only the player who decides learns what the options are."""
    if decision is None:
        return None
    shown: types.Decision = {"player": decision.player}
    if decision.player != viewer:
        return shown
    shown["purpose"] = decision.purpose
    shown["kind"] = OPTION_KINDS[decision.kind]
    shown["question"] = message(decision.question())
    if decision.source != NONE:
        shown["source"] = _seen_face(table, decision.source, viewer)
    if subjects := subjects_of(table, decision):
        shown["subjects"] = subjects
    if (reason := reason_for(table, decision)) is not None:
        shown["reason"] = reason
    if decision.multi_pick is not None:
        shown["picked"] = decision.multi_pick.picked
        shown["min"] = decision.multi_pick.min
        shown["max"] = decision.multi_pick.max
        shown["ordered"] = decision.multi_pick.ordered
    shown["options"] = [
        _option(table, decision, i, viewer)
        for i, option in enumerate(decision.options)
        # A director's own moves are no options of the player.
        if decision.kind != MOVES or option.verb < len(MOVE_NAMES)
    ]
    return shown


def _option(table: Table, decision: Decision, index: int, viewer: int) -> types.Option:
    option = decision.options[index]
    shown: types.Option = {"index": index, "label": message(decision.label(index))}
    if decision.declines(index):
        shown["declines"] = True
    if decision.kind == MOVES:
        shown["verb"] = "special" if is_special(table, option) else MOVE_NAMES[option.verb]
        if option.card != NONE:
            shown["card"] = _face(table, option.card)
        if option.verb == PLAY_CARD and option.place != NONE:
            shown["host" if option.on_card else "base"] = option.place
        if option.permission is not None and not option.permission.is_normal:
            shown["extra"] = True
    elif decision.kind == CARDS and option != NONE:
        hidden = table.state.zone[option] not in (AT_BASE, ON_CARD)
        shown["card"] = _seen_face(table, option, viewer) if hidden else _face(table, option)
    elif decision.kind == SITES and option != NONE:
        shown["base"] = option
    elif decision.kind == PLAYERS and option != NONE:
        shown["player"] = option
    elif decision.kind == WORDS:
        shown["mode"] = index
    elif decision.kind == TRIGGERS:
        card = option.ability.card
        open_card = table.in_play(card) or visibility.knows_card(table, viewer, card)
        shown["card"] = _face(table, card) if open_card else {"hidden": True}
    elif decision.kind == FACTIONS:
        shown["faction"] = table.catalogue.factions[option].name
    return shown


def message(m: Message) -> types.Sentence:
    """A message as plain data: its text, what fills the gaps, and how it reads in English."""
    return {
        "text": m.text,
        "args": {k: _plain(v) for k, v in m.args.items()},
        "english": str(m),
    }


def _plain(value: object) -> Any:
    if isinstance(value, Name):
        return {"sort": value.sort, "id": value.id, "text": value.text}
    if isinstance(value, Message):
        return message(value)
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value
