"""The handle on a card: what it is, where it is, and what its ability can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeGuard

from smashup.engine.model.constants import (
    ACTION,
    ANYONE,
    ASIDE,
    AT_BASE,
    BASE,
    BURIED,
    DECK_BOTTOM,
    DECK_SHUFFLE,
    DECK_TOP,
    DISCARD,
    END_OF_TURN,
    HAND,
    LIMBO,
    LOST,
    MINION,
    NO_LIMIT,
    NONE,
    NOWHERE,
    ON_BASE,
    ON_CARD,
    ON_MINION,
    PLACED,
    START_OF_NEXT,
    TITAN,
    WHILE_IN_PLAY,
    YOURS,
)  # fmt: skip
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.events import NO_SITE, ActiveAbility, Cause, Departure, Event, Trigger
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import LOST_ABILITIES, MOVED_FROM, TOP_BASE_DOWN
from smashup.engine.rules import abilities, effects, leaving_play, playing, queries, zones

if TYPE_CHECKING:
    from smashup.engine.card_api.base import Base
    from smashup.engine.card_api.player import Player
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.table import Table

H_DELAYED_EFFECT: Final = Hook.DELAYED_EFFECT.value
H_ON_PLAY: Final = Hook.ON_PLAY.value


def _is_there(card: Card | None) -> TypeGuard[Card]:
    """Whether there is a card, and it has not come back into play as another one since."""
    return card is not None and not card.former


def _ids(cards: Sequence[Card | None]) -> list[int]:
    """The numbers of the cards that are there."""
    return [c.id for c in cards if c is not None and not c.former]


class Card:
    """A card, wherever it is: what it is, where it is, and what its ability can do.

    A card that leaves play and comes back is another card: it gets a new handle. The old one is
    then a ``former`` card. It is nowhere, nothing can be done to it, and it is as it last was.
    """

    __slots__ = ("_departure", "former", "id", "t")

    def __init__(self, table: Table, id_: int) -> None:
        self.t: Table = table
        self.id = id_
        self._departure: Departure | None = None
        """How it was when it left play just now, if it did."""
        self.former = False
        """Whether the card has come back into play since, as another one."""

    def __repr__(self) -> str:
        return f"<{self.name} #{self.id}>"

    # --- what it is -------------------------------------------------------------------------

    @property
    def definition(self) -> CardDefinition:
        return self.t.state.definition[self.id]

    @property
    def name(self) -> str:
        return self.t.state.definition[self.id].name

    @property
    def names(self) -> tuple[str, ...]:
        """All names the card has now."""
        return queries.card_names(self.t, self.id)

    def is_named(self, name: str) -> bool:
        """Whether this is one of the names the card has now."""
        return name in queries.card_names(self.t, self.id)

    @property
    def mentions(self) -> list[str]:
        """Names of cards that its abilities in force speak of."""
        t = self.t
        found = [
            x for x in t.state.abilities if x.card == self.id and not abilities.is_cancelled(t, x)
        ]
        return [name for source in found for name in source.definition.mentions]

    @property
    def is_minion(self) -> bool:
        return effects.is_type(self.t, self.id, MINION)

    @property
    def is_action(self) -> bool:
        return effects.is_type(self.t, self.id, ACTION)

    @property
    def is_titan(self) -> bool:
        return effects.is_type(self.t, self.id, TITAN)

    @property
    def is_base(self) -> bool:
        return effects.is_type(self.t, self.id, BASE)

    @property
    def is_standard_action(self) -> bool:
        return self.is_action and self.definition.played_on == NOWHERE

    @property
    def plays_on_base(self) -> bool:
        return self.definition.played_on == ON_BASE

    @property
    def plays_on_minion(self) -> bool:
        return self.definition.played_on == ON_MINION

    @property
    def affects_minions(self) -> bool:
        """Whether playing it can directly affect a minion; an action on a minion always does."""
        return self.definition.affects_minions or self.plays_on_minion

    @property
    def controller(self) -> Player:
        """Who controls it (last did, once it is out of play); "you" on the card."""
        t = self.t
        if self.former and self._departure is not None:
            return t.player_handles[self._departure.controller]
        return t.player_handles[t.state.controller[self.id]]

    @property
    def lasting_controller(self) -> Player:
        """Who controls it once control "until the end of the turn" is over."""
        return self.t.player_handles[queries.lasting_controller(self.t, self.id)]

    @property
    def owner(self) -> Player:
        return self.t.player(queries.owner_of(self.t, self.id))

    @property
    def power(self) -> int:
        """Power now; the last one if it just left play; the printed one elsewhere."""
        if self.former and self._departure is not None:
            return self._departure.power
        return queries.power(self.t, self.id)

    @property
    def printed_power(self) -> int:
        return queries.printed_power(self.t, self.id)

    @property
    def counters(self) -> int:
        """+1 power counters on it."""
        return 0 if self.former else self.t.state.counters[self.id]

    @property
    def tokens(self) -> int:
        """Counters on it that are not +1 power counters."""
        self.t.volatile_reads += 1
        return 0 if self.former else self.t.state.tokens.get(self.id, 0)

    # --- where it is ------------------------------------------------------------------------

    @property
    def base(self) -> Base:
        """The base it is at (was at, if it just left play): "here"."""
        t = self.t
        if self.former and self._departure is not None:
            return t.base(self._departure.site)
        if t.state.zone[self.id] == AT_BASE:
            return t.base(t.state.place[self.id])
        return t.base(t.site_serial(self.id))

    @property
    def host(self) -> Card | None:
        """The card this action is on (was on, if it just left play)."""
        s = self.t.state
        if s.zone[self.id] == ON_CARD and not self.former:
            return self.t.card(s.place[self.id])
        if self.former and self._departure is not None:
            return self._departure.host
        return self.t.last_hosts.get(self.id)

    @property
    def actions(self) -> list[Card]:
        """Actions on this card, whoever controls them."""
        s = self.t.state
        if self.former:
            return []
        return [
            self.t.card(a) for a in s.on_card.get(self.id, ()) if s.definition[a].type == ACTION
        ]

    @property
    def life(self) -> int:
        """Which life in play this is, or was if it just ended."""
        departure = self._departure
        return self.t.state.lives[self.id] if departure is None else departure.life

    @property
    def is_in_play(self) -> bool:
        return not self.former and self.t.in_play(self.id)

    def _is_in(self, zone: int) -> bool:
        return not self.former and self.t.state.zone[self.id] == zone

    @property
    def is_on_base(self) -> bool:
        """On a base itself, not on another card."""
        return self._is_in(AT_BASE)

    @property
    def is_on_card(self) -> bool:
        return self._is_in(ON_CARD)

    @property
    def is_buried(self) -> bool:
        return self._is_in(BURIED)

    @property
    def is_aside(self) -> bool:
        self.t.volatile_reads += 1
        return self._is_in(ASIDE)

    @property
    def just_left_play(self) -> bool:
        """Whether it left play during the card, or the scoring, that is under way."""
        self.t.volatile_reads += 1
        return self.former or (not self.is_in_play and self.id in self.t.last_sites)

    @property
    def is_resolving(self) -> bool:
        """Out on the table and not yet anywhere: an action just played, a card revealed."""
        self.t.volatile_reads += 1
        return self._is_in(LIMBO)

    @property
    def is_in_hand(self) -> bool:
        self.t.volatile_reads += 1
        return self._is_in(HAND)

    @property
    def is_in_discard(self) -> bool:
        self.t.volatile_reads += 1
        return self._is_in(DISCARD)

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
        found = queries.minions(
            t,
            self.controller.index,
            of,
            at.serial if at is not None else NONE,
            max_power,
            but.id if but is not None else NONE,
            not_at.serial if not_at is not None else NONE,
        )
        cards = t.cards
        return [cards[c] for c in found]

    def actions_in_play(
        self,
        of: int = ANYONE,
        at: Base | None = None,
        on_bases: bool = True,
        on_minions: bool = True,
    ) -> list[Card]:
        t = self.t
        serial = at.serial if at is not None else NONE
        found = queries.actions(t, self.controller.index, of, serial, on_bases, on_minions)
        return [t.card(c) for c in found]

    def titans_in_play(self, of: int = ANYONE, at: Base | None = None) -> list[Card]:
        t = self.t
        you = self.controller.index
        found = queries.titans(t, at=at.serial if at is not None else NONE)
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

    def titan_in_play(self, name: str, not_at: Base | None = None) -> Card | None:
        """The titan of a name in play, whoever controls it: "if X is in play" means anybody's.

        Where two players use the same faction there may be several, of which "you" choose one.
        """
        found = [c for c in self.titans_in_play() if c.is_named(name) and c.base is not not_at]
        if len(found) == 1:
            return found[0]
        return self.controller.choose("Which of these titans?", found, purpose=Purpose.WHICH_TITAN)

    def titan(self, name: str) -> Card | None:
        """The titan the text names: yours, or else that of the card's owner."""
        return self.controller.titan(name) or self.owner.titan(name)

    @property
    def scoring_base(self) -> Base:
        """The base being scored; when none is, a base that is not there."""
        self.t.volatile_reads += 1
        serial = self.t.state.scoring
        return self.t.base(serial if serial != NONE else NO_SITE)

    @property
    def is_about_to_score(self) -> bool:
        """Whether this card's base is being scored and VP are not yet awarded."""
        self.t.volatile_reads += 1
        window = self.t.window
        return window is not None and window.before_scoring and window.base is self.base

    @property
    def reacts_to(self) -> Event | None:
        """The event the running ability reacts to, or in whose window its card was played."""
        self.t.volatile_reads += 1
        return self.t.resolutions[-1].event if self.t.resolutions else None

    def ability_users(self, ev: Event) -> list[Player]:
        """Winners who use this base's ability: all, or the first if twice makes no sense."""
        ability = abilities.ability_of(self.t, self.id).definition
        if ability.once_for_ties and self.t.edition.only_first_chooses_base:
            return ev.winners[:1]
        return ev.winners

    # --- asking "you" -----------------------------------------------------------------------

    def may(self, prompt: str, about: Card | None = None) -> bool:
        return self.controller.may(prompt, about)

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
        done = leaving_play.destroy(self.t, _ids(cards))
        return [self.t.card(c) for c in done]

    def return_to_hand(self, *cards: Card | None) -> list[Card]:
        """Return cards from play to their owners' hands; those that really left."""
        done = leaving_play.return_to_hand(self.t, _ids(cards))
        return [self.t.card(c) for c in done]

    def place_on_bottom(self, card: Card, keeping: Card | None = None) -> Card | None:
        """Put a card in play on the bottom of its owner's deck; the card that really went there.

        ``keeping``: an action on it that waits to be transferred (`transfer_or_discard`).
        """
        kept = keeping.id if keeping is not None else NONE
        gone = leaving_play.leave_play(self.t, _ids((card,)), PLACED, DECK_BOTTOM, keeping=kept)
        return self.t.card(gone[0]) if gone else None

    def place_on_top(self, card: Card) -> bool:
        return bool(leaving_play.leave_play(self.t, _ids((card,)), PLACED, DECK_TOP))

    def shuffle_into_deck(self, *cards: Card | None, deck: Player | None = None) -> list[Card]:
        """Shuffle cards in play into their owners' decks, or into a given player's."""
        home = deck.index if deck is not None else NONE
        done = leaving_play.leave_play(self.t, _ids(cards), PLACED, DECK_SHUFFLE, home)
        return [self.t.card(c) for c in done]

    def move(self, card: Card | None, to: Base | None, by: Player | None = None) -> bool:
        """Move a minion or titan to another base; whether it moved.

        On a base ``by`` is the player who moves it, where that is not who the event is about.
        """
        if not _is_there(card) or to is None:
            return False
        if by is None:
            return effects.move_card(self.t, card.id, to.serial)
        resolution = self.t.resolutions[-1]
        cause = resolution.cause
        resolution.cause = Cause(
            cause.card, cause.controller, cause.type, cause.is_being_played, by.index
        )
        moved = effects.move_card(self.t, card.id, to.serial)
        resolution.cause = cause
        return moved

    def move_to_or_from_here(self, card: Card | None) -> bool:
        """Move a minion here from elsewhere, or from here to a base of "your" choice."""
        to: Base | None = self.base
        if card is not None and card.base is to:
            to = self.controller.choose_base(
                "Move it to which base?", self.other_bases(), purpose=Purpose.MOVE_TO
            )
        return self.move(card, to)

    def let_move(self, player: Player, prompt: str, minions: list[Card]) -> Card | None:
        """On a base: a player may move one of these minions here, or from here; the one that moved.

        The player is who moves it. What other cards say the player cannot move is not on offer.
        """
        with_goals = [(m, self._goals(player, m)) for m in minions]
        movable = [m for m, goals in with_goals if goals]
        minion = player.target(prompt, movable, optional=True)
        if minion is None:
            return None
        goals = next(goals for m, goals in with_goals if m is minion)
        to: Base | None = goals[0]
        if minion.base is self.base:
            to = player.choose_base("Move it to which base?", goals, purpose=Purpose.MOVE_TO)
        return minion if self.move(minion, to, by=player) else None

    def _goals(self, player: Player, minion: Card) -> list[Base]:
        """On a base: where a player can move a minion, from here, or else here."""
        t = self.t
        cause = Cause(self.id, NONE, BASE, False, player.index)
        goals = self.other_bases() if minion.base is self.base else [self.base]
        return [base for base in goals if queries.can_move(t, minion.id, base.serial, cause)]

    def gain_power(self, card: Card | None, amount: int) -> bool:
        """Give a card power until the end of the turn."""
        return _is_there(card) and effects.change_power(self.t, card.id, amount)

    def gain_power_until_your_next_turn(self, card: Card | None, amount: int) -> bool:
        you = self.controller.index
        return _is_there(card) and effects.change_power(self.t, card.id, amount, START_OF_NEXT, you)

    def gain_power_until_end_of_your_turn(self, card: Card | None, amount: int) -> bool:
        you = self.controller.index
        return _is_there(card) and effects.change_power(self.t, card.id, amount, END_OF_TURN, you)

    def place_counters(self, count: int, on: Card | None) -> bool:
        """Place +1 power counters on a card."""
        return _is_there(on) and effects.add_counters(self.t, on.id, count)

    def remove_counters(self, card: Card | None) -> bool:
        """Take all counters of any sort off a card."""
        return _is_there(card) and effects.clear_counters(self.t, card.id)

    def transfer_counters(self, source: Card, target: Card, count: int = 1) -> int:
        if source.former or target.former:
            return 0
        return effects.transfer_counters(self.t, source.id, target.id, count)

    def set_tokens(self, count: int) -> None:
        """Counters on this card that are not +1 power counters."""
        if not self.former:
            self.t.state.tokens[self.id] = count

    def take_control(self, card: Card | None, until_end_of_turn: bool = False) -> bool:
        if not _is_there(card):
            return False
        until = END_OF_TURN if until_end_of_turn else WHILE_IN_PLAY
        return effects.take_control(self.t, card.id, self.controller.index, until)

    def give_control(self, card: Card | None, to: Player | None) -> bool:
        """Have "you" give control of a card to another player; whether it changed hands."""
        return self.controller.give_control(card, to)

    def copy_ability_for_turn(self, card: Card) -> None:
        """Have the same ability as another card until the end of the turn, and use it at once."""
        self._copy(card, for_turn=True)

    def copy_ability(self, card: Card) -> None:
        """Have the abilities of another card for as long as this one is in play."""
        self._copy(card, for_turn=False)

    def _copy(self, card: Card, for_turn: bool) -> None:
        """What the other card itself copied counts; that it copies at all would change nothing."""
        t = self.t
        if self.former or card.former:
            return
        for source in [x for x in t.state.abilities if x.card == card.id and x.granted_by == NONE]:
            kind = source.definition
            if kind is not self.definition and not abilities.is_cancelled(t, source):
                host = self.host
                printed = host.printed_power if host is not None else 0
                abilities.add_ability(t, self.id, kind, for_turn=for_turn)
                if self.is_on_card and host is not None:
                    zones.grant_abilities_from(t, self.id)
                    if (
                        t.resolutions[-1].direct_effects is not None
                        and host in t.resolutions[-1].direct_effects.places
                    ):
                        playing.note_raised_host(t, kind, self.id, host.id, printed)
                if kind.hooks & 1 << H_ON_PLAY:
                    kind.on_play(self)

    def later(self, kind: CardDefinition, card: Card) -> None:
        """At the end of the turn ``kind.later`` happens to ``card`` if it is still in play."""
        self.controller.later(kind, card)

    def after_replacement_do(self, kind: CardDefinition) -> None:
        """Once the base being scored is replaced, ``kind.later`` happens at the new base."""
        event = Event(H_DELAYED_EFFECT)
        event.player = self.controller
        self.t.after_replacement.append(
            Trigger(ActiveAbility(self.id, kind, 0), H_DELAYED_EFFECT, event, self)
        )

    def discard_from_play(self) -> None:
        """This card goes from play to the discard pile without being destroyed."""
        if not self.former:
            leaving_play.leave_alone(self.t, self.id, LOST, DISCARD)

    def decline(self) -> None:
        """The running ability was not used after all: no Special was used that others react to."""
        if self.t.resolutions:
            self.t.resolutions[-1].declined = True

    def goes_to_bottom(self) -> None:
        """This action, just played, goes to the bottom of its owner's deck when it would be
        discarded: after everything it triggers (Culture Shock p. 7, resolution step 5)."""
        if self.may_place_itself:
            self.t.destinations[self.id] = DECK_BOTTOM

    def goes_to_hand(self) -> None:
        """This action, just played, goes to its owner's hand when it would be discarded."""
        if self.may_place_itself:
            self.t.destinations[self.id] = HAND

    @property
    def is_to_be_discarded(self) -> bool:
        """An action still being resolved that goes to the discard pile when it is done."""
        return self.is_resolving and self.id not in self.t.destinations

    @property
    def may_place_itself(self) -> bool:
        """An action still being resolved, unless the right to play it says what becomes of it."""
        self.t.volatile_reads += 1
        permission = self.t.resolutions[-1].permission if self.t.resolutions else None
        return self.is_resolving and not (
            permission is not None and permission.controls_destination
        )

    def lose_abilities(self, until_your_next_turn: bool = False) -> None:
        """This card loses all abilities it has now, for the turn or until your next one."""
        if self.former:
            return
        until = START_OF_NEXT if until_your_next_turn else END_OF_TURN
        who = self.controller.index if until_your_next_turn else NONE
        abilities.add_effect(self.t, LOST_ABILITIES, self.id, 0, NONE, until, who)

    @property
    def moved_from(self) -> Base | None:
        """The base this card last moved from this turn."""
        if self.former:
            return None
        for effect in reversed(self.t.state.effects):
            if effect.kind == MOVED_FROM and effect.target == self.id:
                return self.t.base(effect.amount)
        return None

    def transfer_action(self, action: Card, to: Card | None) -> bool:
        return (
            _is_there(to)
            and not action.former
            and leaving_play.transfer_action(self.t, action.id, to.id)
        )

    def transfer_or_discard(self, to: Card | None) -> bool:
        """This action, kept when its card left play, goes on another or else is discarded."""
        return leaving_play.transfer_pending_action(
            self.t, self.id, to.id if _is_there(to) else NONE
        )

    def swap_base(self) -> None:
        """The base here is replaced by the top card of the base deck, keeping the cards on it."""
        top = effects.next_base(self.t)
        if top != NONE:
            effects.swap_base(self.t, self.base.serial, top)

    def turn_top_base_down(self) -> None:
        """The top card of the base deck, which this card turned up, is face down for the turn."""
        abilities.add_effect(self.t, TOP_BASE_DOWN, self.id, 0, NONE, END_OF_TURN)

    @property
    def top_base_is_down(self) -> bool:
        """Whether the top card of the base deck was turned face down this turn."""
        return any(effect.kind == TOP_BASE_DOWN for effect in self.t.state.effects)

    # --- once a turn ------------------------------------------------------------------------

    def used(self, player: Player) -> bool:
        """Whether a player already used this card's once-a-turn ability this turn."""
        self.t.volatile_reads += 1
        return (
            abilities.once_key(self.t, self.id, self.life, player.index)
            in self.t.state.used_this_turn
        )

    def use(self, player: Player) -> None:
        self.t.state.used_this_turn.add(
            abilities.once_key(self.t, self.id, self.life, player.index)
        )

    def unuse(self, player: Player) -> None:
        """The once-a-turn ability was not used after all."""
        self.t.state.used_this_turn.discard(
            abilities.once_key(self.t, self.id, self.life, player.index)
        )
