"""Breakdowns: the contributions to powers and breakpoints, to explain a number.

`queries` computes the same sums, fast, for the rules. Tests compare the two throughout random
games.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from smashup.engine.model.constants import (
    ACTION,
    AT_BASE,
    BASE_IN_PLAY,
    DISCARD,
    MINION,
    NONE,
    ON_CARD,
)
from smashup.engine.model.hooks import Hook
from smashup.engine.model.messages import Message, Name
from smashup.engine.model.state import BREAKPOINT, PLAYER_POWER, POWER, Effect
from smashup.engine.rules import abilities, protection, queries

if TYPE_CHECKING:
    from smashup.engine.model.table import Table

H_AURA: Final = Hook.AURA.value
H_BREAKPOINT_CHANGE: Final = Hook.BREAKPOINT_CHANGE.value
H_CARD_BONUS: Final = Hook.CARD_BONUS.value
H_HOST_BONUS: Final = Hook.HOST_BONUS.value
H_HOST_PRINTED_POWER: Final = Hook.HOST_PRINTED_POWER.value
H_PLAYER_POWER: Final = Hook.PLAYER_POWER.value
H_POWER_BONUS: Final = Hook.POWER_BONUS.value
H_STARTING_BREAKPOINT: Final = Hook.STARTING_BREAKPOINT.value
H_STARTING_POWER: Final = Hook.STARTING_POWER.value

_OPEN = (AT_BASE, ON_CARD, BASE_IN_PLAY, DISCARD)
_PRINTED_POWER: Final = Message("Printed power", {})
_PRINTED_BREAKPOINT: Final = Message("Printed breakpoint", {})
_COUNTERS: Final = Message("+1 power counters", {})


class Contribution:
    """One part of a number: its label, amount and card. Immutable."""

    __slots__ = ("amount", "label", "source")

    def __init__(self, label: Message, amount: int, source: int = NONE) -> None:
        self.label = label
        self.amount = amount
        self.source = source
        """The card, if everybody can see it; `NONE` for the rules and for cards that are gone."""


def power_contributions(t: Table, c: int) -> list[Contribution]:
    """Return the contributions to the power of a card at a base."""
    s = t.state
    parts: list[Contribution] = []
    card = t.cards[c]
    index = abilities.ability_index(t)
    is_minion = s.definition[c].type == MINION
    if is_minion:
        parts.append(_starting_power(t, c))
    if s.counters[c]:
        parts.append(Contribution(_COUNTERS, s.counters[c]))
    if c in s.on_card:
        for ability in index[H_HOST_BONUS]:
            if s.zone[ability.card] == ON_CARD and s.place[ability.card] == c:
                if protection.is_unaffected(t, c, ability.card):
                    continue
                amount = ability.definition.host_bonus(t.cards[ability.card], card)
                _add(parts, t, ability.card, amount)
    for ability in index[H_POWER_BONUS]:
        if ability.card == c:
            _add(parts, t, c, ability.definition.power_bonus(card))
    for effect in s.effects:
        if effect.target == c and effect.kind == POWER:
            parts.append(_lasting(t, effect))
    changes = queries.continuous_changes(t, c)
    if protection.can_keep_power(t):
        own_power = sum(part.amount for part in parts)
        changes = queries.unprotected_changes(t, c, own_power, changes)
    for ability, amount in changes:
        _add(parts, t, ability.card, amount)
    return _not_below_zero(parts)


@lru_cache(maxsize=256)
def printed_power_contributions(power: int, counters: int) -> list[Contribution]:
    """Return the contributions for a minion with only printed power and counters. Cached."""
    parts = [Contribution(_PRINTED_POWER, power)]
    if counters:
        parts.append(Contribution(_COUNTERS, counters))
    return parts


def other_power_contributions(t: Table, serial: int, player: int) -> list[Contribution]:
    """Return the contributions to a player's power at a base that no card shows as its own."""
    parts: list[Contribution] = []
    s = t.state
    for ability in abilities.listeners(t, H_PLAYER_POWER):
        if t.site_serial(ability.card) == serial:
            amount = ability.definition.player_power(
                t.cards[ability.card], t.player_handles[player]
            )
            _add(parts, t, ability.card, amount)
    for effect in s.effects:
        if effect.kind == PLAYER_POWER and effect.target == serial and effect.player == player:
            parts.append(_lasting(t, effect))
    return parts


