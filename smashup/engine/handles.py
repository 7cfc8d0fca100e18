"""What card texts are written with: `Card`, `Base` and `Player`.

They are thin handles on the table. Who does something is never said: it is the card whose ability
is running. ``me`` in a card's method is a `Card`; ``me.controller`` is "you".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from smashup.engine.decisions import WORDS
from smashup.engine.events import Event, Source, Trigger
from smashup.engine.kinds import H_LATER, H_PLAYED
from smashup.engine.rights import Right
from smashup.engine.words import (
    ACTION,
    ANYONE,
    ASIDE,
    AT_BASE,
    BASE,
    BASE_DISCARD,
    BURIED,
    DECK,
    DECK_BOTTOM,
    DECK_SHUFFLE,
    DECK_TOP,
    DISCARD,
    END,
    END_OF_TURN,
    HAND,
    LIMBO,
    LOST,
    MADNESS_DECK,
    MINION,
    NO_LIMIT,
    NONE,
    NOWHERE,
    ON_BASE,
    ON_CARD,
    ON_MINION,
    OTHERS,
    PLACED,
    PLAY,
    START_OF_NEXT,
    TITAN,
    WHILE_IN_PLAY,
    YOURS,
)  # fmt: skip

if TYPE_CHECKING:
    from smashup.engine.kinds import Kind
    from smashup.engine.opening import Opening


NO_SITE: Final = -2
"""The serial of a base that is not there: no card is at it."""


class Card:
    """A card, wherever it is: what it is, where it is, and what its ability can do."""

    __slots__ = ("id", "t")

    def __init__(self, table: object, id_: int) -> None:
        self.t: Opening = table  # type: ignore[assignment]
        self.id = id_

    def __repr__(self) -> str:
        return f"<{self.name} #{self.id}>"

    # --- what it is -------------------------------------------------------------------------

    @property
    def kind(self) -> Kind:
        return self.t.state.kind[self.id]

    @property
    def name(self) -> str:
        return self.t.state.kind[self.id].name

    def is_named(self, name: str) -> bool:
        """Whether this is one of the names the card has now."""
        return name in self.t.names(self.id)

    @property
    def is_minion(self) -> bool:
        return self.t.is_type(self.id, MINION)

    @property
    def is_action(self) -> bool:
        return self.t.is_type(self.id, ACTION)

    @property
    def is_titan(self) -> bool:
        return self.t.is_type(self.id, TITAN)

    @property
    def is_base(self) -> bool:
        return self.t.is_type(self.id, BASE)

    @property
    def is_standard_action(self) -> bool:
        return self.is_action and self.kind.where == NOWHERE

    @property
    def plays_on_base(self) -> bool:
        return self.kind.where == ON_BASE

    @property
    def plays_on_minion(self) -> bool:
        return self.kind.where == ON_MINION

    @property
    def controller(self) -> Player:
        """Who controls it (last did, once it is out of play); "you" on the card."""
        return self.t.seat(self.t.state.controller[self.id])

    @property
    def owner(self) -> Player:
        return self.t.seat(self.t.owner_of(self.id))

    @property
    def power(self) -> int:
        """Power now; the last one if it just left play; the printed one elsewhere."""
        return self.t.power(self.id)

    @property
    def printed_power(self) -> int:
        return self.t.printed_power(self.id)

    @property
    def counters(self) -> int:
        """+1 power counters on it."""
        return self.t.state.counters[self.id]

    @property
    def tokens(self) -> int:
        """Counters on it that are not +1 power counters."""
        return self.t.state.tokens.get(self.id, 0)

    # --- where it is ------------------------------------------------------------------------

    @property
    def base(self) -> Base:
        """The base it is at (was at, if it just left play): "here"."""
        return self.t.base(self.t.site_serial(self.id))

    @property
    def host(self) -> Card | None:
        """The card this action is on (was on, if it just left play)."""
        s = self.t.state
        if s.zone[self.id] == ON_CARD:
            return self.t.card(s.place[self.id])
        last = self.t.last_host.get(self.id, NONE)
        return self.t.card(last) if last != NONE else None

    @property
    def actions(self) -> list[Card]:
        """Actions on this card, whoever controls them."""
        s = self.t.state
        return [self.t.card(a) for a in s.on_card.get(self.id, ()) if s.kind[a].type == ACTION]

    @property
    def is_in_play(self) -> bool:
        return self.t.in_play(self.id)

    @property
    def is_on_base(self) -> bool:
        """On a base itself, not on another card."""
        return self.t.state.zone[self.id] == AT_BASE

    @property
    def is_on_card(self) -> bool:
        return self.t.state.zone[self.id] == ON_CARD

    @property
    def is_buried(self) -> bool:
        return self.t.state.zone[self.id] == BURIED

    @property
    def is_aside(self) -> bool:
        return self.t.state.zone[self.id] == ASIDE

    @property
    def just_left_play(self) -> bool:
        """Whether it left play during the card, or the scoring, that is under way."""
        return not self.is_in_play and self.id in self.t.last_site

    @property
    def is_in_hand(self) -> bool:
        return self.t.state.zone[self.id] == HAND

    @property
    def is_in_discard(self) -> bool:
        return self.t.state.zone[self.id] == DISCARD

    # --- who is around ----------------------------------------------------------------------

    def minions(
        self,
        of: int = ANYONE,
        at: Base | None = None,
        max_power: int = NO_LIMIT,
        but: Card | None = None,
        not_at: Base | None = None,
    ) -> list[Card]:
        """Minions in play: of `YOURS`, `OTHERS` or `ANYONE`, at a base, of at most some power."""
        t = self.t
        found = t.minions(
            t.state.controller[self.id],
            of,
            at.serial if at is not None else NONE,
            max_power,
            but.id if but is not None else NONE,
            not_at.serial if not_at is not None else NONE,
        )
        return [t.card(c) for c in found]

    def actions_in_play(
        self,
        of: int = ANYONE,
        at: Base | None = None,
        on_bases: bool = True,
        on_minions: bool = True,
    ) -> list[Card]:
        t = self.t
        serial = at.serial if at is not None else NONE
        found = t.actions(t.state.controller[self.id], of, serial, on_bases, on_minions)
        return [t.card(c) for c in found]

    def titans_in_play(self, of: int = ANYONE, at: Base | None = None) -> list[Card]:
        t = self.t
        you = t.state.controller[self.id]
        found = t.titans(at=at.serial if at is not None else NONE)
        return [
            t.card(c)
            for c in found
            if of == ANYONE or (t.state.controller[c] == you) == (of == YOURS)
        ]

    def cards_in_play(self) -> list[Card]:
        """Every card on a base or on a card: minions, actions, titans, buried cards."""
        t = self.t
        found: list[Card] = []
        for site in t.state.sites:
            for c in site.cards:
                found.append(t.card(c))
                found.extend(t.card(a) for a in t.state.on_card.get(c, ()))
        return found

    def bases(self) -> list[Base]:
        t = self.t
        return [t.base(site.serial) for site in t.state.sites]

    def other_bases(self, base: Base | None = None) -> list[Base]:
        """All bases but one (but the one the card is at)."""
        but = self.base if base is None else base
        return [b for b in self.bases() if b is not but]

    def others(self) -> list[Player]:
        """The other players, clockwise from the current one."""
        return self.controller.others()

    def everybody(self) -> list[Player]:
        """All players, clockwise from the current one."""
        return self.controller.everybody()

    def titan(self, name: str) -> Card | None:
        """The titan the text names: yours, or else that of the card's owner."""
        return self.controller.titan(name) or self.owner.titan(name)

    @property
    def scoring_base(self) -> Base:
        """The base being scored; when none is, a base that is not there."""
        serial = self.t.state.scoring
        return self.t.base(serial if serial != NONE else NO_SITE)

    @property
    def is_about_to_score(self) -> bool:
        """Whether this card's base is being scored and VP are not yet awarded."""
        window = self.t.window
        return window is not None and window.before_scoring and window.base is self.base

    @property
    def reacts_to(self) -> Event | None:
        """The event the running ability reacts to, or in whose window its card was played."""
        return self.t.frames[-1].event if self.t.frames else None

    def ability_users(self, ev: Event) -> list[Player]:
        """Winners who use this base's ability: all, or the first if twice makes no sense."""
        if self.kind.once_for_ties and self.t.edition.only_first_chooses_base:
            return ev.winners[:1]
        return ev.winners

    # --- asking "you" -----------------------------------------------------------------------

    def may(self, prompt: str) -> bool:
        return self.controller.may(prompt)

    def choose(self, prompt: str, cards: list[Card]) -> Card | None:
        """Have "you" choose one of the cards, if there are any."""
        return self.controller.choose(prompt, cards)

    def target(self, prompt: str, cards: list[Card]) -> Card | None:
        """Choose what the ability affects."""
        return self.controller.target(prompt, cards)

    def may_target(self, prompt: str, cards: list[Card]) -> Card | None:
        """Choose what the ability affects, or nothing."""
        return self.controller.target(prompt, cards, optional=True)

    def choose_base(self, prompt: str, bases: list[Base]) -> Base | None:
        return self.controller.choose_base(prompt, bases)

    def choose_mode(self, *modes: str) -> int:
        """Have "you" choose one of several things to do; its position."""
        return self.controller.choose_mode(*modes)

    def may_choose_mode(self, *modes: str) -> int:
        """Have "you" choose one of several things to do, or none of them (-1)."""
        return self.controller.may_choose_mode(*modes)

    # --- doing ------------------------------------------------------------------------------

    def draw(self, count: int = 1) -> list[Card]:
        return self.controller.draw(count)

    def destroy(self, *cards: Card | None) -> list[Card]:
        """Destroy cards at once; those that really were."""
        done = self.t.destroy([c.id for c in cards if c is not None])
        return [self.t.card(c) for c in done]

    def return_to_hand(self, *cards: Card | None) -> list[Card]:
        """Return cards from play to their owners' hands; those that really left."""
        done = self.t.return_to_hand([c.id for c in cards if c is not None])
        return [self.t.card(c) for c in done]

    def place_on_bottom(self, card: Card) -> bool:
        """Put a card in play on the bottom of its owner's deck."""
        return bool(self.t.remove([card.id], PLACED, DECK_BOTTOM))

    def place_on_top(self, card: Card) -> bool:
        return bool(self.t.remove([card.id], PLACED, DECK_TOP))

    def shuffle_into_deck(self, *cards: Card | None, deck: Player | None = None) -> list[Card]:
        """Shuffle cards in play into their owners' decks, or into a given player's."""
        home = deck.index if deck is not None else NONE
        ids = [c.id for c in cards if c is not None]
        done = self.t.remove(ids, PLACED, DECK_SHUFFLE, home)
        return [self.t.card(c) for c in done]

    def move(self, card: Card | None, to: Base | None) -> bool:
        """Move a minion or titan to another base; whether it moved."""
        return card is not None and to is not None and self.t.move(card.id, to.serial)

    def move_to_or_from_here(self, card: Card | None) -> bool:
        """Move a minion here from elsewhere, or from here to a base of "your" choice."""
        to: Base | None = self.base
        if card is not None and card.base is to:
            to = self.choose_base("Move it to which base?", self.other_bases())
        return self.move(card, to)

    def gain_power(self, card: Card | None, amount: int) -> bool:
        """Give a card power until the end of the turn."""
        return card is not None and self.t.boost(card.id, amount)

    def gain_power_until_your_next_turn(self, card: Card | None, amount: int) -> bool:
        you = self.controller.index
        return card is not None and self.t.boost(card.id, amount, START_OF_NEXT, you)

    def gain_power_until_end_of_your_turn(self, card: Card | None, amount: int) -> bool:
        you = self.controller.index
        return card is not None and self.t.boost(card.id, amount, END_OF_TURN, you)

    def place_counters(self, count: int, on: Card | None) -> bool:
        """Place +1 power counters on a card."""
        return on is not None and self.t.add_counters(on.id, count)

    def remove_counters(self, card: Card | None) -> bool:
        """Take all counters of any sort off a card."""
        return card is not None and self.t.clear_counters(card.id)

    def transfer_counters(self, source: Card, target: Card, count: int = 1) -> int:
        return self.t.transfer_counters(source.id, target.id, count)

    def set_tokens(self, count: int) -> None:
        """Counters on this card that are not +1 power counters."""
        self.t.state.tokens[self.id] = count

    def take_control(self, card: Card | None, until_end_of_turn: bool = False) -> bool:
        if card is None:
            return False
        until = END_OF_TURN if until_end_of_turn else WHILE_IN_PLAY
        return self.t.take_control(card.id, self.controller.index, until)

    def give_control(self, card: Card | None, to: Player | None) -> bool:
        if card is None or to is None:
            return False
        return self.t.take_control(card.id, to.index, WHILE_IN_PLAY)

    def copy_ability_for_turn(self, card: Card) -> None:
        """Have the same ability as another card until the end of the turn, and use it at once."""
        self._copy(card, for_turn=True)

    def copy_ability(self, card: Card) -> None:
        """Have the abilities of another card for as long as this one is in play."""
        self._copy(card, for_turn=False)

    def _copy(self, card: Card, for_turn: bool) -> None:
        """What the other card itself copied counts; that it copies at all would change nothing."""
        t = self.t
        for source in [x for x in t.state.sources if x.card == card.id and x.lender == NONE]:
            kind = source.kind
            if kind is not self.kind and not t.is_cancelled(source):
                t.add_source(self.id, kind, for_turn=for_turn)
                if kind.hooks & 1 << H_PLAYED:
                    kind.played(self)

    def later(self, kind: Kind, card: Card) -> None:
        """At the end of the turn ``kind.later`` happens to ``card`` if it is still in play."""
        self.controller.later(kind, card)

    def after_replacement_do(self, kind: Kind) -> None:
        """Once the base being scored is replaced, ``kind.later`` happens at the new base."""
        event = Event(H_LATER)
        event.player = self.controller
        self.t.after_replacing.append(Trigger(Source(self.id, kind, 0), H_LATER, event))

    def discard_from_play(self) -> None:
        """This card goes from play to the discard pile without being destroyed."""
        self.t._leave(self.id, LOST, DISCARD)

    def decline(self) -> None:
        """The running ability was not used after all: no Special was used that others react to."""
        if self.t.frames:
            self.t.frames[-1].declined = True

    def goes_to_bottom(self) -> None:
        """This action, just played, goes to the bottom of your deck instead of the discard."""
        if self.t.state.zone[self.id] == LIMBO:
            self.t.put_back(self.id, self.owner.index, bottom=True)

    # --- once a turn ------------------------------------------------------------------------

    def used(self, player: Player) -> bool:
        """Whether a player already used this card's once-a-turn ability this turn."""
        return (self.id, self.t.state.lives[self.id], player.index) in self.t.state.once

    def use(self, player: Player) -> None:
        self.t.state.once.add((self.id, self.t.state.lives[self.id], player.index))


