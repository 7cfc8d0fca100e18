"""Dinosaurs (Core Set): big minions that grow even bigger for a moment."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    BURIED,
    DECK_BOTTOM,
    DESTROYED,
    DISCARD,
    END_OF_YOUR_TURN,
    FREE,
    MINION,
    YOUR_NEXT_TURN,
    YOURS,
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
    Titan,
    hooks,
)


class KingRex(Minion):
    name = "King Rex"
    power = 7
    text = "A plain minion."


class Laseratops(Minion):
    name = "Laseratops"
    power = 4
    copies = 2
    text = "Destroy a minion here with at most 2 power."

    def apply_current_printing(self) -> None:
        self.text = "You may destroy a minion here whose printed power is at most 2."

    def on_play(self, me: Card) -> None:
        if self.has_current_text:
            small = [c for c in me.minions(at=me.base) if c.printed_power <= 2]
            me.destroy(me.may_target("Destroy which minion?", small))
        else:
            me.destroy(me.target("Destroy which minion?", me.minions(at=me.base, max_power=2)))


class ArmorStego(Minion):
    name = "Armor Stego"
    power = 3
    copies = 3
    text = "Ongoing: on the turns of other players this minion has +2 power."
    keywords = "ongoing"
    only_printed = hooks(Hook.POWER_BONUS)
    only_current = hooks(Hook.TALENT)

    def apply_current_printing(self) -> None:
        self.text = (
            "Talent: until your next turn starts, this minion has +2 power on the turns of other"
            " players."
        )
        self.keywords = "talent"

    def power_bonus(self, me: Card) -> int:
        return 0 if me.all_players()[0] is me.controller else 2

    def talent(self, me: Card) -> None:
        me.controller.at_end_of_turn(self, me)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        me.gain_power(me, 2, until=YOUR_NEXT_TURN)


class WarRaptor(Minion):
    name = "War Raptor"
    power = 2
    copies = 4
    text = "Ongoing: this minion has +1 power for each War Raptor here, itself included."
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return sum(c.is_named(self.name) for c in me.base.cards() if not c.is_in(BURIED))


class Augmentation(Action):
    name = "Augmentation"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = "A minion has +4 power until the end of your turn."

    def on_play(self, me: Card) -> None:
        minion = me.target("Which minion gains power?", me.minions())
        me.gain_power(minion, 4, until=END_OF_YOUR_TURN)


class Howl(Action):
    name = "Howl"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = "Each minion you have now has +1 power until the end of your turn."

    def on_play(self, me: Card) -> None:
        me.gain_power(me.minions(YOURS), 1, until=END_OF_YOUR_TURN)


class NaturalSelection(Action):
    name = "Natural Selection"
    affects_minions = True
    text = "Choose a minion of yours. Destroy a weaker minion at its base."

    def on_play(self, me: Card) -> None:
        mine = [c for c in me.minions(YOURS) if self.weaker(me, c)] or me.minions(YOURS)
        hunter = me.choose("Which of your minions fights?", mine)
        if hunter is not None:
            me.destroy(me.target("Destroy which minion?", self.weaker(me, hunter)))

    def weaker(self, me: Card, hunter: Card) -> list[Card]:
        return me.minions(at=hunter.base, max_power=hunter.power - 1)


class Rampage(Action):
    name = "Rampage"
    text = (
        "This turn, the breakpoint of a base is lower by the power that one of your minions there"
        " has now."
    )

    def on_play(self, me: Card) -> None:
        minion = me.choose("Which of your minions fights?", me.minions(YOURS))
        if minion is not None:
            minion.base.reduce_breakpoint(minion.power)


class SurvivalOfTheFittest(Action):
    name = "Survival of the Fittest"
    affects_minions = True
    text = (
        "At each base where minions differ in power, destroy the weakest one. Of several that are"
        " equally weak, you choose one."
    )

    def on_play(self, me: Card) -> None:
        doomed = []
        for base in me.bases():
            powers = [c.power for c in base.minions()]
            if powers and max(powers) > min(powers):
                weakest = [c for c in base.minions() if c.power == min(powers)]
                tied = len(weakest) > 1
                one = me.target("Destroy which minion?", weakest) if tied else weakest[0]
                doomed.append(one)
        me.destroy(doomed)


class ToothAndClaw(ActionOnMinion):
    name = "Tooth and Claw... and Guns"
    text = (
        "Play on a minion. Ongoing: if an ability would affect the minion, destroy this action, and"
        " the ability does not affect the minion."
    )
    keywords = "ongoing"
    only_printed = hooks(Hook.PREVENTS)
    only_current = hooks(Hook.PROTECTS)

    def apply_current_printing(self) -> None:
        self.text = "Play on a minion. Ongoing: other players' cards do not affect the minion."

    def prevents_if(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me.host and cause.card != me.id

    def prevents(self, me: Card, card: Card, cause: Cause) -> list[Card]:
        me.destroy(me)
        return [card]

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me.host and cause.controller not in (-1, me.controller.index)


class Upgrade(ActionOnMinion):
    name = "Upgrade"
    text = "Play on a minion. Ongoing: the minion has +2 power."
    keywords = "ongoing"

    def host_bonus(self, me: Card, host: Card) -> int:
        return 2


class WildlifePreserve(ActionOnBase):
    name = "Wildlife Preserve"
    text = "Play on a base. Ongoing: other players' actions do not affect your minions here."
    keywords = "ongoing"

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return (
            cause.type == ACTION
            and cause.controller not in (-1, me.controller.index)
            and card.is_minion
            and card.controller is me.controller
            and card.base is me.base
        )


class FortTitanosaurus(Titan):
    name = "Fort Titanosaurus"
    titan_cost = FREE
    optional = True
    text = (
        "Special: on your turn, before you have played a minion, you may destroy a minion of yours"
        " to play this titan there with as many +1 power counters as the minion had power. Ongoing:"
        " once per turn, after you play an action that directly affects minions, you may place a +1"
        " power counter on one of them and/or on this titan. Talent: draw a card if this titan has"
        " four or more +1 power counters."
    )
    keywords = "talent special ongoing counters"

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        you = me.owner
        return (
            place.has_minion_of(you)
            and not you.cards_played(MINION, on_turn=True)
            and not me.used_this_turn(you, any_copy=True)
        )

    def on_play(self, me: Card) -> None:
        minion = me.target("Destroy which minion?", me.minions(YOURS, me.base))
        power = minion.power if minion is not None else 0
        if me.destroy(minion):
            me.place_counters(power, on=me)
        else:
            # A price that cannot be paid is not tried again on this turn.
            me.mark_used(me.owner, any_copy=True)
            me.put(me, to=DISCARD)

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return (
            ev.player is me.controller
            and ev.card.definition.type == ACTION
            and any(c.definition.type == MINION for c in ev.affected)
            and not me.used_this_turn(ev.player)
        )

    def after_play(self, me: Card, ev: Event) -> None:
        affected = [c for c in dict.fromkeys(ev.affected) if c.is_minion and c.is_in_play]
        minion = me.may_target("A counter for which minion?", affected)
        me.place_counters(1, on=minion)
        titan = me.may_target("Place a +1 power counter on which?", [me])
        me.place_counters(1, on=titan)
        if minion is not None or titan is not None:
            me.mark_used(me.controller)

    def talent(self, me: Card) -> None:
        if me.counters >= 4:
            me.draw()


class JungleOasis(BaseCard):
    name = "Jungle Oasis"
    breakpoint = 12
    vp = (2, 0, 0)
    text = "A plain base."


class TarPits(BaseCard):
    name = "Tar Pits"
    breakpoint = 16
    vp = (4, 3, 2)
    text = "After a minion here is destroyed, it goes to the bottom of its owner's deck."
    only_printed = hooks(Hook.AFTER_LEAVING_PLAY)
    only_current = hooks(Hook.INSTEAD_OF_LEAVING)

    def apply_current_printing(self) -> None:
        self.text = (
            "The first minion here each turn that would be destroyed goes to the bottom of its"
            " owner's deck instead."
        )
        self.replaces_one_per_event = True

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        is_minion = ev.card.definition.type == MINION
        return ev.how == DESTROYED and is_minion and ev.origin is me.base

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        if ev.card.is_in(DISCARD):
            ev.card.owner.put(ev.card, to=DECK_BOTTOM)

    def instead_of_leaving_if(self, me: Card, card: Card, how: int, to: int) -> bool:
        is_here = card.is_minion and card.base is me.base
        return how == DESTROYED and is_here and not me.used_this_turn(me.controller)

    def instead_of_leaving(self, me: Card, card: Card, how: int, to: int) -> bool:
        me.mark_used(me.controller)
        me.put(card, to=DECK_BOTTOM)
        return True


FACTION = Faction(
    name="Dinosaurs",
    set_name="Core Set",
    blurb="The biggest minions in the box, and still they put on more.",
    cards=(
        KingRex, Laseratops, ArmorStego, WarRaptor, Augmentation, Howl, NaturalSelection, Rampage,
        SurvivalOfTheFittest, ToothAndClaw, Upgrade, WildlifePreserve,
    ),
    bases=(JungleOasis, TarPits),
    titans=(FortTitanosaurus,),
)  # fmt: skip