def cards_with_changed_power(t: Table) -> set[int]:
    """Return the cards at bases whose power may differ from printed power plus counters."""
    s = t.state
    index = abilities.ability_index(t)
    if index[H_AURA] or index[H_CARD_BONUS]:
        return {c for site in s.sites for c in site.cards}
    changed = {ability.card for ability in index[H_POWER_BONUS]}
    changed.update(s.on_card)
    changed.update([ability.card for ability in index[H_STARTING_POWER]])
    changed.update([effect.target for effect in s.effects if effect.kind == POWER])
    return changed


def are_breakpoints_printed(t: Table) -> bool:
    """Whether every base has its printed breakpoint."""
    index = abilities.ability_index(t)
    return not (
        index[H_STARTING_BREAKPOINT]
        or index[H_BREAKPOINT_CHANGE]
        or any(effect.kind == BREAKPOINT for effect in t.state.effects)
    )


def has_other_power(t: Table) -> bool:
    """Whether players may have power at a base that no card shows as its own."""
    return bool(abilities.listeners(t, H_PLAYER_POWER)) or any(
        effect.kind == PLAYER_POWER for effect in t.state.effects
    )


def has_power(t: Table, c: int) -> bool:
    """Whether an action on a base has power of its own, from cards that strengthen any card."""
    s = t.state
    is_action = s.definition[c].type == ACTION and s.zone[c] == AT_BASE
    return is_action and bool(abilities.listeners(t, H_CARD_BONUS))


def breakpoint_contributions(t: Table, serial: int) -> list[Contribution]:
    """Return the contributions to the breakpoint of a base."""
    s = t.state
    base = t.base(serial)
    parts = printed_breakpoint_contributions(t, serial)
    if resets := abilities.listeners(t, H_STARTING_BREAKPOINT):
        start = queries.starting_breakpoint(t, serial)
        for ability in resets:
            c = ability.card
            if ability.definition.starting_breakpoint(t.cards[c], base) == start:
                label = Message("Set by {card}", {"card": Name("card", c, s.definition[c].name)})
                parts = [Contribution(label, start, _seen(t, c))]
    for ability in abilities.listeners(t, H_BREAKPOINT_CHANGE):
        _add(
            parts,
            t,
            ability.card,
            ability.definition.breakpoint_change(t.cards[ability.card], base),
        )
    for effect in s.effects:
        if effect.kind == BREAKPOINT and effect.target == serial:
            parts.append(_lasting(t, effect))
    return _not_below_zero(parts)


def printed_breakpoint_contributions(t: Table, serial: int) -> list[Contribution]:
    """Return the contributions for a base with its printed breakpoint."""
    s = t.state
    return [Contribution(_PRINTED_BREAKPOINT, s.definition[s.site_at[serial].base].breakpoint)]


def _starting_power(t: Table, c: int) -> Contribution:
    """Return the contribution of the printed power, or of a text that replaces it."""
    s = t.state
    if c not in s.on_card and not abilities.listeners(t, H_STARTING_POWER):
        return Contribution(_PRINTED_POWER, s.definition[c].power)
    start = queries.starting_power(t, c)
    for ability in abilities.listeners(t, H_STARTING_POWER):
        if ability.card == c and ability.definition.starting_power(t.cards[c]) == start:
            return Contribution(Message("Starting power, by its own text", {}), start, c)
    for ability in abilities.listeners(t, H_HOST_PRINTED_POWER):
        action = ability.card
        if s.zone[action] == ON_CARD and s.place[action] == c:
            value = ability.definition.host_printed_power(t.cards[action], t.cards[c])
            if value == start:
                name = Name("card", action, s.definition[action].name)
                return Contribution(Message("Set by {card}", {"card": name}), start, action)
    return Contribution(_PRINTED_POWER, start)


def _add(parts: list[Contribution], t: Table, card: int, amount: int) -> None:
    """Add the contribution of an ability in force, if it is not zero."""
    if amount:
        name = Name("card", card, t.state.definition[card].name)
        parts.append(Contribution(Message("{card}", {"card": name}), amount, _seen(t, card)))


def _lasting(t: Table, effect: Effect) -> Contribution:
    """Return the contribution of a temporary effect."""
    if not effect.source_name:
        return Contribution(Message("An effect", {}), effect.amount)
    name = Name("card", NONE, effect.source_name)
    return Contribution(Message("{card}", {"card": name}), effect.amount, _seen(t, effect.source))


def _seen(t: Table, card: int) -> int:
    return card if t.state.zone[card] in _OPEN else NONE


def _not_below_zero(parts: list[Contribution]) -> list[Contribution]:
    total = sum(part.amount for part in parts)
    if total < 0:
        parts.append(Contribution(Message("Never below zero", {}), -total))
    return parts
