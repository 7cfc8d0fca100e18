"""What the resolving card directly affects: redirection, prevention, and demands of permissions.

An effect on a card may be redirected to another card or prevented; otherwise it is noted, because
some permissions demand that the played card affects or raises a given minion.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import ANY_MINION, END_OF_TURN, MINION, NONE
from smashup.engine.model.events import ActiveAbility, Cause, DirectEffects, Resolution
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import UNAFFECTED
from smashup.engine.model.table import Table
from smashup.engine.model.trials import TrialSucceeded
from smashup.engine.rules import abilities, protection, queries

H_PREVENTS: Final = Hook.PREVENTS.value
H_REDIRECTS: Final = Hook.REDIRECTS.value


def note_affected(table: Table, c: int, can_prevent: bool = True) -> bool:
    """Record that the resolving card directly affects this one; False if an ability prevents it."""
    if can_prevent and is_prevented(table, c):
        return False
    if table.resolutions:
        resolution = table.resolutions[-1]
        direct = resolution.direct_effects
        if direct is None:
            direct = resolution.direct_effects = DirectEffects()
        card = table.cards[c]
        direct.affected.append(card)
        if card not in direct.places:
            direct.places[card] = table.site_serial(c)
            direct.controllers[card] = table.state.controller[c]
        permission = resolution.permission
        if permission is not None and permission.must_affect != NONE and not permission.must_raise:
            wanted = permission.must_affect
            if (wanted == c and table.is_life(c, permission.must_affect_life)) or (
                wanted == ANY_MINION and table.state.definition[c].type == MINION
            ):
                _constraint_met(table, resolution)
    return True


def is_prevented(table: Table, c: int) -> bool:
    """Whether an ability keeps the card from being affected by the resolving one."""
    if not abilities.listeners(table, H_PREVENTS):
        return False
    cause = abilities.current_cause(table)
    return cause.card != NONE and _is_spared(table, c, cause)


def would_be_prevented(table: Table, c: int) -> bool:
    """Whether an ability would keep the card from being affected by the resolving one."""
    cause = abilities.current_cause(table)
    return cause.card != NONE and any(
        ability.definition.prevents_if(table.cards[ability.card], table.cards[c], cause)
        for ability in abilities.listeners(table, H_PREVENTS)
    )


def _is_spared(table: Table, c: int, cause: Cause, is_continuous: bool = False) -> bool:
    """Whether an ability keeps the card from being affected by this cause."""
    card = table.cards[c]
    for ability in list(abilities.listeners(table, H_PREVENTS)):
        if is_continuous and not ability.definition.prevents_continuous:
            continue
        me = table.cards[ability.card]
        if ability.definition.prevents_if(me, card, cause):
            interrupt(table, ability)
            spared = [x.id for x in ability.definition.prevents(me, card, cause)]
            resume(table)
            for other in spared:
                abilities.add_effect(table, UNAFFECTED, other, cause.card, NONE, END_OF_TURN)
            if c in spared:
                return True
    return False


def prevent_continuous_changes(table: Table) -> None:
    """Let abilities that prevent it react to continuous power changes by cards in play."""
    s = table.state
    for c in queries.minions(table):
        for ability, _ in queries.continuous_changes(table, c):
            source = ability.card
            if source != c and not protection.keeps_continuous_power(table, c, ability):
                cause = Cause(source, s.controller[source], s.definition[source].type, False)
                _is_spared(table, c, cause, is_continuous=True)


def note_raised(table: Table, c: int) -> None:
    """Record that the resolving card directly increases the power of this one."""
    if table.resolutions:
        resolution = table.resolutions[-1]
        assert resolution.direct_effects is not None
        resolution.direct_effects.raised.append(table.cards[c])
        permission = resolution.permission
        if (
            permission is not None
            and permission.must_raise
            and permission.must_affect in (NONE, c)
            and table.is_life(c, permission.must_affect_life)
            and table.state.controller[c] == resolution.cause.controller
            and table.state.definition[c].type == MINION
        ):
            _constraint_met(table, resolution)


def _constraint_met(table: Table, resolution: Resolution) -> None:
    """Record that a card met the demand of its permission: its further choices are free."""
    if table.is_trial and resolution is table.resolutions[0]:
        raise TrialSucceeded
    table.trials = [x for x in table.trials if x.resolution is not resolution]


def redirect(table: Table, c: int, cause: Cause, taken: list[int] | None = None) -> int:
    """Return the card that takes on the effect of a card just played on this one.

    A card that is about to leave play (``taken``) cannot take on another effect.
    """
    if not cause.is_being_played or cause.controller < 0:
        return c
    card = table.cards[c]
    for ability in list(abilities.listeners(table, H_REDIRECTS)):
        me = table.cards[ability.card]
        if (
            ability.card != c
            and (taken is None or ability.card not in taken)
            and ability.definition.redirects_if(me, card, cause)
        ):
            interrupt(table, ability)
            takes_it_on = ability.definition.redirects(me, card, cause)
            resume(table)
            if takes_it_on:
                return ability.card
    return c


def interrupt(table: Table, ability: ActiveAbility) -> None:
    """Let an ability resolve in the middle of another card, with its own cause."""
    table.resolutions.append(Resolution(abilities.cause_of(table, ability.card)))


def resume(table: Table) -> None:
    """Continue the interrupted card; what the interruption triggered waits for it to finish."""
    done = table.resolutions.pop()
    if table.resolutions:
        table.resolutions[-1].queue += done.queue
