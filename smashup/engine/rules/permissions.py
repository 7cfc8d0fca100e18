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

MINION_PLAY: Final = PlayPermission(MINION, is_normal=True)
ACTION_PLAY: Final = PlayPermission(ACTION, is_normal=True)
EXTRA_MINION: Final = PlayPermission(MINION)
EXTRA_ACTION: Final = PlayPermission(ACTION)


def permissions_in_play(table: Table, player: int) -> list[PlayPermission]:
    """Return the permissions from cards in play that the player has not used this turn."""
    found: list[PlayPermission] = []
    replacing: list[PlayPermission] = []
    for ability in abilities.listeners(table, H_GRANTS_PLAY):
        permission = ability.definition.grants_play(
            table.cards[ability.card], table.player_handles[player]
        )
        if permission is not None:
            if ability.granted_by != NONE:
                permission.granted_stamp = ability.stamp
            if abilities.is_permission_used(table, permission, player):
                continue
            if not permission.instead_of or replaced_play(table, permission) is not None:
                found.append(permission)
            if permission.instead_of == PLAIN_PLAY:
                replacing.append(permission)
    if replacing:
        extra = [x for x in (*table.state.permissions, *found) if _is_limited_extra(x)]
        for permission in replacing:
            forms = [permission.in_place_of(play) for play in dict.fromkeys(extra)]
            found += [form for form in forms if form is not None]
    return found


def _is_limited_extra(play: PlayPermission) -> bool:
    """Whether an extra play is not among those that `replaced_play` finds."""
    return not (play.is_normal or play.instead_of or play in (EXTRA_MINION, EXTRA_ACTION))


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
        replaced = permission.replaces
        if replaced is None:
            note("instead of another play")
        elif replaced.source_card != NONE:
            giver = definitions[replaced.source_card].name
            note("instead of a play by {card}", card=Name("card", NONE, giver))
        elif replaced.at != NONE:
            note("instead of the extra play at {base}", base=base_name(table, replaced.at))
        else:
            note("instead of an extra play")
    if permission.must_affect == ANY_MINION:
        note("must affect a minion")
    elif permission.must_affect != NONE:
        note("must affect {card}", card=card(permission.must_affect))
    if permission.must_raise:
        note("must raise a minion's power")
    source = permission.source_name
    if not source and permission.source_card != NONE:
        source = definitions[permission.source_card].name
    # A base that grants plays at itself is named already.
    if source and (permission.at == NONE or base_name(table, permission.at).text != source):
        id = NONE if permission.source_name else permission.source_card
        note("by {card}", card=Name("card", id, source))
    return notes
