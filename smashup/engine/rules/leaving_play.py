"""Cards leave play: destroyed, returned, placed, discarded with their base.

The order is: redirection to another card, protection (can't beats can), replacement, the change,
its triggers.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from smashup.engine.events.movement import (
    CardLeavesPlay,
    CardLeftPlay,
    CardTransferred,
    LeavingPrevented,
    way_of_leaving,
)
from smashup.engine.model.constants import (
    ANY_MINION,
    AT_BASE,
    BURIED,
    DECK,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DESTROYED,
    DISCARD,
    DISCARDED_BY_RULE,
    END_OF_TURN,
    HAND,
    LIMBO,
    MINION,
    NONE,
    ON_CARD,
    RETURNED,
    SCORED,
    SET_ASIDE,
    TITAN,
    WHILE_ATTACHED,
)  # fmt: skip
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.events import ActiveAbility, Cause, DirectEffects, Event, Resolution
from smashup.engine.model.hooks import Hook
from smashup.engine.model.messages import EVERYBODY
from smashup.engine.model.state import CONTROL, UNAFFECTED
from smashup.engine.model.table import Table
from smashup.engine.model.trials import TrialSucceeded
from smashup.engine.rules import (
    abilities,
    choosing,
    play_counts,
    protection,
    queries,
    restrictions,
    zones,
)
from smashup.engine.rules.recording import is_observed, record

H_AFTER_LEAVING_PLAY: Final = Hook.AFTER_LEAVING_PLAY.value
H_AFTER_TRANSFER: Final = Hook.AFTER_TRANSFER.value
H_INSTEAD_OF_DISCARD: Final = Hook.INSTEAD_OF_DISCARD.value
H_EXTRA_NAMES: Final = Hook.EXTRA_NAMES.value
H_GIVES_NAMES: Final = Hook.GIVES_NAMES.value
H_INSTEAD_OF_LEAVING: Final = Hook.INSTEAD_OF_LEAVING.value
H_TRANSFERS_WHEN_HOST_LEAVES: Final = Hook.TRANSFERS_WHEN_HOST_LEAVES.value
H_PREVENTS: Final = Hook.PREVENTS.value
H_REDIRECTS: Final = Hook.REDIRECTS.value

# --- leaving play -----------------------------------------------------------------------


def destroy(table: Table, cards: list[int], actors: dict[int, int] | None = None) -> list[int]:
    """Destroy cards in play simultaneously; return those that were destroyed."""
    return leave_play(table, cards, DESTROYED, DISCARD, actors=actors)


def return_to_hand(
    table: Table, cards: list[int], actors: dict[int, int] | None = None
) -> list[int]:
    """Return cards in play to their owners' hands; return those that went there."""
    return leave_play(table, cards, RETURNED, HAND, actors=actors)


def leave_play(
    table: Table,
    cards: list[int],
    how: int,
    to: int,
    new_home: int = NONE,
    keeping: int = NONE,
    actors: dict[int, int] | None = None,
    directly: bool = True,
) -> list[int]:
    """Make cards leave play by an ability; return those that did, wherever they went.

    The order is: redirection, protection (can't beats can), replacement, the change.
    Each is determined for all cards before the next: what replaces the leaving of one card does
    not end the protection it gave to another.
    The action ``keeping`` is detached from its card and waits to be transferred.
    ``actors``: the players who make the cards leave, if the text tells others to do so.
    ``directly``: whether the resolving card affects them directly.
    """
    cause = abilities.current_cause(table)
    affected: list[int] = []
    for i, named in enumerate(cards):
        if not table.in_play(named):
            continue
        c = named
        if directly and cause.is_being_played and abilities.listeners(table, H_REDIRECTS):
            next_ones = [
                x
                for x in cards[i + 1 :]
                if not _resists(table, x, how, cause) and not would_be_prevented(table, x)
            ]
            c = redirect(table, named, cause, affected + next_ones)
        if _resists(table, c, how, cause):
            if table.logging:
                record(table, LeavingPrevented(c))
        elif note_affected(table, c) if directly else not _prevents(table, c):
            affected.append(c)
            if actors is not None and named != c:
                actors[c] = actors.pop(named)
    leaving = _replace_leaving(table, affected, how, to)
    if keeping != NONE and leaving:
        _detach(table, keeping)
    leave_together(table, leaving, how, to, new_home, actors)
    return leaving


