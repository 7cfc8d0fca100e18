"""What a number on the table is made of: powers and breakpoints part by part, for who asks why.

`queries` adds the same things up, quickly, for the rules. Parts always sum up to its numbers: the
tests compare them all through random games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import (
    ACTION,
    AT_BASE,
    DISCARD,
    IN_MIDDLE,
    MINION,
    NONE,
    ON_CARD,
)
from smashup.engine.model.definitions import (
    H_AURA,
    H_BREAKPOINT,
    H_CARD_BONUS,
    H_HOST_BONUS,
    H_HOST_PRINTED_POWER,
    H_PLAYER_POWER,
    H_POWER_BONUS,
    H_STARTING_BREAKPOINT,
    H_STARTING_POWER,
)  # fmt: skip
from smashup.engine.model.messages import Message, Name
from smashup.engine.model.state import BREAKPOINT, PLAYER_POWER, POWER, Effect
from smashup.engine.rules import abilities, queries

if TYPE_CHECKING:
    from smashup.engine.model.table import Table

_OPEN = (AT_BASE, ON_CARD, IN_MIDDLE, DISCARD)


class Part:
    """One thing that adds to a number: what it is called, how much, and by which card."""

    __slots__ = ("amount", "label", "source")

    def __init__(self, label: Message, amount: int, source: int = NONE) -> None:
        self.label = label
        self.amount = amount
        self.source = source
        """A card that everybody can see; `NONE` for the rules and for cards that are gone."""


def power_parts(t: Table, c: int) -> list[Part]:
    """What the power of a card at a base is made of."""
    s = t.state
    parts: list[Part] = []
    card = t.cards[c]
    if s.kind[c].type == MINION:
        parts.append(_starting_power(t, c))
    if s.counters[c]:
        parts.append(Part(Message("+1 power counters", {}), s.counters[c]))
    for source in abilities.listeners(t, H_HOST_BONUS):
        if s.zone[source.card] == ON_CARD and s.place[source.card] == c:
            amount = source.kind.host_bonus(t.cards[source.card], card)
            _add(parts, t, source.card, amount)
    if s.kind[c].type == MINION:
        for source in abilities.listeners(t, H_AURA):
            _add(parts, t, source.card, source.kind.aura(t.cards[source.card], card))
    for source in abilities.listeners(t, H_CARD_BONUS):
        _add(parts, t, source.card, source.kind.card_bonus(t.cards[source.card], card))
    for source in abilities.listeners(t, H_POWER_BONUS):
        if source.card == c:
            _add(parts, t, c, source.kind.power_bonus(card))
    for effect in s.effects:
        if effect.target == c and effect.what == POWER:
            parts.append(_lasting(t, effect))
    return _not_below_zero(parts)


def side_parts(t: Table, serial: int, player: int) -> list[Part]:
    """What gives a player power at a base that no card there shows as its own."""
    parts: list[Part] = []
    if t.edition.minions_only:
        return parts
    s = t.state
    for source in abilities.listeners(t, H_PLAYER_POWER):
        if t.site_serial(source.card) == serial:
            amount = source.kind.player_power(t.cards[source.card], t.seats[player])
            _add(parts, t, source.card, amount)
    for effect in s.effects:
        if effect.what == PLAYER_POWER and effect.target == serial and effect.player == player:
            parts.append(_lasting(t, effect))
    return parts


def has_power(t: Table, c: int) -> bool:
    """Whether an action on a base has power of its own, from cards that strengthen any card."""
    s = t.state
    is_action = s.kind[c].type == ACTION and s.zone[c] == AT_BASE
    return is_action and bool(abilities.listeners(t, H_CARD_BONUS)) and not t.edition.minions_only


def breakpoint_parts(t: Table, serial: int) -> list[Part]:
    """What the breakpoint of a base is made of."""
    s = t.state
    base = t.base(serial)
    start = queries.starting_breakpoint(t, serial)
    setter = NONE
    for source in abilities.listeners(t, H_STARTING_BREAKPOINT):
        if source.kind.starting_breakpoint(t.cards[source.card], base) == start:
            setter = source.card
    if setter == NONE:
        parts = [Part(Message("Printed breakpoint", {}), start)]
    else:
        name = Name("card", setter, s.kind[setter].name)
        parts = [Part(Message("Set by {card}", {"card": name}), start, _seen(t, setter))]
    for source in abilities.listeners(t, H_BREAKPOINT):
        _add(parts, t, source.card, source.kind.breakpoint_change(t.cards[source.card], base))
    for effect in s.effects:
        if effect.what == BREAKPOINT and effect.target == serial:
            parts.append(_lasting(t, effect))
    return _not_below_zero(parts)


def _starting_power(t: Table, c: int) -> Part:
    """The printed power, or what a text says it starts from."""
    s = t.state
    start = queries.starting_power(t, c)
    for source in abilities.listeners(t, H_STARTING_POWER):
        if source.card == c and source.kind.starting_power(t.cards[c]) == start:
            return Part(Message("Starting power, by its own text", {}), start, c)
    for source in abilities.listeners(t, H_HOST_PRINTED_POWER):
        action = source.card
        if s.zone[action] == ON_CARD and s.place[action] == c:
            value = source.kind.host_printed_power(t.cards[action], t.cards[c])
            if value == start:
                name = Name("card", action, s.kind[action].name)
                return Part(Message("Set by {card}", {"card": name}), start, action)
    return Part(Message("Printed power", {}), start)


def _add(parts: list[Part], t: Table, card: int, amount: int) -> None:
    """What an ability in force gives, if it gives anything."""
    if amount:
        name = Name("card", card, t.state.kind[card].name)
        parts.append(Part(Message("{card}", {"card": name}), amount, _seen(t, card)))


def _lasting(t: Table, effect: Effect) -> Part:
    """What something that was done gives, for a while."""
    if not effect.giver:
        return Part(Message("An effect", {}), effect.amount)
    name = Name("card", NONE, effect.giver)
    return Part(Message("{card}", {"card": name}), effect.amount, _seen(t, effect.source))


def _seen(t: Table, card: int) -> int:
    return card if t.state.zone[card] in _OPEN else NONE


def _not_below_zero(parts: list[Part]) -> list[Part]:
    total = sum(part.amount for part in parts)
    if total < 0:
        parts.append(Part(Message("Never below zero", {}), -total))
    return parts
