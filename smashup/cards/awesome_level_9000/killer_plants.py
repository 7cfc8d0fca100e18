"""Killer Plants (Awesome Level 9000): sow one turn, reap at the start of the next."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_SHUFFLED,
    DISCARD,
    HAND,
    MINION,
    SET_ASIDE,
    YOUR_NEXT_TURN,
    Action,
    ActionOnBase,
    ActionOnMinion,
    Base,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    PlayPermission,
    Titan,
    hooks,
)


def grow(you: Player, at: Base, max_power: int) -> None:
    """Search the deck for a small minion and play it at a base as an extra minion."""
    small = you.deck_cards(MINION, max_power=max_power)
    minion = you.search("Play which minion?", small, reveals=True, shuffles=True)
    you.play(minion, at=at)


class VenusManTrap(Minion):
    name = "Venus Man Trap"
    power = 5
    text = (
        "Talent: find a minion with at most 2 power in your deck and play it here as an extra"
        " minion. Shuffle the deck."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        grow(me.controller, me.base, 2)


class WeedEater(Minion):
    name = "Weed Eater"
    power = 5
    copies = 2
    only_printed = hooks(Hook.ON_PLAY)
    only_current = hooks(Hook.START_OF_TURN)
    text = "This turn, this minion has -2 power."

    def apply_current_printing(self) -> None:
        self.power = 3
        self.text = (
            "Ongoing: at the start of your turn, this minion gets +2 power until your next turn"
            " begins."
        )
        self.keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        me.gain_power(me, -2)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.gain_power(me, 2, until=YOUR_NEXT_TURN)


class WaterLily(Minion):
    name = "Water Lily"
    power = 3
    copies = 3
    text = (
        "Ongoing: at the start of your turn, draw a card, unless another Water Lily has drawn one"
        " for you this turn."
    )
    keywords = "ongoing"

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and not me.used_this_turn(ev.player, any_copy=True)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.mark_used(ev.player, any_copy=True)
        me.draw()


class Sprout(Minion):
    name = "Sprout"
    power = 2
    copies = 4
    text = (
        "Ongoing: at the start of your turn, except the one on which it was played, destroy this"
        " minion. Then you may find a minion with at most 3 power in your deck, play it here as an"
        " extra minion and shuffle the deck."
    )
    keywords = "ongoing extra"

    def on_play(self, me: Card) -> None:
        me.mark_used(me.controller)  # it does not destroy itself on this turn

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and not me.used_this_turn(ev.player)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        you, here = me.controller, me.base
        me.destroy(me)
        if you.may("Search your deck?"):
            grow(you, here, 3)


class Blossom(Action):
    name = "Blossom"
    text = "You may play up to three extra minions, all of the same name."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        first = you.extra_minion(at_once=True)
        if first is not None and you.extra_minion(names=first.names):
            you.extra_minion(names=first.names)


class Budding(Action):
    name = "Budding"
    text = (
        "Choose a minion in play. Find a card of the same name in your deck, take it into your hand"
        " and shuffle the deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        minion = you.choose("Find a copy of which minion?", me.minions(), distinct=True)
        if minion is not None:
            copies = [c for c in you.deck_cards() if c.name == minion.name]
            found = you.search("Take which card?", copies, reveals=True, shuffles=True)
            you.put(found, to=HAND)


class ChokingVines(ActionOnMinion):
    name = "Choking Vines"
    text = "Play on a minion. Ongoing: destroy it at the start of your turn."
    keywords = "ongoing"

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.destroy(me.host)


class DeepRoots(ActionOnBase):
    name = "Deep Roots"
    text = (
        "Play on a base. Ongoing: other players' cards can neither move your minions here nor"
        " return them to your hand."
    )
    keywords = "ongoing"

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        return self.holds(me, card, cause)

    def forbids_return(self, me: Card, card: Card, cause: Cause) -> bool:
        return self.holds(me, card, cause)

    def holds(self, me: Card, card: Card, cause: Cause) -> bool:
        you = me.controller
        yours = card.is_minion and card.controller is you and card.base is me.base
        return yours and cause.controller not in (-1, you.index)


class Entangled(ActionOnBase):
    name = "Entangled"
    text = (
        "Play on a base. Ongoing: no minion can be moved or returned to a hand from any base where"
        " you have a minion. This action is destroyed at the start of your turn."
    )
    keywords = "ongoing"

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        return card.is_minion and card.base.has_minion_of(me.controller)

    def forbids_return(self, me: Card, card: Card, cause: Cause) -> bool:
        return card.is_minion and card.base.has_minion_of(me.controller)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.destroy(me)


class InstaGrow(Action):
    name = "Insta-Grow"
    copies = 2
    text = "You may play an extra minion."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion()


class Overgrowth(ActionOnBase):
    name = "Overgrowth"
    text = (
        "Play on a base. Ongoing: at the start of your turn, lower the breakpoint here to 0 for the"
        " turn."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: at the start of your turn, lower the starting breakpoint here"
            " to 0 for the turn."
        )

    def start_of_turn(self, me: Card, ev: Event) -> None:
        here = me.base
        amount = here.starting_breakpoint if self.has_current_text else here.breakpoint
        here.reduce_breakpoint(amount)


class SleepSpores(ActionOnBase):
    name = "Sleep Spores"
    copies = 2
    text = "Play on a base. Ongoing: the minions of other players here have -1 power."
    keywords = "ongoing"

    def aura(self, me: Card, card: Card) -> int:
        theirs = card.is_minion and card.controller is not me.controller
        return -1 if theirs and card.base is me.base else 0


class KillerKudzu(Titan):
    name = "Killer Kudzu"
    optional = True
    titan_cost = MINION
    text = (
        "Special: while this titan is set aside, it gets a counter at the start of your turn. With"
        " three or more you may play it instead of your regular minion; up to six become +1 power"
        " counters. Ongoing: after this titan leaves play, shuffle up to two minions from your"
        " discard pile into your deck, or draw two cards. Talent: destroy this titan. If you do,"
        " you may play a minion from your discard pile as an extra minion, with at most as much"
        " power as this titan had counters."
    )
    keywords = "talent special ongoing counters extra"
    while_set_aside = hooks(Hook.START_OF_TURN)
    special_abilities = hooks(Hook.START_OF_TURN)

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.owner and me.is_in(SET_ASIDE)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.tokens += 1

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return me.tokens >= 3

    def on_play(self, me: Card) -> None:
        me.place_counters(min(6, me.tokens), on=me)
        me.tokens = 0

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card is me

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if you.choose_mode("Draw two cards", "Shuffle minions into your deck") == 0:
            you.draw(2)
            return
        chosen = you.choose_some("Shuffle in which minion?", you.discarded(MINION), most=2)
        if chosen:
            you.put_back(chosen, to=DECK_SHUFFLED)

    def talent(self, me: Card) -> None:
        you, size = me.controller, me.counters
        if me.destroy(me):
            you.extra_minion(max_power=size, from_zone=DISCARD, at_once=True)


class SecretGrove(BaseCard):
    name = "Secret Grove"
    breakpoint = 21
    vp = (3, 2, 1)
    text = "You may play an extra minion with at most 2 power here on each of your turns."
    keywords = "extra"

    def grants_play(self, me: Card, player: Player) -> PlayPermission | None:
        return PlayPermission(
            MINION,
            max_power=2,
            at=me.base.serial,
            source_card=me.id,
            once_per_turn_key="small minion here",
        )


class TheGreenhouse(BaseCard):
    name = "The Greenhouse"
    breakpoint = 24
    vp = (4, 2, 1)
    text = (
        "After this base scores and the next one is in play, the winner may find a minion in their"
        " deck and play it on that base as an extra minion."
    )
    keywords = "extra"

    def after_score(self, me: Card, ev: Event) -> None:
        me.after_replacement_do(self, players=ev.winners)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        for you in ev.present:
            if ev.base is not None and you.may("Search your deck?"):
                minion = you.search("Play which minion?", you.deck_cards(MINION))
                you.play(minion, at=ev.base)


FACTION = Faction(
    name="Killer Plants",
    set_name="Awesome Level 9000",
    blurb="Plant small, wait a turn, and the deck grows right out onto the bases.",
    cards=(
        VenusManTrap, WeedEater, WaterLily, Sprout, Blossom, Budding, ChokingVines, DeepRoots,
        Entangled, InstaGrow, Overgrowth, SleepSpores,
    ),
    bases=(SecretGrove, TheGreenhouse),
    titans=(KillerKudzu,),
)  # fmt: skip
