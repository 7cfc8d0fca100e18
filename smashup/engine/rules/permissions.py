"""The permissions of a player, and a description of what they restrict."""

from __future__ import annotations

from typing import Any, Final

from smashup.engine.model.constants import (
    ACTION,
    ANY_MINION,
    DISCARD,
    MINION,
    NO_LIMIT,
    NONE,
    PLAIN_PLAY,
    PLAY,
)
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import Hook
from smashup.engine.model.messages import Message, Name, base_name
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities

H_GRANTS_PLAY: Final = Hook.GRANTS_PLAY.value

MINION_PLAY = PlayPermission(MINION, is_normal=True)
ACTION_PLAY = PlayPermission(ACTION, is_normal=True)
EXTRA_MINION = PlayPermission(MINION)
EXTRA_ACTION = PlayPermission(ACTION)


def permissions_in_play(table: Table, player: int) -> list[PlayPermission]:
    """Return the permissions from cards in play that the player has not used this turn."""
    found: list[PlayPermission] = []
    for ability in abilities.listeners(table, H_GRANTS_PLAY):
        permission = ability.definition.grants_play(
            table.cards[ability.card], table.player_handles[player]
        )
        if permission is not None:
            if ability.granted_by != NONE:
                permission.granted_stamp = ability.stamp
            if not abilities.is_permission_used(table, permission, player) and (
                not permission.instead_of or replaced_play(table, permission) is not None
            ):
                found.append(permission)
    return found


def own_plays(table: Table, player: int) -> list[PlayPermission]:
    """What cards in a player's discard pile let the player do with them now."""
    kinds = abilities.kinds_with_own_play(table)
    if not kinds:
        return []
    s = table.state
    found: list[PlayPermission] = []
    seen: set[CardDefinition] = set()
    for c in s.discards[player]:
        kind = s.definition[c]
        if kind in kinds and kind not in seen:
            seen.add(kind)
            permission = kind.grants_own_play(table.cards[c], table.player_handles[player])
            if permission is not None and not abilities.is_permission_used(
                table, permission, player
            ):
                found.append(permission)
    return [x for x in found if not x.instead_of or replaced_play(table, x) is not None]


def replaced_play(table: Table, permission: PlayPermission) -> PlayPermission | None:
    """The play that is used up by a permission to do something instead, if it is left."""
    plain = EXTRA_MINION if permission.types == MINION else EXTRA_ACTION
    if permission.instead_of == PLAIN_PLAY and plain in table.state.permissions:
        return plain
    normal = MINION_PLAY if permission.types == MINION else ACTION_PLAY
    return normal if normal in table.state.permissions else None


def plays_left(table: Table) -> list[tuple[PlayPermission, int]]:
    """Return the permissions the current player still has this turn, with their counts."""
    s = table.state
    if s.phase != PLAY:
        return []
    permissions = [
        *s.permissions, *permissions_in_play(table, s.current), *own_plays(table, s.current)
    ]  # fmt: skip
    found: list[tuple[PlayPermission, int]] = []
    for permission in permissions:
        if permission.has_lapsed(table):
            continue
        for i, (known, count) in enumerate(found):
            if permission.allows_same_as(known):
                found[i] = (known, count + 1)
                break
        else:
            found.append((permission, 1))
    return found


def describe_restrictions(table: Table, permission: PlayPermission) -> list[Message]:
    """Describe what a permission demands and excludes, and which card granted it, for all
    players."""
    definitions = table.state.definition
    notes: list[Message] = []

    def note(text: str, **args: Any) -> None:
        notes.append(Message(text, args))

    def card(c: int) -> Name:
        return Name("card", c, definitions[c].name)

    if permission.name:
        note("only {card}", card=Name("card", NONE, permission.name))
    if permission.names:
        names = [Name("card", NONE, name) for name in permission.names]
        note("only one of these: {cards}", cards=names)
    if permission.not_name:
        note("not {card}", card=Name("card", NONE, permission.not_name))
    if permission.max_power != NO_LIMIT:
        note("power {power} or less", power=permission.max_power)
    if permission.from_zone == DISCARD:
        note("from the discard pile")
    if permission.at != NONE:
        note("at {base}", base=base_name(table, permission.at))
    if permission.not_at != NONE:
        note("not at {base}", base=base_name(table, permission.not_at))
    if permission.on != NONE:
        note("on {card}", card=card(permission.on))
    if permission.on_opponents_minion:
        note("on another player's minion")
    if permission.where_you_have_a_minion:
        note("where the player has a minion")
    if permission.where_you_have_no_minion:
        note("where the player has no minion")
    if permission.instead_of:
        note("instead of another play")
    if permission.must_affect == ANY_MINION:
        note("must affect a minion")
    elif permission.must_affect != NONE:
        note("must affect {card}", card=card(permission.must_affect))
    if permission.must_raise:
        note("must raise a minion's power")
    if permission.source_name:
        note("by {card}", card=Name("card", NONE, permission.source_name))
    elif permission.source_card != NONE:
        note("by {card}", card=card(permission.source_card))
    return notes