def _resists(table: Table, c: int, how: int, cause: Cause) -> bool:
    """Whether a card does not leave play this way: can't beats can."""
    return (
        protection.is_protected(table, c, cause)
        or (how == DESTROYED and not restrictions.can_destroy(table, c, cause))
        or (how == RETURNED and not restrictions.can_return(table, c, cause))
    )


def note_affected(table: Table, c: int, can_prevent: bool = True) -> bool:
    """Record that the resolving card directly affects this one; False if an ability prevents it."""
    if can_prevent and _prevents(table, c):
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


def _prevents(table: Table, c: int) -> bool:
    """Whether an ability keeps the card from being affected by the resolving one."""
    if not abilities.listeners(table, H_PREVENTS):
        return False
    cause = abilities.current_cause(table)
    return cause.card != NONE and _is_prevented(table, c, cause)


def would_be_prevented(table: Table, c: int) -> bool:
    """Whether an ability would keep the card from being affected by the resolving one."""
    cause = abilities.current_cause(table)
    return cause.card != NONE and any(
        ability.definition.prevents_if(table.cards[ability.card], table.cards[c], cause)
        for ability in abilities.listeners(table, H_PREVENTS)
    )


def _is_prevented(table: Table, c: int, cause: Cause, is_continuous: bool = False) -> bool:
    """Whether an ability keeps the card from being affected by this cause."""
    card = table.cards[c]
    for ability in list(abilities.listeners(table, H_PREVENTS)):
        if is_continuous and not ability.definition.prevents_continuous:
            continue
        me = table.cards[ability.card]
        if ability.definition.prevents_if(me, card, cause):
            _interrupt(table, ability)
            spared = [x.id for x in ability.definition.prevents(me, card, cause)]
            _resume(table)
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
                _is_prevented(table, c, cause, is_continuous=True)


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
            _interrupt(table, ability)
            takes_it_on = ability.definition.redirects(me, card, cause)
            _resume(table)
            if takes_it_on:
                return ability.card
    return c


def _interrupt(table: Table, ability: ActiveAbility) -> None:
    """Let an ability resolve in the middle of another card, with its own cause."""
    table.resolutions.append(Resolution(abilities.cause_of(table, ability.card)))


def _resume(table: Table) -> None:
    """Continue the interrupted card; what the interruption triggered waits for it to finish."""
    done = table.resolutions.pop()
    if table.resolutions:
        table.resolutions[-1].queue += done.queue


def _replace_leaving(table: Table, cards: list[int], how: int, to: int) -> list[int]:
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
        _interrupt(table, ability)
        done = ability.definition.instead_of_leaving(table.cards[ability.card], card, how, to)
        _resume(table)
        if done:
            used.append(ability)
            play_counts.count_replacement(table, controller)
            return True
    return False


def leave_alone(table: Table, c: int, how: int, to: int) -> None:
    """Make one card leave play."""
    leave_together(table, [c], how, to)


def leave_together(
    table: Table,
    cards: list[int],
    how: int,
    to: int,
    new_home: int = NONE,
    actors: dict[int, int] | None = None,
) -> None:
    """Make cards leave play at the same time; cards on them are discarded.

    Destinations and watching abilities are determined while all of them are still in play.
    """
    going: dict[int, tuple[int, int, int]] = {}
    for c in cards:
        _prepare_leaving(table, c, how, to, new_home, going, cards)
    _keep_last_controllers(table, going)
    listening = abilities.listeners(table, H_AFTER_LEAVING_PLAY)[:]
    if table.logging:
        _log_leaving(table, going)
    together = _made_leave_by(table, list(going), actors or {})
    for c, (way, goal, owner) in going.items():
        _go_to_zone(table, c, way, goal, owner, listening, together)
    mixed = [c for c in together if going[c][1] == DECK_SHUFFLED and table.state.zone[c] == DECK]
    if mixed:
        _shuffle_decks(table, [going[c][2] for c in mixed])


def _made_leave_by(table: Table, cards: list[int], actors: dict[int, int]) -> dict[int, int]:
    """Return who makes each card leave play: the acting player, if no other is named."""
    acting = abilities.current_cause(table).player
    return {c: actors.get(c, acting) for c in cards}


def _keep_last_controllers(table: Table, going: Collection[int]) -> None:
    """End control that an action on a leaving card gives, without changing its controller.

    The abilities of a card that left play belong to its controller until then, although the
    action leaves play just before it.
    """
    s = table.state
    if s.effects:
        s.effects = [
            e
            for e in s.effects
            if not (e.kind == CONTROL and e.until == WHILE_ATTACHED and e.target in going)
        ]


