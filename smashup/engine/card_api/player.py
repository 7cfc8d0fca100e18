"""The handle on a player, as card texts see one: "you", "another player", "each player"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.card_api.piles import Piles
from smashup.engine.model.constants import (
    ACTION,
    ANY_MINION,
    END,
    END_OF_TURN,
    HAND,
    MADNESS_DECK,
    MINION,
    NO_LIMIT,
    NONE,
    WHILE_IN_PLAY,
)  # fmt: skip
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.state import ANY_LIFE, BANNED_NAME, DelayedEffect
from smashup.engine.rules import (
    abilities,
    effects,
    menu,
    playing,
    queries,
    scoring,
    searching,
    zones,
)

if TYPE_CHECKING:
    from smashup.engine.card_api.base import Base
    from smashup.engine.card_api.card import Card
    from smashup.engine.model.definitions import CardDefinition


class Player(Piles):
    """A player, as card texts see one: "you", "another player", "each player"."""

    __slots__ = ()

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
        follow_up: CardDefinition | None = None,
    ) -> Card | None:
        """Get an extra minion play, perhaps limited: the minion if it was played at once.

        ``with_yours``: at a base where you have a minion. Once the minion has been played the
        ``rider`` goes on (`ridden`).
        """
        return self._extra(
            PlayPermission(
                MINION,
                at=at.serial if at is not None else NONE,
                max_power=max_power,
                name=name,
                not_name=not_name,
                from_zone=source,
                where_you_have_a_minion=with_yours,
                follow_up=follow_up,
                source_card=abilities.current_cause(self.t).card if follow_up is not None else NONE,
                source_name=self.t.state.definition[abilities.current_cause(self.t).card].name
                if follow_up is not None
                else "",
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
        follow_up: CardDefinition | None = None,
    ) -> Card | None:
        """Get an extra action play, perhaps limited: by place, or by what it directly does.

        ``must_affect`` a given minion (or any), ``must_raise`` the power of one of your minions
        (or of that minion), be played ``on_others``' minions. Once the action has been played the
        ``rider`` goes on (`ridden`).
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
                from_zone=source,
                must_affect=aim,
                must_raise=must_raise,
                on_opponents_minion=on_others,
                follow_up=follow_up,
                source_card=abilities.current_cause(self.t).card if named else NONE,
                source_name=self.t.state.definition[abilities.current_cause(self.t).card].name
                if named
                else "",
                on_life=on.life if on is not None else ANY_LIFE,
                must_affect_life=must_affect.life if must_affect is not None else ANY_LIFE,
            )
        )

    def extra_card(self) -> Card | None:
        """Get an extra minion or action play."""
        return self._extra(PlayPermission(MINION | ACTION))

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
            card = self.play(found[0], at=at, must=True)
            if card is not None:
                played.append(card)
        self.shuffle_back(unused)
        return played

    def _extra(self, permission: PlayPermission, at_once: bool = False) -> Card | None:
        from smashup.engine.rules.menu import EXTRA_ACTION, EXTRA_MINION

        plain = EXTRA_MINION if permission.types == MINION else EXTRA_ACTION
        if permission.allows_same_as(plain):
            permission = plain
        if at_once:
            return playing.offer_play(self.t, self.index, permission)
        return playing.grant_extra_play(self.t, self.index, permission)

    def play(
        self, card: Card | None, at: Base | None = None, on: Card | None = None, must: bool = False,
        not_at: Base | None = None, sealed_by: Card | None = None,
        follow_up: CardDefinition | None = None,
    ) -> Card | None:  # fmt: skip
        """Play a given card now, from wherever it is, as an extra card: the card, if it was played.

        ``sealed_by`` a card whose ``rider`` (`ridden`) says what becomes of an action afterwards,
        not the action itself.
        """
        if card is None or card.former:
            return None
        permission = PlayPermission(
            card.definition.type,
            card=card.id,
            at=at.serial if at is not None else NONE,
            not_at=not_at.serial if not_at is not None else NONE,
            on=on.id if on is not None else NONE,
            on_life=on.life if on is not None else ANY_LIFE,
            controls_destination=sealed_by is not None,
            follow_up=follow_up,
            source_card=sealed_by.id if sealed_by is not None else NONE,
        )
        return playing.play_given_card(self.t, self.index, card.id, permission, must)

    def play_found(self, card: Card | None, at: Base | None = None) -> Card | None:
        """Play a card just searched for; not wanted after all, it goes back into the deck.

        The card in play, if it was played.
        """
        if card is None:
            return None
        played = self.play(card, at=at)
        if played is None and card.is_resolving:
            searching.put_back_found(self.t, card.id, self.index)
        return played

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
        self.t.volatile_reads += 1
        permission = PlayPermission(
            card.definition.type, card=card.id, at=at.serial if at is not None else NONE
        )
        return bool(menu.moves_with(self.t, self.index, permission))

    def play_titan(self, titan: Card | None, bases: list[Base], optional: bool = False) -> bool:
        """Play a titan of one's own that a card allows to be played; whether it was."""
        if titan is None:
            return False
        played = playing.play_titan(
            self.t, self.index, titan.id, [b.serial for b in bases], optional
        )
        if not played and self.t.resolutions:
            self.t.resolutions[-1].declined = True
        return played

    def can_play_titan(self, titan: Card | None) -> bool:
        self.t.volatile_reads += 1
        t = self.t
        return (
            titan is not None
            and titan.is_aside
            and len(queries.titans(t, self.index)) < queries.titan_limit(t, self.index)
        )

    def bury(self, card: Card, at: Base) -> None:
        playing.bury(self.t, card.id, at.serial, self.index)

    # --- everything else --------------------------------------------------------------------

    def gain_vp(self, amount: int) -> None:
        effects.gain_vp(self.t, self.index, amount)

    def gain_power_at(self, base: Base, amount: int) -> None:
        """Have more power at a base until the end of the turn."""
        effects.change_player_power(self.t, self.index, base.serial, amount)

    def take_extra_turn(self) -> None:
        """Take a turn after the current one."""
        self.t.state.extra_turns.append(self.index)

    def later(self, kind: CardDefinition, card: Card, whatever: bool = False) -> None:
        """At the end of the turn ``kind.later`` happens to ``card`` if it is still in play.

        ``whatever``: even if it has left play by then.
        """
        life = ANY_LIFE if whatever else card.life
        self.t.state.delayed.append(DelayedEffect(kind, card.id, life, self.index, END))

    def play_base(self) -> Base | None:
        """Play the top card of the base deck as one more base."""
        serial = scoring.play_extra_base(self.t)
        return self.t.base(serial) if serial != NONE else None

    def bring_extra_base(self, source: Card) -> None:
        """When the base being scored is replaced, one more base comes into play beside it."""
        scoring.offer_next_base(self.t, source.id, self.index, NONE)

    def give_control(self, card: Card | None, to: Player | None) -> bool:
        """Give control of a card to another player; whether it changed hands."""
        if card is None or to is None or card.former:
            return False
        return effects.take_control(self.t, card.id, to.index, WHILE_IN_PLAY, self.index)

    def bring_no_base(self, source: Card) -> None:
        """The base being scored is not to be replaced."""
        from smashup.engine.rules.scoring import NO_BASE

        scoring.offer_next_base(self.t, source.id, self.index, NO_BASE)

    def give(self, card: Card, to: Player) -> None:
        """Place a card into another player's hand."""
        zones.give_to_hand(self.t, self.index, card.id, to.index)

    def cannot_play(self, card: Card) -> None:
        """This player cannot play any copy of a card again this turn."""
        abilities.add_effect(self.t, BANNED_NAME, card.id, 0, self.index, END_OF_TURN)

    def bases_discarded(self) -> list[Card]:
        """The base discard pile."""
        self.t.volatile_reads += 1
        return [self.t.card(c) for c in self.t.state.base_discard]

    def bring_next_base(self, source: Card, base: Card) -> None:
        """The base being scored is to be replaced by this one of the base discard pile."""
        scoring.offer_next_base(self.t, source.id, self.index, base.id)

    def put_base_on_top(self, base: Card) -> None:
        """Place a base of the base discard pile on top of the base deck."""
        from smashup.engine.model.constants import BASE_DECK

        zones.take_from_zone(self.t, base.id)
        zones.put_into_zone(self.t, base.id, BASE_DECK, NONE)

    def draw_madness(self, count: int = 1) -> None:
        """Take cards from the Madness deck; an empty one is ignored."""
        t = self.t
        for _ in range(count):
            if t.state.madness:
                c = t.state.madness[-1]
                zones.reveal(t, c)
                zones.take_from_zone(t, c)
                zones.put_into_zone(t, c, HAND, self.index)
                t.state.hidden_with[c] = self.index

    def put_top_base_on_bottom(self) -> None:
        """The top card of the base deck goes to the bottom of it."""
        from smashup.engine.model.constants import BASE_DECK

        top = effects.next_base(self.t)
        if top != NONE:
            zones.take_from_zone(self.t, top)
            zones.put_into_zone(self.t, top, BASE_DECK, NONE, bottom=True)

    def return_madness(self, card: Card) -> None:
        """Put a Madness card back; one just played may have to go elsewhere."""
        t = self.t
        if card.is_resolving and not card.may_place_itself:
            return
        zones.reveal(t, card.id)
        zones.take_from_zone(t, card.id)
        zones.put_into_zone(t, card.id, MADNESS_DECK, NONE)
