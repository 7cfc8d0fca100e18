"""What changes the table. Nothing writes to the state past these verbs.

Each verb checks protection and replacement, makes the change, lets abilities note that they are
triggered, and returns what really happened.
"""

from __future__ import annotations

from smashup.engine.events import Cause, Event, Source
from smashup.engine.kinds import (
    H_AFTER_BASE_PLAYED,
    H_AFTER_CONTROL,
    H_AFTER_DISCARD,
    H_AFTER_GIVEN,
    H_AFTER_LEAVE,
    H_AFTER_MOVE,
    H_AFTER_TO_HAND,
    H_AFTER_TRANSFER,
    H_INSTEAD_OF_DISCARD,
    H_INSTEAD_OF_LEAVING,
    H_REDIRECTS,
)  # fmt: skip
from smashup.engine.queries import Queries
from smashup.engine.state import BREAKPOINT, CONTROL, MOVED_FROM, PLAYER_POWER, POWER, Site
from smashup.engine.words import (
    ACTION,
    ASIDE,
    AT_BASE,
    BASE,
    BASE_DECK,
    BASE_DISCARD,
    BOX,
    BURIED,
    DECK,
    DECK_BOTTOM,
    DECK_SHUFFLE,
    DECK_TOP,
    DESTROYED,
    DISCARD,
    END_OF_TURN,
    HAND,
    IN_MIDDLE,
    LIMBO,
    LOST,
    MADNESS_DECK,
    NONE,
    ON_CARD,
    PLACED,
    RETURNED,
    SCORED,
    TITAN,
    WHILE_IN_PLAY,
)  # fmt: skip


