"""Which permissions to play cards a player has, and what they restrict."""

from __future__ import annotations

from typing import Any

from smashup.engine.model.constants import ANY_MINION, DISCARD, NO_LIMIT, NONE, PLAY
from smashup.engine.model.definitions import H_RIGHT
from smashup.engine.model.messages import Message, Name, base_name
from smashup.engine.model.permissions import Right
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities


def rights_in_play(table: Table, player: int) -> list[Right]:
    """What cards in play let a player play now, beyond what was used up this turn."""
    found: list[Right] = []
    for source in abilities.listeners(table, H_RIGHT):
        right = source.kind.right(table.cards[source.card], table.seats[player])
        if right is not None:
            if source.lender != NONE:
                right.lent = source.stamp
            if not abilities.is_permission_used(table, right, player):
                found.append(right)
    return found


def plays_left(table: Table) -> list[tuple[Right, int]]:
    """What the current player may still play this turn: rights, and how many of each."""
    s = table.state
    if s.phase != PLAY:
        return []
    rights = s.rights + rights_in_play(table, s.current)
    found: list[tuple[Right, int]] = []
    for right in rights:
        if right.has_lapsed(table):
            continue
        for i, (known, count) in enumerate(found):
            if right.same_as(known):
                found[i] = (known, count + 1)
                break
        else:
            found.append((right, 1))
    return found


def limits(table: Table, right: Right) -> list[Message]:
    """What a right demands or leaves out, and who gave it, in words for everybody."""
    kinds = table.state.kind
    notes: list[Message] = []

    def note(text: str, **args: Any) -> None:
        notes.append(Message(text, args))

    def card(c: int) -> Name:
        return Name("card", c, kinds[c].name)

    if right.name:
        note("only {card}", card=Name("card", NONE, right.name))
    if right.not_name:
        note("not {card}", card=Name("card", NONE, right.not_name))
    if right.max_power != NO_LIMIT:
        note("power {power} or less", power=right.max_power)
    if right.source == DISCARD:
        note("from the discard pile")
    if right.at != NONE:
        note("at {base}", base=base_name(table, right.at))
    if right.not_at != NONE:
        note("not at {base}", base=base_name(table, right.not_at))
    if right.on != NONE:
        note("on {card}", card=card(right.on))
    if right.on_others:
        note("on another player's minion")
    if right.with_yours:
        note("where one has a minion")
    if right.must_affect == ANY_MINION:
        note("must affect a minion")
    elif right.must_affect != NONE:
        note("must affect {card}", card=card(right.must_affect))
    if right.must_raise:
        note("must raise a minion's power")
    if right.giver:
        note("by {card}", card=Name("card", NONE, right.giver))
    elif right.origin != NONE:
        note("by {card}", card=card(right.origin))
    return notes
