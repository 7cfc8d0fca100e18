"""Polynesian Voyagers (Culture Shock): tattooed loners on many bases, and new bases to land on."""

from __future__ import annotations

from smashup.cards.language import (
    ON_MINION,
    YOURS,
    Action,
    ActionOnMinion,
    Base,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Minion,
)


def settled(me: Card) -> list[Base]:
    """Bases where you have a minion."""
    return [b for b in me.bases() if b.has_minion_of(me.controller)]


def unsettled(me: Card) -> list[Base]:
    """Bases where you have no minions."""
    return [b for b in me.bases() if not b.has_minion_of(me.controller)]


class Maui(Minion):
    name = "Maui"
    power = 5
    text = (
        "Put up to two bases into play from the top of the base deck. Talent: move a minion of"
        " yours to a base where you have no minions."
    )
    keywords = "talent"

    def on_play(self, me: Card) -> None:
        for _ in range(2):
            if not me.may("Play a base from the top of the base deck?"):
                break
            me.controller.play_base()

    def talent(self, me: Card) -> None:
        shores = unsettled(me)
        if shores:
            minion = me.target("Move which minion?", me.minions(YOURS))
            me.move(minion, me.choose_base("Move it to which base?", shores))


class Wayfinder(Minion):
    name = "Wayfinder"
    power = 4
    copies = 2
    text = (
        "Talent: move this minion to a base where you have no minions. If it moves, it gets a +1"
        " power counter."
    )
    keywords = "talent counters"

    def talent(self, me: Card) -> None:
        if me.move(me, me.choose_base("Move to which base?", unsettled(me))):
            me.place_counters(1, me)


class Tiki(Minion):
    name = "Tiki"
    power = 3
    copies = 3
    text = "Ongoing: this minion has +2 power while it has an action on it."
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return 2 if me.actions else 0


class Moai(Minion):
    name = "Mo'ai"
    power = 3
    copies = 4
    text = (
        "Ongoing: other players cannot move their own minions to this base, nor this minion to"
        " another base."
    )
    keywords = "ongoing"

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        if cause.player < 0 or cause.player == me.controller.index:
            return False
        theirs = card.is_minion and card.controller.index == cause.player
        return card is me or (theirs and to is me.base)


