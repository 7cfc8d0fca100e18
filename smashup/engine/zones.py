"""Where cards lie: the only code that moves a card from one zone to another.

Drawing, shuffling, discarding from hand, coming into play. Nothing writes to the state past the
verbs of this layer and the next ones.
"""

from __future__ import annotations

from typing import Any, Final

from smashup.engine.changes import RESHUFFLED, SHUFFLED, Change, move
from smashup.engine.editions import OWN_CARDS, OWN_VISIBLE_CARDS
from smashup.engine.events import Event
from smashup.engine.handles.card import Departure
from smashup.engine.kinds import (
    H_AFTER_DISCARD,
    H_AFTER_GIVEN,
    H_AFTER_TO_HAND,
)  # fmt: skip
from smashup.engine.knowledge import ALL_VIEWERS, lose_track, shuffle, sort_out
from smashup.engine.queries import Queries
from smashup.engine.state import BANNED_NAME, BREAKPOINT, PLAYER_POWER
from smashup.engine.words import (
    ASIDE,
    AT_BASE,
    BASE_DECK,
    BASE_DISCARD,
    BURIED,
    DECK,
    DECK_BOTTOM,
    DECK_SHUFFLE,
    DECK_TOP,
    DISCARD,
    DRAW,
    HAND,
    LIMBO,
    MADNESS_DECK,
    NONE,
    ON_CARD,
    TITAN,
)  # fmt: skip

_NOT_OF_A_LIFE: Final = (PLAYER_POWER, BREAKPOINT, BANNED_NAME)
"""Effects on a site, or on all cards of a name: they do not end when a card leaves play."""


