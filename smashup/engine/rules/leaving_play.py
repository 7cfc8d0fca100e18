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
    AT_BASE,
    BURIED,
    DECK,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DESTROYED,
    DISCARD,
    DISCARDED_BY_RULE,
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
from smashup.engine.model.events import ActiveAbility, Cause, Event
from smashup.engine.model.hooks import Hook
from smashup.engine.model.messages import EVERYBODY
from smashup.engine.model.state import CONTROL
from smashup.engine.model.table import Table
from smashup.engine.rules import (
    abilities,
    direct_effects,
    play_counts,
    protection,
    queries,
    replacement,
    restrictions,
    zones,
)
from smashup.engine.rules.recording import is_observed, record

H_AFTER_LEAVING_PLAY: Final = Hook.AFTER_LEAVING_PLAY.value
H_AFTER_TRANSFER: Final = Hook.AFTER_TRANSFER.value
H_EXTRA_NAMES: Final = Hook.EXTRA_NAMES.value
H_GIVES_NAMES: Final = Hook.GIVES_NAMES.value
H_TRANSFERS_WHEN_HOST_LEAVES: Final = Hook.TRANSFERS_WHEN_HOST_LEAVES.value
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
                if not _resists(table, x, how, cause)
                and not direct_effects.would_be_prevented(table, x)
            ]
            c = direct_effects.redirect(table, named, cause, affected + next_ones)
        if _resists(table, c, how, cause):
            if table.logging:
                record(table, LeavingPrevented(c))
        elif (
            direct_effects.note_affected(table, c)
            if directly
            else not direct_effects.is_prevented(table, c)
        ):
            affected.append(c)
            if actors is not None and named != c:
                actors[c] = actors.pop(named)
    leaving = replacement.replace_leaving(table, affected, how, to)
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
        to = replacement.replace_discard(table, c)
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
            direct_effects.interrupt(table, ability)
            host = ability.definition.transfers_when_host_leaves(
                table.cards[a], [table.cards[c] for c in leaving]
            )
            stays = host is not None and transfer_action(table, a, host.id)
            direct_effects.resume(table)
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
    direct_effects.note_affected(table, host, can_prevent=False)
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
        to = replacement.replace_discard(table, c)
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