def _shuffle_decks(table: Table, owners: list[int]) -> None:
    """Shuffle decks that cards were put into, each once.

    The result does not depend on the order in which several cards came to a deck, as players
    who choose among equal copies cannot know it.
    """
    for owner in sorted(set(owners)):
        if owners.count(owner) > 1:
            table.state.decks[owner].sort()
        zones.shuffle_deck(table, owner)


def _prepare_leaving(
    table: Table,
    c: int,
    how: int,
    to: int,
    new_home: int,
    going: dict[int, tuple[int, int, int]],
    leaving: list[int],
) -> None:
    """Determine how a card and the cards on it leave play: how, to which zone, of which player."""
    s = table.state
    if not table.in_play(c) or c in going:
        return
    if to == DISCARD and s.zone[c] != BURIED:
        to = _discard_elsewhere(table, c)
    owner = queries.owner_of(table, c) if new_home == NONE else new_home
    table.last_powers[c] = queries.power(table, c)
    table.last_sites[c] = table.site_serial(c)
    if abilities.listeners(table, H_GIVES_NAMES) or abilities.listeners(table, H_EXTRA_NAMES):
        table.last_names[c] = (queries.card_names(table, c), queries.card_names(table, c, True))
    if s.zone[c] == ON_CARD:
        table.last_hosts[c] = table.cards[s.place[c]]
    for a in s.on_card.get(c, ()):
        if not _transfers_when_host_leaves(table, a, leaving):
            _prepare_leaving(table, a, DISCARDED_BY_RULE, DISCARD, NONE, going, leaving)
    going[c] = (how, to, owner)


def _transfers_when_host_leaves(table: Table, a: int, leaving: list[int]) -> bool:
    """Whether an action goes to another card when the one it is on leaves play.

    The transfer is an effect of the action, not of what makes its card leave.
    """
    for ability in abilities.listeners(table, H_TRANSFERS_WHEN_HOST_LEAVES):
        if ability.card == a and a not in leaving:
            _interrupt(table, ability)
            host = ability.definition.transfers_when_host_leaves(
                table.cards[a], [table.cards[c] for c in leaving]
            )
            stays = host is not None and transfer_action(table, a, host.id)
            _resume(table)
            return stays
    return False


def _go_to_zone(
    table: Table,
    c: int,
    how: int,
    to: int,
    owner: int,
    listening: list[ActiveAbility],
    together: dict[int, int],
) -> None:
    """Move a card from play to its owner's zone."""
    s = table.state
    definition = s.definition[c]
    serial = table.site_serial(c)
    zones.take_from_zone(table, c)
    zones.end_life(table, c)
    table.move_reason = how
    if definition.type == TITAN:  # "whatever the reason ... it is set aside near its owner"
        to = SET_ASIDE
        zones.put_into_zone(table, c, SET_ASIDE, owner)
        abilities.add_ability(table, c, definition)
    elif to == HAND:
        zones.put_into_zone(table, c, HAND, owner)
        zones.reveal_to(table, c, owner)
    elif to == DISCARD:
        zones.put_into_zone(table, c, DISCARD, owner)
    elif to == DECK_SHUFFLED:
        zones.put_into_zone(table, c, DECK, owner)  # shuffled once all cards have left
    elif to in (DECK_TOP, DECK_BOTTOM):
        zones.put_into_zone(table, c, DECK, owner, to == DECK_BOTTOM)
    else:
        zones.put_into_zone(table, c, to, owner)
    table.move_reason = 0
    s.hidden_with[c] = owner
    if to == HAND:
        zones.went_to_hand(table, c, owner)
    if how == DESTROYED and definition.type == MINION:
        play_counts.count_destroyed_minion(table, s.controller[c], serial)
    if table.logging or listening or abilities.specials_for(table, H_AFTER_LEAVING_PLAY):
        event = _leaving_event(table, c, serial, how, to, together)
        if table.logging:
            left = CardLeftPlay(c, s.controller[c], serial, how, to, list(together))
            record(table, left, listening, event)
        elif table.resolutions:
            abilities.emit(table, event, listening)
    if to == SET_ASIDE:
        s.controller[c] = owner


