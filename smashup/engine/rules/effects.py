"""What else changes the table: moving, control, power, counters, VP, bases.

Each verb checks protection and replacement, makes the change, lets abilities note that they are
triggered, and returns what really happened.
"""

from __future__ import annotations

from typing import Any, Final

from smashup.engine.model.changes import CONTROL as CONTROLLED
from smashup.engine.model.changes import COUNTERS, VP, Change
from smashup.engine.model.changes import POWER as STRENGTHENED
from smashup.engine.model.constants import (
    AT_BASE,
    BASE_DECK,
    BASE_DISCARD,
    BURIED,
    DISCARD,
    END_OF_TURN,
    IN_MIDDLE,
    LOST,
    NONE,
    TITAN,
    WHILE_IN_PLAY,
)  # fmt: skip
from smashup.engine.model.events import Event
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import BREAKPOINT, CONTROL, MOVED_FROM, PLAYER_POWER, POWER, Site
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, leaving_play, queries, zones

H_AFTER_BASE_PLAYED: Final = Hook.AFTER_BASE_PLAYED.value
H_AFTER_CONTROL_CHANGE: Final = Hook.AFTER_CONTROL_CHANGE.value
H_AFTER_MOVE: Final = Hook.AFTER_MOVE.value

# --- moving, control, counters, power ---------------------------------------------------


def move_card(table: Table, c: int, serial: int) -> bool:
    """Move a minion or titan to another base; whether it moved."""
    s = table.state
    if s.zone[c] != AT_BASE or serial not in s.site_at:
        return False
    cause = abilities.current_cause(table)
    c = leaving_play.redirect(table, c, cause)
    origin = s.place[c]
    if origin == serial:
        return False
    if queries.is_protected(table, c, cause) or not queries.can_move(table, c, serial, cause):
        if table.logging:
            table.log("{card} cannot be moved.", card=table.name(c))
        return False
    leaving_play.note_affected(table, c)
    zones.take_from_zone(table, c)
    zones.put_into_zone(table, c, AT_BASE, serial)
    abilities.add_effect(table, MOVED_FROM, c, origin, NONE, END_OF_TURN)
    if table.logging:
        _log_move(table, c, origin, serial)
    if abilities.listeners(table, H_AFTER_MOVE):
        event = Event(H_AFTER_MOVE)
        event.card = table.card(c)
        event.base = table.base(serial)
        event.origin = table.base(origin)
        event.player = table.player(cause.player)
        abilities.emit(table, event)
    if s.definition[c].type == TITAN:
        table.arrived_titans.append(c)
    return True


def _log_move(table: Table, c: int, origin: int, serial: int) -> None:
    cause = abilities.describe_cause(table, c)
    args: dict[str, Any] = {
        "card": table.name(c),
        "origin": table.base_name(origin),
        "base": table.base_name(serial),
    }
    if cause is None:
        table.log("{card} moves from {origin} to {base}.", **args)
    else:
        table.log("{cause} moves {card} from {origin} to {base}.", cause=cause, **args)


def take_control(
    table: Table, c: int, player: int, until: int = WHILE_IN_PLAY, giver: int = NONE
) -> bool:
    """Control of a card goes to a player, perhaps given by another; whether it did.

    Control without end of a card held for a while makes it last ("Void Where Prohibited").
    """
    s = table.state
    if not table.in_play(c):
        return False
    c = leaving_play.redirect(table, c, abilities.current_cause(table))
    has_it = s.controller[c] == player
    if queries.keeps_power_and_controller(table, c, abilities.current_cause(table)) or (
        has_it and (until != WHILE_IN_PLAY or queries.lasting_controller(table, c) == player)
    ):
        return False
    leaving_play.note_affected(table, c)
    abilities.add_effect(table, CONTROL, c, player, player, until)
    s.controller[c] = player
    abilities.invalidate_board(table)
    if table.logging:
        table.log(
            "{player} takes control of {card}.",
            player=table.player_name(player),
            card=table.name(c),
        )
        table.note(Change(CONTROLLED, cards=(c,), player=player))
    if abilities.listeners(table, H_AFTER_CONTROL_CHANGE) and not has_it:
        event = Event(H_AFTER_CONTROL_CHANGE)
        event.card = table.card(c)
        event.player = table.player(player)
        event.giver = table.player(giver)
        abilities.emit(table, event)
    return True


