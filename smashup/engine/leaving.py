"""Cards leave play: destroyed, returned, placed, discarded with their base.

Redirection to another card first, then protection (can't beats can), then replacement, then the
change, then what it sets off.
"""

from __future__ import annotations

from typing import Any

from smashup.engine.attempts import Found
from smashup.engine.events import Cause, Deeds, Event, Frame, Source
from smashup.engine.kinds import (
    H_AFTER_LEAVE,
    H_AFTER_TRANSFER,
    H_INSTEAD_OF_DISCARD,
    H_INSTEAD_OF_LEAVING,
    H_OUTLIVES_HOST,
    H_REDIRECTS,
)  # fmt: skip
from smashup.engine.messages import EVERYBODY, Message
from smashup.engine.words import (
    ANY_MINION,
    ASIDE,
    AT_BASE,
    BURIED,
    DECK,
    DECK_BOTTOM,
    DECK_SHUFFLE,
    DECK_TOP,
    DESTROYED,
    DISCARD,
    HAND,
    LIMBO,
    LOST,
    MINION,
    NONE,
    ON_CARD,
    RETURNED,
    SCORED,
    TITAN,
)  # fmt: skip
from smashup.engine.zones import Zones


class Leaving(Zones):
    """The fourth layer of a table; see the module."""

    __slots__ = ()

    # --- leaving play -----------------------------------------------------------------------

    def destroy(self, cards: list[int]) -> list[int]:
        """Destroy cards in play, all at once; those that really were destroyed."""
        return self.remove(cards, DESTROYED, DISCARD)

    def return_to_hand(self, cards: list[int]) -> list[int]:
        return self.remove(cards, RETURNED, HAND)

    def remove(
        self, cards: list[int], how: int, to: int, new_home: int = NONE, keeping: int = NONE
    ) -> list[int]:
        """Cards leave play by an ability: those that really did, wherever they went.

        Redirection first, then protection (can't beats can), then replacement, then the change.
        An action to be kept (``keeping``) comes off its card and waits to be transferred.
        """
        cause = self.cause
        leaving: list[int] = []
        used: list[Source] = []
        for i, named in enumerate(cards):
            if not self.in_play(named):
                continue
            c = named
            if cause.playing and self.listeners(H_REDIRECTS):
                next_ones = [x for x in cards[i + 1 :] if not self._withstands(x, how, cause)]
                c = self.redirected(named, cause, leaving + next_ones)
            if self._withstands(c, how, cause):
                if self.logging:
                    self.log("{card} is protected.", card=self.name(c))
                continue
            self.note_affected(c)
            if self._replaced(c, how, to, used):
                continue
            leaving.append(c)
        if keeping != NONE and leaving:
            self._lift_off(keeping)
        self._leave_together(leaving, how, to, new_home)
        return leaving

    def _withstands(self, c: int, how: int, cause: Cause) -> bool:
        """Whether a card does not leave play this way: can't beats can."""
        return self.is_protected(c, cause) or (how == DESTROYED and not self.can_destroy(c, cause))

    def note_affected(self, c: int) -> None:
        """The resolving card does something to this one: it is affected, directly."""
        if self.frames:
            frame = self.frames[-1]
            deeds = frame.deeds
            if deeds is None:
                deeds = frame.deeds = Deeds()
            card = self.cards[c]
            deeds.affected.append(card)
            if card not in deeds.places:
                deeds.places[card] = self.site_serial(c)
                deeds.controllers[card] = self.state.controller[c]
            right = frame.right
            if right is not None and right.must_affect != NONE and not right.must_raise:
                wanted = right.must_affect
                if (wanted == c and self.is_life(c, right.aim_life)) or (
                    wanted == ANY_MINION and self.state.kind[c].type == MINION
                ):
                    self._aim_met(frame)

    def note_raised(self, c: int) -> None:
        """The resolving card, which affects this one, directly increases its power."""
        if self.frames:
            frame = self.frames[-1]
            assert frame.deeds is not None
            frame.deeds.raised.append(self.cards[c])
            right = frame.right
            if (
                right is not None
                and right.must_raise
                and right.must_affect in (NONE, c)
                and self.is_life(c, right.aim_life)
                and self.state.controller[c] == frame.cause.controller
                and self.state.kind[c].type == MINION
            ):
                self._aim_met(frame)

    def _aim_met(self, frame: Frame) -> None:
        """A card did what the right to play it demands: from now on its choices are free."""
        if self.on_trial and frame is self.frames[0]:
            raise Found
        self.attempts = [x for x in self.attempts if x.frame is not frame]

    def redirected(self, c: int, cause: Cause, taken: list[int] | None = None) -> int:
        """The card that takes on what a card just played does to this one.

        A card that is about to leave play (``taken``) can take on nothing more.
        """
        if not cause.playing or cause.controller < 0:
            return c
        card = self.cards[c]
        for source in list(self.listeners(H_REDIRECTS)):
            me = self.cards[source.card]
            if (
                source.card != c
                and (taken is None or source.card not in taken)
                and source.kind.redirects_if(me, card, cause)
            ):
                self._interrupt(source)
                takes_it_on = source.kind.redirects(me, card, cause)
                self._resume()
                if takes_it_on:
                    return source.card
        return c

    def _interrupt(self, source: Source) -> None:
        """An ability steps in while another card resolves: what it does is its own doing."""
        self.frames.append(Frame(self.cause_of(source.card)))

    def _resume(self) -> None:
        """The interrupted card goes on; what was set off waits for it to finish."""
        done = self.frames.pop()
        if self.frames:
            self.frames[-1].queue += done.queue

    def _replaced(self, c: int, how: int, to: int, used: list[Source]) -> bool:
        """Whether some "instead" keeps the card from leaving as it would.

        Of several that compete the current player picks which is tried first. ``used`` collects
        those that replaced something already, of all that is leaving together.
        """
        if not self.listeners(H_INSTEAD_OF_LEAVING):
            return False
        card = self.cards[c]
        competing = [
            source
            for source in self.listeners(H_INSTEAD_OF_LEAVING)
            if not (source.kind.keeps_one and source in used)
            and source.kind.instead_of_leaving_if(self.cards[source.card], card, how, to)
        ]
        while competing:
            source = competing[0]
            if len(competing) > 1:
                source = self._pick_source("Which ability replaces it?", competing)
            competing.remove(source)
            self._interrupt(source)
            done = source.kind.instead_of_leaving(self.cards[source.card], card, how, to)
            self._resume()
            if done:
                used.append(source)
                return True
        return False

    def _leave(self, c: int, how: int, to: int) -> None:
        """One card leaves play by itself."""
        self._leave_together([c], how, to)

    def _leave_together(self, cards: list[int], how: int, to: int, new_home: int = NONE) -> None:
        """Cards leave play at the same time; what is on them is discarded.

        Where each goes and which abilities watch is settled while all of them are still there.
        """
        going: dict[int, tuple[int, int, int]] = {}
        for c in cards:
            self._prepare_leaving(c, how, to, new_home, going, cards)
        listening = self.listeners(H_AFTER_LEAVE)[:]
        if self.logging:
            self._log_leaving(going)
        for c, (way, goal, owner) in going.items():
            self._go(c, way, goal, owner, listening)

    def _prepare_leaving(
        self,
        c: int,
        how: int,
        to: int,
        new_home: int,
        going: dict[int, tuple[int, int, int]],
        leaving: list[int],
    ) -> None:
        """Settle how a card and what is on it leave play: how, where to, to whom."""
        s = self.state
        if not self.in_play(c) or c in going:
            return
        if to == DISCARD and s.zone[c] != BURIED:
            to = self._discard_elsewhere(c)
        owner = self.owner_of(c) if new_home == NONE else new_home
        self.last_power[c] = self.power(c)
        self.last_site[c] = self.site_serial(c)
        if s.zone[c] == ON_CARD:
            self.last_host[c] = self.cards[s.place[c]]
        for a in s.on_card.get(c, ()):
            if not self._outlives(a, leaving):
                self._prepare_leaving(a, LOST, DISCARD, NONE, going, leaving)
        going[c] = (how, to, owner)

    def _outlives(self, a: int, leaving: list[int]) -> bool:
        """Whether an action goes to another card when the one it is on leaves play.

        It is the action that does so, not what makes its card leave.
        """
        for source in self.listeners(H_OUTLIVES_HOST):
            if source.card == a and a not in leaving:
                self._interrupt(source)
                host = source.kind.outlives_host(self.cards[a], [self.cards[c] for c in leaving])
                stays = host is not None and self.transfer_action(a, host.id)
                self._resume()
                return stays
        return False

    def _go(self, c: int, how: int, to: int, owner: int, listening: list[Source]) -> None:
        """The change itself: a card goes from play to its owner's zone."""
        s = self.state
        kind = s.kind[c]
        serial = self.site_serial(c)
        self._take(c)
        self.end_life(c)
        self.how = how
        if kind.type == TITAN:  # "whatever the reason ... it is set aside near its owner"
            to = ASIDE
            self._put(c, ASIDE, owner)
            self.add_source(c, kind)
        elif to == HAND:
            self._put(c, HAND, owner)
            self.reveal_to(c, owner)
        elif to == DISCARD:
            self._put(c, DISCARD, owner)
        elif to == DECK_SHUFFLE:
            self._put(c, DECK, owner)
            self.shuffle_deck(owner)
        elif to in (DECK_TOP, DECK_BOTTOM):
            self._put(c, DECK, owner, to == DECK_BOTTOM)
        else:
            self._put(c, to, owner)
        self.how = 0
        s.pool[c] = owner
        if to == HAND:
            self._went_to_hand(c, owner)
        if listening and self.frames:
            event = Event(H_AFTER_LEAVE)
            event.card = self.cards[c]
            event.player = self.seat(s.controller[c])
            event.origin = self.base(serial)
            event.how = how
            event.to = to
            self.emit(event, listening)
        if to == ASIDE:
            s.controller[c] = owner

    def _discard_elsewhere(self, c: int) -> int:
        """Where a card on its way to the discard pile goes, if a text says so.

        Several texts may say so; the current player picks which is tried first.
        """
        card = self.cards[c]
        competing = [
            source
            for source in self.listeners(H_INSTEAD_OF_DISCARD)
            if source.kind.instead_of_discard_if(self.cards[source.card], card)
        ]
        while competing:
            first = 0
            if len(competing) > 1:
                first = competing.index(
                    self._pick_source("Which ability replaces the discard?", competing)
                )
            source = competing.pop(first)
            self._interrupt(source)
            to = source.kind.instead_of_discard(self.cards[source.card], card)
            self._resume()
            if to >= 0:
                return to
        return DISCARD

    def _pick_source(self, prompt: str, sources: list[Source]) -> Source:
        chosen = self.ask_card(self.state.current, prompt, [x.card for x in sources])
        return next(x for x in sources if x.card == chosen)

    def _log_leaving(self, going: dict[int, tuple[int, int, int]]) -> None:
        """Say what leaves play and why; what was on a card after the card itself."""
        s = self.state
        attached: list[int] = []
        for c, (how, to, owner) in going.items():
            if how == LOST and to == DISCARD and s.zone[c] == ON_CARD and s.place[c] in going:
                attached.append(c)
            else:
                self._log_leaving_card(c, how, to, owner)
        for c in attached:
            host = self.name(s.place[c])
            self.log("{card} is discarded with {host}.", card=self.name(c), host=host)

    def _log_leaving_card(self, c: int, how: int, to: int, owner: int) -> None:
        s = self.state
        # A buried card that does not go face up to a discard pile stays unknown.
        seen_by = s.seen[c] if s.zone[c] == BURIED and to != DISCARD else EVERYBODY
        if s.kind[c].type == TITAN:
            to = ASIDE
        cause = None if how == SCORED else self.named_cause(c)
        if how == DESTROYED and to != ASIDE:
            if cause is None:
                self.log("{card} is destroyed.", card=self.name(c))
            else:
                self.log("{cause} destroys {card}.", cause=cause, card=self.name(c))
            if to == DISCARD:
                return
            cause = None  # it goes elsewhere because of another text
        if to == DISCARD:
            self._log_discard(c, cause)
            return
        text = "{card} leaves the game."
        if to == ASIDE:
            text = "{card} is set aside." if cause is None else "{cause} sets {card} aside."
        elif to == HAND and how == RETURNED:
            text = "{card} returns to {player}'s hand."
            if cause is not None:
                text = "{cause} returns {card} to {player}'s hand."
        elif to == HAND:
            text = "{card} goes to {player}'s hand."
            if cause is not None:
                text = "{cause} puts {card} into {player}'s hand."
        elif to == DECK_TOP:
            text = "{card} goes on top of {player}'s deck."
            if cause is not None:
                text = "{cause} puts {card} on top of {player}'s deck."
        elif to == DECK_BOTTOM:
            text = "{card} goes to the bottom of {player}'s deck."
            if cause is not None:
                text = "{cause} puts {card} on the bottom of {player}'s deck."
        elif to == DECK_SHUFFLE:
            text = "{card} is shuffled into {player}'s deck."
            if cause is not None:
                text = "{cause} shuffles {card} into {player}'s deck."
        args: dict[str, Any] = {"card": self.name(c), "player": self.player_name(owner)}
        if cause is not None:
            args["cause"] = cause
        self.log(text, seen_by, **args)

    def _log_discard(self, c: int, cause: Message | None) -> None:
        """A card goes from play to the discard pile without being destroyed."""
        if cause is not None:
            self.log("{cause} discards {card}.", cause=cause, card=self.name(c))
        elif self.state.zone[c] in (AT_BASE, BURIED) and self.cause.card == NONE:
            base = self.base_name(self.site_serial(c))
            self.log("{card} is discarded from {base}.", card=self.name(c), base=base)
        else:
            self.log("{card} is discarded.", card=self.name(c))

    # --- transferring actions ---------------------------------------------------------------

    def transfer_action(self, c: int, host: int) -> bool:
        """Move an action from the card it is on to another."""
        waiting = self.state.zone[c] == LIMBO
        if not self.in_play(host) or not (waiting or self.in_play(c)):
            return False
        if self.is_protected(host, self.cause):
            return False
        self._take(c)
        self._put(c, ON_CARD, host)
        self.touch_abilities()
        self.lend_from(c)
        self.note_affected(host)
        if self.logging:
            self._log_transfer(c, host)
        self.transferred(c)
        return True

    def _log_transfer(self, c: int, host: int) -> None:
        cause = self.named_cause(c)
        names = {"card": self.name(c), "host": self.name(host)}
        if cause is None:
            self.log("{card} is transferred to {host}.", **names)
        else:
            self.log("{cause} transfers {card} to {host}.", cause=cause, **names)

    def _lift_off(self, c: int) -> None:
        """An action comes off the card it is on and waits, its life unbroken, for another."""
        s = self.state
        self.last_site[c] = self.site_serial(c)
        self.last_host[c] = self.cards[s.place[c]]
        self._take(c)
        self._put(c, LIMBO, s.controller[c])
        self.touch_abilities()  # none of its own while it waits

    def transfer_waiting(self, c: int, host: int) -> bool:
        """An action that came off its card goes on another; if it cannot, it is discarded."""
        if host != NONE and self.transfer_action(c, host):
            return True
        if self.state.zone[c] == LIMBO:
            to = self._discard_elsewhere(c)
            if self.logging:
                self._log_leaving_card(c, LOST, to, self.owner_of(c))
            self._go(c, LOST, to, self.owner_of(c), self.listeners(H_AFTER_LEAVE)[:])
        return False

    def transferred(self, c: int) -> None:
        """A counter or an action went from one card to another."""
        if self.listeners(H_AFTER_TRANSFER):
            event = Event(H_AFTER_TRANSFER)
            event.card = self.cards[c]
            event.player = self.seats[self.cause.player]
            self.emit(event)