def _leaving_event(
    table: Table, c: int, origin: int, how: int, to: int, together: dict[int, int]
) -> Event:
    event = Event(H_AFTER_LEAVING_PLAY)
    event.card = table.cards[c]
    event.player = table.player(table.state.controller[c])
    event.by = table.player(together[c])
    event.origin = table.base(origin)
    event.how = how
    event.to = to
    event.cards = [table.cards[x] for x in together]
    event.actors = {table.cards[x]: table.player(actor) for x, actor in together.items()}
    return event


def _discard_elsewhere(table: Table, c: int) -> int:
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
        _interrupt(table, ability)
        to = ability.definition.instead_of_discard(table.cards[ability.card], card)
        _resume(table)
        if to >= 0:
            return to
    return DISCARD


def _pick_ability(table: Table, prompt: str, competing: list[ActiveAbility]) -> ActiveAbility:
    chosen = choosing.ask_card(
        table, table.state.current, Purpose.ORDER_REPLACEMENTS, prompt, [x.card for x in competing]
    )
    return next(x for x in competing if x.card == chosen)


def _log_leaving(table: Table, going: dict[int, tuple[int, int, int]]) -> None:
    """Record what leaves play and why, cards on a card after the card itself."""
    s = table.state
    attached: list[int] = []
    for c, (how, to, owner) in going.items():
        if (
            how == DISCARDED_BY_RULE
            and to == DISCARD
            and s.zone[c] == ON_CARD
            and s.place[c] in going
        ):
            attached.append(c)
        else:
            _log_leaving_card(table, c, how, to, owner)
    for c in attached:
        owner = going[c][2]
        record(table, CardLeavesPlay(c, owner, "discarded_with_host", host=s.place[c]))


def _log_leaving_card(table: Table, c: int, how: int, to: int, owner: int) -> None:
    s = table.state
    if s.definition[c].type == TITAN:
        to = SET_ASIDE
    names_cause = how != SCORED
    if how == DESTROYED and to != SET_ASIDE:
        record(table, CardLeavesPlay(c, owner, "destroyed"))
        if to == DISCARD:
            return
        names_cause = False  # another text changes where it goes
    way = "returned" if to == HAND and how == RETURNED else way_of_leaving(to)
    event = CardLeavesPlay(c, owner, way, names_cause=names_cause)
    if to != DISCARD:
        # A buried card that does not go to a discard pile face up stays unknown.
        event.seen_by = s.seen_by[c] if s.zone[c] == BURIED else EVERYBODY
    elif s.zone[c] in (AT_BASE, BURIED) and abilities.current_cause(table).card == NONE:
        event.way = "discarded_from_base"
        event.base = table.site_serial(c)
    record(table, event)


# --- transferring actions ---------------------------------------------------------------


def transfer_action(table: Table, c: int, host: int) -> bool:
    """Move an action from the card it is on to another."""
    waiting = table.state.zone[c] == LIMBO
    if not table.in_play(host) or not (waiting or table.in_play(c)):
        return False
    if protection.is_protected(table, host, abilities.current_cause(table)):
        return False
    zones.take_from_zone(table, c)
    zones.put_into_zone(table, c, ON_CARD, host)
    abilities.invalidate_abilities(table)
    zones.grant_abilities_from(table, c)
    note_affected(table, host, can_prevent=False)
    if is_observed(table, H_AFTER_TRANSFER):
        record(table, CardTransferred(c, host))
    return True


def _detach(table: Table, c: int) -> None:
    """Detach an action from its card; it waits for another one, in the same life."""
    s = table.state
    table.last_sites[c] = table.site_serial(c)
    table.last_hosts[c] = table.cards[s.place[c]]
    zones.take_from_zone(table, c)
    zones.put_into_zone(table, c, LIMBO, s.controller[c])
    abilities.invalidate_abilities(table)  # it has no ability in force while it waits


def transfer_pending_action(table: Table, c: int, host: int) -> bool:
    """Put a detached action on another card, or discard it if that is not possible."""
    if host != NONE and transfer_action(table, c, host):
        return True
    if table.state.zone[c] == LIMBO:
        to = _discard_elsewhere(table, c)
        if table.logging:
            _log_leaving_card(table, c, DISCARDED_BY_RULE, to, queries.owner_of(table, c))
        _go_to_zone(
            table,
            c,
            DISCARDED_BY_RULE,
            to,
            queries.owner_of(table, c),
            abilities.listeners(table, H_AFTER_LEAVING_PLAY)[:],
            _made_leave_by(table, [c], {}),
        )
        if to == DECK_SHUFFLED:
            _shuffle_decks(table, [queries.owner_of(table, c)])
    return False