def update_controller(table: Table, c: int) -> None:
    """After a control change expired: the latest one left counts, or whoever played it."""
    s = table.state
    controller = s.played_by[c]
    for effect in s.effects:
        if effect.kind == CONTROL and effect.target == c:
            controller = effect.player
    s.controller[c] = controller
    abilities.invalidate_board(table)


def change_power(
    table: Table, c: int, amount: int, until: int = END_OF_TURN, until_player: int = NONE
) -> bool:
    """A card in play gains (or loses) power for a while; whether it did."""
    if not table.in_play(c):
        return False
    c = leaving_play.redirect(table, c, abilities.current_cause(table))
    if queries.keeps_power_and_controller(table, c, abilities.current_cause(table)):
        return False
    leaving_play.note_affected(table, c)
    if amount > 0:
        leaving_play.note_raised(table, c)
    abilities.add_effect(table, POWER, c, amount, NONE, until, until_player)
    if table.logging:
        text = "{card} gains +{amount} power." if amount >= 0 else "{card} has {amount} power."
        table.log(text, card=table.name(c), amount=amount)
        table.note(Change(STRENGTHENED, cards=(c,), amount=amount))
    return True


def change_player_power(table: Table, player: int, serial: int, amount: int) -> None:
    """A player gains power at a base until the end of the turn."""
    abilities.add_effect(table, PLAYER_POWER, serial, amount, player, END_OF_TURN)
    if table.logging:
        table.log(
            "{player} gains +{amount} power at {base}.",
            player=table.player_name(player),
            amount=amount,
            base=table.base_name(serial),
        )
        table.note(Change(STRENGTHENED, player=player, base=serial, amount=amount))


def change_breakpoint(table: Table, serial: int, amount: int) -> None:
    """A base's breakpoint changes until the end of the turn."""
    abilities.add_effect(table, BREAKPOINT, serial, amount, NONE, END_OF_TURN)
    if table.logging:
        table.log(
            "The breakpoint of {base} changes by {amount}.",
            base=table.base_name(serial),
            amount=amount,
        )


def add_counters(table: Table, c: int, count: int) -> bool:
    """Place +1 power counters from the pool on a card (negative: remove them)."""
    s = table.state
    if not table.in_play(c):
        return False
    c = leaving_play.redirect(table, c, abilities.current_cause(table))
    if queries.keeps_power_and_controller(table, c, abilities.current_cause(table)):
        return False
    leaving_play.note_affected(table, c)
    if count > 0:
        leaving_play.note_raised(table, c)
    s.counters[c] = max(0, s.counters[c] + count)
    abilities.invalidate_board(table)
    if table.logging:
        _log_counters(table, c, count)
        table.note(Change(COUNTERS, cards=(c,), amount=count))
    return True


def _log_counters(table: Table, c: int, count: int) -> None:
    """A card gets or loses +1 power counters."""
    if not count:
        return
    if abs(count) == 1:
        text = "{card} gets a +1 power counter."
        if count < 0:
            text = "{card} loses a +1 power counter."
    else:
        text = "{card} gets {count} +1 power counters."
        if count < 0:
            text = "{card} loses {count} +1 power counters."
    table.log(text, card=table.name(c), count=abs(count))


def clear_counters(table: Table, c: int) -> bool:
    """Take all counters of any sort off a card; whether there were any to take."""
    s = table.state
    c = leaving_play.redirect(table, c, abilities.current_cause(table))
    if queries.keeps_power_and_controller(table, c, abilities.current_cause(table)):
        return False
    leaving_play.note_affected(table, c)
    found = s.counters[c] > 0 or s.tokens.get(c, 0) > 0
    if table.logging and found:
        table.log("{card} loses its counters.", card=table.name(c))
        table.note(Change(COUNTERS, cards=(c,), amount=-s.counters[c]))
    s.counters[c] = 0
    s.tokens.pop(c, None)
    abilities.invalidate_board(table)
    return found


def transfer_counters(table: Table, source: int, target: int, count: int) -> int:
    """Move +1 power counters from one card to another; how many went."""
    s = table.state
    count = min(count, s.counters[source])
    cause = abilities.current_cause(table)
    if (
        count <= 0
        or not table.in_play(target)
        or queries.keeps_power_and_controller(table, source, cause)
        or queries.keeps_power_and_controller(table, target, cause)
    ):
        return 0
    leaving_play.note_affected(table, source)
    leaving_play.note_affected(table, target)
    leaving_play.note_raised(table, target)
    s.counters[source] -= count
    s.counters[target] += count
    if table.logging:
        text = "{count} +1 power counters go from {origin} to {card}."
        if count == 1:
            text = "A +1 power counter goes from {origin} to {card}."
        table.log(text, count=count, origin=table.name(source), card=table.name(target))
        table.note(Change(COUNTERS, cards=(source,), amount=-count))
        table.note(Change(COUNTERS, cards=(target,), amount=count))
    abilities.invalidate_board(table)
    leaving_play.mark_transferred(table, target)
    return count


