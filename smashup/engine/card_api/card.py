"""The handle of a card: what its ability can ask and do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard

from smashup.engine.card_api.card_state import CardState
from smashup.engine.events.values import ActionsForbidden, MovesForbidden
from smashup.engine.model.constants import (
    BASE,
    DISCARD,
    DISCARDED_BY_RULE,
    END_OF_TURN,
    END_OF_YOUR_TURN,
    LIMBO,
    NONE,
    PLACED,
    WHILE_IN_PLAY,
    YOUR_NEXT_TURN,
)  # fmt: skip
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.events import ActiveAbility, Cause, Event, Trigger
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import (
    LOST_ABILITIES,
    MOVED_FROM,
    NAMED_FACTION,
    NO_ACTIONS,
    NO_ACTIONS_NEXT_TURN,
    NO_MOVES,
    TOP_BASE_DOWN,
    Effect,
)
from smashup.engine.rules import (
    abilities,
    direct_effects,
    effects,
    leaving_play,
    playing,
    protection,
    restrictions,
    searching,
    turns,
    zones,
)
from smashup.engine.rules.recording import record

if TYPE_CHECKING:
    from smashup.engine.card_api.base import Base
    from smashup.engine.card_api.player import Player
    from smashup.engine.model.definitions import CardDefinition

H_DELAYED_EFFECT: Final = Hook.DELAYED_EFFECT.value
H_ON_PLAY: Final = Hook.ON_PLAY.value


class Card(CardState):
    """A card, wherever it is: what it is, where it is, and what its ability can do.

    Verbs that take ``cards`` accept one card, a collection of cards, or None: what a choice
    returned can be passed on as it is.
    """

    __slots__ = ()

    # --- choices of "you" -------------------------------------------------------------------

    def may(self, prompt: str, about: Card | None = None) -> bool:
        return self.controller.may(prompt, about)

    def choose(self, prompt: str, cards: list[Card]) -> Card | None:
        """Have "you" choose one of the cards; None if there are none."""
        return self.controller.choose(prompt, cards)

    def target(self, prompt: str, cards: list[Card]) -> Card | None:
        """Choose what the ability affects."""
        return self.controller.target(prompt, cards)

    def may_target(self, prompt: str, cards: list[Card]) -> Card | None:
        """Choose what the ability affects, or nothing."""
        return self.controller.target(prompt, cards, optional=True)

    def choose_base(self, prompt: str, bases: list[Base]) -> Base | None:
        return self.controller.choose_base(prompt, bases)

    def choose_mode(self, *modes: str, optional: bool = False) -> int:
        """Have "you" choose one of several things to do: its position, or -1 for none of them."""
        return self.controller.choose_mode(*modes, optional=optional)

    def titan_in_play(self, name: str, not_at: Base | None = None) -> Card | None:
        """Find the titan of a name in play, of any player: "if X is in play" means anybody's.

        If several players use its faction there may be several, and "you" choose one.
        """
        found = [c for c in self.titans_in_play() if c.is_named(name) and c.base is not not_at]
        if len(found) == 1:
            return found[0]
        return self.controller.choose("Which of these titans?", found, purpose=Purpose.WHICH_TITAN)

    # --- effects ----------------------------------------------------------------------------

    def draw(self, count: int = 1) -> list[Card]:
        return self.controller.draw(count)

    def destroy(self, cards: Cards, by: Actors = None) -> list[Card]:
        """Destroy cards in play at the same time; return those that were destroyed.

        ``by``: the player who destroys them, or one for each card, if the text tells others to.
        """
        ids, actors = cards_and_actors(cards, by)
        return self._handles(leaving_play.destroy(self.table, ids, actors))

    def return_to_hand(self, cards: Cards, by: Actors = None) -> list[Card]:
        """Return cards in play to their owners' hands; return those that left.

        ``by``: the player who returns them, or one for each card, if the text tells others to.
        """
        ids, actors = cards_and_actors(cards, by)
        return self._handles(leaving_play.return_to_hand(self.table, ids, actors))

    def put(
        self, cards: Cards, to: int, deck: Player | None = None, keeping: Card | None = None
    ) -> list[Card]:
        """Put cards in play elsewhere; return those that went there.

        ``to``: their owners' `DECK_TOP`, `DECK_BOTTOM` or `DECK_SHUFFLED` (or the ``deck`` of a
        given player), or `DISCARD` for a card that discards itself.
        ``keeping``: an action on a card that is to be transferred afterwards (`transfer`).
        """
        ids = card_ids(cards)
        if to == DISCARD:
            leaving_play.leave_together(self.table, ids, DISCARDED_BY_RULE, DISCARD)
            return self._handles(ids)
        home = deck.index if deck is not None else NONE
        kept = keeping.id if keeping is not None else NONE
        return self._handles(leaving_play.leave_play(self.table, ids, PLACED, to, home, kept))

    def move(self, card: Card | None, to: Base | None, by: Player | None = None) -> bool:
        """Move a minion or titan to another base; return whether it moved.

        On a base, ``by`` is the player who moves it, if not the player of the event.
        """
        if not is_there(card) or to is None:
            return False
        if by is None:
            return effects.move_card(self.table, card.id, to.serial)
        resolution = self.table.resolutions[-1]
        cause = resolution.cause
        resolution.cause = Cause(
            cause.card, cause.controller, cause.type, cause.is_being_played, by.index
        )
        moved = effects.move_card(self.table, card.id, to.serial)
        resolution.cause = cause
        return moved

    def move_together(self, cards: Cards, to: Base | None) -> list[Card]:
        """Move minions or titans to another base at the same time; return those that moved."""
        if to is None:
            return []
        return self._handles(effects.move_cards(self.table, card_ids(cards), to.serial))

    def move_to_or_from_here(self, card: Card | None) -> bool:
        """Move a minion here from elsewhere, or from here to a base of "your" choice."""
        to: Base | None = self.base
        if card is not None and card.base is to:
            to = self.controller.choose_base(
                "Move it to which base?", self.other_bases(), purpose=Purpose.MOVE_TO
            )
        return self.move(card, to)

    def let_move(self, player: Player, prompt: str, minions: list[Card]) -> Card | None:
        """On a base: let a player move one of these minions here or from here; return the one that
        moved.

        The move is an action of that player. Moves that other cards forbid the player are not
        offered.
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
        """On a base: return where a player can move a minion, from here or to here."""
        t = self.table
        cause = Cause(self.id, NONE, BASE, False, player.index)
        goals = self.other_bases() if minion.base is self.base else [self.base]
        return [base for base in goals if restrictions.can_move(t, minion.id, base.serial, cause)]

    def gain_power(self, cards: Cards, amount: int, until: int = END_OF_TURN) -> bool:
        """Give cards power until the end of the turn, or of "your" turn, or "your" next turn."""
        expires, you = self._expiry(until)
        gained = False
        for c in card_ids(cards):
            gained |= effects.change_power(self.table, c, amount, expires, you)
        return gained

    def _expiry(self, until: int) -> tuple[int, int]:
        """Return when an effect ends, and on whose turn."""
        if until == END_OF_TURN:
            return END_OF_TURN, NONE
        return END_OF_TURN if until == END_OF_YOUR_TURN else until, self.controller.index

    def place_counters(self, count: int, on: Cards) -> bool:
        """Place +1 power counters on each of the cards."""
        placed = False
        for c in card_ids(on):
            placed |= effects.add_counters(self.table, c, count)
        return placed

    def remove_counters(self, card: Card | None) -> bool:
        """Remove all counters of any type from a card."""
        return is_there(card) and effects.clear_counters(self.table, card.id)

    def transfer_counters(self, source: Card, target: Card, count: int = 1) -> int:
        if source.former or target.former:
            return 0
        return effects.transfer_counters(self.table, source.id, target.id, count)

    def take_control(self, cards: Cards, until: int = WHILE_IN_PLAY) -> bool:
        """Have "you" take control of cards in play, all at once; return whether control changed.

        ``until`` `END_OF_TURN`, for good (`WHILE_IN_PLAY`), or `WHILE_ATTACHED`: as long as this
        action is in play.
        """
        ids, you = card_ids(cards), self.controller.index
        return bool(effects.take_control_of_all(self.table, ids, you, until))

    def copy_ability(self, card: Card, until: int = WHILE_IN_PLAY) -> None:
        """Copy the abilities of another card, and resolve its on-play ability at once.

        Abilities that the other card copied are included; its ability to copy is not.
        """
        t = self.table
        if self.former or card.former:
            return
        for ability in [x for x in t.state.abilities if x.card == card.id and x.granted_by == NONE]:
            definition = ability.definition
            if definition is not self.definition and not abilities.is_cancelled(t, ability):
                host = self.host
                printed = host.printed_power if host is not None else 0
                abilities.add_ability(t, self.id, definition, for_turn=until == END_OF_TURN)
                if self.is_on_card and host is not None:
                    zones.grant_abilities_from(t, self.id)
                    if (
                        t.resolutions[-1].direct_effects is not None
                        and host in t.resolutions[-1].direct_effects.places
                    ):
                        playing.note_raised_host(t, definition, self.id, host.id, printed)
                if definition.hooks & 1 << H_ON_PLAY:
                    definition.on_play(self)

    def after_replacement_do(
        self, definition: CardDefinition, players: list[Player] | None = None
    ) -> None:
        """After the scored base is replaced, run ``definition.delayed_effect`` at the new base.

        ``players``: the players whom it concerns, as ``ev.present``.
        """
        event = Event(H_DELAYED_EFFECT)
        event.player = self.controller
        event.present = players or []
        self.table.after_replacement.append(
            Trigger(ActiveAbility(self.id, definition, 0), H_DELAYED_EFFECT, event, self)
        )

    def mark_unused(self) -> None:
        """Mark the running ability as not used, so that no card reacts to a Special."""
        if self.table.resolutions:
            self.table.resolutions[-1].declined = True

    def goes_to(self, to: int) -> None:
        """Send this action, just played, to its owner's `HAND`, `DECK_TOP` or `DECK_BOTTOM` instead
        of the discard pile, after everything it triggers (Culture Shock p. 7, resolution step
        5)."""
        if self.may_place_itself:
            self.table.destinations[self.id] = to

    @property
    def is_to_be_discarded(self) -> bool:
        """Whether it is a resolving action that goes to the discard pile when it is done."""
        return self.is_in(LIMBO) and self.id not in self.table.destinations

    @property
    def may_place_itself(self) -> bool:
        """Whether it is a resolving action, unless the permission to play it sets its
        destination."""
        self.table.volatile_reads += 1
        permission = self.table.resolutions[-1].permission if self.table.resolutions else None
        return self.is_in(LIMBO) and not (
            permission is not None and permission.controls_destination
        )

    def cancel_abilities(self, card: Card | None, until: int = END_OF_TURN) -> bool:
        """Make a card in play, perhaps a base, lose its abilities for a while; whether it did."""
        if not is_there(card):
            return False
        t = self.table
        cause = abilities.current_cause(t)
        c = direct_effects.redirect(t, card.id, cause)
        if protection.is_protected(t, c, cause) or not direct_effects.note_affected(t, c):
            return False
        expires, you = self._expiry(until)
        abilities.add_effect(t, LOST_ABILITIES, c, 0, NONE, expires, you)
        return True

    def lose_abilities(self, until: int = END_OF_TURN) -> None:
        """Lose all current abilities."""
        if not self.former:
            expires, you = self._expiry(until)
            abilities.add_effect(self.table, LOST_ABILITIES, self.id, 0, NONE, expires, you)

    @property
    def moved_from(self) -> Base | None:
        """The base this card last moved from this turn."""
        move = self._last_move
        return self.table.base(move.amount) if move is not None else None

    def moved_together_with(self, card: Card) -> bool:
        """Whether the same ability moved this card and another from the same base this turn."""
        one, other = self._last_move, card._last_move
        return (
            one is not None
            and other is not None
            and one.source == other.source != NONE
            and one.amount == other.amount
        )

    @property
    def _last_move(self) -> Effect | None:
        if not self.former:
            for effect in reversed(self.table.state.effects):
                if effect.kind == MOVED_FROM and effect.target == self.id:
                    return effect
        return None

    def transfer(self, action: Card, to: Card | None) -> bool:
        """Transfer an action from the card it is on to another.

        A detached action (`put` with ``keeping``) that cannot go anywhere is discarded.
        """
        if action.former:
            return False
        host = to.id if is_there(to) else NONE
        return leaving_play.transfer_pending_action(self.table, action.id, host)

    def swap_base(
        self, exchange: bool = False, base: Base | None = None, card: Card | None = None
    ) -> None:
        """Replace the base here by the top card of the base deck, keeping the cards on it.

        The old base is discarded, or with ``exchange`` becomes the top card of the base deck.
        With ``base`` and ``card``: replace that base with this card of the base deck, into which
        the old one is shuffled.
        """
        if base is not None and card is not None:
            effects.exchange_base(self.table, base.serial, card.id)
            effects.shuffle_base_deck(self.table)
            return
        top = effects.next_base(self.table)
        if top == NONE:
            return
        if exchange:
            effects.exchange_base(self.table, self.base.serial, top)
        else:
            effects.swap_base(self.table, self.base.serial, top)

    def swap_with(self, action: Card) -> bool:
        """Have this action on a base change places with one of the hand, or one just found in the
        deck; return whether it did.

        The other action comes into play without being played; this one goes where it was, and is
        shuffled into the deck.
        """
        t = self.table
        done = is_there(self) and effects.swap_action(t, self.id, action.id, self.controller.index)
        if t.last_search[0] == action.id:
            if not done:
                searching.put_back_found(t, action.id, self.controller.index)
            searching.forget_search(t)
        return done

    def note_faction(self, faction: str) -> None:
        """Note a faction that was named for this card, as long as it is in play."""
        t = self.table
        names = [x.name for x in t.catalogue.factions]
        if faction in names:
            number = names.index(faction)
            abilities.add_effect(t, NAMED_FACTION, self.id, number, NONE, WHILE_IN_PLAY)

    @property
    def noted_factions(self) -> list[str]:
        """The factions that were named for this card."""
        t = self.table
        return [
            t.catalogue.factions[effect.amount].name
            for effect in t.state.effects
            if effect.kind == NAMED_FACTION and effect.target == self.id
        ]

    def forbid_actions(self, player: Player, until: int = END_OF_TURN) -> None:
        """Forbid a player to play actions for a while."""
        expires, you = self._expiry(until)
        abilities.add_effect(self.table, NO_ACTIONS, NONE, 0, player.index, expires, you)
        if self.table.logging:
            record(self.table, ActionsForbidden(player.index, False))

    def forbid_actions_next_turn(self, player: Player) -> None:
        """Forbid a player to play actions on their next turn, from its start to its end."""
        t = self.table
        abilities.add_effect(t, NO_ACTIONS_NEXT_TURN, NONE, 0, player.index, YOUR_NEXT_TURN)
        if t.logging:
            record(t, ActionsForbidden(player.index, True))

    def forbid_moves(self, player: Player, until: int = END_OF_TURN) -> None:
        """Forbid a player to move minions for a while."""
        expires, you = self._expiry(until)
        abilities.add_effect(self.table, NO_MOVES, NONE, 0, player.index, expires, you)
        if self.table.logging:
            record(self.table, MovesForbidden(player.index))

    def turn_top_base_down(self) -> None:
        """Turn the top card of the base deck, which this card revealed, face down for the turn."""
        abilities.add_effect(self.table, TOP_BASE_DOWN, self.id, 0, NONE, END_OF_TURN)

    @property
    def top_base_is_down(self) -> bool:
        """Whether the top card of the base deck was turned face down this turn."""
        return any(effect.kind == TOP_BASE_DOWN for effect in self.table.state.effects)

    @property
    def was_in_play_at_start(self) -> bool:
        """For a titan with `notes_start_of_turn`: whether it was in play as this turn started."""
        self.table.volatile_reads += 1
        return (turns.IN_PLAY_AT_START, self.id) in self.table.state.turn_counts

    # --- once a turn ------------------------------------------------------------------------

    def used_this_turn(self, player: Player, any_copy: bool = False) -> bool:
        """Whether a player already used this card's once-a-turn ability this turn.

        ``any_copy``: that of any card of this name.
        """
        self.table.volatile_reads += 1
        return self._once_key(player, any_copy) in self.table.state.used_this_turn

    def mark_used(self, player: Player, any_copy: bool = False) -> None:
        self.table.state.used_this_turn.add(self._once_key(player, any_copy))

    def _once_key(self, player: Player, any_copy: bool) -> tuple[int, ...]:
        if any_copy:
            return abilities.once_key_of_copies(self.table, self.id, player.index)
        return abilities.once_key(self.table, self.id, self.life, player.index)

    def unmark_used(self, player: Player) -> None:
        """Mark the once-a-turn ability as not used."""
        self.table.state.used_this_turn.discard(
            abilities.once_key(self.table, self.id, self.life, player.index)
        )


Cards: TypeAlias = Card | Iterable[Card | None] | None
"""The argument of verbs: a card, several, or none."""


Actors: TypeAlias = "Player | list[Player] | None"
"""The player who does something to cards, or one for each of them; None: the acting player."""


def is_there(card: Card | None) -> TypeGuard[Card]:
    """Whether there is a card and the handle belongs to its current life."""
    return card is not None and not card.former


def card_ids(cards: Cards) -> list[int]:
    """Return the numbers of the cards that are there."""
    if cards is None:
        return []
    if isinstance(cards, Card):
        return [] if cards.former else [cards.id]
    return [c.id for c in cards if c is not None and not c.former]


def cards_and_actors(cards: Cards, by: Actors) -> tuple[list[int], dict[int, int] | None]:
    """Return the numbers of the cards that are there, and the players who do something to them."""
    if by is None:
        return card_ids(cards), None
    listed = [cards] if cards is None or isinstance(cards, Card) else list(cards)
    players = by if isinstance(by, list) else [by] * len(listed)
    pairs = zip(listed, players, strict=True)
    actors = {c.id: player.index for c, player in pairs if c is not None and not c.former}
    return list(actors), actors
