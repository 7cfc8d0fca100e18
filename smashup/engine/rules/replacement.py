"""Replacement abilities: what happens "instead" of leaving play or of going to the discard pile."""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import DESTROYED, DISCARD, HAND, RETURNED
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.events import ActiveAbility
from smashup.engine.model.hooks import Hook
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, choosing, direct_effects, play_counts

H_INSTEAD_OF_DISCARD: Final = Hook.INSTEAD_OF_DISCARD.value
H_INSTEAD_OF_LEAVING: Final = Hook.INSTEAD_OF_LEAVING.value


def replace_leaving(table: Table, cards: list[int], how: int, to: int) -> list[int]:
    """Let replacement abilities ("instead") act on cards that would leave together; return those
    that leave.

    The current player picks the order of the cards if it matters.
    """
    if not abilities.listeners(table, H_INSTEAD_OF_LEAVING):
        return cards
    used: list[ActiveAbility] = []
    waiting = cards[:]
    leaving: list[int] = []
    while waiting:
        c = waiting[0]
        if len(waiting) > 1:
            first = _to_replace_first(table, waiting, how, to, used)
            if len(first) > 1:
                prompt = "Which card is dealt with first?"
                c = choosing.ask_card(
                    table, table.state.current, Purpose.ORDER_REPLACEMENTS, prompt, first
                )
        waiting.remove(c)
        if table.in_play(c) and not _is_replaced(table, c, how, to, used):
            leaving.append(c)
    return [c for c in cards if c in leaving]


def _to_replace_first(
    table: Table, cards: list[int], how: int, to: int, used: list[ActiveAbility]
) -> list[int]:
    """Return the cards whose leaving may be replaced, if it matters which of them is first.

    It does if an ability of no player replaces only one, or if one of the cards replaces the
    leaving of others, as it may be gone before it can.
    """
    competing = {c: _competing(table, c, how, to, used) for c in cards if table.in_play(c)}
    replaceable = [c for c, found in competing.items() if found]
    if len(replaceable) < 2:
        return []
    common = {x for found in competing.values() for x in found}
    for ability in common:
        if table.state.controller[ability.card] < 0 and ability.definition.replaces_one_per_event:
            alike = [c for c in replaceable if ability in competing[c]]
            if len(alike) > 1:
                return replaceable
    if how == DESTROYED:
        for ability in abilities.listeners(table, H_INSTEAD_OF_LEAVING):
            if ability.card in replaceable and any(
                _would_replace(table, ability, c) for c in cards if c != ability.card
            ):
                return replaceable
    return []


def _would_replace(table: Table, ability: ActiveAbility, c: int) -> bool:
    """Whether an ability may replace that a card is destroyed or returned."""
    me, card = table.cards[ability.card], table.cards[c]
    return ability.definition.instead_of_leaving_if(
        me, card, DESTROYED, DISCARD
    ) or ability.definition.instead_of_leaving_if(me, card, RETURNED, HAND)


def _competing(
    table: Table, c: int, how: int, to: int, used: list[ActiveAbility]
) -> list[ActiveAbility]:
    """Return the abilities that may replace that a card leaves."""
    if not play_counts.may_replace(table, c):
        return []
    card = table.cards[c]
    return [
        ability
        for ability in abilities.listeners(table, H_INSTEAD_OF_LEAVING)
        if not (ability.definition.replaces_one_per_event and ability in used)
        and ability.definition.instead_of_leaving_if(table.cards[ability.card], card, how, to)
    ]


def _is_replaced(table: Table, c: int, how: int, to: int, used: list[ActiveAbility]) -> bool:
    """Whether a replacement ability ("instead") keeps the card from leaving.

    If several compete, the current player picks which is tried first. ``used`` collects
    those that already replaced the leaving of one of these cards.
    """
    competing = _competing(table, c, how, to, used)
    card = table.cards[c]
    controller = table.state.controller[c]
    while competing:
        ability = competing[0]
        if len(competing) > 1:
            ability = _pick_ability(table, "Which ability replaces it?", competing)
        competing.remove(ability)
        direct_effects.interrupt(table, ability)
        done = ability.definition.instead_of_leaving(table.cards[ability.card], card, how, to)
        direct_effects.resume(table)
        if done:
            used.append(ability)
            play_counts.count_replacement(table, controller)
            return True
    return False


def replace_discard(table: Table, c: int) -> int:
    """Return where a card goes instead of the discard pile, if a text says so.

    If several texts do, the current player picks which is tried first.
    """
    card = table.cards[c]
    competing = [
        ability
        for ability in abilities.listeners(table, H_INSTEAD_OF_DISCARD)
        if ability.definition.instead_of_discard_if(table.cards[ability.card], card)
    ]
    while competing:
        first = 0
        if len(competing) > 1:
            first = competing.index(
                _pick_ability(table, "Which ability replaces the discard?", competing)
            )
        ability = competing.pop(first)
        direct_effects.interrupt(table, ability)
        to = ability.definition.instead_of_discard(table.cards[ability.card], card)
        direct_effects.resume(table)
        if to >= 0:
            return to
    return DISCARD


def _pick_ability(table: Table, prompt: str, competing: list[ActiveAbility]) -> ActiveAbility:
    chosen = choosing.ask_card(
        table, table.state.current, Purpose.ORDER_REPLACEMENTS, prompt, [x.card for x in competing]
    )
    return next(x for x in competing if x.card == chosen)
