"""The handle on a player, as card texts see one: "you", "another player", "each player"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from smashup.engine.decisions import WORDS
from smashup.engine.rights import Right
from smashup.engine.state import ANY_LIFE, BANNED_NAME, Delayed
from smashup.engine.words import (
    ACTION,
    ANY_MINION,
    DECK_BOTTOM,
    DECK_SHUFFLE,
    DECK_TOP,
    END,
    END_OF_TURN,
    HAND,
    LIMBO,
    MADNESS_DECK,
    MINION,
    NO_LIMIT,
    NONE,
    PLAY,
    WHILE_IN_PLAY,
)  # fmt: skip

if TYPE_CHECKING:
    from smashup.engine.handles.base import Base
    from smashup.engine.handles.card import Card
    from smashup.engine.kinds import Kind
    from smashup.engine.opening import Opening


NO_SITE: Final = -2
"""The serial of a base that is not there: no card is at it."""


class Player:
    """A player, as card texts see one: "you", "another player", "each player"."""

    __slots__ = ("index", "t")

    def __init__(self, table: object, index: int) -> None:
        self.t: Opening = table  # type: ignore[assignment]
        self.index = index

    def __repr__(self) -> str:
        return f"P{self.index + 1}"

    # --- where things stand -----------------------------------------------------------------

    @property
    def is_current(self) -> bool:
        """Whether it is this player's turn."""
        return self.t.state.current == self.index

    @property
    def is_on_turn(self) -> bool:
        """Whether it is "on your turn" for this player: their Play Cards phase."""
        return self.is_current and self.t.state.phase == PLAY

    @property
    def is_during_turn(self) -> bool:
        """Whether it is "during your turn": any phase, where the edition does not mean "on"."""
        return self.is_on_turn if self.t.edition.during_means_play_cards else self.is_current

    def others(self) -> list[Player]:
        """The other players, clockwise from the current one."""
        t = self.t
        return [t.seat(p) for p in t.clockwise(t.state.current) if p != self.index]

    def everybody(self) -> list[Player]:
        """All players, clockwise from the current one."""
        t = self.t
        return [t.seat(p) for p in t.clockwise(t.state.current)]

    @property
    def vp(self) -> int:
        return self.t.state.vp[self.index]

    @property
    def hand(self) -> list[Card]:
        return [self.t.card(c) for c in self.t.state.hands[self.index]]

    @property
    def deck(self) -> list[Card]:
        """Top card last."""
        return [self.t.card(c) for c in self.t.state.decks[self.index]]

    @property
    def discard_pile(self) -> list[Card]:
        return [self.t.card(c) for c in self.t.state.discards[self.index]]

    @property
    def titans_aside(self) -> list[Card]:
        return [self.t.card(c) for c in self.t.state.aside[self.index]]

    def titan(self, name: str) -> Card | None:
        """A titan of this player's by name: set aside, or in play under anybody's control."""
        t = self.t
        for c in t.titan_ids:
            if t.state.kind[c].name == name and t.state.owner[c] == self.index:
                return t.card(c)
        return None

    def owns(self, card: Card) -> bool:
        """Whether the card was this player's at the start of the game; some were nobody's."""
        return self.t.state.owner[card.id] == self.index

    def minions_owned(self, at: Base | None = None) -> list[Card]:
        """Minions in play (at a base) that come from this player's deck, whoever controls them."""
        t = self.t
        found = t.minions(at=at.serial if at is not None else NONE)
        return [t.card(c) for c in found if t.owner_of(c) == self.index]

    def minions_discarded(self, max_power: int = NO_LIMIT) -> list[Card]:
        """Minions in the discard pile, by printed power."""
        return [c for c in self.discard_pile if c.is_minion and c.kind.power <= max_power]

    def actions_discarded(self) -> list[Card]:
        return [c for c in self.discard_pile if c.is_action]

    def deck_cards(self) -> list[Card]:
        """What a search of the deck may find; the deck is refilled first if it is empty."""
        self.t.can_search(self.index)
        return self.deck

    def deck_minions(self, max_power: int = NO_LIMIT) -> list[Card]:
        """Minions in the deck (refilled first if it is empty), by printed power."""
        return [c for c in self.deck_cards() if c.is_minion and c.kind.power <= max_power]

    @property
    def minion_names(self) -> tuple[str, ...]:
        """Names of every minion this player owns, wherever it is."""
        s = self.t.state
        return tuple(
            dict.fromkeys(
                kind.name
                for kind, owner in zip(s.kind, s.owner, strict=True)
                if owner == self.index and kind.type == MINION
            )
        )

    def plays_this_turn(self, type_: int, base: Base | None = None) -> int:
        """How many cards of a type this player has played this turn (at a base)."""
        serial = base.serial if base is not None else NONE
        return self.t.state.tally.get((type_, self.index, serial), 0)

    @property
    def may_play_specials(self) -> bool:
        """Whether no card forbids this player to play Specials at the base being scored."""
        return self.t.may_play_specials(self.index)

    # --- asking -----------------------------------------------------------------------------

    def may(self, prompt: str) -> bool:
        """Ask yes or no."""
        answer = self.t.ask_yes(self.index, prompt)
        if not answer and self.t.frames:
            self.t.frames[-1].declined = True
        return answer

    def choose(self, prompt: str, cards: list[Card], optional: bool = False) -> Card | None:
        c = self.t.ask_card(self.index, prompt, [x.id for x in cards], optional)
        if c == NONE:
            if optional and self.t.frames:
                self.t.frames[-1].declined = True
            return None
        return self.t.card(c)

    def target(self, prompt: str, cards: list[Card], optional: bool = False) -> Card | None:
        """Choose what the ability affects."""
        return self.choose(prompt, cards, optional)

    def choose_some(
        self, prompt: str, cards: list[Card], most: int = NO_LIMIT, least: int = 0
    ) -> list[Card]:
        """Choose any number of the cards, one at a time, between least and most."""
        left = list(cards)
        chosen: list[Card] = []
        while left and len(chosen) < most:
            card = self.choose(prompt, left, optional=len(chosen) >= least)
            if card is None:
                break
            chosen.append(card)
            left.remove(card)
        if chosen and self.t.frames:
            self.t.frames[-1].declined = False
        return chosen

    def choose_distinct(
        self, prompt: str, cards: list[Card], optional: bool = False
    ) -> Card | None:
        """Choose a card of a pile or deck where copies are alike."""
        ids = self.t.distinct([c.id for c in cards])
        return self.choose(prompt, [self.t.card(c) for c in ids], optional)

    def choose_base(self, prompt: str, bases: list[Base], optional: bool = False) -> Base | None:
        serial = self.t.ask_site(self.index, prompt, [b.serial for b in bases], optional)
        if serial == NONE:
            if optional and self.t.frames:
                self.t.frames[-1].declined = True
            return None
        return self.t.base(serial)

    def choose_player(
        self, prompt: str, players: list[Player], optional: bool = False
    ) -> Player | None:
        p = self.t.ask_player(self.index, prompt, [x.index for x in players], optional)
        return self.t.seat(p) if p != NONE else None

    def choose_mode(self, *modes: str) -> int:
        return self.t.ask(self.index, "Choose one:", WORDS, list(modes))

    def may_choose_mode(self, *modes: str) -> int:
        """Choose one of several things to do, or none of them (-1)."""
        answer = self.t.ask(self.index, "Choose one:", WORDS, [*modes, "None of these"])
        if answer < len(modes):
            return answer
        if self.t.frames:
            self.t.frames[-1].declined = True
        return NONE

    # --- cards in hand, deck and discard pile -----------------------------------------------

    def draw(self, count: int = 1) -> list[Card]:
        return [self.t.card(c) for c in self.t.draw(self.index, count)]

    def discard(self, *cards: Card | None) -> None:
        """Discard these cards (from hand, deck, or just revealed) together."""
        self.t.discard(self.index, [c.id for c in cards if c is not None])

    def discard_from_hand(self, count: int = 1) -> list[Card]:
        """Choose and discard so many cards, or as many as there are."""
        cards = self.t.pick_from_hand(self.index, count)
        self.t.discard(self.index, cards)
        return [self.t.card(c) for c in cards]

    def may_discard(self, prompt: str) -> Card | None:
        """Discard a card of one's choice from hand, or none: a "to" cost."""
        card = self.choose(prompt, self.hand, optional=True)
        if card is not None:
            self.discard(card)
        return card

    def take_to_hand(self, card: Card | None) -> None:
        """Place a card from discard pile or deck, or just revealed, into its owner's hand."""
        if card is not None:
            self._log_placing("{player} takes {card} into hand.", card)
            # Only "a card that others can see" goes to its owner; one just looked at to the taker.
            s = self.t.state
            private = s.zone[card.id] == LIMBO and s.seen[card.id] != (1 << self.t.players) - 1
            self.t.place_card(card.id, HAND, self.index if private else NONE)

    def put_on_top(self, card: Card | None) -> None:
        """Place a card from the discard pile on top of its owner's deck."""
        if card is not None:
            self._log_placing("{card} goes on top of {player}'s deck.", card)
            self.t.place_card(card.id, DECK_TOP)

    def put_on_bottom(self, card: Card | None) -> None:
        if card is not None:
            self._log_placing("{card} goes to the bottom of {player}'s deck.", card)
            self.t.place_card(card.id, DECK_BOTTOM)

    def shuffle_in(self, cards: list[Card]) -> None:
        """Shuffle cards from the discard pile into their owners' decks."""
        for card in cards:
            self._log_placing("{card} is shuffled into {player}'s deck.", card)
            self.t.place_card(card.id, DECK_SHUFFLE)

    def _log_placing(self, text: str, card: Card) -> None:
        t = self.t
        if t.logging:
            t.log(
                text, t.state.seen[card.id], player=t.player_name(self.index), card=t.name(card.id)
            )

    def random_of(self, cards: list[Card]) -> Card | None:
        return cards[self.t.state.random_below(len(cards))] if cards else None

    def random_base(self, bases: list[Base]) -> Base | None:
        return bases[self.t.state.random_below(len(bases))] if bases else None

    def show_cards(self, cards: list[Card]) -> None:
        """Reveal some cards of one's hand to everybody."""
        t = self.t
        for card in cards:
            t.show(card.id)
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
            t.show(c)
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
            t.reveal_to(c, self.index)
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
        self.t.reveal_to(card.id, self.index)

    # --- seeing decks -----------------------------------------------------------------------

    def look(self, count: int, deck: Player | None = None) -> list[Card]:
        """Look at the top cards of a deck; they wait to be put somewhere. Top card first."""
        owner = self if deck is None else deck
        return [self.t.card(c) for c in self.t.lift(self.index, owner.index, count, False)]

    def look_at_bottom(self, count: int) -> list[Card]:
        """Look at the bottom cards of one's own deck; they wait to be put somewhere."""
        t = self.t
        deck = t.state.decks[self.index]
        if not deck and not (t.edition.reshuffle_to_look and t.refill(self.index)):
            return []
        cards = t.state.decks[self.index][:count]
        for c in cards:
            t._take(c)
            t._put(c, LIMBO, self.index)
            t.reveal_to(c, self.index)
        t.peeked(self.index, self.index)
        return [t.card(c) for c in cards]

    def reveal(self, count: int, deck: Player | None = None) -> list[Card]:
        """Reveal the top cards of a deck; they wait to be put somewhere. Top card first."""
        owner = self if deck is None else deck
        return [self.t.card(c) for c in self.t.lift(self.index, owner.index, count, True)]

    def reveal_until(
        self, types: int, count: int = 1, where: int = NONE
    ) -> tuple[list[Card], list[Card]]:
        """Reveal off the top of one's deck until so many of the types: (those, the others).

        ``where``: only actions that are played there (`ON_BASE`, `ON_MINION`, `NOWHERE`) count.
        """
        found, rest = self.t.lift_until(self.index, types, count, where)
        return [self.t.card(c) for c in found], [self.t.card(c) for c in rest]

    def arrange(
        self, cards: list[Card], deck: Player | None = None, top: bool = True, bottom: bool = False
    ) -> None:
        """Put cards just seen back on top and/or bottom of a deck, in any order."""
        owner = self if deck is None else deck
        self.t.arrange(self.index, [c.id for c in cards], owner.index, top, bottom)

    def top_or_bottom(self, card: Card, deck: Player | None = None) -> None:
        owner = self if deck is None else deck
        self.t.top_or_bottom(self.index, card.id, owner.index)

    def put_back(self, cards: list[Card], deck: Player | None = None, bottom: bool = False) -> None:
        """Put cards just seen back in the order they came."""
        owner = self if deck is None else deck
        for card in reversed(cards):
            self.t.put_back(card.id, owner.index, bottom)

    def shuffle_back(self, cards: list[Card]) -> None:
        """Shuffle cards just seen into one's deck."""
        self.t.shuffle_back([c.id for c in cards], self.index)

    def search(self, prompt: str, matches: list[Card], optional: bool = False) -> Card | None:
        """Search one's deck for one of these cards: it is revealed, the deck shuffled."""
        c = self.t.search_deck(self.index, [x.id for x in matches], prompt, optional)
        return self.t.card(c) if c != NONE else None

    def search_piles(self, prompt: str, cards: list[Card]) -> Card | None:
        """Search hand, deck and/or discard pile for one of these cards, which is revealed.

        The deck is searched, and shuffled, only if nothing was taken from elsewhere.
        """
        deck = set(self.t.state.decks[self.index])
        inside = [c for c in cards if c.id in deck]
        elsewhere = [c for c in cards if c.id not in deck]
        found = self.choose_distinct(prompt, elsewhere, optional=bool(inside))
        if found is None:
            return self.search(prompt, inside)
        self.t.show(found.id)
        return found

    def shuffle_deck(self) -> None:
        self.t.shuffle_deck(self.index)

    # --- playing cards ----------------------------------------------------------------------

    def extra_minion(
        self,
        at: Base | None = None,
        max_power: int = NO_LIMIT,
        name: str = "",
        not_name: str = "",
        source: int = HAND,
        at_once: bool = False,
        with_yours: bool = False,
        rider: Kind | None = None,
    ) -> Card | None:
        """Get an extra minion play, perhaps limited: the minion if it was played at once.

        ``with_yours``: at a base where you have a minion. Once the minion has been played the
        ``rider`` goes on (`ridden`).
        """
        return self._extra(
            Right(
                MINION,
                at=at.serial if at is not None else NONE,
                max_power=max_power,
                name=name,
                not_name=not_name,
                source=source,
                with_yours=with_yours,
                rider=rider,
                origin=self.t.cause.card if rider is not None else NONE,
                giver=self.t.state.kind[self.t.cause.card].name if rider is not None else "",
            ),
            at_once,
        )

    def extra_action(
        self,
        at: Base | None = None,
        on: Card | None = None,
        source: int = HAND,
        must_affect: Card | None = None,
        must_affect_any: bool = False,
        must_raise: bool = False,
        on_others: bool = False,
        rider: Kind | None = None,
    ) -> Card | None:
        """Get an extra action play, perhaps limited: by place, or by what it directly does.

        ``must_affect`` a given minion (or any), ``must_raise`` the power of one of your minions
        (or of that minion), be played ``on_others``' minions. Once the action has been played the
        ``rider`` goes on (`ridden`).
        """
        aim = ANY_MINION if must_affect_any else NONE
        if must_affect is not None:
            aim = must_affect.id
        named = aim != NONE or must_raise or rider is not None
        return self._extra(
            Right(
                ACTION,
                at=at.serial if at is not None else NONE,
                on=on.id if on is not None else NONE,
                source=source,
                must_affect=aim,
                must_raise=must_raise,
                on_others=on_others,
                rider=rider,
                origin=self.t.cause.card if named else NONE,
                giver=self.t.state.kind[self.t.cause.card].name if named else "",
            )
        )

    def extra_card(self) -> Card | None:
        """Get an extra minion or action play."""
        return self._extra(Right(MINION | ACTION))

    def play_off_top(self, types: int, at: Base | None = None, count: int = 1) -> list[Card]:
        """Play cards off the top of one's deck (Culture Shock p. 10), one after the other.

        Reveal until one of the types turns up and play it, or discard it if it cannot be played;
        in the end the unused cards are shuffled into the deck.
        """
        played: list[Card] = []
        unused: list[Card] = []
        for _ in range(count):
            found, rest = self.reveal_until(types)
            unused += rest
            if not found:
                break
            if self.play(found[0], at=at, must=True):
                played.append(found[0])
        self.shuffle_back(unused)
        return played

    def _extra(self, right: Right, at_once: bool = False) -> Card | None:
        from smashup.engine.moves import EXTRA_ACTION, EXTRA_MINION

        plain = EXTRA_MINION if right.types == MINION else EXTRA_ACTION
        if right.same_as(plain):
            right = plain
        c = self.t.offer(self.index, right) if at_once else self.t.extra_card(self.index, right)
        return self.t.card(c) if c != NONE else None

    def play(
        self, card: Card | None, at: Base | None = None, on: Card | None = None, must: bool = False,
        not_at: Base | None = None, sealed_by: Card | None = None, rider: Kind | None = None,
    ) -> bool:  # fmt: skip
        """Play a given card now, from wherever it is, as an extra card; whether it was played.

        ``sealed_by`` a card whose ``rider`` (`ridden`) says what becomes of an action afterwards,
        not the action itself.
        """
        if card is None:
            return False
        right = Right(
            card.kind.type,
            card=card.id,
            at=at.serial if at is not None else NONE,
            not_at=not_at.serial if not_at is not None else NONE,
            on=on.id if on is not None else NONE,
            sealed=sealed_by is not None,
            rider=rider,
            origin=sealed_by.id if sealed_by is not None else NONE,
        )
        return self.t.play_card(self.index, card.id, right, must)

    def play_found(self, card: Card | None, at: Base | None = None) -> bool:
        """Play a card just searched for; not wanted after all, it goes back into the deck."""
        if card is None or self.play(card, at=at):
            return card is not None
        if not card.is_in_discard:
            self.shuffle_back([card])
        return False

    def keep_or_play(self, card: Card | None, at: Base | None = None) -> None:
        """Take a card just found into hand, or play it at once as an extra card."""
        if card is None:
            return
        modes = ("Take it into your hand", "Play it now")
        if self.can_play(card, at) and self.choose_mode(*modes) == 1:
            self.play(card, at, must=True)
        elif not card.is_in_hand:
            self.take_to_hand(card)

    def can_play(self, card: Card, at: Base | None = None) -> bool:
        """Whether there is a legal place (there) to play a given card as an extra card."""
        right = Right(card.kind.type, card=card.id, at=at.serial if at is not None else NONE)
        return bool(self.t.moves_by(self.index, right))

    def play_titan(self, titan: Card | None, bases: list[Base], optional: bool = False) -> bool:
        """Play a titan of one's own that a card allows to be played; whether it was."""
        if titan is None:
            return False
        played = self.t.play_titan(self.index, titan.id, [b.serial for b in bases], optional)
        if not played and self.t.frames:
            self.t.frames[-1].declined = True
        return played

    def can_play_titan(self, titan: Card | None) -> bool:
        t = self.t
        return (
            titan is not None
            and titan.is_aside
            and len(t.titans(self.index)) < t.allowed_titans(self.index)
        )

    def bury(self, card: Card, at: Base) -> None:
        self.t.bury(card.id, at.serial, self.index)

    # --- everything else --------------------------------------------------------------------

    def gain_vp(self, amount: int) -> None:
        self.t.gain_vp(self.index, amount)

    def gain_power_at(self, base: Base, amount: int) -> None:
        """Have more power at a base until the end of the turn."""
        self.t.boost_player(self.index, base.serial, amount)

    def take_extra_turn(self) -> None:
        """Take a turn after the current one."""
        self.t.state.extra_turns.append(self.index)

    def later(self, kind: Kind, card: Card, whatever: bool = False) -> None:
        """At the end of the turn ``kind.later`` happens to ``card`` if it is still in play.

        ``whatever``: even if it has left play by then.
        """
        lives = ANY_LIFE if whatever else self.t.state.lives[card.id]
        self.t.state.delayed.append(Delayed(kind, card.id, lives, self.index, END))

    def play_base(self) -> Base | None:
        """Play the top card of the base deck as one more base."""
        serial = self.t.extra_base()
        return self.t.base(serial) if serial != NONE else None

    def bring_extra_base(self, source: Card) -> None:
        """When the base being scored is replaced, one more base comes into play beside it."""
        self.t.next_bases.append((source.id, NONE))

    def give_control(self, card: Card | None, to: Player | None) -> bool:
        """Give control of a card to another player; whether it changed hands."""
        if card is None or to is None:
            return False
        return self.t.take_control(card.id, to.index, WHILE_IN_PLAY, self.index)

    def bring_no_base(self, source: Card) -> None:
        """The base being scored is not to be replaced."""
        from smashup.engine.scoring import NO_BASE

        self.t.next_bases.append((source.id, NO_BASE))

    def give(self, card: Card, to: Player) -> None:
        """Place a card into another player's hand."""
        self.t.give_to_hand(self.index, card.id, to.index)

    def cannot_play(self, card: Card) -> None:
        """This player cannot play any copy of a card again this turn."""
        self.t.add_effect(BANNED_NAME, card.id, 0, self.index, END_OF_TURN)

    def bases_discarded(self) -> list[Card]:
        """The base discard pile."""
        return [self.t.card(c) for c in self.t.state.base_discard]

    def bring_next_base(self, source: Card, base: Card) -> None:
        """The base being scored is to be replaced by this one of the base discard pile."""
        self.t.next_bases.append((source.id, base.id))

    def put_base_on_top(self, base: Card) -> None:
        """Place a base of the base discard pile on top of the base deck."""
        from smashup.engine.words import BASE_DECK

        self.t._take(base.id)
        self.t._put(base.id, BASE_DECK, NONE)

    def draw_madness(self, count: int = 1) -> None:
        """Take cards from the Madness deck; an empty one is ignored."""
        t = self.t
        for _ in range(count):
            if t.state.madness:
                c = t.state.madness[-1]
                t._take(c)
                t._put(c, HAND, self.index)
                t.show(c)
                t.state.pool[c] = self.index

    def put_top_base_on_bottom(self) -> None:
        """The top card of the base deck goes to the bottom of it."""
        from smashup.engine.words import BASE_DECK

        top = self.t.next_base()
        if top != NONE:
            self.t._take(top)
            self.t._put(top, BASE_DECK, NONE, bottom=True)

    def return_madness(self, card: Card) -> None:
        """Put a Madness card back; one just played may have to go elsewhere."""
        t = self.t
        if card.is_resolving and not card.may_place_itself:
            return
        t._take(card.id)
        t._put(card.id, MADNESS_DECK, NONE)