class Verbs(Queries):
    """The third layer of a table; see the module."""

    __slots__ = ()

    # --- zones: the only code that moves a card from one to another -------------------------

    def _take(self, c: int) -> None:
        """Lift a card from wherever it is."""
        s = self.state
        zone = s.zone[c]
        place = s.place[c]
        if zone == HAND:
            s.hands[place].remove(c)
        elif zone == DECK:
            s.decks[place].remove(c)
        elif zone == DISCARD:
            s.discards[place].remove(c)
        elif zone in (AT_BASE, BURIED):
            s.site_at[place].cards.remove(c)
        elif zone == ON_CARD:
            rest = tuple(a for a in s.on_card[place] if a != c)
            if rest:
                s.on_card[place] = rest
            else:
                del s.on_card[place]
        elif zone == ASIDE:
            s.aside[place].remove(c)
        elif zone == LIMBO:
            s.revealed.remove(c)
        elif zone == BASE_DECK:
            s.base_deck.remove(c)
        elif zone == BASE_DISCARD:
            s.base_discard.remove(c)
        elif zone == MADNESS_DECK:
            s.madness.remove(c)

    def _put(self, c: int, zone: int, place: int, bottom: bool = False) -> None:
        """Lay a lifted card down."""
        s = self.state
        s.zone[c] = zone
        s.place[c] = place
        if zone == HAND:
            s.hands[place].append(c)
        elif zone == DECK:
            if bottom:
                s.decks[place].insert(0, c)
            else:
                s.decks[place].append(c)
        elif zone == DISCARD:
            s.discards[place].append(c)
            self.show(c)
        elif zone in (AT_BASE, BURIED):
            s.site_at[place].cards.append(c)
        elif zone == ON_CARD:
            s.on_card[place] = (*s.on_card.get(place, ()), c)
        elif zone == ASIDE:
            s.aside[place].append(c)
        elif zone == LIMBO:
            s.revealed.append(c)
        elif zone == BASE_DECK:
            if bottom:
                s.base_deck.insert(0, c)
            else:
                s.base_deck.append(c)
        elif zone == BASE_DISCARD:
            s.base_discard.append(c)
        elif zone == MADNESS_DECK:
            s.madness.append(c)
        self.touch()

    def show(self, c: int) -> None:
        """Everybody sees the card."""
        self.state.seen[c] = (1 << self.players) - 1

    def reveal_to(self, c: int, player: int) -> None:
        self.state.seen[c] |= 1 << player

    # --- decks ------------------------------------------------------------------------------

    def shuffle_deck(self, player: int) -> None:
        s = self.state
        deck = s.decks[player]
        s.shuffle(deck)
        for c in deck:
            s.seen[c] = 0
            s.pool[c] = player

    def refill(self, player: int) -> bool:
        """An empty deck is made anew from the discard pile; False when there is nothing."""
        s = self.state
        if s.decks[player] or not s.discards[player]:
            return bool(s.decks[player])
        for c in s.discards[player]:
            s.zone[c] = DECK
        s.decks[player] = s.discards[player]
        s.discards[player] = []
        self.shuffle_deck(player)
        if self.logging:
            self.log(
                "{player} shuffles the discard pile into a new deck.",
                player=self.player_name(player),
            )
        return True

    def draw(self, player: int, count: int) -> list[int]:
        s = self.state
        drawn: list[int] = []
        for _ in range(count):
            if not s.decks[player] and not self.refill(player):
                break
            c = s.decks[player].pop()
            s.zone[c] = HAND
            s.hands[player].append(c)
            self.reveal_to(c, player)
            drawn.append(c)
        if drawn and self.logging:
            self.log(
                "{player} draws {cards}.",
                1 << player,
                player=self.player_name(player),
                cards=[self.name(c) for c in drawn],
            )
        return drawn

    # --- discarding cards not in play -------------------------------------------------------

    def discard(self, player: int, cards: list[int]) -> None:
        """Cards from a hand or deck go to their owners' discard piles, at once."""
        if not cards:
            return
        for c in cards:
            owner = self.owner_of(c)
            self._take(c)
            self._put(c, DISCARD, owner)
        if self.logging:
            self.log(
                "{player} discards {cards}.",
                player=self.player_name(player),
                cards=[self.name(c) for c in cards],
            )
        if self.listeners(H_AFTER_DISCARD):
            event = Event(H_AFTER_DISCARD)
            event.player = self.seat(player)
            event.cards = [self.card(c) for c in cards]
            self.emit(event)

    def place_card(self, c: int, to: int, player: int = NONE) -> None:
        """Put a card that is not in play into a zone of its owner (or of ``player``)."""
        s = self.state
        owner = self.owner_of(c) if player == NONE else player
        from_discard = s.zone[c] == DISCARD
        public = s.zone[c] in (DISCARD, LIMBO)
        self._take(c)
        if s.owner[c] < 0 and to in (DECK_TOP, DECK_BOTTOM, DECK_SHUFFLE) and player == NONE:
            owner = max(owner, 0)
        if to == HAND:
            self._put(c, HAND, owner)
            self.reveal_to(c, owner)
        elif to == DECK_SHUFFLE:
            self._put(c, DECK, owner)
            self.shuffle_deck(owner)
        elif to in (DECK_TOP, DECK_BOTTOM):
            self._put(c, DECK, owner, to == DECK_BOTTOM)
        elif to == DISCARD:
            self._put(c, DISCARD, owner)
        s.pool[c] = owner
        if to == HAND and from_discard and public:
            self._went_to_hand(c, owner)

    def _went_to_hand(self, c: int, player: int) -> None:
        if self.listeners(H_AFTER_TO_HAND):
            event = Event(H_AFTER_TO_HAND)
            event.card = self.card(c)
            event.player = self.seat(player)
            self.emit(event)

    def give_to_hand(self, giver: int, c: int, receiver: int) -> None:
        """Place a card into another player's hand: there, not in its owner's."""
        self._take(c)
        self._put(c, HAND, receiver)
        self.reveal_to(c, receiver)
        if self.logging:
            self.log(
                "{player} places {card} into {other}'s hand.",
                self.state.seen[c],
                player=self.player_name(giver),
                card=self.name(c),
                other=self.player_name(receiver),
            )
        if self.listeners(H_AFTER_GIVEN):
            event = Event(H_AFTER_GIVEN)
            event.card = self.card(c)
            event.player = self.seat(giver)
            self.emit(event)

    # --- entering play ----------------------------------------------------------------------

    def enter(self, c: int, serial: int, controller: int) -> None:
        """A card comes into play at a site."""
        s = self.state
        self._take(c)
        s.controller[c] = controller
        s.played_by[c] = controller
        s.counters[c] = 0
        self._put(c, AT_BASE, serial)
        self._live(c)

    def attach(self, c: int, host: int, controller: int) -> None:
        """An action comes into play on another card."""
        s = self.state
        self._take(c)
        s.controller[c] = controller
        s.played_by[c] = controller
        s.counters[c] = 0
        self._put(c, ON_CARD, host)
        self._live(c)

    def _live(self, c: int) -> None:
        """A card begins a life in play: all see it, and its abilities are in force."""
        self.show(c)
        if self.last_site:
            self.last_site.pop(c, None)
            self.last_power.pop(c, None)
            self.last_host.pop(c, None)
        kind = self.state.kind[c]
        if kind.type == TITAN:  # what it could do set aside is over
            self.drop_sources(c)
        self.add_source(c, kind)

    # --- leaving play -----------------------------------------------------------------------

    def destroy(self, cards: list[int]) -> list[int]:
        """Destroy cards in play, all at once; those that really were destroyed."""
        return self.remove(cards, DESTROYED, DISCARD)

    def return_to_hand(self, cards: list[int]) -> list[int]:
        return self.remove(cards, RETURNED, HAND)

    def remove(self, cards: list[int], how: int, to: int, new_home: int = NONE) -> list[int]:
        """Cards leave play by an ability: those that really did, wherever they went.

        Protection first (can't beats can), then redirection and replacement, then the change.
        """
        cause = self.cause
        leaving: list[int] = []
        for named in cards:
            if not self.in_play(named):
                continue
            c = self.redirected(named, cause)
            if c in leaving:
                continue
            self.note_affected(c)
            if self.is_protected(c, cause) or (how == DESTROYED and not self.can_destroy(c, cause)):
                if self.logging:
                    self.log("{card} is protected.", card=self.name(c))
                continue
            if self._replaced(c, how, to):
                continue
            leaving.append(c)
        self._leave_together(leaving, how, to, new_home)
        return leaving

    def redirected(self, c: int, cause: Cause) -> int:
        """The card that takes on what a card just played does to this one."""
        if not cause.playing or cause.controller < 0:
            return c
        card = self.card(c)
        for source in list(self.listeners(H_REDIRECTS)):
            me = self.card(source.card)
            if (
                source.card != c
                and source.kind.redirects_if(me, card, cause)
                and source.kind.redirects(me, card, cause)
            ):
                return source.card
        return c

    def _replaced(self, c: int, how: int, to: int) -> bool:
        """Whether some "instead" keeps the card from leaving as it would."""
        if not self.listeners(H_INSTEAD_OF_LEAVING):
            return False
        card = self.card(c)
        for source in list(self.listeners(H_INSTEAD_OF_LEAVING)):
            me = self.card(source.card)
            if source.kind.instead_of_leaving_if(
                me, card, how, to
            ) and source.kind.instead_of_leaving(me, card, how, to):
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
            self._prepare_leaving(c, how, to, new_home, going)
        listening = self.listeners(H_AFTER_LEAVE)[:]
        for c, (way, goal, owner) in going.items():
            self._go(c, way, goal, owner, listening)

    def _prepare_leaving(
        self, c: int, how: int, to: int, new_home: int, going: dict[int, tuple[int, int, int]]
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
            self.last_host[c] = s.place[c]
        for a in s.on_card.get(c, ()):
            self._prepare_leaving(a, LOST, DISCARD, NONE, going)
        going[c] = (how, to, owner)

    def _go(self, c: int, how: int, to: int, owner: int, listening: list[Source]) -> None:
        """The change itself: a card goes from play to its owner's zone."""
        s = self.state
        kind = s.kind[c]
        serial = self.site_serial(c)
        self._take(c)
        s.counters[c] = 0
        s.tokens.pop(c, None)
        s.lives[c] += 1
        s.effects = [
            e for e in s.effects if not (e.target == c and e.what not in (PLAYER_POWER, BREAKPOINT))
        ]
        self.drop_sources(c)
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
        s.pool[c] = owner
        if self.logging:
            self._log_leaving(c, how, to, owner)
        if to == HAND:
            self._went_to_hand(c, owner)
        if listening and self.frames:
            event = Event(H_AFTER_LEAVE)
            event.card = self.card(c)
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
        card = self.card(c)
        competing = [
            source
            for source in self.listeners(H_INSTEAD_OF_DISCARD)
            if source.kind.instead_of_discard_if(self.card(source.card), card)
        ]
        while competing:
            first = 0
            if len(competing) > 1:
                first = competing.index(
                    self._pick_source("Which ability replaces the discard?", competing)
                )
            source = competing.pop(first)
            to = source.kind.instead_of_discard(self.card(source.card), card)
            if to >= 0:
                return to
        return DISCARD

    def _pick_source(self, prompt: str, sources: list[Source]) -> Source:
        chosen = self.ask_card(self.state.current, prompt, [x.card for x in sources])
        return next(x for x in sources if x.card == chosen)

    def _log_leaving(self, c: int, how: int, to: int, owner: int) -> None:
        texts = {
            DESTROYED: "{card} is destroyed.",
            RETURNED: "{card} returns to {player}'s hand.",
            SCORED: "{card} is discarded.",
            LOST: "{card} is discarded.",
            PLACED: "{card} is discarded.",
        }
        text = texts[how]
        if to == ASIDE:
            text = "{card} is set aside."
        elif to == HAND and how != RETURNED:
            text = "{card} goes to {player}'s hand."
        elif to == DECK_TOP:
            text = "{card} goes on top of {player}'s deck."
        elif to == DECK_BOTTOM:
            text = "{card} goes to the bottom of {player}'s deck."
        elif to == DECK_SHUFFLE:
            text = "{card} is shuffled into {player}'s deck."
        elif to == BOX:
            text = "{card} leaves the game."
        self.log(text, card=self.name(c), player=self.player_name(owner))

    # --- moving, control, counters, power ---------------------------------------------------

    def note_affected(self, c: int) -> None:
        """The resolving card does something to this one: it is affected, directly."""
        if self.frames:
            self.frames[-1].affected.append(c)

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
        self.note_affected(c)
        if self.is_protected(c, cause) or not self.can_move(c, serial, cause):
            if self.logging:
                self.log("{card} cannot be moved.", card=self.name(c))
            return False
        self._take(c)
        self._put(c, AT_BASE, serial)
        self.add_effect(MOVED_FROM, c, origin, NONE, END_OF_TURN)
        if self.logging:
            self.log(
                "{card} moves from {origin} to {base}.",
                card=self.name(c),
                origin=self.base_name(origin),
                base=self.base_name(serial),
            )
        if self.listeners(H_AFTER_MOVE):
            event = Event(H_AFTER_MOVE)
            event.card = self.card(c)
            event.base = self.base(serial)
            event.origin = self.base(origin)
            mover = cause.controller
            event.player = self.seat(mover)
            self.emit(event)
        if s.kind[c].type == TITAN:
            self.arrivals.append(c)
        return True

    def take_control(self, c: int, player: int, until: int = WHILE_IN_PLAY) -> bool:
        """Give control of a card to a player; whether it changed hands."""
        s = self.state
        if not self.in_play(c):
            return False
        c = self.redirected(c, self.cause)
        before = s.controller[c]
        self.note_affected(c)
        if self.is_protected(c, self.cause) or before == player:
            return False
        self.add_effect(CONTROL, c, player, player, until)
        s.controller[c] = player
        self.touch()
        if self.logging:
            self.log(
                "{player} takes control of {card}.",
                player=self.player_name(player),
                card=self.name(c),
            )
        if self.listeners(H_AFTER_CONTROL):
            event = Event(H_AFTER_CONTROL)
            event.card = self.card(c)
            event.player = self.seat(player)
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
        self.note_affected(c)
        if self.is_protected(c, self.cause):
            return False
        if amount > 0 and self.frames:
            self.frames[-1].raised.append(c)
        self.add_effect(POWER, c, amount, NONE, until, until_player)
        if self.logging:
            text = "{card} gains +{amount} power." if amount >= 0 else "{card} has {amount} power."
            self.log(text, card=self.name(c), amount=amount)
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
        self.note_affected(c)
        if self.is_protected(c, self.cause):
            return False
        if count > 0 and self.frames:
            self.frames[-1].raised.append(c)
        s.counters[c] = max(0, s.counters[c] + count)
        self.touch()
        if self.logging:
            if count >= 0:
                text = "{count} +1 power counter(s) on {card}."
            else:
                text = "{count} +1 power counter(s) off {card}."
            self.log(text, card=self.name(c), count=abs(count))
        return True

    def clear_counters(self, c: int) -> bool:
        """Take all counters of any sort off a card; whether there were any to take."""
        s = self.state
        self.note_affected(c)
        if self.is_protected(c, self.cause):
            return False
        found = s.counters[c] > 0 or s.tokens.get(c, 0) > 0
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
            or self.is_protected(source, cause)
            or self.is_protected(target, cause)
        ):
            return 0
        self.note_affected(source)
        self.note_affected(target)
        s.counters[source] -= count
        s.counters[target] += count
        self.touch()
        self._transferred(target)
        return count

    def transfer_action(self, c: int, host: int) -> bool:
        """Move an action from the card it is on to another."""
        if not self.in_play(host) or self.is_protected(host, self.cause):
            return False
        self._take(c)
        self._put(c, ON_CARD, host)
        self.note_affected(host)
        if self.logging:
            self.log("{card} is transferred to {host}.", card=self.name(c), host=self.name(host))
        self._transferred(c)
        return True

    def _transferred(self, c: int) -> None:
        if self.listeners(H_AFTER_TRANSFER):
            event = Event(H_AFTER_TRANSFER)
            event.card = self.card(c)
            self.emit(event)

    def gain_vp(self, player: int, amount: int) -> None:
        s = self.state
        s.vp[player] = max(0, s.vp[player] + amount)
        if self.logging and amount:
            text = "{player} gains {amount} VP." if amount > 0 else "{player} loses {amount} VP."
            self.log(text, player=self.player_name(player), amount=abs(amount))

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
        if self.logging:
            self.log("{base} comes into play.", base=self.base_name(site.serial))
        if self.listeners(H_AFTER_BASE_PLAYED):
            event = Event(H_AFTER_BASE_PLAYED)
            event.base = self.base(site.serial)
            event.card = self.card(c)
            event.player = self.seat(s.current)
            self.emit(event)
        return site.serial

    def swap_base(self, serial: int, c: int) -> None:
        """Replace the base card at a site, keeping the cards on it; the old one is discarded."""
        s = self.state
        site = s.site_at[serial]
        self._discard_base_card(site.base)
        self._take(c)
        site.base = c
        s.controller[c] = NONE
        self._put(c, IN_MIDDLE, serial)
        self._live(c)

    def _discard_base_card(self, c: int) -> None:
        s = self.state
        self._take(c)
        s.counters[c] = 0
        s.tokens.pop(c, None)
        s.lives[c] += 1
        self.drop_sources(c)
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
            self.log("{base} is destroyed.", base=self.base_name(serial))
        self.clear_site(serial, LOST)
        return self.close_site(serial)

    # --- small facts ------------------------------------------------------------------------

    def is_type(self, c: int, types: int) -> bool:
        """Whether a card is one of these types; a buried card has none."""
        s = self.state
        return bool(s.kind[c].type & types) and s.zone[c] != BURIED

    def is_action_in_play(self, c: int) -> bool:
        return self.is_type(c, ACTION) and self.in_play(c)

    def is_base_card(self, c: int) -> bool:
        return self.state.kind[c].type == BASE