class Zones(Queries):
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
            if c in s.held:
                s.held.remove(c)
        elif zone == BASE_DECK:
            s.base_deck.remove(c)
        elif zone == BASE_DISCARD:
            s.base_discard.remove(c)
        elif zone == MADNESS_DECK:
            s.madness.remove(c)

    def _put(self, c: int, zone: int, place: int, bottom: bool = False) -> None:
        """Lay a lifted card down."""
        s = self.state
        if self.logging and (s.zone[c], s.place[c]) != (zone, place):
            origin = (s.zone[c], s.place[c])
            self.note(move((c,), origin, (zone, place), self.how, s.seen[c]))
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

    # --- who knows which card it is (`knowledge`) -------------------------------------------

    def show(self, c: int) -> None:
        """Everybody sees the card."""
        s = self.state
        s.seen[c] = ALL_VIEWERS
        if s.mixed:
            sort_out(s, c, ALL_VIEWERS)

    def reveal_to(self, c: int, player: int) -> None:
        """A player sees the card and shows it to nobody else."""
        s = self.state
        s.seen[c] |= 1 << player
        if s.mixed:
            sort_out(s, c, 1 << player)

    def conceal(self, c: int, seers: int) -> None:
        """A player picks this card from among hidden ones to put it somewhere hidden.

        Only the ``seers`` (bits) know which of them it is. Cards that lie open are followed by all.
        """
        s = self.state
        zone, place = s.zone[c], s.place[c]
        if zone == HAND:
            among = s.hands[place]
        elif zone == DECK:
            among = s.decks[place]
        elif zone == LIMBO and c in s.held:
            among = [x for x in s.held if s.place[x] == place]
        else:
            return
        lose_track(s, among, seers, self.players)

    def home_of(self, c: int, player: int, visible: bool) -> int:
        """Whose hand or deck a card goes to that an ability sends to this player's.

        ``visible``: whether others can see the card ("Void Where Prohibited", owner's zones). A
        card that is drawn goes to whoever draws it: a text put it into that player's deck.
        """
        routing = self.edition.owner_routing
        if routing == OWN_CARDS or (visible and routing == OWN_VISIBLE_CARDS):
            return self.owner_of(c)
        return player

    # --- decks ------------------------------------------------------------------------------

    def shuffle_deck(self, player: int) -> None:
        s = self.state
        deck = s.decks[player]
        s.shuffle(deck)
        shuffle(s, deck, player, self.players)
        if self.logging:
            self.note(Change(SHUFFLED, player=player))

    def log_shuffle(self, player: int) -> None:
        """Say that a player shuffles their deck, where no other line does."""
        if self.logging:
            self.log("{player} shuffles their deck.", player=self.player_name(player))

    def refill(self, player: int) -> bool:
        """An empty deck is made anew from the discard pile; False when there is nothing."""
        s = self.state
        if s.decks[player] or not s.discards[player]:
            return bool(s.decks[player])
        for c in s.discards[player]:
            s.zone[c] = DECK
        s.decks[player] = s.discards[player]
        s.discards[player] = []
        if self.logging:
            self.note(Change(RESHUFFLED, player=player))
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
        told = 0
        for _ in range(count):
            if not s.decks[player]:
                if self.logging:
                    self._log_draw(player, drawn)
                    told = len(drawn)
                if not self.refill(player):
                    break
            c = s.decks[player].pop()
            s.zone[c] = HAND
            s.hands[player].append(c)
            self.reveal_to(c, player)
            drawn.append(c)
        if self.logging:
            self._log_draw(player, drawn[told:])
        return drawn

    def _log_draw(self, player: int, drawn: list[int]) -> None:
        """Say what was drawn; before a new deck is shuffled, what was drawn until then."""
        if drawn:
            self.log(
                "{player} draws {cards}.",
                1 << player,
                player=self.player_name(player),
                cards=[self.name(c) for c in drawn],
            )
            seen_by = 1 << player
            self.note(move(tuple(drawn), (DECK, player), (HAND, player), 0, seen_by))

    # --- discarding cards not in play -------------------------------------------------------

    def discard(self, player: int, cards: list[int]) -> None:
        """Cards from a hand or deck go to their owners' discard piles, at once."""
        if not cards:
            return
        origin = self.state.zone[cards[0]]
        for c in cards:
            owner = self.owner_of(c)
            self._take(c)
            self._put(c, DISCARD, owner)
        if self.logging:
            self._log_discards(player, cards)
            for c in cards:
                if self.state.place[c] != player:
                    self.log_foreign_discard(c)
        if self.is_heeded(H_AFTER_DISCARD):
            event = Event(H_AFTER_DISCARD)
            event.player = self.seat(player)
            event.cards = [self.card(c) for c in cards]
            event.how = origin
            self.emit(event)

    def log_foreign_discard(self, c: int) -> None:
        """A card went to the discard pile of its owner, who is not who discarded it."""
        owner = self.player_name(self.state.place[c])
        self.log("{card} goes to {player}'s discard pile.", card=self.name(c), player=owner)

    def _log_discards(self, player: int, cards: list[int]) -> None:
        cause = self.named_cause()
        args: dict[str, Any] = {
            "player": self.player_name(player),
            "cards": [self.name(c) for c in cards],
        }
        if cause is not None:
            self.log("{player} discards {cards} because of {cause}.", cause=cause, **args)
        elif self.state.phase == DRAW:
            self.log("{player} discards {cards} down to the hand limit.", **args)
        else:
            self.log("{player} discards {cards}.", **args)

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
        self.conceal(c, 1 << giver | 1 << receiver)
        self._take(c)
        self._put(c, HAND, receiver)
        self.reveal_to(c, receiver)
        if self.logging:
            self.log(
                "{player} puts {card} into {other}'s hand.",
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
        self.begin_life(c)
        self._take(c)
        s.controller[c] = controller
        s.played_by[c] = controller
        s.counters[c] = 0
        self._put(c, AT_BASE, serial)
        self._live(c)

    def attach(self, c: int, host: int, controller: int) -> None:
        """An action comes into play on another card."""
        s = self.state
        self.begin_life(c)
        self._take(c)
        s.controller[c] = controller
        s.played_by[c] = controller
        s.counters[c] = 0
        self._put(c, ON_CARD, host)
        self._live(c)
        self.lend_from(c)

    def lend_from(self, c: int) -> None:
        """The card an action is on has the abilities the action lends, and no other any more.

        What an action copied from another lends as well.
        """
        s = self.state
        texts = [x.kind for x in s.sources if x.card == c and x.lender == NONE]
        lent = [kind for text in texts if (kind := text.lends()) is not None]
        if lent:
            s.sources = [x for x in s.sources if x.lender != c]
            self.touch_abilities()
            for kind in lent:
                self.add_source(s.place[c], kind, lender=c)

    def end_life(self, c: int) -> None:
        """A card leaves play, or is turned face down: what belonged to this life of it ends."""
        s = self.state
        s.counters[c] = 0
        s.tokens.pop(c, None)
        self.cards[c]._departure = Departure(s.lives[c], s.controller[c])
        self.left_play.append(c)
        s.lives[c] += 1
        if s.effects:
            s.effects = [e for e in s.effects if e.target != c or e.what in _NOT_OF_A_LIFE]
        self.drop_sources(c)

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