class GrowthOfTheTribes(Action):
    name = "Growth of the Tribes"
    affects_minions = True
    text = (
        "Choose a base where you have no minions. Immediately play an extra minion there, or move a"
        " minion of yours there."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        shore = me.choose_base("Settle which base?", unsettled(me))
        if shore is None:
            return
        if me.choose_mode("Play an extra minion there", "Move one of your minions there") == 0:
            me.controller.extra_minion(at=shore, at_once=True)
        else:
            me.move(me.target("Move which minion?", me.minions(YOURS)), shore)


class KnowledgeOfTheTribes(Action):
    name = "Knowledge of the Tribes"
    text = "Count the bases where you have minions and draw that many cards."

    def on_play(self, me: Card) -> None:
        me.draw(len(settled(me)))


class UnityOfTheTribes(Action):
    name = "Unity of the Tribes"
    text = (
        "Choose a base where you have a minion. This turn, you have +2 power there for each base"
        " where you have a minion now."
    )

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Gain power at which base?", settled(me))
        if base is not None:
            me.controller.gain_power_at(base, 2 * len(settled(me)))


class OceanTattoo(ActionOnMinion):
    name = "Ocean Tattoo"
    text = (
        "Play on a minion of yours at a base without other players' minions. Talent: move the"
        " minion to another base. If it moves, it gets a +1 power counter."
    )
    keywords = "talent counters"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return all(c.controller is me.controller for c in host.base.minions())

    def talent(self, me: Card) -> None:
        minion = me.host
        if me.move(minion, me.choose_base("Move the minion to which base?", me.other_bases())):
            me.place_counters(1, minion)


class SharkTattoo(ActionOnMinion):
    name = "Shark Tattoo"
    copies = 2
    raises_minions = True
    text = (
        "Play on a minion of yours. Place a +1 power counter on it. Ongoing: if it is your only"
        " minion here at the start of your turn, it gets a +1 power counter."
    )
    keywords = "ongoing counters"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def on_play(self, me: Card) -> None:
        me.place_counters(1, me.host)

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and me.minions(YOURS, me.base) == [me.host]

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.place_counters(1, me.host)


class SunTattoo(ActionOnMinion):
    name = "Sun Tattoo"
    copies = 2
    special = "also"
    text = (
        "Play on a minion of yours. Ongoing: it has +2 power. Special: you may play this card after"
        " a base scores, on a minion of yours there that has no actions on it, to move it to"
        " another base rather than discard it."
    )
    keywords = "special ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.after_scoring

    def special_hosts(self, me: Card, ev: Event) -> list[Card]:
        return [c for c in me.minions(YOURS, me.scoring_base) if not c.actions]

    def host_bonus(self, me: Card, host: Card) -> int:
        return 2

    def on_play(self, me: Card) -> None:
        window = me.reacts_to
        if window is not None and window.after_scoring:
            me.move(me.host, me.choose_base("Move the minion to which base?", me.other_bases()))


class TattooArtist(Action):
    name = "Tattoo Artist"
    text = (
        "Search your deck and/or discard pile for an action that is played on a minion. Take it"
        " into your hand or play it as an extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.keep_or_play(you.search_piles("Find which action?", lambda c: c.played_on == ON_MINION))


class VolcanicUprising(Action):
    name = "Volcanic Uprising"
    affects_minions = True
    text = (
        "Play the top card of the base deck, and you may move a minion of yours to it; or destroy"
        " a base that has no minions on it and replace it with two bases."
    )

    def on_play(self, me: Card) -> None:
        empty = [b for b in me.bases() if not b.minions()]
        modes = ("Play a base", "Destroy a base and replace it with two")
        if empty and me.choose_mode(*modes) == 1:
            self.erupt(me, empty)
        else:
            self.rise(me)

    def rise(self, me: Card) -> None:
        base = me.controller.play_base()
        if base is not None:
            me.move(me.may_target("Move which minion there?", me.minions(YOURS)), base)

    def erupt(self, me: Card, empty: list[Base]) -> None:
        base = me.choose_base("Destroy which base?", empty)
        if base is not None:
            base.destroy()
            me.controller.play_base()


class IslandChain(BaseCard):
    name = "Island Chain"
    breakpoint = 17
    vp = (3, 1, 1)
    text = (
        "After this base scores, one more base comes into play from the top of the base deck"
        " beside the one that replaces it."
    )

    def after_score(self, me: Card, ev: Event) -> None:
        ev.player.bring_extra_base(me)


class IslandPeak(BaseCard):
    name = "Island Peak"
    breakpoint = 23
    vp = (4, 2, 1)
    text = (
        "At the start of your turn, if you have exactly one minion here, it gets a +1 power"
        " counter."
    )
    keywords = "counters"

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return len(me.base.minions(of=ev.player)) == 1

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.place_counters(1, me.base.minions(of=ev.player)[0])


class TropicalParadise(BaseCard):
    name = "Tropical Paradise"
    breakpoint = 20
    vp = (3, 2, 1)
    text = "While every player has a minion here, this base's starting breakpoint is 0."

    def starting_breakpoint(self, me: Card, base: Base) -> int:
        crowded = base is me.base and all(base.has_minion_of(p) for p in me.all_players())
        return 0 if crowded else -1


FACTION = Faction(
    name="Polynesian Voyagers",
    set_name="Culture Shock",
    blurb="Land alone on one base after another, get tattooed, and raise new islands on the way.",
    cards=(
        Maui, Wayfinder, Tiki, Moai, GrowthOfTheTribes, KnowledgeOfTheTribes, UnityOfTheTribes,
        OceanTattoo, SharkTattoo, SunTattoo, TattooArtist, VolcanicUprising,
    ),
    bases=(IslandChain, IslandPeak, TropicalParadise),
)  # fmt: skip
