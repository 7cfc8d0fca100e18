"""The permissions of a player, and a description of what they restrict."""

from __future__ import annotations

from typing import Any, Final

from smashup.engine.model.constants import ANY_MINION, DISCARD, NO_LIMIT, NONE, PLAY
from smashup.engine.model.hooks import Hook
from smashup.engine.model.messages import Message, Name, base_name
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities

H_GRANTS_PLAY: Final = Hook.GRANTS_PLAY.value


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
            if not abilities.is_permission_used(table, permission, player):
                found.append(permission)
    return found


def plays_left(table: Table) -> list[tuple[PlayPermission, int]]:
    """Return the permissions the current player still has this turn, with their counts."""
    s = table.state
    if s.phase != PLAY:
        return []
    permissions = s.permissions + permissions_in_play(table, s.current)
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
