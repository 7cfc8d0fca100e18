"""Abilities in force: which cards have them, what cancels them, and what triggers them.

The rules ask for the abilities of one hook very often, so they are kept in an index that is rebuilt
only when something it depends on has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from smashup.engine.model.constants import (
    AT_BASE,
    BASE,
    BASE_IN_PLAY,
    NONE,
    ON_CARD,
    YOUR_NEXT_TURN,
)
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import ActiveAbility, Cause, Event, Trigger
from smashup.engine.model.hooks import METHODS, Hook
from smashup.engine.model.state import LOST_ABILITIES, Effect
from smashup.engine.model.table import Table
from smashup.engine.model.trials import AbilityIndex
from smashup.engine.model.triggers import is_triggered
from smashup.engine.rules.ignored_bases import ignore_base

if TYPE_CHECKING:
    from smashup.engine.model.permissions import PlayPermission

H_CANCELS: Final = Hook.CANCELS.value
H_REVEALS_BASE_DECK_TOP: Final = Hook.REVEALS_BASE_DECK_TOP.value
H_IGNORES_BASE: Final = Hook.IGNORES_BASE.value
H_GRANTS_OWN_PLAY: Final = Hook.GRANTS_OWN_PLAY.value

RULES: Final = Cause(-1, -1, 0, False)
"""The cause of what the rules do."""


_CANCELS: Final = 1 << H_CANCELS
_CHANGEABLE: Final = _CANCELS | 1 << H_REVEALS_BASE_DECK_TOP | 1 << H_IGNORES_BASE
"""Abilities that change which others are in force, so that the index is not kept."""
_NOBODY_LISTENS: Final[list[ActiveAbility]] = []
_BITS: Final[dict[int, list[int]]] = {}


def _bits(hooks: int) -> list[int]:
    """Return the positions of the bits in a bit set of abilities, cached."""
    found = _BITS.get(hooks)
    if found is None:
        found = _BITS[hooks] = [i for i in range(len(METHODS)) if hooks >> i & 1]
    return found


# --- resolving cards --------------------------------------------------------------------


def current_cause(table: Table) -> Cause:
    """Return the cause of what happens now."""
    return table.resolutions[-1].cause if table.resolutions else RULES


def cause_of(table: Table, c: int, playing: bool = False) -> Cause:
    """Create the cause of what a card does."""
    s = table.state
    definition = s.definition[c]
    controller = NONE if definition.type == BASE else s.controller[c]
    return Cause(c, controller, definition.type, playing)


def emit(table: Table, event: Event, listening: list[ActiveAbility] | None = None) -> None:
    """Queue the abilities an event triggers; they wait for the resolving card to finish.

    So do the cards in hand that may react to it.
    """
    if specials_for(table, event.hook):
        resolution = table.resolutions[-1]
        resolution.hand_events = [*(resolution.hand_events or ()), event]
    hook = event.hook
    listening = listeners(table, hook) if listening is None else listening
    if not listening:
        return
    queue = table.resolutions[-1].queue
    cards = table.cards
    for ability in listening:
        table.tested_ability = ability
        me = cards[ability.card]
        if is_triggered(ability.definition, hook, me, event):
            queue.append(Trigger(ability, hook, event, me))
    table.tested_ability = None


def ability_of(table: Table, c: int) -> ActiveAbility:
    """Return the ability of a card that is being tested or resolving, else the card's own.

    A card may have several: copied and granted abilities are separate ones.
    """
    ability = table.tested_ability
    if ability is None and table.resolutions:
        ability = table.resolutions[-1].ability
    if ability is None or ability.card != c:
        return ActiveAbility(c, table.state.definition[c], 0)
    return ability


def once_key(table: Table, c: int, life: int, player: int) -> tuple[int, ...]:
    """Return the key to record when a player uses a once-a-turn ability of a card."""
    ability = ability_of(table, c)
    if ability.granted_by == NONE and ability.definition is table.state.definition[c]:
        return (c, life, player)
    return (c, life, player, ability.stamp, *ability.definition.name.encode())


def once_key_of_copies(table: Table, c: int, player: int) -> tuple[int, ...]:
    """What is noted when a player uses an ability that counts for all cards of a name."""
    return (-1, -3, player, *ability_of(table, c).definition.name.encode())


def has_listeners(table: Table, hook: int) -> bool:
    """Whether a card in play, or perhaps in a hand, reacts to such an event."""
    return bool((table.index or ability_index(table))[hook] or table.traits.specials[hook])


def specials_for(table: Table, hook: int) -> set[CardDefinition]:
    """Return the cards of this game that can be played from hand after such an event."""
    return table.traits.specials[hook]


def kinds_with_own_play(table: Table) -> set[CardDefinition]:
    """The cards of this game that may be played from a discard pile by their own text."""
    return specials_for(table, H_GRANTS_OWN_PLAY)


def is_permission_used(table: Table, permission: PlayPermission, player: int) -> bool:
    """Whether a player has used a permission of a card in play this turn."""
    s = table.state
    return permission.usage_key(player, s.lives[permission.source_card]) in s.used_this_turn


# --- abilities in force -----------------------------------------------------------------


def listeners(table: Table, hook: int) -> list[ActiveAbility]:
    """Return the abilities in force for a hook, oldest first. Callers must not change the list."""
    return (table.index or ability_index(table))[hook]


def ability_index(table: Table) -> list[list[ActiveAbility]]:
    """Return all abilities in force, by hook."""
    index = table.index
    if index is None:
        before = table.volatile_reads
        known = table.all_abilities
        if known is None:
            known = table.all_abilities = _index_all(table)
        index = _without_cancelled(table, known)
        if table.volatile_reads == before:
            table.index = index
    return index


def snapshot_index(table: Table) -> AbilityIndex | None:
    """Return the abilities in force for use by a copy of this table; None if not known."""
    index, known = table.index, table.all_abilities
    if index is None or known is None:
        return None
    return AbilityIndex(index[:], known[:], table.has_cancellers, table.index_is_volatile)


def restore_index(table: Table, snapshot: AbilityIndex) -> None:
    """Use the abilities that were in force at this moment of another copy."""
    table.all_abilities = snapshot.all_abilities[:]
    table.index = snapshot.by_hook[:] if snapshot.is_volatile else table.all_abilities
    table.has_cancellers = snapshot.has_cancellers
    table.index_is_volatile = snapshot.is_volatile


def _index_all(table: Table) -> list[list[ActiveAbility]]:
    """Return the abilities of all cards by hook, lost and cancelled ones too."""
    index = [_NOBODY_LISTENS] * len(METHODS)
    for ability in table.state.abilities:
        for hook in _hooks_of(table, ability):
            index[hook] = [*index[hook], ability]
    return index


def _without_cancelled(table: Table, known: list[list[ActiveAbility]]) -> list[list[ActiveAbility]]:
    """Return the abilities in force: the index of all abilities itself if none can be lost."""
    s = table.state
    lost = [e for e in s.effects if e.kind == LOST_ABILITIES] if s.effects else []
    changing = known[H_CANCELS] + known[H_REVEALS_BASE_DECK_TOP] + known[H_IGNORES_BASE]
    table.index_is_volatile = bool(changing or lost)
    table.has_cancellers = False
    if not table.index_is_volatile:
        return known
    for ability in changing:
        table.has_cancellers |= not ability.definition.cancels_host_only
    index = known[:]
    cancellers = _effective_cancellers(table, known[H_CANCELS], lost)
    if cancellers or lost:
        for ability in s.abilities:
            if _is_cancelled(table, ability, cancellers, lost):
                for hook in _hooks_of(table, ability):
                    index[hook] = [x for x in index[hook] if x is not ability]
    for ability in index[H_REVEALS_BASE_DECK_TOP]:
        granted = _ability_of_top_base(table, ability)
        if granted is not None and not _is_cancelled(table, granted, cancellers, lost):
            for hook in _bits(granted.definition.hooks):
                index[hook] = [*index[hook], granted]
    if index[H_IGNORES_BASE]:
        _wrap_ignored_bases(table, index)
    return index


def _wrap_ignored_bases(table: Table, index: list[list[ActiveAbility]]) -> None:
    """Replace the abilities of bases that players ignore with ones that spare those players."""
    ignoring: dict[int, list[ActiveAbility]] = {}
    for ability in index[H_IGNORES_BASE]:
        site = table.state.site_at.get(table.site_serial(ability.card))
        if site is not None:
            ignoring.setdefault(site.base, []).append(ability)
    for hook, found in enumerate(index):
        if found:
            index[hook] = [
                ActiveAbility(
                    x.card,
                    ignore_base(x.definition, tuple(ignoring[x.card])),
                    x.stamp,
                    x.granted_by,
                    x.until_end_of_turn,
                )
                if x.card in ignoring
                else x
                for x in found
            ]


def _ability_of_top_base(table: Table, ability: ActiveAbility) -> ActiveAbility | None:
    """Return the ability of the top card of the base deck as one of the base a card is at."""
    s = table.state
    site = s.site_at.get(table.site_serial(ability.card))
    if site is None or not s.base_deck:
        return None
    if not ability.definition.reveals_base_deck_top(table.cards[ability.card]):
        return None
    return ActiveAbility(site.base, s.definition[s.base_deck[-1]], ability.stamp, ability.card)


def _hooks_of(table: Table, ability: ActiveAbility) -> list[int]:
    """Return the hooks of an ability that work where its card is."""
    definition = ability.definition
    in_play = table.state.zone[ability.card] in (AT_BASE, ON_CARD, BASE_IN_PLAY)
    return _bits(definition.hooks if in_play else definition.aside_hooks)


def is_cancelled(table: Table, ability: ActiveAbility) -> bool:
    """Whether an ability is lost or cancelled now."""
    s = table.state
    cancellers = [x for x in s.abilities if x.definition.hooks & _CANCELS]
    lost = [e for e in s.effects if e.kind == LOST_ABILITIES]
    return _is_cancelled(table, ability, _effective_cancellers(table, cancellers, lost), lost)


def cards_with_cancelled_ability(table: Table) -> set[int]:
    """The cards in play whose text is lost or cancelled now."""
    ability_index(table)  # sets `index_is_volatile`
    if not table.index_is_volatile:
        return set()
    s = table.state
    cancellers = [x for x in s.abilities if x.definition.hooks & _CANCELS]
    lost = [e for e in s.effects if e.kind == LOST_ABILITIES]
    effective = _effective_cancellers(table, cancellers, lost)
    return {
        x.card for x in s.abilities if x.granted_by < 0 and _is_cancelled(table, x, effective, lost)
    }


def _effective_cancellers(
    table: Table, cancellers: list[ActiveAbility], lost: list[Effect]
) -> list[ActiveAbility]:
    """Return the cancelling abilities that are not cancelled themselves.

    An older one stops a newer one before it takes effect; a newer one that is not stopped
    cancels older ones. A cancelled ability cancels nothing.
    """
    found: list[ActiveAbility] = []
    for ability in cancellers:
        if ability.definition.hooks & _CANCELS and not _is_cancelled(table, ability, found, lost):
            found = [x for x in found if not _is_cancelled(table, x, [ability], lost)]
            found.append(ability)
    return found


def _is_cancelled(
    table: Table, ability: ActiveAbility, cancellers: list[ActiveAbility], lost: list[Effect]
) -> bool:
    """Whether an ability is lost (an effect newer than it) or cancelled by a card in play."""
    zone = table.state.zone
    if zone[ability.card] not in (AT_BASE, ON_CARD, BASE_IN_PLAY):
        return False
    for effect in lost:
        if effect.target == ability.card and effect.stamp > ability.stamp:
            return True
    for other in cancellers:
        if (
            other is not ability
            and other.definition.hooks & _CANCELS
            and zone[other.card] in (AT_BASE, ON_CARD, BASE_IN_PLAY)
            and other.definition.cancels(table.cards[other.card], table.cards[ability.card])
        ):
            return True
    return False


def add_ability(
    table: Table,
    card: int,
    definition: CardDefinition,
    granted_by: int = NONE,
    for_turn: bool = False,
) -> None:
    """Give a card an ability."""
    s = table.state
    s.stamp += 1
    ability = ActiveAbility(card, definition, s.stamp, granted_by, for_turn)
    s.abilities.append(ability)
    known = table.all_abilities
    if known is None or table.index is not known or definition.hooks & _CHANGEABLE:
        table.index = None
    table.power_cache.clear()
    table.is_checked = False
    if known is not None:
        for hook in _hooks_of(table, ability):
            # A new list: a caller may be iterating over the old one.
            known[hook] = [*known[hook], ability]


def drop_abilities(table: Table, card: int) -> None:
    """Remove the abilities a card has and those it grants."""
    s = table.state
    gone = [x for x in s.abilities if x.card == card or x.granted_by == card]
    if not gone:
        return
    s.abilities = s.abilities[:]
    for ability in gone:
        s.abilities.remove(ability)
    known = table.all_abilities
    if known is None or table.index is not known:
        table.index = None
    table.power_cache.clear()
    table.is_checked = False
    if known is not None:
        for ability in gone:
            for hook in _bits(ability.definition.hooks | ability.definition.aside_hooks):
                if ability in known[hook]:
                    rest = known[hook][:]  # a new list: a caller may be iterating over the old one
                    rest.remove(ability)
                    known[hook] = rest


def invalidate_board(table: Table) -> None:
    """Discard cached values that depend on the board, and what depends on them."""
    table.power_cache.clear()
    table.is_checked = False
    if table.has_cancellers:
        table.index = None


def invalidate_hidden(table: Table) -> None:
    """Discard cached values that depend on hidden cards: which cards are in play does not."""
    table.power_cache.clear()
    table.is_checked = False
    if table.index_is_volatile:
        table.index = None


def invalidate_abilities(table: Table) -> None:
    """Discard the index: abilities were added, removed or lost, or work in another zone."""
    table.power_cache.clear()
    table.is_checked = False
    table.index = table.all_abilities = None


# --- effects ----------------------------------------------------------------------------


def add_effect(
    table: Table,
    kind: int,
    target: int,
    amount: int,
    player: int,
    until: int,
    until_player: int = NONE,
) -> None:
    """Add an effect with a duration: power, control, a breakpoint, a ban."""
    s = table.state
    s.stamp += 1
    if until == YOUR_NEXT_TURN and until_player == NONE:
        until_player = player
    by = table.resolutions[-1].cause.card if table.resolutions else NONE
    name = s.definition[by].name if by != NONE else ""
    s.effects.append(Effect(kind, target, amount, player, until, until_player, s.stamp, by, name))
    if kind == LOST_ABILITIES:
        invalidate_abilities(table)
    else:
        invalidate_board(table)
