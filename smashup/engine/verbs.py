"""What else changes the table: moving, control, power, counters, VP, bases.

Each verb checks protection and replacement, makes the change, lets abilities note that they are
triggered, and returns what really happened.
"""

from __future__ import annotations

from typing import Any

from smashup.engine.changes import CONTROL as CONTROLLED
from smashup.engine.changes import COUNTERS, VP, Change
from smashup.engine.changes import POWER as STRENGTHENED
from smashup.engine.events import Event
from smashup.engine.kinds import (
    H_AFTER_BASE_PLAYED,
    H_AFTER_CONTROL,
    H_AFTER_MOVE,
)  # fmt: skip
from smashup.engine.leaving import Leaving
from smashup.engine.state import BREAKPOINT, CONTROL, MOVED_FROM, PLAYER_POWER, POWER, Site
from smashup.engine.words import (
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


class Verbs(Leaving):
    """The fifth layer of a table; see the module."""

    __slots__ = ()

    # --- moving, control, counters, power ---------------------------------------------------

    def move(self, c: int, serial: int) -> bool:
        """Move a minion or titan to another base; whether it moved."""
        s = self.state
        if s.zone[c] != AT_BASE or serial not in s.site_at:
            return False
        cause = self.cause
        c = self.redirected(c, cause)
        origin = s.place[c]
        if origin == serial:
            return False
        if self.is_protected(c, cause) or not self.can_move(c, serial, cause):
            if self.logging:
                self.log("{card} cannot be moved.", card=self.name(c))
            return False
        self.note_affected(c)
        self._take(c)
        self._put(c, AT_BASE, serial)
        self.add_effect(MOVED_FROM, c, origin, NONE, END_OF_TURN)
        if self.logging:
            self._log_move(c, origin, serial)
        if self.listeners(H_AFTER_MOVE):
            event = Event(H_AFTER_MOVE)
            event.card = self.card(c)
            event.base = self.base(serial)
            event.origin = self.base(origin)
            event.player = self.seat(cause.player)
            self.emit(event)
        if s.kind[c].type == TITAN:
            self.arrivals.append(c)
        return True

    def _log_move(self, c: int, origin: int, serial: int) -> None:
        cause = self.named_cause(c)
        args: dict[str, Any] = {
            "card": self.name(c),
            "origin": self.base_name(origin),
            "base": self.base_name(serial),
        }
        if cause is None:
            self.log("{card} moves from {origin} to {base}.", **args)
        else:
            self.log("{cause} moves {card} from {origin} to {base}.", cause=cause, **args)

    def take_control(
        self, c: int, player: int, until: int = WHILE_IN_PLAY, giver: int = NONE
    ) -> bool:
        """Control of a card goes to a player, perhaps given by another; whether it did.

        Control without end of a card held for a while makes it last ("Void Where Prohibited").
        """
        s = self.state
        if not self.in_play(c):
            return False
        c = self.redirected(c, self.cause)
        has_it = s.controller[c] == player
        if self.keeps_power_and_controller(c, self.cause) or (
            has_it and (until != WHILE_IN_PLAY or self.lasting_controller(c) == player)
        ):
            return False
        self.note_affected(c)
        self.add_effect(CONTROL, c, player, player, until)
        s.controller[c] = player
        self.touch()
        if self.logging:
            self.log(
                "{player} takes control of {card}.",
                player=self.player_name(player),
                card=self.name(c),
            )
            self.note(Change(CONTROLLED, cards=(c,), player=player))
        if self.listeners(H_AFTER_CONTROL) and not has_it:
            event = Event(H_AFTER_CONTROL)
            event.card = self.card(c)
            event.player = self.seat(player)
            event.giver = self.seat(giver)
            self.emit(event)
        return True

    def settle_control(self, c: int) -> None:
        """After a control change expired: the latest one left counts, or whoever played it."""
        s = self.state
        controller = s.played_by[c]
        for effect in s.effects:
            if effect.what == CONTROL and effect.target == c:
                controller = effect.player
        s.controller[c] = controller
        self.touch()

    def boost(
        self, c: int, amount: int, until: int = END_OF_TURN, until_player: int = NONE
    ) -> bool:
        """A card in play gains (or loses) power for a while; whether it did."""
        if not self.in_play(c):
            return False
        c = self.redirected(c, self.cause)
        if self.keeps_power_and_controller(c, self.cause):
            return False
        self.note_affected(c)
        if amount > 0:
            self.note_raised(c)
        self.add_effect(POWER, c, amount, NONE, until, until_player)
        if self.logging:
            text = "{card} gains +{amount} power." if amount >= 0 else "{card} has {amount} power."
            self.log(text, card=self.name(c), amount=amount)
            self.note(Change(STRENGTHENED, cards=(c,), amount=amount))
        return True

    def boost_player(self, player: int, serial: int, amount: int) -> None:
        """A player gains power at a base until the end of the turn."""
        self.add_effect(PLAYER_POWER, serial, amount, player, END_OF_TURN)
        if self.logging:
            self.log(
                "{player} gains +{amount} power at {base}.",
                player=self.player_name(player),
                amount=amount,
                base=self.base_name(serial),
            )
            self.note(Change(STRENGTHENED, player=player, base=serial, amount=amount))

    def change_breakpoint(self, serial: int, amount: int) -> None:
        """A base's breakpoint changes until the end of the turn."""
        self.add_effect(BREAKPOINT, serial, amount, NONE, END_OF_TURN)
        if self.logging:
            self.log(
                "The breakpoint of {base} changes by {amount}.",
                base=self.base_name(serial),
                amount=amount,
            )

    def add_counters(self, c: int, count: int) -> bool:
        """Place +1 power counters from the pool on a card (negative: remove them)."""
        s = self.state
        if not self.in_play(c):
            return False
        c = self.redirected(c, self.cause)
        if self.keeps_power_and_controller(c, self.cause):
            return False
        self.note_affected(c)
        if count > 0:
            self.note_raised(c)
        s.counters[c] = max(0, s.counters[c] + count)
        self.touch()
        if self.logging:
            self._log_counters(c, count)
            self.note(Change(COUNTERS, cards=(c,), amount=count))
        return True

    def _log_counters(self, c: int, count: int) -> None:
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
        self.log(text, card=self.name(c), count=abs(count))

    def clear_counters(self, c: int) -> bool:
        """Take all counters of any sort off a card; whether there were any to take."""
        s = self.state
        c = self.redirected(c, self.cause)
        if self.keeps_power_and_controller(c, self.cause):
            return False
        self.note_affected(c)
        found = s.counters[c] > 0 or s.tokens.get(c, 0) > 0
        if self.logging and found:
            self.log("{card} loses its counters.", card=self.name(c))
            self.note(Change(COUNTERS, cards=(c,), amount=-s.counters[c]))
        s.counters[c] = 0
        s.tokens.pop(c, None)
        self.touch()
        return found

    def transfer_counters(self, source: int, target: int, count: int) -> int:
        """Move +1 power counters from one card to another; how many went."""
        s = self.state
        count = min(count, s.counters[source])
        cause = self.cause
        if (
            count <= 0
            or not self.in_play(target)
            or self.keeps_power_and_controller(source, cause)
            or self.keeps_power_and_controller(target, cause)
        ):
            return 0
        self.note_affected(source)
        self.note_affected(target)
        self.note_raised(target)
        s.counters[source] -= count
        s.counters[target] += count
        if self.logging:
            text = "{count} +1 power counters go from {origin} to {card}."
            if count == 1:
                text = "A +1 power counter goes from {origin} to {card}."
            self.log(text, count=count, origin=self.name(source), card=self.name(target))
            self.note(Change(COUNTERS, cards=(source,), amount=-count))
            self.note(Change(COUNTERS, cards=(target,), amount=count))
        self.touch()
        self.transferred(target)
        return count

    def gain_vp(self, player: int, amount: int) -> None:
        s = self.state
        s.vp[player] = max(0, s.vp[player] + amount)
        if self.logging and amount:
            text = "{player} gains {amount} VP." if amount > 0 else "{player} loses {amount} VP."
            self.log(text, player=self.player_name(player), amount=abs(amount))
            self.note(Change(VP, player=player, amount=amount))

    # --- bases ------------------------------------------------------------------------------

    def refill_bases(self) -> bool:
        """Make sure the base deck has a card, from the base discard pile if the edition says so."""
        s = self.state
        if s.base_deck:
            return True
        if not self.edition.base_reshuffle or not s.base_discard:
            return False
        for c in s.base_discard:
            s.zone[c] = BASE_DECK
            s.seen[c] = 0
        s.base_deck = s.base_discard
        s.base_discard = []
        s.shuffle(s.base_deck)
        return True

    def next_base(self) -> int:
        """The top card of the base deck, `NONE` when there is no base left."""
        return self.state.base_deck[-1] if self.refill_bases() else NONE

    def play_base(self, c: int, index: int = NONE) -> int:
        """A base card comes into play as a new site (at a place among the others)."""
        s = self.state
        self.begin_life(c)
        self._take(c)
        s.serial += 1
        site = Site(s.serial, c, [])
        s.site_at[site.serial] = site
        if index == NONE:
            s.sites.append(site)
        else:
            s.sites.insert(index, site)
        s.controller[c] = NONE
        s.counters[c] = 0
        self._put(c, IN_MIDDLE, site.serial)
        self._live(c)
        self._base_came(site)
        return site.serial

    def _base_came(self, site: Site) -> None:
        """A base card has come into play: abilities take note."""
        if self.logging:
            self.log("{base} comes into play.", base=self.base_name(site.serial))
        if self.listeners(H_AFTER_BASE_PLAYED):
            event = Event(H_AFTER_BASE_PLAYED)
            event.base = self.base(site.serial)
            event.card = self.card(site.base)
            event.player = self.seat(self.state.current)
            self.emit(event)

    def swap_base(self, serial: int, c: int) -> None:
        """Replace the base card at a site, keeping the cards on it; the old one is discarded."""
        s = self.state
        site = s.site_at[serial]
        self._discard_base_card(site.base)
        # What was played at the old base was not played at this one.
        s.tally = {
            key: count
            for key, count in s.tally.items()
            if key[2:3] != (serial,) and key != (-1, serial)
        }
        self.begin_life(c)
        self._take(c)
        site.base = c
        s.controller[c] = NONE
        s.counters[c] = 0
        self._put(c, IN_MIDDLE, serial)
        self._live(c)
        self._base_came(site)

    def _discard_base_card(self, c: int) -> None:
        self._take(c)
        self.end_life(c)
        self._put(c, BASE_DISCARD, NONE)
        self.show(c)

    def clear_site(self, serial: int, how: int) -> None:
        """All cards still on a base go to their owners' discard piles, at the same time."""
        s = self.state
        self._leave_together(s.site_at[serial].cards[:], how, DISCARD)

    def close_site(self, serial: int) -> int:
        """The base card is discarded and its site closed; the site's place among the others."""
        s = self.state
        site = s.site_at[serial]
        index = s.sites.index(site)
        self._discard_base_card(site.base)
        s.sites.remove(site)
        del s.site_at[serial]
        s.effects = [
            e
            for e in s.effects
            if not (e.what in (PLAYER_POWER, BREAKPOINT) and e.target == serial)
        ]
        self.touch()
        return index

    def destroy_base(self, serial: int) -> int:
        """Destroy a base; cards on it are discarded as they cannot outlive it. Its old place."""
        if self.logging:
            cause = self.named_cause()
            if cause is None:
                self.log("{base} is destroyed.", base=self.base_name(serial))
            else:
                self.log("{cause} destroys {base}.", cause=cause, base=self.base_name(serial))
        self.clear_site(serial, LOST)
        return self.close_site(serial)

    # --- small facts ------------------------------------------------------------------------

    def is_type(self, c: int, types: int) -> bool:
        """Whether a card is one of these types; a buried card has none."""
        s = self.state
        return bool(s.kind[c].type & types) and s.zone[c] != BURIED
