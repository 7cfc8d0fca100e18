"""Kaiju (Big in Japan): few minions; actions on bases with power of their own, and a titan."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    HAND,
    MINION,
    ON_BASE,
    OTHERS,
    YOURS,
    Action,
    ActionOnBase,
    Base,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Minion,
    Player,
    Titan,
)

GORGODZOLLA = "Gorgodzolla"


class ActionWithPower(ActionOnBase):
    """An action on a base whose number is power of its controller there."""

    def player_power(self, me: Card, player: Player) -> int:
        return self.power if player is me.controller else 0


def bring_gorgodzolla(me: Card) -> None:
    """Play or move Gorgodzolla to here: playing a titan is optional, moving one is not."""
    you = me.controller
    own = me.titan(GORGODZOLLA)
    if you.can_play(own) and you.play(own, at=me.base):
        return
    me.move(me.titan_in_play(GORGODZOLLA, not_at=me.base), me.base)


class Kaijookey(Minion):
    name = "Kaijookey"
    power = 4
    text = (
        "Ongoing: this minion has +1 power for each of your actions on this base (not on minions)."
    )
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return len(me.base.actions(of=me.controller))


class TinyPriestesses(Minion):
    name = "Tiny Priestesses"
    power = 3
    mentions = (GORGODZOLLA,)
    text = "You may play Gorgodzolla here. If you do not, move a Gorgodzolla in play here."

    def on_play(self, me: Card) -> None:
        bring_gorgodzolla(me)


class Johnny(Minion):
    name = "Johnny"
    power = 2
    text = (
        "You may take one of your actions on a base back into your hand and immediately play it"
        " here as an extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        mine = me.actions_in_play(YOURS, on_minions=False)
        action = me.may_target("Return which action to your hand?", mine)
        if me.return_to_hand(action) and action in me.controller.hand:
            me.controller.play(action, at=me.base)


class KaijuAlliance(Action):
    name = "Kaiju Alliance"
    copies = 2
    text = "This turn, every base now in play has -4 breakpoint."

    def on_play(self, me: Card) -> None:
        for base in me.bases():
            base.reduce_breakpoint(4)


class KaijuConflict(Action):
    name = "Kaiju Conflict"
    copies = 2
    text = "You may play two extra actions."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_action()
        me.controller.extra_action()


class OhNo(ActionWithPower):
    name = "Oh, No!"
    power = 2
    mentions = (GORGODZOLLA,)
    text = (
        "Play on a base. You may play Gorgodzolla here. If you do not, move a Gorgodzolla in play"
        " here. Ongoing: you have +2 power here."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        bring_gorgodzolla(me)


class PickUpABus(Action):
    name = "Pick up a Bus"
    copies = 2
    text = "Take an action that is played on bases from your discard pile into your hand."

    def on_play(self, me: Card) -> None:
        you = me.controller
        fitting = [c for c in you.discarded(ACTION) if c.played_on == ON_BASE]
        you.put(you.choose("Which action do you take?", fitting), to=HAND)


class RadioactiveBreath(ActionWithPower):
    name = "Radioactive Breath"
    power = 3
    copies = 3
    affects_minions = True
    text = (
        "Play on a base. Destroy all other players' minions here with at most 2 power. Ongoing: you"
        " have +3 power here."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Destroy any number of minions here with at most 2 power, your own or"
            " others'. Ongoing: you have +3 power here."
        )

    def on_play(self, me: Card) -> None:
        if self.has_current_text:
            weak = me.minions(at=me.base, max_power=2)
            me.destroy(me.controller.choose_some("Destroy which minion?", weak))
        else:
            me.destroy(me.minions(OTHERS, me.base, max_power=2))


class Stomp(ActionWithPower):
    name = "Stomp"
    power = 2
    copies = 2
    text = "Play on a base. It has -3 breakpoint this turn. Ongoing: you have +2 power here."
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        me.base.reduce_breakpoint(3)


class TailSmash(ActionWithPower):
    name = "Tail Smash"
    power = 4
    affects_minions = True
    text = (
        "Play on a base. Destroy another player's minion here with at most 3 power. Ongoing: you"
        " have +4 power here."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        me.destroy(me.target("Destroy which minion?", me.minions(OTHERS, me.base, max_power=3)))


class TheFollyOfMen(ActionWithPower):
    name = "The Folly of Men"
    power = 2
    text = (
        "Play on a base. Ongoing: other players' cards cannot destroy your minions and actions"
        " here, this one and actions on minions included. You have +2 power here."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: other players' cards cannot destroy your minions here and"
            " your other actions on this base. You have +2 power here."
        )

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        you = me.controller
        return (
            card.controller is you
            and card.base is me.base
            and cause.controller not in (-1, you.index)
            and (card.is_minion or card.is_action)
            and not (self.has_current_text and (card is me or card.is_on_card))
        )


class ThereGoesTokyo(Action):
    name = "There Goes Tokyo"
    mentions = (GORGODZOLLA,)
    text = (
        "If Gorgodzolla is in play, move it to another base and destroy the base it was on with"
        " everything left there. Replace that base as usual."
    )

    def on_play(self, me: Card) -> None:
        titan = me.titan_in_play(GORGODZOLLA)
        if titan is not None:
            ruins = titan.base
            refuge = me.choose_base("Move the titan to which base?", me.other_bases(ruins))
            ruins.destroy(spare=titan, to=refuge)


class TheySayHesGotToGo(Action):
    name = "They Say He's Got to Go"
    text = "Move any player's titan to another base."

    def on_play(self, me: Card) -> None:
        titan = me.target("Move which titan?", me.titans_in_play())
        if titan is not None:
            others = me.other_bases(titan.base)
            me.move(titan, me.choose_base("Move the titan to which base?", others))


class WadeThroughTheBuildings(ActionWithPower):
    name = "Wade through the Buildings"
    power = 4
    text = (
        "Play on a base. Destroy all other players' actions on this base (not those on minions)."
        " Ongoing: you have +4 power here."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        me.destroy(me.actions_in_play(OTHERS, at=me.base, on_minions=False))


class Gorgodzolla(Titan):
    name = GORGODZOLLA
    titan_cost = MINION
    text = (
        "Special: you may play this titan instead of your regular minion, on a base that has two or"
        " more of your actions on it (not on minions). Ongoing: after you play a minion here or an"
        " action on this base, place a +1 power counter on this titan. After you play an action on"
        " this base, you may draw a card."
    )
    keywords = "special ongoing counters"

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: you may play this titan instead of your regular minion, on a base where you"
            " have two or more actions, on the base or on minions. Ongoing: after you play a minion"
            " here or an action on this base, place a +1 power counter on this titan. After you"
            " play an action on this base, you may draw a card."
        )

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return len(place.actions(of=me.owner, on_minions=self.has_current_text)) >= 2

    def after_play_if(self, me: Card, ev: Event) -> bool:
        # Here means here when the card was played: not if the card itself brought the titan.
        return ev.player is me.controller and (ev.minion_here(me) or ev.action_here(me))

    def after_play(self, me: Card, ev: Event) -> None:
        me.place_counters(1, me)
        if ev.card.is_action and me.may("Draw a card?"):
            me.draw()


class KaijuIsland(BaseCard):
    name = "Kaiju Island"
    titans_coexist = True
    breakpoint = 22
    vp = (4, 2, 1)
    text = (
        "Titans here do not drive each other out. Players have +3 power here for each titan"
        " they control here."
    )

    def player_power(self, me: Card, player: Player) -> int:
        return 3 * sum(titan.controller is player for titan in me.titans_in_play(at=me.base))


class Tokyo(BaseCard):
    name = "Tokyo"
    breakpoint = 25
    vp = (5, 3, 2)
    text = "After a player plays an action on this base, that player has +3 power here this turn."

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.action_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        ev.player.gain_power_at(me.base, 3)


FACTION = Faction(
    name="Kaiju",
    set_name="Big in Japan",
    blurb="Hardly a minion in sight: flatten bases with actions and let the titan feast on them.",
    cards=(
        Kaijookey, TinyPriestesses, Johnny, KaijuAlliance, KaijuConflict, OhNo, PickUpABus,
        RadioactiveBreath, Stomp, TailSmash, TheFollyOfMen, ThereGoesTokyo, TheySayHesGotToGo,
        WadeThroughTheBuildings,
    ),
    bases=(KaijuIsland, Tokyo),
    titans=(Gorgodzolla,),
)  # fmt: skip