def gain_vp(table: Table, player: int, amount: int) -> None:
    s = table.state
    s.vp[player] = max(0, s.vp[player] + amount)
    if table.logging and amount:
        text = "{player} gains {amount} VP." if amount > 0 else "{player} loses {amount} VP."
        table.log(text, player=table.player_name(player), amount=abs(amount))
        table.note(Change(VP, player=player, amount=amount))


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
    s.shuffle(s.base_deck)
    return True


def next_base(table: Table) -> int:
    """The top card of the base deck, `NONE` when there is no base left."""
    return table.state.base_deck[-1] if refill_bases(table) else NONE


def play_base(table: Table, c: int, index: int = NONE) -> int:
    """A base card comes into play as a new site (at a place among the others)."""
    s = table.state
    table.begin_life(c)
    zones.take_from_zone(table, c)
    s.serial += 1
    site = Site(s.serial, c, [])
    s.site_at[site.serial] = site
    if index == NONE:
        s.sites.append(site)
    else:
        s.sites.insert(index, site)
    s.controller[c] = NONE
    s.counters[c] = 0
    zones.put_into_zone(table, c, IN_MIDDLE, site.serial)
    zones.activate(table, c)
    _announce_base(table, site)
    return site.serial


def _announce_base(table: Table, site: Site) -> None:
    """A base card has come into play: abilities take note."""
    if table.logging:
        table.log("{base} comes into play.", base=table.base_name(site.serial))
    if abilities.listeners(table, H_AFTER_BASE_PLAYED):
        event = Event(H_AFTER_BASE_PLAYED)
        event.base = table.base(site.serial)
        event.card = table.card(site.base)
        event.player = table.player(table.state.current)
        abilities.emit(table, event)


def swap_base(table: Table, serial: int, c: int) -> None:
    """Replace the base card at a site, keeping the cards on it; the old one is discarded."""
    s = table.state
    site = s.site_at[serial]
    _discard_base_card(table, site.base)
    # What was played at the old base was not played at this one.
    s.turn_counts = {
        key: count
        for key, count in s.turn_counts.items()
        if key[2:3] != (serial,) and key != (-1, serial)
    }
    table.begin_life(c)
    zones.take_from_zone(table, c)
    site.base = c
    s.controller[c] = NONE
    s.counters[c] = 0
    zones.put_into_zone(table, c, IN_MIDDLE, serial)
    zones.activate(table, c)
    _announce_base(table, site)


def _discard_base_card(table: Table, c: int) -> None:
    zones.take_from_zone(table, c)
    zones.end_life(table, c)
    zones.put_into_zone(table, c, BASE_DISCARD, NONE)
    zones.reveal(table, c)


def clear_site(table: Table, serial: int, how: int) -> None:
    """All cards still on a base go to their owners' discard piles, at the same time."""
    s = table.state
    leaving_play.leave_together(table, s.site_at[serial].cards[:], how, DISCARD)


def close_site(table: Table, serial: int) -> int:
    """The base card is discarded and its site closed; the site's place among the others."""
    s = table.state
    site = s.site_at[serial]
    index = s.sites.index(site)
    _discard_base_card(table, site.base)
    s.sites.remove(site)
    del s.site_at[serial]
    s.effects = [
        e for e in s.effects if not (e.kind in (PLAYER_POWER, BREAKPOINT) and e.target == serial)
    ]
    abilities.invalidate_board(table)
    return index


def destroy_base(table: Table, serial: int) -> int:
    """Destroy a base; cards on it are discarded as they cannot outlive it. Its old place."""
    if table.logging:
        cause = abilities.describe_cause(table)
        if cause is None:
            table.log("{base} is destroyed.", base=table.base_name(serial))
        else:
            table.log("{cause} destroys {base}.", cause=cause, base=table.base_name(serial))
    clear_site(table, serial, LOST)
    return close_site(table, serial)


# --- small facts ------------------------------------------------------------------------


def is_type(table: Table, c: int, types: int) -> bool:
    """Whether a card is one of these types; a buried card has none."""
    s = table.state
    return bool(s.definition[c].type & types) and s.zone[c] != BURIED
