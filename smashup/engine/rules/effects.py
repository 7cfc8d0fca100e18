"""Other changes of the table: moving, control, power, counters, VP, bases.

Each function checks protection and replacement, makes the change, records the event and returns
what really happened.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.events.course import BaseDestroyed, BasePlayed
from smashup.engine.events.movement import ActionSwapped, CardMoved, MovePrevented
from smashup.engine.events.values import (
    BreakpointChanged,
    ControlChanged,
    ControlMadeLasting,
    CountersAdded,
    CountersCleared,
    CountersRemoved,
    CountersTransferred,
    PlayerPowerChanged,
    PowerChanged,
    VictoryPointsGained,
    VictoryPointsLost,
)
from smashup.engine.model.constants import (
    AT_BASE,
    BASE_DECK,
    BASE_DISCARD,
    BASE_IN_PLAY,
    BURIED,
    DECK_SHUFFLED,
    DESTROYED,
    DISCARD,
    DISCARDED_BY_RULE,
    END_OF_TURN,
    HAND,
    NONE,
    PLACED,
    TITAN,
    WHILE_IN_PLAY,
)  # fmt: skip
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import (
    BREAKPOINT,
    CONTROL,
    MOVED_FROM,
    NO_EXTRAS,
    PLAYER_POWER,
    POWER,
    SHELTERED,
    Site,
)
from smashup.engine.model.table import Table
from smashup.engine.rules import (
    abilities,
    direct_effects,
    leaving_play,
    play_counts,
    protection,
    queries,
    restrictions,
    zones,
)
from smashup.engine.rules.recording import is_observed, record

H_AFTER_BASE_PLAYED: Final = Hook.AFTER_BASE_PLAYED.value
H_AFTER_CONTROL_CHANGE: Final = Hook.AFTER_CONTROL_CHANGE.value
H_AFTER_MOVE: Final = Hook.AFTER_MOVE.value
H_AFTER_TRANSFER: Final = Hook.AFTER_TRANSFER.value

_OF_A_SITE: Final = (PLAYER_POWER, BREAKPOINT, NO_EXTRAS, SHELTERED)
"""Effects whose target is a site: they end when its base leaves."""

# --- moving, control, counters, power ---------------------------------------------------


def move_card(table: Table, c: int, serial: int) -> bool:
    """Move a minion or titan to another base; return whether it moved."""
    mover = _find_mover(table, c, serial)
    if mover == NONE:
        return False
    _move(table, mover, serial)
    return True


def move_cards(table: Table, cards: list[int], serial: int) -> list[int]:
    """Move minions and titans to another base at the same time; return those that moved.

    What keeps some of them from moving is determined while all of them are still there.
    """
    going: list[int] = []
    for i, c in enumerate(cards):
        next_ones = [
            x
            for x in cards[i + 1 :]
            if not _stays(table, x, serial) and not direct_effects.would_be_prevented(table, x)
        ]
        mover = _find_mover(table, c, serial, going + next_ones)
        if mover != NONE:
            going.append(mover)
    for c in going:
        _move(table, c, serial)
    return going


def _find_mover(table: Table, c: int, serial: int, others: list[int] | None = None) -> int:
    """Return the card that will move to a base for this one, usually itself; NONE if none can.

    The ``others`` that move with it cannot take on its move.
    """
    s = table.state
    if s.zone[c] != AT_BASE or serial not in s.site_at:
        return NONE
    cause = abilities.current_cause(table)
    c = direct_effects.redirect(table, c, cause, others)
    if s.place[c] == serial:
        return NONE
    if _stays(table, c, serial):
        if table.logging:
            record(table, MovePrevented(c))
        return NONE
    return c if direct_effects.note_affected(table, c) else NONE


def _stays(table: Table, c: int, serial: int) -> bool:
    """Whether something keeps a card from moving to a base."""
    cause = abilities.current_cause(table)
    return protection.is_protected(table, c, cause) or not restrictions.can_move(
        table, c, serial, cause
    )


def _move(table: Table, c: int, serial: int) -> None:
    s = table.state
    origin = s.place[c]
    cause = abilities.current_cause(table)
    zones.take_from_zone(table, c)
    zones.put_into_zone(table, c, AT_BASE, serial)
    abilities.add_effect(table, MOVED_FROM, c, origin, NONE, END_OF_TURN)
    play_counts.count_moved_minion(table, c, cause.player, serial)
    if is_observed(table, H_AFTER_MOVE):
        record(table, CardMoved(c, origin, serial))
    if s.definition[c].type == TITAN:
        table.arrived_titans.append(c)


def swap_action(table: Table, c: int, other: int, player: int) -> bool:
    """Let an action on a base and one of a hand, or found in a deck, change places.

    The other action comes into play without being played.
    """
    s = table.state
    serial = table.site_serial(c)
    to = HAND if s.zone[other] == HAND else DECK_SHUFFLED
    if not leaving_play.leave_play(table, [c], PLACED, to):
        return False
    zones.enter_base(table, other, serial, player)
    if table.logging:
        record(table, ActionSwapped(other, c))
    return True


def take_control(
    table: Table, c: int, player: int, until: int = WHILE_IN_PLAY, giver: int = NONE
) -> bool:
    """Give control of a card to a player; return whether it changed.

    Permanent control of a card that the player controls for a while makes it last ("Void Where
    Prohibited").
    """
    return bool(take_control_of_all(table, [c], player, until, giver))


def take_control_of_all(
    table: Table, cards: list[int], player: int, until: int = WHILE_IN_PLAY, giver: int = NONE
) -> list[int]:
    """Give control of cards to a player at the same time; return those whose control changed.

    What protects some of them is determined before any of them changes sides.
    """
    changing: list[int] = []
    for named in cards:
        c = _find_taken(table, named, player, until)
        if c != NONE and c not in changing:
            changing.append(c)
    for c in changing:
        _change_control(table, c, player, until, giver)
    return changing


def _find_taken(table: Table, c: int, player: int, until: int) -> int:
    """Return the card a player gains control of for this one, usually itself; NONE if none."""
    if not table.in_play(c):
        return NONE
    c = direct_effects.redirect(table, c, abilities.current_cause(table))
    has_it = table.state.controller[c] == player
    if protection.keeps_power_and_controller(table, c, abilities.current_cause(table)) or (
        has_it and (until == END_OF_TURN or queries.lasting_controller(table, c) == player)
    ):
        return NONE
    if not direct_effects.note_affected(table, c, table.edition.power_and_control_affect):
        return NONE
    return c


def _change_control(table: Table, c: int, player: int, until: int, giver: int) -> None:
    s = table.state
    has_it = s.controller[c] == player
    abilities.add_effect(table, CONTROL, c, player, player, until)
    s.controller[c] = player
    abilities.invalidate_board(table)
    if is_observed(table, H_AFTER_CONTROL_CHANGE):
        if has_it:
            record(table, ControlMadeLasting(player, c))
        else:
            record(table, ControlChanged(player, c, giver))


def change_power(
    table: Table, c: int, amount: int, until: int = END_OF_TURN, until_player: int = NONE
) -> bool:
    """Change the power of a card in play for a while; return whether it changed."""
    if not table.in_play(c):
        return False
    c = direct_effects.redirect(table, c, abilities.current_cause(table))
    if protection.keeps_power_and_controller(table, c, abilities.current_cause(table)):
        return False
    if not direct_effects.note_affected(table, c, table.edition.power_and_control_affect):
        return False
    if amount > 0:
        direct_effects.note_raised(table, c)
    abilities.add_effect(table, POWER, c, amount, NONE, until, until_player)
    if table.logging:
        record(table, PowerChanged(c, amount))
    return True


def change_player_power(table: Table, player: int, serial: int, amount: int) -> None:
    """Give a player power at a base until the end of the turn."""
    abilities.add_effect(table, PLAYER_POWER, serial, amount, player, END_OF_TURN)
    if table.logging:
        record(table, PlayerPowerChanged(player, serial, amount))


def change_breakpoint(table: Table, serial: int, amount: int) -> None:
    """Change the breakpoint of a base until the end of the turn."""
    abilities.add_effect(table, BREAKPOINT, serial, amount, NONE, END_OF_TURN)
    if table.logging:
        record(table, BreakpointChanged(serial, amount))


def add_counters(table: Table, c: int, count: int) -> bool:
    """Place +1 power counters from the pool on a card (negative: remove them)."""
    s = table.state
    if not table.in_play(c):
        return False
    c = direct_effects.redirect(table, c, abilities.current_cause(table))
    if protection.keeps_power_and_controller(table, c, abilities.current_cause(table)):
        return False
    if not direct_effects.note_affected(table, c, table.edition.power_and_control_affect):
        return False
    if count > 0:
        direct_effects.note_raised(table, c)
    s.counters[c] = max(0, s.counters[c] + count)
    abilities.invalidate_board(table)
    if table.logging and count:
        record(table, CountersAdded(c, count) if count > 0 else CountersRemoved(c, -count))
    return True


def clear_counters(table: Table, c: int) -> bool:
    """Remove all counters of any type from a card; return whether there were any.

    A card without counters is not affected.
    """
    s = table.state
    if has_counters(table, c):
        c = direct_effects.redirect(table, c, abilities.current_cause(table))
    if not has_counters(table, c):
        return False
    if protection.keeps_power_and_controller(table, c, abilities.current_cause(table)):
        return False
    if not direct_effects.note_affected(table, c, table.edition.power_and_control_affect):
        return False
    if table.logging:
        record(table, CountersCleared(c, s.counters[c]))
    s.counters[c] = 0
    s.tokens.pop(c, None)
    abilities.invalidate_board(table)
    return True


def has_counters(table: Table, c: int) -> bool:
    """Whether there are counters of any type on a card."""
    s = table.state
    return s.counters[c] > 0 or s.tokens.get(c, 0) > 0


def transfer_counters(table: Table, source: int, target: int, count: int) -> int:
    """Move +1 power counters from one card to another; return how many moved."""
    s = table.state
    count = min(count, s.counters[source])
    cause = abilities.current_cause(table)
    if (
        count <= 0
        or not table.in_play(target)
        or protection.keeps_power_and_controller(table, source, cause)
        or protection.keeps_power_and_controller(table, target, cause)
    ):
        return 0
    if not (
        direct_effects.note_affected(table, source) and direct_effects.note_affected(table, target)
    ):
        return 0
    direct_effects.note_raised(table, target)
    s.counters[source] -= count
    s.counters[target] += count
    abilities.invalidate_board(table)
    if is_observed(table, H_AFTER_TRANSFER):
        record(table, CountersTransferred(source, target, count))
    return count


def gain_vp(table: Table, player: int, amount: int) -> None:
    """Give VP to a player, or take some away."""
    s = table.state
    s.vp[player] = max(0, s.vp[player] + amount)
    if table.logging and amount:
        gained = amount > 0
        record(
            table,
            VictoryPointsGained(player, amount) if gained else VictoryPointsLost(player, -amount),
        )


# --- bases ------------------------------------------------------------------------------


def refill_bases(table: Table) -> bool:
    """Make sure the base deck has a card, from the base discard pile if the edition says so."""
    s = table.state
    if s.base_deck:
        return True
    if not table.edition.base_reshuffle or not s.base_discard:
        return False
    for c in s.base_discard:
        s.zone[c] = BASE_DECK
        s.seen_by[c] = 0
    s.base_deck = s.base_discard
    s.base_discard = []
    table.shuffle(s.base_deck)
    return True


def next_base(table: Table) -> int:
    """Take the top card of the base deck; `NONE` if there is no base left."""
    return table.state.base_deck[-1] if refill_bases(table) else NONE


def play_base(table: Table, c: int, index: int = NONE) -> int:
    """Put a base card into play as a new site, at a position among the others."""
    s = table.state
    table.begin_life(c)
    zones.take_from_zone(table, c)
    s.serial += 1
    site = Site(s.serial, c, [], [])
    s.site_at[site.serial] = site
    if index == NONE:
        s.sites.append(site)
    else:
        s.sites.insert(index, site)
    s.controller[c] = NONE
    s.counters[c] = 0
    zones.put_into_zone(table, c, BASE_IN_PLAY, site.serial)
    zones.activate(table, c)
    _announce_base(table, site)
    return site.serial


def _announce_base(table: Table, site: Site) -> None:
    """Record that a base card came into play."""
    if is_observed(table, H_AFTER_BASE_PLAYED):
        record(table, BasePlayed(site.serial, site.base, table.state.current))


def swap_base(table: Table, serial: int, c: int) -> None:
    """Replace the base card at a site, keeping the cards on it; the old one is discarded."""
    s = table.state
    site = s.site_at[serial]
    _discard_base_card(table, site.base)
    # Cards played at the old base were not played at this one.
    s.turn_counts = {
        key: count
        for key, count in s.turn_counts.items()
        if key[2:3] != (serial,) and key != (-1, serial)
    }
    _end_effects_of_site(table, serial)
    table.begin_life(c)
    zones.take_from_zone(table, c)
    site.base = c
    s.controller[c] = NONE
    s.counters[c] = 0
    zones.put_into_zone(table, c, BASE_IN_PLAY, serial)
    zones.activate(table, c)
    _announce_base(table, site)


def exchange_base(table: Table, serial: int, c: int) -> None:
    """A base in play and a card of the base deck change places; cards on the base stay there.

    If it was about to score, it scores no more: the base in its place is another one.
    """
    s = table.state
    if s.scoring == serial:
        s.scoring = NONE
    depth = s.base_deck.index(c)
    old = s.site_at[serial].base
    swap_base(table, serial, c)
    zones.take_from_zone(table, old)
    zones.put_into_zone(table, old, BASE_DECK, NONE)
    s.base_deck.insert(depth, s.base_deck.pop())


def shuffle_base_deck(table: Table) -> None:
    """Shuffle the base deck, so that no player knows its order any more."""
    s = table.state
    for c in s.base_deck:
        s.seen_by[c] = 0
    table.shuffle(s.base_deck)


def _discard_base_card(table: Table, c: int) -> None:
    zones.take_from_zone(table, c)
    zones.end_life(table, c)
    zones.put_into_zone(table, c, BASE_DISCARD, NONE)
    zones.reveal(table, c)


def clear_site(table: Table, serial: int, how: int) -> None:
    """Put all cards on a base into their owners' discard piles, simultaneously."""
    s = table.state
    leaving_play.leave_together(table, s.site_at[serial].cards[:], how, DISCARD)


def close_site(table: Table, serial: int) -> int:
    """Discard the base card and close its site; return the site's position among the others."""
    s = table.state
    site = s.site_at[serial]
    index = s.sites.index(site)
    _discard_base_card(table, site.base)
    s.sites.remove(site)
    del s.site_at[serial]
    _end_effects_of_site(table, serial)
    abilities.invalidate_board(table)
    return index


def _end_effects_of_site(table: Table, serial: int) -> None:
    s = table.state
    s.effects = [e for e in s.effects if not (e.kind in _OF_A_SITE and e.target == serial)]


def destroy_base(table: Table, serial: int, only_discarding: bool = False) -> int:
    """Destroy a base and the cards on it; return its old position.

    Cards that cannot be destroyed are discarded, since their base leaves, and so are buried ones;
    with ``only_discarding`` all are.
    """
    if table.logging:
        record(table, BaseDestroyed(serial))
    s = table.state
    if not only_discarding:
        shown = [c for c in s.site_at[serial].cards if s.zone[c] != BURIED]
        leaving_play.leave_play(table, shown, DESTROYED, DISCARD, directly=False)
    clear_site(table, serial, DISCARDED_BY_RULE)
    return close_site(table, serial)


# --- card types -------------------------------------------------------------------------


def is_type(table: Table, c: int, types: int) -> bool:
    """Whether a card is one of these types; a buried card has none."""
    s = table.state
    definition = s.definition[c]
    is_one = definition.type & types or (definition.types & types and not table.in_play(c))
    return bool(is_one) and s.zone[c] != BURIED
