"""The second part of a player's handle: hand, deck and discard pile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from smashup.engine.card_api.asking import Asking
from smashup.engine.model.constants import (
    DECK_BOTTOM,
    DECK_SHUFFLE,
    DECK_TOP,
    HAND,
    LIMBO,
    NONE,
)  # fmt: skip
from smashup.engine.model.decisions import Purpose
from smashup.engine.rules import searching, turns, zones

if TYPE_CHECKING:
    from smashup.engine.card_api.base import Base
    from smashup.engine.card_api.card import Card
    from smashup.engine.card_api.player import Player


class Piles(Asking):
    """A player as somebody with cards; the second part of a `Player`."""

    __slots__ = ()

    # --- cards in hand, deck and discard pile -----------------------------------------------

    def draw(self, count: int = 1) -> list[Card]:
        return [self.t.card(c) for c in zones.draw(self.t, self.index, count)]

    def discard(self, *cards: Card | None) -> None:
        """Discard these cards (from hand, deck, or just revealed) together."""
        zones.discard(self.t, self.index, [c.id for c in cards if c is not None])

    def discard_from_hand(self, count: int = 1) -> list[Card]:
        """Choose and discard so many cards, or as many as there are."""
        cards = turns.pick_from_hand(self.t, self.index, count)
        zones.discard(self.t, self.index, cards)
        return [self.t.card(c) for c in cards]

    def may_discard(self, prompt: str) -> Card | None:
        """Discard a card of one's choice from hand, or none: a "to" cost."""
        card = self.choose(prompt, self.hand, True, Purpose.DISCARD)
        if card is not None:
            self.discard(card)
        return card

    def take_to_hand(self, card: Card | None) -> None:
        """Take a card from discard pile or deck, or just revealed, into one's hand.

        One that somebody else owns may go to its owner's hand, as the edition says.
        """
        if card is not None and not card.former:
            home = self._home_of(card)
            zones.conceal(self.t, card.id, 1 << self.index)
            if home == self.index:
                self._log_placing("{player} takes {card} into hand.", card, home)
            else:
                self._log_placing("{card} goes to {player}'s hand.", card, home)
            zones.place_card(self.t, card.id, HAND, home)

    def _home_of(self, card: Card) -> int:
        """Whose hand or deck a card goes to that is to go to this player's."""
        s = self.t.state
        visible = card.is_in_discard or (s.zone[card.id] == LIMBO and card.id not in s.held)
        return zones.home_of(self.t, card.id, self.index, visible)

    def put_on_top(self, card: Card | None) -> None:
        """Place a card from the discard pile on top of its owner's deck."""
        if card is not None and not card.former:
            home = self._home_of(card)
            zones.conceal(self.t, card.id, 1 << self.index)
            self._log_placing("{card} goes on top of {player}'s deck.", card, home)
            zones.place_card(self.t, card.id, DECK_TOP, home)

    def put_on_bottom(self, card: Card | None) -> None:
        if card is not None and not card.former:
            home = self._home_of(card)
            zones.conceal(self.t, card.id, 1 << self.index)
            self._log_placing("{card} goes to the bottom of {player}'s deck.", card, home)
            zones.place_card(self.t, card.id, DECK_BOTTOM, home)

    def shuffle_in(self, cards: list[Card]) -> None:
        """Shuffle cards from the discard pile into their owners' decks."""
        for card in cards:
            home = self._home_of(card)
            self._log_placing("{card} is shuffled into {player}'s deck.", card, home)
            zones.place_card(self.t, card.id, DECK_SHUFFLE, home)

    def _log_placing(self, text: str, card: Card, player: int) -> None:
        t = self.t
        if t.logging:
            t.log(
                text, t.state.seen_by[card.id], player=t.player_name(player), card=t.name(card.id)
            )

    def random_of(self, cards: list[Card]) -> Card | None:
        return cards[self.t.state.random_below(len(cards))] if cards else None

    def random_base(self, bases: list[Base]) -> Base | None:
        return bases[self.t.state.random_below(len(bases))] if bases else None

    def show_cards(self, cards: list[Card]) -> None:
        """Reveal some cards of one's hand to everybody."""
        t = self.t
        for card in cards:
            zones.reveal(t, card.id)
        if t.logging and cards:
            t.log(
                "{player} reveals {cards}.",
                player=t.player_name(self.index),
                cards=[t.name(card.id) for card in cards],
            )

    def show_hand(self) -> None:
        """Reveal the hand to everybody."""
        t = self.t
        for c in t.state.hands[self.index]:
            zones.reveal(t, c)
        if t.logging:
            t.log(
                "{player} reveals their hand: {cards}.",
                player=t.player_name(self.index),
                cards=[t.name(c) for c in t.state.hands[self.index]],
            )

    def look_at_hand(self, other: Player) -> None:
        """See another player's hand, showing nobody else."""
        t = self.t
        for c in t.state.hands[other.index]:
            zones.reveal_to(t, c, self.index)
        if t.logging:
            t.log(
                "{player} looks at {other}'s hand: {cards}.",
                1 << self.index | 1 << other.index,
                player=t.player_name(self.index),
                other=t.player_name(other.index),
                cards=[t.name(c) for c in t.state.hands[other.index]],
            )

    def look_at_buried(self, card: Card) -> None:
        """See a buried card of somebody else."""
        zones.reveal_to(self.t, card.id, self.index)

    # --- seeing decks -----------------------------------------------------------------------

    def look(self, count: int, deck: Player | None = None) -> list[Card]:
        """Look at the top cards of a deck; they wait to be put somewhere. Top card first."""
        owner = self if deck is None else deck
        return [
            self.t.card(c)
            for c in searching.take_from_top(self.t, self.index, owner.index, count, False)
        ]

    def look_at_bottom(self, count: int) -> list[Card]:
        """Look at the bottom cards of one's own deck; they wait to be put somewhere."""
        t = self.t
        deck = t.state.decks[self.index]
        if not deck and not (t.edition.reshuffle_to_look and zones.refill_deck(t, self.index)):
            return []
        cards = t.state.decks[self.index][:count]
        for c in cards:
            zones.reveal_to(t, c, self.index)
            zones.take_from_zone(t, c)
            zones.put_into_zone(t, c, LIMBO, self.index)
            t.state.held.append(c)
        searching.note_deck_seen(t, self.index, self.index)
        return [t.card(c) for c in cards]

    def reveal(self, count: int, deck: Player | None = None) -> list[Card]:
        """Reveal the top cards of a deck; they wait to be put somewhere. Top card first."""
        owner = self if deck is None else deck
        return [
            self.t.card(c)
            for c in searching.take_from_top(self.t, self.index, owner.index, count, True)
        ]

    def reveal_until(
        self, types: int, count: int = 1, where: int = NONE
    ) -> tuple[list[Card], list[Card]]:
        """Reveal off the top of one's deck until so many of the types: (those, the others).

        ``where``: only actions that are played there (`ON_BASE`, `ON_MINION`, `NOWHERE`) count.
        """
        found, rest = searching.take_until(self.t, self.index, types, count, where)
        return [self.t.card(c) for c in found], [self.t.card(c) for c in rest]

    def arrange(
        self, cards: list[Card], deck: Player | None = None, top: bool = True, bottom: bool = False
    ) -> None:
        """Put cards just seen back on top and/or bottom of a deck, in any order."""
        owner = self if deck is None else deck
        searching.arrange_on_deck(
            self.t, self.index, [c.id for c in cards], owner.index, top, bottom
        )

    def top_or_bottom(self, card: Card, deck: Player | None = None) -> None:
        owner = self if deck is None else deck
        searching.top_or_bottom(self.t, self.index, card.id, owner.index)

    def put_back(self, cards: list[Card], deck: Player | None = None, bottom: bool = False) -> None:
        """Put cards just seen back in the order they came."""
        owner = self if deck is None else deck
        for card in reversed(cards):
            searching.put_back(self.t, card.id, owner.index, bottom)

    def shuffle_back(self, cards: list[Card]) -> None:
        """Shuffle cards just seen into one's deck."""
        searching.shuffle_into_deck(self.t, [c.id for c in cards], self.index)

    def search(
        self,
        prompt: str,
        matches: list[Card],
        optional: bool = False,
        reveals: bool = False,
        shuffles: bool = False,
    ) -> Card | None:
        """Search one's deck for one of these cards.

        From 2017 on the rules have it revealed and the deck shuffled; before that only where the
        text says so: it ``reveals`` the card, it ``shuffles`` the deck.
        """
        ids = [x.id for x in matches]
        c = searching.search_deck(self.t, self.index, ids, prompt, optional, reveals, shuffles)
        return self.t.card(c) if c != NONE else None

    def search_piles(
        self,
        prompt: str,
        fits: Callable[[Card], bool],
        hand: bool = False,
        optional: bool = False,
    ) -> Card | None:
        """Search "deck and/or discard pile" (and ``hand``) for a card that fits.

        The player picks the piles: a card that lies in the discard pile or hand, or a search of
        the deck. Only then is the deck refilled if it is empty. After a search of the deck in vain
        the other piles may still be used. ``optional``: the text says "may".
        """
        found = self._choose_outside_deck(fits, hand)
        if found is not None:
            return found
        if optional and not self.may("Search your deck?", purpose=Purpose.MAY_SEARCH):
            return None
        if not self.deck and not (
            self.t.edition.reshuffle_to_look and any(fits(c) for c in self.discard_pile)
        ):
            return None  # an empty deck, and nothing to find in it even if it is refilled
        matches = [c for c in self.deck_cards() if fits(c)]
        found = self.search(prompt, matches, optional)
        if found is None and not matches:
            found = self._choose_outside_deck(fits, hand)
        return found

    def _choose_outside_deck(self, fits: Callable[[Card], bool], hand: bool) -> Card | None:
        piles = [*self.hand, *self.discard_pile] if hand else self.discard_pile
        prompt = "Take which of these cards? Take none to leave them there."
        found = self.choose_distinct(
            prompt, [c for c in piles if fits(c)], True, Purpose.SEARCH_PILES
        )
        if found is not None and self.t.edition.search_reveals_and_shuffles:
            zones.reveal(self.t, found.id)
        return found

    def shuffle_deck(self) -> None:
        zones.shuffle_deck(self.t, self.index)
        zones.log_shuffle(self.t, self.index)
