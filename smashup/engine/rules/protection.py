"""Protection: which cards are not affected by which others."""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import MINION
from smashup.engine.model.events import ActiveAbility, Cause
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import SHELTERED, UNAFFECTED
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities

H_IGNORES_BASE: Final = Hook.IGNORES_BASE.value
H_PROTECTS: Final = Hook.PROTECTS.value


def is_protected(table: Table, c: int, cause: Cause) -> bool:
    """Whether a card is "not affected" by this cause. Bases and rules are not any player's
    cards."""
    if is_unaffected(table, c, cause.card):
        return True
    s = table.state
    if cause.controller < 0:
        return cause.card >= 0 and ignores_base(table, s.controller[c], cause.card)
    for effect in s.effects:
        if (
            effect.kind == SHELTERED
            and effect.player == s.controller[c] != cause.controller
            and s.definition[c].type == MINION
            and effect.target == table.site_serial(c)
        ):
            return True
    for source in abilities.listeners(table, H_PROTECTS):
        if source.definition.protects(table.cards[source.card], table.cards[c], cause):
            return True
    return False


def ignores_base(table: Table, player: int, base: int) -> bool:
    """Whether a player ignores the abilities of a base."""
    handle = table.player_handles[player]
    return any(
        ability.definition.ignores_base(table.cards[ability.card], handle)
        for ability in abilities.listeners(table, H_IGNORES_BASE)
        if table.site_serial(ability.card) == table.site_serial(base)
    )


def keeps_power_and_controller(table: Table, c: int, cause: Cause) -> bool:
    """Whether "not affected" prevents this cause from changing a card's power or controller."""
    return table.edition.power_and_control_affect and is_protected(table, c, cause)


def can_keep_power(table: Table) -> bool:
    """Whether a card in play may keep continuous power changes of other cards from applying."""
    if not table.edition.power_and_control_affect:
        return False
    if abilities.listeners(table, H_PROTECTS):
        return True
    return any(effect.kind in (SHELTERED, UNAFFECTED) for effect in table.state.effects)


def keeps_continuous_power(table: Table, c: int, ability: ActiveAbility) -> bool:
    """Whether "not affected" prevents a continuous ability in play from changing a card's power."""
    source = ability.card
    s = table.state
    if source == c or s.controller[source] < 0:
        return False
    cause = Cause(source, s.controller[source], s.definition[source].type, False)
    return keeps_power_and_controller(table, c, cause)


def is_unaffected(table: Table, c: int, source: int) -> bool:
    """Whether an effect keeps a card from being affected by another one."""
    for effect in table.state.effects:
        if effect.kind == UNAFFECTED and effect.target == c and effect.amount == source:
            return True
    return False
