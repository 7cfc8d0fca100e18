"""The handle of a player, as cards use it: "you", "another player", "each player"."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from smashup.engine.card_api.card import Cards, card_ids
from smashup.engine.card_api.player_choices import PlayerChoices
from smashup.engine.events.movement import CardPlaced
from smashup.engine.events.piles import CardsSeen, HandSeen
from smashup.engine.model.constants import (
    ACTION,
    ANY_MINION,
    BASE_DECK,
    DECK,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DECK_TOP_OR_BOTTOM,
    DISCARD,
    END,
    END_OF_TURN,
    HAND,
    LIMBO,
    MADNESS_DECK,
    MINION,
    NO_LIMIT,
    NONE,
    REMOVED,
    SET_ASIDE,
    START,
    WHILE_IN_PLAY,
)  # fmt: skip
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.state import ANY_LIFE, BANNED_NAME, DelayedEffect
from smashup.engine.rules import (
    abilities,
    burying,
    choosing,
    effects,
    extra_plays,
    menu,
    restrictions,
    scoring,
    searching,
    turns,
    zones,
)
from smashup.engine.rules.recording import record

if TYPE_CHECKING:
    from smashup.engine.card_api.base import Base
    from smashup.engine.card_api.card import Card
    from smashup.engine.model.definitions import CardDefinition


T = TypeVar("T")


class Player(PlayerChoices):
    """A player, as card texts see one: "you", "another player", "each player"."""

    __slots__ = ()

    # --- playing cards ----------------------------------------------------------------------

    def extra_minion(
        self,
        at: Base | list[Base] | None = None,
        max_power: int = NO_LIMIT,
        name: str = "",
        not_name: str = "",
        from_zone: int = HAND,
        at_once: bool = False,
        where_you_have_a_minion: bool = False,
        follow_up: CardDefinition | None = None,
        where_you_have_no_minion: bool = False,
        must: bool = False,
        names: Iterable[str] = (),
    ) -> Card | None:
        """Get an extra minion play, optionally limited; return the minion if it was played at once.

        ``at``: one base, or a list to choose from. ``must``: immediately, without declining.
        ``names``: only a minion of one of these names.
        After the minion has been played, the ``follow_up`` resolves (`on_granted_play`).
        """
        several = tuple(b.serial for b in at) if isinstance(at, list) else ()
        return self._extra(
            PlayPermission(
                MINION,
                at=NONE if at is None or isinstance(at, list) else at.serial,
                sites=several,
                where_you_have_no_minion=where_you_have_no_minion,
                max_power=max_power,
                name=name,
                names=tuple(dict.fromkeys(names)),
                not_name=not_name,
                from_zone=from_zone,
                where_you_have_a_minion=where_you_have_a_minion,
                follow_up=follow_up,
                source_card=abilities.current_cause(self.table).card
                if follow_up is not None
                else NONE,
                source_name=self.table.state.definition[
                    abilities.current_cause(self.table).card
                ].name
                if follow_up is not None
                else "",
            ),
            at_once or must,
            must,
        )

    def extra_action(
        self,
        at: Base | None = None,
        on: Card | None = None,
        from_zone: int = HAND,
        must_affect: Card | None = None,
        must_affect_any: bool = False,
        must_raise: bool = False,
        on_opponents_minion: bool = False,
        follow_up: CardDefinition | None = None,
    ) -> Card | None:
        """Get an extra action play, optionally limited by place or by what it directly does.

        ``must_affect`` a given minion (or any), ``must_raise`` the power of one of your minions
        (or of that minion). After the action has been played, the ``follow_up`` resolves
        (`on_granted_play`).
        """
        aim = ANY_MINION if must_affect_any else NONE
        if must_affect is not None:
            aim = must_affect.id
        named = aim != NONE or must_raise or follow_up is not None
        return self._extra(
            PlayPermission(
                ACTION,
                at=at.serial if at is not None else NONE,
                on=on.id if on is not None else NONE,
                from_zone=from_zone,
                must_affect=aim,
                must_raise=must_raise,
                on_opponents_minion=on_opponents_minion,
                follow_up=follow_up,
                source_card=abilities.current_cause(self.table).card if named else NONE,
                source_name=self.table.state.definition[
                    abilities.current_cause(self.table).card
                ].name
                if named
                else "",
                on_life=on.life if on is not None else ANY_LIFE,
                must_affect_life=must_affect.life if must_affect is not None else ANY_LIFE,
            )
        )

    def extra_action_this_turn(self) -> None:
        """Get an extra action for the rest of this Play Cards phase, not offered immediately."""
        from smashup.engine.rules.permissions import EXTRA_ACTION

        if self.is_on_turn:
            self.table.state.permissions.append(EXTRA_ACTION)

    def play_one_of(self, cards: list[Card], types: int = MINION | ACTION) -> Card | None:
        """Play one of some given cards immediately as an extra card, or none.

        ``types``: as which a fusion card is played.
        """
        permissions = [PlayPermission(c.definition.types & types, card=c.id) for c in cards]
        return extra_plays.offer_one_of(self.table, self.index, permissions)

    def extra_card(self) -> Card | None:
        """Get an extra minion or action play."""
        return self._extra(PlayPermission(MINION | ACTION))

    def play_off_top(self, types: int, at: Base | None = None, count: int = 1) -> list[Card]:
        """Play cards off the top of the deck (Culture Shock p. 10), one after the other.

        Reveal until one of the types turns up and play it, or discard it if it cannot be played;
        finally the unused cards are shuffled into the deck.
        """
        played: list[Card] = []
        unused: list[Card] = []
        for _ in range(count):
            found, rest = self.reveal_until(types)
            unused += rest
            if not found:
                break
            card = self.play(found[0], at=at, must=True, types=types)
            if card is not None:
                played.append(card)
        self.put_back(unused, to=DECK_SHUFFLED)
        return played

    def _extra(
        self, permission: PlayPermission, at_once: bool = False, must: bool = False
    ) -> Card | None:
        from smashup.engine.rules.permissions import EXTRA_ACTION, EXTRA_MINION

        plain = EXTRA_MINION if permission.types == MINION else EXTRA_ACTION
        if permission.allows_same_as(plain):
            permission = plain
        if at_once:
            return extra_plays.offer_play(self.table, self.index, permission, must=must)
        return extra_plays.grant_extra_play(self.table, self.index, permission)

    def play(
        self, card: Card | None, at: Base | list[Base] | None = None, on: Card | None = None,
        must: bool = False, not_at: Base | None = None, destination_set_by: Card | None = None,
        follow_up: CardDefinition | None = None, types: int = MINION | ACTION,
        instead_of_discard: int = DISCARD,
    ) -> Card | None:  # fmt: skip
        """Play a given card now, from any zone, as an extra card; return it if it was played.

        A titan that is set aside is played at one of the bases ``at``. A card found by a search
        and declined goes back into the deck; without a legal place it is discarded.
        ``destination_set_by`` a card whose ``follow_up`` (`on_granted_play`) says what becomes of
        an action afterwards, not the action itself. ``types``: as which a fusion card is played.
        ``instead_of_discard``: where a standard action goes when it would be discarded.
        """
        if card is None or card.former:
            return None
        if card.is_titan:
            return self._play_titan(card, at, must)
        if instead_of_discard != DISCARD:
            self.table.destinations[card.id] = instead_of_discard
        base = at[0] if isinstance(at, list) else at
        permission = PlayPermission(
            card.definition.types & types,
            card=card.id,
            at=base.serial if base is not None else NONE,
            not_at=not_at.serial if not_at is not None else NONE,
            on=on.id if on is not None else NONE,
            on_life=on.life if on is not None else ANY_LIFE,
            controls_destination=destination_set_by is not None,
            follow_up=follow_up,
            source_card=destination_set_by.id if destination_set_by is not None else NONE,
        )
        played = extra_plays.play_given_card(self.table, self.index, card.id, permission, must)
        if played is None:
            self.table.destinations.pop(card.id, None)
        if self.table.last_search[0] == card.id:
            if played is None and card.is_in(LIMBO):
                searching.put_back_found(self.table, card.id, self.index)
            searching.forget_search(self.table)
        return played

    def _play_titan(self, titan: Card, at: Base | list[Base] | None, must: bool) -> Card | None:
        if at is None:
            at = titan.bases()
        bases = [b.serial for b in at] if isinstance(at, list) else [at.serial]
        if extra_plays.play_titan(self.table, self.index, titan.id, bases, not must):
            return titan
        if self.table.resolutions:
            self.table.resolutions[-1].declined = True
        return None

    def keep_or_play(self, card: Card | None, at: Base | None = None) -> None:
        """Take a card just found into hand, or play it at once as an extra card."""
        if card is None:
            return
        modes = ("Take it into your hand", "Play it now")
        if self.can_play(card, at) and self.choose_mode(*modes) == 1:
            self.play(card, at, must=True)
        elif not card.is_in(HAND):
            self.put(card, to=HAND)

    def can_play(self, card: Card | None, at: Base | None = None) -> bool:
        """Whether there is a legal place (at a base) to play a given card as an extra card.

        A titan must be set aside, and the player must control fewer titans than allowed.
        """
        t = self.table
        t.volatile_reads += 1
        if card is None:
            return False
        if card.is_titan:
            return card.is_in(SET_ASIDE) and restrictions.can_play_titan(t, self.index)
        permission = PlayPermission(
            card.definition.types, card=card.id, at=at.serial if at is not None else NONE
        )
        return bool(menu.moves_with(t, self.index, permission))

    def bury(self, card: Card, at: Base) -> None:
        burying.bury(self.table, card.id, at.serial, self.index)

    # --- cards in hand, deck and discard pile -----------------------------------------------

    def draw(self, count: int = 1, deck: int = DECK) -> list[Card]:
        """Draw cards from this player's deck, or from the `MADNESS_DECK` while it lasts."""
        t = self.table
        if deck == DECK:
            return [t.cards[c] for c in zones.draw(t, self.index, count)]
        return [t.cards[c] for c in zones.draw_madness(t, self.index, count)]

    def madness(self, hand: bool = True, discard_pile: bool = False) -> list[Card]:
        """Madness cards of one's hand and/or discard pile."""
        held = self.hand if hand else []
        if discard_pile:
            held = held + self.discard_pile
        return [card for card in held if card.is_madness]

    def draw_from_discard_pile(self, card: Card) -> None:
        """Draw a given card of one's discard pile, which all see."""
        t = self.table
        zones.place_card(t, card.id, HAND, self.index)
        zones.record_draw(t, self.index, [card.id])

    @property
    def madness_left(self) -> int:
        """How many cards the Madness deck has left to draw."""
        self.table.volatile_reads += 1
        return len(self.table.state.madness)

    def discard(self, cards: Cards) -> None:
        """Discard cards (from hand or deck, or just revealed) together."""
        zones.discard(self.table, self.index, card_ids(cards))

    def discard_from_hand(self, count: int = 1) -> list[Card]:
        """Choose and discard ``count`` cards, or as many as there are."""
        cards = turns.pick_from_hand(self.table, self.index, count)
        zones.discard(self.table, self.index, cards)
        return [self.table.cards[c] for c in cards]

    def discard_random(self, count: int = 1) -> list[Card]:
        """Discard ``count`` random cards of the hand together, or as many as there are."""
        left = self.hand
        cards: list[Card] = []
        while len(cards) < count and (card := self.pick_random(left)) is not None:
            cards.append(card)
            left.remove(card)
        self.discard(cards)
        return cards

    def may_discard(self, prompt: str) -> Card | None:
        """Choose a card to discard from hand, or none: a "to" cost."""
        card = self.choose(prompt, self.hand, True, purpose=Purpose.DISCARD)
        if card is not None:
            self.discard(card)
        return card

    def put(self, cards: Cards, to: int) -> None:
        """Put cards of a discard pile or deck, or just revealed, elsewhere.

        ``to`` this player's `HAND`, `DECK_TOP`, `DECK_BOTTOM` or `DECK_SHUFFLED`; a card of another
        owner may go to that player's, as the edition says. A base goes to the base deck, a Madness
        card to its own (`MADNESS_DECK`), a card out of the game to the box (`REMOVED`).
        """
        t = self.table
        for c in card_ids(cards):
            card = t.cards[c]
            if card.is_base:
                zones.take_from_zone(t, c)
                zones.put_into_zone(t, c, BASE_DECK, NONE, bottom=to == DECK_BOTTOM)
            elif to == MADNESS_DECK:
                self._return_madness(card)
            elif to == REMOVED:
                zones.remove_from_game(t, c)
            else:
                self._put(card, to)

    def _put(self, card: Card, to: int) -> None:
        home = self._home_of(card)
        if to != DECK_SHUFFLED:
            zones.conceal(self.table, card.id, 1 << self.index)
        t = self.table
        if t.logging:
            taken = to == HAND and home == self.index
            record(t, CardPlaced(home, card.id, to, taken, t.state.seen_by[card.id]))
        zones.place_card(self.table, card.id, to, home)

    def _return_madness(self, card: Card) -> None:
        """Put a Madness card back; one that was just played may have to go elsewhere."""
        t = self.table
        if card.is_in(LIMBO) and not card.may_place_itself:
            return
        zones.return_madness(t, card.id)

    def _home_of(self, card: Card) -> int:
        """Return to whose hand or deck a card goes that is sent to this player's."""
        s = self.table.state
        visible = card.is_in(DISCARD) or (s.zone[card.id] == LIMBO and card.id not in s.held)
        return zones.home_of(self.table, card.id, self.index, visible)

    def pick_random(self, items: list[T]) -> T | None:
        """Pick one of the cards, bases or players at random."""
        return items[choosing.pick_random(self.table, items)] if items else None

    def show(self, cards: list[Card]) -> None:
        """Reveal cards of this player's hand to everybody."""
        t = self.table
        for card in cards:
            zones.reveal(t, card.id)
        if t.logging and cards:
            record(t, CardsSeen(self.index, [card.id for card in cards], self.index))

    def look_at(self, cards: list[Card]) -> None:
        """See another player's hand, or buried cards, alone."""
        t = self.table
        for card in cards:
            zones.reveal_to(t, card.id, self.index)
        if t.logging and cards and cards[0].is_in(HAND):
            other = t.state.place[cards[0].id]
            seen_by = 1 << self.index | 1 << other
            record(t, HandSeen(self.index, [card.id for card in cards], other, seen_by))

    # --- seeing decks -----------------------------------------------------------------------

    def look_at_deck(
        self, count: int, deck: Player | None = None, bottom: bool = False
    ) -> list[Card]:
        """Look at the top cards of a deck, top card first, or at the bottom cards of this player's.

        They wait to be put somewhere (`put_back`).
        """
        if bottom:
            return self._look_at_bottom(count)
        owner = self if deck is None else deck
        found = searching.take_from_top(self.table, self.index, owner.index, count, False)
        return [self.table.cards[c] for c in found]

    def _look_at_bottom(self, count: int) -> list[Card]:
        t = self.table
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
        return [t.cards[c] for c in cards]

    def reveal_from_deck(self, count: int, deck: Player | None = None) -> list[Card]:
        """Reveal the top cards of a deck; they wait to be put somewhere. Top card first."""
        owner = self if deck is None else deck
        return [
            self.table.cards[c]
            for c in searching.take_from_top(self.table, self.index, owner.index, count, True)
        ]

    def reveal_until(
        self, types: int, count: int = 1, where: int = NONE
    ) -> tuple[list[Card], list[Card]]:
        """Reveal from the top of the deck until ``count`` of the types; return (those, the others).

        ``where``: only actions that are played there (`ON_BASE`, `ON_MINION`, `STANDARD`) count.
        """
        found, rest = searching.take_until(self.table, self.index, types, count, where)
        return [self.table.cards[c] for c in found], [self.table.cards[c] for c in rest]

    def put_back(
        self,
        cards: Cards,
        to: int = DECK_TOP,
        deck: Player | None = None,
        in_any_order: bool = False,
    ) -> None:
        """Put cards just seen, or cards of a hand, on a deck: in the order they came, top first.

        ``to`` `DECK_TOP`, `DECK_BOTTOM`, `DECK_SHUFFLED`, or `DECK_TOP_OR_BOTTOM` for the player
        to choose; ``in_any_order``: the player chooses the order too, which nobody else sees.
        """
        t = self.table
        ids = card_ids(cards)
        owner = self.index if deck is None else deck.index
        if to == DECK_SHUFFLED:
            searching.shuffle_into_deck(t, ids, owner)
        elif in_any_order:
            searching.arrange_on_deck(
                t, self.index, ids, owner, top=to != DECK_BOTTOM, bottom=to != DECK_TOP
            )
        else:
            for c in ids if to == DECK_BOTTOM else reversed(ids):
                if to == DECK_TOP_OR_BOTTOM:
                    searching.top_or_bottom(t, self.index, c, owner)
                else:
                    searching.put_back(t, c, owner, to == DECK_BOTTOM)

    def search(
        self,
        prompt: str,
        matches: list[Card],
        optional: bool = False,
        reveals: bool = False,
        shuffles: bool = False,
    ) -> Card | None:
        """Search this player's deck for one of these cards.

        From 2017 on, by rule, it is revealed and the deck shuffled; before that only if the
        text says so: ``reveals`` the card, ``shuffles`` the deck.
        """
        ids = [x.id for x in matches]
        c = searching.search_deck(self.table, self.index, ids, prompt, optional, reveals, shuffles)
        return self.table.cards[c] if c != NONE else None

    def search_copies(
        self, prompt: str, matches: list[Card], reveals: bool = False, shuffles: bool = False
    ) -> list[Card]:
        """Search one's deck for any number of these cards that have the same name."""
        ids = [x.id for x in matches]
        found = searching.search_copies(self.table, self.index, ids, prompt, reveals, shuffles)
        return [self.table.cards[c] for c in found]

    def search_piles(
        self,
        prompt: str,
        fits: Callable[[Card], bool],
        hand: bool = False,
        optional: bool = False,
    ) -> Card | None:
        """Search "deck and/or discard pile" (and ``hand``) for a card that fits.

        The player picks the piles: a card that lies in the discard pile or hand, or a search of
        the deck. Only then is an empty deck refilled. After a search of the deck that finds
        nothing, the other piles may still be used. ``optional``: the text says "may".
        """
        found = self._choose_outside_deck(fits, hand)
        if found is not None:
            return found
        if optional and not self.may("Search your deck?", purpose=Purpose.MAY_SEARCH):
            return None
        if not self.table.state.decks[self.index] and not (
            self.table.edition.reshuffle_to_look and any(fits(c) for c in self.discard_pile)
        ):
            return None  # an empty deck with nothing to find even if refilled
        matches = [c for c in self.deck_cards() if fits(c)]
        found = self.search(prompt, matches, optional)
        if found is None and not matches:
            found = self._choose_outside_deck(fits, hand)
        return found

    def _choose_outside_deck(self, fits: Callable[[Card], bool], hand: bool) -> Card | None:
        piles = [*self.hand, *self.discard_pile] if hand else self.discard_pile
        prompt = "Take which of these cards? Take none to leave them there."
        found = self.choose(prompt, [c for c in piles if fits(c)], True, True, Purpose.SEARCH_PILES)
        if found is not None and self.table.edition.search_reveals_and_shuffles:
            zones.reveal(self.table, found.id)
        return found

    def shuffle_deck(self) -> None:
        zones.shuffle_deck(self.table, self.index)
        zones.log_shuffle(self.table, self.index)

    # --- other effects ----------------------------------------------------------------------

    def gain_vp(self, amount: int) -> None:
        effects.gain_vp(self.table, self.index, amount)

    def gain_power_at(self, base: Base, amount: int) -> None:
        """Get power at a base until the end of the turn."""
        effects.change_player_power(self.table, self.index, base.serial, amount)

    def take_extra_turn(self) -> None:
        """Take a turn after the current one."""
        self.table.state.extra_turns.append(self.index)

    def at_end_of_turn(
        self, definition: CardDefinition, card: Card, even_if_gone: bool = False
    ) -> None:
        """Run ``definition.delayed_effect`` on ``card`` at the end of the turn.

        Only if it is still in play then, unless ``even_if_gone``.
        """
        life = ANY_LIFE if even_if_gone else card.life
        self.table.state.delayed.append(DelayedEffect(definition, card.id, life, self.index, END))

    def at_start_of_next_turn(self, definition: CardDefinition, card: Card) -> None:
        """At the start of this player's next turn run ``definition.delayed_effect`` for ``card``.

        Only if it is still in play then.
        """
        delayed = DelayedEffect(definition, card.id, card.life, self.index, START)
        self.table.state.delayed.append(delayed)

    def play_base(self) -> Base | None:
        """Play the top card of the base deck as one more base."""
        serial = scoring.play_extra_base(self.table)
        return self.table.base(serial) if serial != NONE else None

    def bring_extra_base(self, source: Card) -> None:
        """Put one more base into play when the base being scored is replaced."""
        scoring.offer_next_base(self.table, source.id, self.index, NONE)

    def give_control(self, card: Card | None, to: Player | None) -> bool:
        """Give control of a card to another player; return whether control changed."""
        if card is None or to is None or card.former:
            return False
        return effects.take_control(self.table, card.id, to.index, WHILE_IN_PLAY, self.index)

    def set_next_base(self, source: Card, base: Card | None) -> None:
        """Replace the base being scored by this one of the base discard pile, or by none."""
        choice = base.id if base is not None else scoring.NO_BASE
        scoring.offer_next_base(self.table, source.id, self.index, choice)

    def give(self, card: Card, to: Player, openly: bool = False) -> None:
        """Put a card into another player's hand; ``openly``: all see which card it is."""
        zones.give_to_hand(self.table, self.index, card.id, to.index, openly)

    def cannot_play(self, card: Card) -> None:
        """Forbid this player to play any copy of a card for the rest of the turn."""
        abilities.add_effect(self.table, BANNED_NAME, card.id, 0, self.index, END_OF_TURN)

    def bases_discarded(self) -> list[Card]:
        """The base discard pile."""
        self.table.volatile_reads += 1
        return [self.table.cards[c] for c in self.table.state.base_discard]

    def look_at_base_deck(self, count: int) -> list[Card]:
        """Look at the top cards of the base deck, top card first; they stay there."""
        found = searching.look_at_base_deck(self.table, self.index, count)
        return [self.table.cards[c] for c in found]

    def search_base_deck(self, prompt: str) -> Card | None:
        """Search the base deck for a base, to be swapped with one in play (`Card.swap_base`)."""
        c = searching.search_base_deck(self.table, self.index, prompt)
        return self.table.cards[c] if c != NONE else None

    def arrange_base_deck(self, cards: list[Card]) -> None:
        """Put cards of the base deck on top of it in any order, which no other player sees."""
        searching.arrange_base_deck(self.table, self.index, [c.id for c in cards])

    def put_top_base_on_bottom(self) -> None:
        """Put the top card of the base deck on its bottom."""
        top = effects.next_base(self.table)
        if top != NONE:
            zones.take_from_zone(self.table, top)
            zones.put_into_zone(self.table, top, BASE_DECK, NONE, bottom=True)
