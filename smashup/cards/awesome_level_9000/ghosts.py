"""Ghosts (Awesome Level 9000): the emptier your hand, the harder they haunt."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_BOTTOM,
    DISCARD,
    FREE,
    HAND,
    MINION,
    ON_BASE,
    STANDARD,
    WHILE_ATTACHED,
    WHILE_IN_PLAY,
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
    Titan,
    hooks,
)


def has_small_hand(player: Player) -> bool:
    """Whether a player holds two cards or fewer."""
    return len(player.hand) <= 2


class Spectre(Minion):
    name = "Spectre"
    power = 5
    text = (
        "Special: while you hold two cards or fewer, you can play this minion from your discard"
        " pile whenever you could play a minion of your choice from your hand."
    )
    keywords = "special"

    def plays_like_hand(self, me: Card, player: Player) -> bool:
        return has_small_hand(player)


class Haunting(Minion):
    name = "Haunting"
    power = 3
    copies = 2
    text = (
        "Ongoing: while you hold two cards or fewer, this minion has +3 power, and other players'"
        " cards do not affect it."
    )
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return 3 if has_small_hand(me.controller) else 0

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        you = me.controller
        return card is me and cause.controller not in (-1, you.index) and has_small_hand(you)


class Spirit(Minion):
    name = "Spirit"
    power = 3
    copies = 3
    text = (
        "Choose a minion. You may discard as many cards as it has power. If you do, destroy that"
        " minion."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        minion = me.target("Choose a minion", me.minions())
        if minion is None:
            return
        price = minion.power
        prompt = "Discard as many cards as {subject} has power to destroy it?"
        if len(you.hand) >= price and me.may(prompt, about=minion):
            you.discard_from_hand(price)
            me.destroy(minion)


class Ghost(Minion):
    name = "Ghost"
    power = 2
    copies = 4
    text = "You may discard a card."

    def on_play(self, me: Card) -> None:
        me.controller.may_discard("Discard a card?")


class AcrossTheDivide(Action):
    name = "Across the Divide"
    text = (
        "Name a card. Take as many minions of that name as you like from your discard pile into"
        " your hand."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        first = you.choose("Take minions of which name?", you.discarded(MINION))
        if first is not None:
            alike = [c for c in you.discarded(MINION) if c.name == first.name]
            you.put(you.choose_some("Take which minion?", alike), to=HAND)


class DoorToTheBeyond(ActionOnBase):
    name = "Door to the Beyond"
    text = (
        "Play on a base. Ongoing: while you hold two cards or fewer, your minions here have +2"
        " power."
    )
    keywords = "ongoing"

    def aura(self, me: Card, card: Card) -> int:
        you = me.controller
        yours = card.is_minion and card.controller is you and card.base is me.base
        return 2 if yours and has_small_hand(you) else 0


class GhostlyArrival(Action):
    name = "Ghostly Arrival"
    copies = 2
    text = "You may play an extra minion, an extra action, or both."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion()
        me.controller.extra_action()


class Incorporeal(ActionOnMinion):
    name = "Incorporeal"
    copies = 2
    text = "Play on a minion of yours. Ongoing: other players' cards do not affect that minion."
    keywords = "ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me.host and cause.controller not in (-1, me.controller.index)


class MakeContact(ActionOnMinion):
    name = "Make Contact"
    only_current = hooks(Hook.AFTER_LEAVING_PLAY)
    text = (
        "Play on a minion, only if you hold no other card. Ongoing: you control that minion as long"
        " as this action is on it."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a minion. If you still hold a card, destroy this action. If not, take control"
            " of that minion. Ongoing: after this action leaves play, its owner controls the minion"
            " again."
        )

    def can_attach_to(self, me: Card, host: Card) -> bool:
        held = [c for c in me.controller.hand if c is not me]
        return self.has_current_text or not held

    def on_play(self, me: Card) -> None:
        if self.has_current_text and me.controller.hand:
            me.destroy(me)
        else:
            once = self.has_current_text
            me.take_control(me.host, until=WHILE_IN_PLAY if once else WHILE_ATTACHED)

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card is me and me.host not in ev.cards

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        minion = me.host
        if minion is not None and minion.is_in_play:
            me.controller.give_control(minion, to=minion.owner)


class Seance(Action):
    name = "Séance"
    text = "If you hold two cards or fewer, draw up to a hand of five cards."

    def on_play(self, me: Card) -> None:
        if has_small_hand(me.controller):
            me.draw(5 - len(me.controller.hand))


class ShadyDeal(Action):
    name = "Shady Deal"
    text = "You gain 1 VP if you hold two cards or fewer."

    def on_play(self, me: Card) -> None:
        if has_small_hand(me.controller):
            me.controller.gain_vp(1)


class TheDeadRise(Action):
    name = "The Dead Rise"
    text = (
        "Discard as many cards as you like. You may play a minion from your discard pile as an"
        " extra minion, if its power is lower than the number of cards you discarded."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        cards = you.choose_some("Discard which card?", you.hand)
        you.discard(cards)
        if cards:
            you.extra_minion(max_power=len(cards) - 1, from_zone=DISCARD, at_once=True)


class CreampuffMan(Titan):
    name = "Creampuff Man"
    optional = True
    titan_cost = FREE
    text = (
        "Special: on your turn, you may play this titan if you hold no cards. Ongoing: you have +5"
        " power here, less 1 for each card you hold. Talent: choose a standard action in your"
        " discard pile. Discard a card to play it as an extra action; it then goes to the bottom of"
        " your deck instead of the discard pile."
    )
    keywords = "talent special ongoing extra"

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return not me.owner.hand

    def player_power(self, me: Card, player: Player) -> int:
        return max(0, 5 - len(player.hand)) if player is me.controller else 0

    def talent(self, me: Card) -> None:
        you = me.controller
        standard = [c for c in you.discarded(ACTION) if c.played_on == STANDARD and you.can_play(c)]
        if you.hand:
            action = you.choose("Play which action?", standard)
            if action is not None and you.discard_from_hand(1):
                you.play(action, must=True, instead_of_discard=DECK_BOTTOM, types=ACTION)


class HauntedHouse(BaseCard):
    name = "Haunted House"
    breakpoint = 18
    vp = (4, 3, 2)
    text = "After you play a minion here, discard a card."

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        ev.player.discard_from_hand(1)


class TheDreadGazebo(BaseCard):
    name = "The Dread Gazebo"
    breakpoint = 20
    vp = (4, 2, 1)
    text = "No player can play an action on this base."

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        return card.is_action and card.played_on == ON_BASE and base is me.base


FACTION = Faction(
    name="Ghosts",
    set_name="Awesome Level 9000",
    blurb="Let go of your cards: with next to nothing in hand, you are at your strongest.",
    cards=(
        Spectre, Haunting, Spirit, Ghost, AcrossTheDivide, DoorToTheBeyond, GhostlyArrival,
        Incorporeal, MakeContact, Seance, ShadyDeal, TheDeadRise,
    ),
    bases=(HauntedHouse, TheDreadGazebo),
    titans=(CreampuffMan,),
)  # fmt: skip
