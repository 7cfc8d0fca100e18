"""Aliens (Core Set): send minions home, score with Invaders, and change the bases."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_BOTTOM,
    DISCARD,
    HAND,
    Action,
    ActionOnBase,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    hooks,
)


class SupremeOverlord(Minion):
    name = "Supreme Overlord"
    power = 5
    text = "You may return any minion to its owner's hand."

    def on_play(self, me: Card) -> None:
        me.return_to_hand(me.may_target("Return which minion?", me.minions()))


class Invader(Minion):
    name = "Invader"
    power = 3
    copies = 2
    text = "Gain 1 VP."

    def on_play(self, me: Card) -> None:
        me.controller.gain_vp(1)


class Scout(Minion):
    name = "Scout"
    power = 3
    copies = 3
    text = (
        "Special: after this base scores, you may place this minion into its owner's hand; it is"
        " not discarded."
    )
    keywords = "special"
    special_abilities = hooks(Hook.AFTER_SCORE)

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: after this base scores, you may return this minion to its owner's hand."
        )

    def after_score(self, me: Card, ev: Event) -> None:
        if not me.may("Take it back into your hand?"):
            return
        if self.has_current_text:
            me.return_to_hand(me)
        else:
            me.put(me, to=HAND)


class Collector(Minion):
    name = "Collector"
    power = 2
    copies = 4
    text = (
        "You may return a minion here with at most 3 power, but no Collector, to its owner's hand."
    )

    def on_play(self, me: Card) -> None:
        small = [c for c in me.minions(at=me.base, max_power=3) if not c.is_named(self.name)]
        me.return_to_hand(me.may_target("Return which minion?", small))


class Abduction(Action):
    name = "Abduction"
    affects_minions = True
    text = "Return a minion to its owner's hand. Play an extra minion."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.return_to_hand(me.target("Return which minion?", me.minions()))
        me.controller.extra_minion()


class BeamUp(Action):
    name = "Beam Up"
    copies = 2
    affects_minions = True
    text = "Return a minion to its owner's hand."

    def on_play(self, me: Card) -> None:
        me.return_to_hand(me.target("Return which minion?", me.minions()))


class CropCircles(Action):
    name = "Crop Circles"
    affects_minions = True
    text = "Choose a base. All minions there return to their owners' hands."

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Return minions from which base?", me.bases())
        if base is not None:
            me.return_to_hand(base.minions())


class Disintegrator(Action):
    name = "Disintegrator"
    copies = 2
    affects_minions = True
    text = "Put a minion with at most 3 power on the bottom of its owner's deck."

    def on_play(self, me: Card) -> None:
        minion = me.target("Put which minion on the bottom?", me.minions(max_power=3))
        me.put(minion, to=DECK_BOTTOM)


class Invasion(Action):
    name = "Invasion"
    affects_minions = True
    text = "Move any minion to another base."

    def on_play(self, me: Card) -> None:
        minion = me.target("Move which minion?", me.minions())
        if minion is not None:
            me.move(minion, me.choose_base("Move it to which base?", me.other_bases(minion.base)))


class JammedSignal(ActionOnBase):
    name = "Jammed Signal"
    text = "Play on a base. Ongoing: nobody follows or gains from the abilities of this base."
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = "Play on a base. Ongoing: the abilities of this base are cancelled."

    def cancels(self, me: Card, card: Card) -> bool:
        return card.is_base and card.base is me.base


class Probe(Action):
    name = "Probe"
    text = "Look at the hand of another player. A minion in it of your choice is discarded."

    def on_play(self, me: Card) -> None:
        you = me.controller
        other = you.choose_player("Look at whose hand?", me.other_players())
        if other is not None:
            you.look_at(other.hand)
            other.discard(
                you.choose("Discard which minion?", [c for c in other.hand if c.is_minion])
            )


class Terraforming(Action):
    name = "Terraforming"
    text = (
        "Search the base deck for a base and swap it with one in play, whose own actions are"
        " discarded. Shuffle the base deck. You may play an extra minion at the new base."
    )
    keywords = "extra"

    def apply_current_printing(self) -> None:
        self.text = (
            "Search the base deck for a base and swap it with one in play; all cards there stay."
            " You may play an extra minion at the new base."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        found = you.search_base_deck("Which base comes into play?")
        base = me.choose_base("Replace which base?", me.bases()) if found is not None else None
        if base is not None:
            if not self.has_current_text:
                me.put(base.actions(), to=DISCARD)
            me.swap_base(base=base, card=found)
            you.extra_minion(at=base)


class TheHomeworld(BaseCard):
    name = "The Homeworld"
    breakpoint = 23
    vp = (4, 2, 1)
    text = "After a minion is played here, its owner may play an extra minion with at most 2 power."
    keywords = "extra"

    def apply_current_printing(self) -> None:
        self.text = (
            "Once per turn, you may play an extra minion with at most 2 power after you play a"
            " minion here."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        is_used = self.has_current_text and me.used_this_turn(ev.player)
        return ev.minion_here(me) and not is_used

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player if self.has_current_text else ev.card.owner
        me.mark_used(you)
        you.extra_minion(max_power=2)


class TheMothership(BaseCard):
    name = "The Mothership"
    breakpoint = 20
    vp = (4, 2, 1)
    text = (
        "After this base scores, the winner may return a minion of theirs here with at most 3 power"
        " to hand."
    )

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            small = [c for c in me.base.minions(of=winner) if c.power <= 3]
            minion = winner.target("Return which minion?", small, optional=True)
            me.return_to_hand(minion, by=winner)


FACTION = Faction(
    name="Aliens",
    set_name="Core Set",
    blurb="Beam rivals up, take the victory points and swap the planet under their feet.",
    cards=(
        SupremeOverlord, Invader, Scout, Collector, Abduction, BeamUp, CropCircles, Disintegrator,
        Invasion, JammedSignal, Probe, Terraforming,
    ),
    bases=(TheHomeworld, TheMothership),
)  # fmt: skip