class Base:
    """A base in play: the place, and the card that lies there."""

    __slots__ = ("serial", "t")

    def __init__(self, table: object, serial: int) -> None:
        self.t: Opening = table  # type: ignore[assignment]
        self.serial = serial

    def __repr__(self) -> str:
        return f"<base {self.serial}>"

    @property
    def card(self) -> Card:
        return self.t.card(self.t.state.site_at[self.serial].base)

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def is_in_play(self) -> bool:
        return self.serial in self.t.state.site_at

    @property
    def breakpoint(self) -> int:
        return self.t.breakpoint(self.serial)

    @property
    def total(self) -> int:
        """All power here, as the breakpoint counts it."""
        return self.t.base_total(self.serial)

    def power_of(self, player: Player) -> int:
        """A player's total power here."""
        return self.t.total(self.serial, player.index)

    def cards(self) -> list[Card]:
        """Cards on the base itself, in order of arrival."""
        return [self.t.card(c) for c in self.t.state.site_at[self.serial].cards]

    def minions_of(self, player: Player) -> list[Card]:
        return [self.t.card(c) for c in self.t.minions(player.index, YOURS, self.serial)]

    def minions(self) -> list[Card]:
        return [self.t.card(c) for c in self.t.minions(at=self.serial)]

    def actions_of(self, player: Player, on_minions: bool = True) -> list[Card]:
        """A player's actions on the base, and on minions here unless told otherwise."""
        found = self.t.actions(player.index, YOURS, self.serial, True, on_minions)
        return [self.t.card(c) for c in found]

    def actions(self) -> list[Card]:
        """Actions on the base itself."""
        return [self.t.card(c) for c in self.t.actions(at=self.serial, on_minions=False)]

    def titans(self) -> list[Card]:
        return [self.t.card(c) for c in self.t.titans(at=self.serial)]

    def leaders(self) -> list[Player]:
        """Players with the most power here."""
        return [self.t.seat(p) for p in self.t.leaders(self.serial)]

    def has_minion_of(self, player: Player) -> bool:
        return self.t.count_minions(player.index, self.serial) > 0

    def reduce_breakpoint(self, amount: int) -> None:
        """Until the end of the turn."""
        self.t.change_breakpoint(self.serial, -amount)

    def destroy(self, spare: Card | None = None, to: Base | None = None) -> None:
        """Destroy this base and replace it normally; a spared titan moves away first."""
        if spare is not None and to is not None:
            self.t.move(spare.id, to.serial)
        index = self.t.destroy_base(self.serial)
        self.t.replace_destroyed(index)


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

    def minions_discarded(self, max_power: int = NO_LIMIT) -> list[Card]:
        """Minions in the discard pile, by printed power."""
        return [c for c in self.discard_pile if c.is_minion and c.kind.power <= max_power]

    def actions_discarded(self) -> list[Card]:
        return [c for c in self.discard_pile if c.is_action]

    def deck_minions(self, max_power: int = NO_LIMIT) -> list[Card]:
        """Minions in the deck (refilled first if it is empty), by printed power."""
        self.t.can_search(self.index)
        return [c for c in self.deck if c.is_minion and c.kind.power <= max_power]

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
        """Choose what the ability affects; a right to play may have narrowed it to one card."""
        t = self.t
        right = t.frames[-1].right if t.frames else None
        if right is not None and right.must_affect != NONE:
            cards = [c for c in cards if c.id == right.must_affect]
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

    def reveal_until(self, types: int, count: int = 1) -> tuple[list[Card], list[Card]]:
        """Reveal off the top of one's deck until so many of the types: (those, the others)."""
        found, rest = self.t.lift_until(self.index, types, count)
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
    ) -> Card | None:
        """Get an extra minion play, perhaps limited: the minion if it was played at once."""
        return self._extra(
            Right(
                MINION,
                at=at.serial if at is not None else NONE,
                max_power=max_power,
                name=name,
                not_name=not_name,
                source=source,
            ),
            at_once,
        )

    def extra_action(
        self, at: Base | None = None, on: Card | None = None, source: int = HAND
    ) -> Card | None:
        """Get an extra action play, perhaps only at a base or on a minion."""
        return self._extra(
            Right(
                ACTION,
                at=at.serial if at is not None else NONE,
                on=on.id if on is not None else NONE,
                source=source,
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
        from smashup.engine.plays import EXTRA_ACTION, EXTRA_MINION

        plain = EXTRA_MINION if right.types == MINION else EXTRA_ACTION
        if right.same_as(plain):
            right = plain
        c = self.t.offer(self.index, right) if at_once else self.t.extra_card(self.index, right)
        return self.t.card(c) if c != NONE else None

    def play(
        self, card: Card | None, at: Base | None = None, on: Card | None = None, must: bool = False,
        not_at: Base | None = None,
    ) -> bool:  # fmt: skip
        """Play a given card now, from wherever it is, as an extra card; whether it was played."""
        if card is None:
            return False
        right = Right(
            card.kind.type,
            card=card.id,
            at=at.serial if at is not None else NONE,
            not_at=not_at.serial if not_at is not None else NONE,
            on=on.id if on is not None else NONE,
        )
        return self.t.play_card(self.index, card.id, right, must)

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

    def later(self, kind: Kind, card: Card) -> None:
        from smashup.engine.state import Delayed

        lives = self.t.state.lives[card.id]
        self.t.state.delayed.append(Delayed(kind, card.id, lives, self.index, END))

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

    def return_madness(self, card: Card) -> None:
        t = self.t
        t._take(card.id)
        t._put(card.id, MADNESS_DECK, NONE)


__all__ = ["ANYONE", "BASE_DISCARD", "DECK", "OTHERS", "YOURS", "Base", "Card", "Player"]
