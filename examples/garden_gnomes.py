"""Garden Gnomes: a complete faction of your own, in one file.

    smashup check-faction examples/garden_gnomes.py
    smashup play --faction-file examples/garden_gnomes.py --factions "Garden Gnomes+Kaiju"

docs/your-faction.md walks through it.
"""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    HAND,
    MINION,
    OTHERS,
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
    Minion,
    Player,
)


class GnomeKing(Minion):
    name = "Gnome King"
    power = 5
    text = "Talent: place a +1 power counter on another of your minions here."

    def talent(self, me: Card) -> None:
        subject = me.target("Which minion grows?", me.minions(YOURS, me.base, but=me))
        me.place_counters(1, on=subject)


class HeadGardener(Minion):
    name = "Head Gardener"
    power = 4
    copies = 2
    text = "Ongoing: your minions here cannot be moved by other players' cards."

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        return (
            card.base is me.base
            and card.controller is me.controller
            and cause.controller >= 0
            and cause.controller != me.controller.index
        )


class FishingGnome(Minion):
    name = "Fishing Gnome"
    icon = "fishing-hook"
    power = 3
    copies = 3
    text = "You may discard a card to draw two cards."

    def on_play(self, me: Card) -> None:
        if me.controller.may_discard("Discard a card to draw two?"):
            me.draw(2)


class LawnGnome(Minion):
    name = "Lawn Gnome"
    power = 2
    copies = 4
    text = "Ongoing: +1 power if you have another Lawn Gnome here."

    def power_bonus(self, me: Card) -> int:
        others = me.minions(YOURS, me.base, but=me)
        return 1 if any(other.is_named(self.name) for other in others) else 0


class Fertilizer(Action):
    name = "Fertilizer"
    copies = 2
    text = "Place a +1 power counter on up to two of your minions."

    def on_play(self, me: Card) -> None:
        minions = me.controller.choose_some("Which minion grows?", me.minions(YOURS), most=2)
        me.place_counters(1, on=minions)


class GardenHose(Action):
    name = "Garden Hose"
    copies = 2
    text = "Move another player's minion of power 3 or less to another base."

    def on_play(self, me: Card) -> None:
        soaked = me.target("Move which minion?", me.minions(OTHERS, max_power=3))
        if soaked is not None:
            me.move(soaked, me.choose_base("Where to?", me.other_bases(soaked.base)))


class NightShift(Action):
    name = "Night Shift"
    special = "only"
    text = "Special: before a base scores, move one of your minions there."

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        sneaks = me.target("Move which minion?", me.minions(YOURS, not_at=me.scoring_base))
        me.move(sneaks, me.scoring_base)


class PointyHat(ActionOnMinion):
    name = "Pointy Hat"
    icon = "robin-hood-hat"
    copies = 2
    text = "Play on one of your minions. Ongoing: it has +2 power."

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def host_bonus(self, me: Card, host: Card) -> int:
        return 2


class GardenFence(ActionOnBase):
    name = "Garden Fence"
    text = "Play on a base. Ongoing: other players cannot play minions of power 2 or less here."

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        small = card.is_minion and card.definition.power <= 2
        return small and base is me.base and player is not me.controller


class Compost(Action):
    name = "Compost"
    copies = 2
    text = (
        "Take a minion from your discard pile into your hand, and play an extra action if you like."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.choose("Which minion do you take?", you.discarded(MINION)), to=HAND)
        you.extra_action()


class FrontLawn(BaseCard):
    name = "Front Lawn"
    breakpoint = 20
    vp = (3, 2, 1)
    text = "After you play your first minion of the turn here, place a +1 power counter on it."

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.amount == 1

    def after_play(self, me: Card, ev: Event) -> None:
        me.place_counters(1, on=ev.card)


class ToolShed(BaseCard):
    name = "Tool Shed"
    breakpoint = 18
    vp = (4, 2, 1)
    text = "After this base scores, the winner may take an action from their discard pile."

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            action = winner.choose(
                "Which action do you take?", winner.discarded(ACTION), optional=True
            )
            winner.put(action, to=HAND)


FACTION = Faction(
    name="Garden Gnomes",
    set_name="The Shed",
    blurb="Small, stubborn, and stronger side by side: they grow on you.",
    cards=(
        GnomeKing, HeadGardener, FishingGnome, LawnGnome, Fertilizer, GardenHose, NightShift,
        PointyHat, GardenFence, Compost,
    ),
    bases=(FrontLawn, ToolShed),
    colors=("#2f6b4f", "#ffd23f"),
    icon="bad-gnome",
)  # fmt: skip
