"""Time Travelers: cards that come back from the discard pile, again and again."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DISCARD,
    HAND,
    MINION,
    SET_ASIDE,
    YOURS,
    Action,
    ActionOnBase,
    Base,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    Titan,
    hooks,
)


class DoctorWhen(Minion):
    name = "Doctor When"
    power = 5
    text = (
        "You may return another minion of yours to your hand. You may immediately play it again as"
        " an extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        minion = me.may_target("Return which minion?", me.minions(YOURS, but=me))
        return_and_replay(me, minion)


def return_and_replay(me: Card, minion: Card | None) -> None:
    """Return a minion to hand; "you may play it again" only if it came to your hand."""
    if me.return_to_hand(minion) and minion is not None and minion in me.controller.hand:
        me.controller.play(minion, types=MINION)


class RepeaterPerfect(Minion):
    name = "Repeater Perfect"
    power = 4
    copies = 2
    text = "Put an action from your discard pile on top of your deck."

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.choose("Put which action on top?", you.discarded(ACTION)), to=DECK_TOP)


class TimeRaider(Minion):
    name = "Time Raider"
    power = 3
    copies = 3
    text = "Talent: put a card from your discard pile on the bottom of your deck."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        you = me.controller
        you.put(you.choose("Put which card on the bottom?", you.discard_pile), to=DECK_BOTTOM)


class Jumper(Minion):
    name = "Jumper"
    power = 2
    copies = 4
    text = (
        "Ongoing: when this minion goes from play to the discard pile, you may take it back into"
        " your hand."
    )
    keywords = "ongoing"

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card is me and ev.to == DISCARD

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        if me.is_in(DISCARD) and me.may("Take it back into your hand?"):
            me.owner.put(me, to=HAND)


class Gigawatts(Action):
    name = "1.21 Gigawatts"
    text = "Shuffle all actions or all minions in your discard pile into your deck."

    def on_play(self, me: Card) -> None:
        you = me.controller
        if me.choose_mode("Shuffle in all actions", "Shuffle in all minions") == 0:
            you.put(you.discarded(ACTION), to=DECK_SHUFFLED)
        else:
            you.put(you.discarded(MINION), to=DECK_SHUFFLED)


class DoOver(Action):
    name = "Do Over!"
    copies = 2
    affects_minions = True
    text = (
        "Return a minion of yours from a base to your hand. You may immediately play it again as an"
        " extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        return_and_replay(me, me.target("Return which minion?", me.minions(YOURS)))


class IntoTheTimeSlip(Action):
    name = "Into the Time Slip"
    copies = 2
    affects_minions = True
    text = "Return any one card in play to its owner's hand."

    def on_play(self, me: Card) -> None:
        me.return_to_hand(me.target("Return which card?", me.cards_in_play()))


class ItsAstounding(Action):
    name = "It's Astounding"
    text = "Play an action from your discard pile as an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_action(from_zone=DISCARD)


class StasisField(ActionOnBase):
    name = "Stasis Field"
    text = (
        "Play on a base. Ongoing: this base cannot score. At the start of your turn, destroy"
        " this action."
    )
    keywords = "ongoing"

    def forbids_scoring(self, me: Card, base: Base) -> bool:
        return base is me.base

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.destroy(me)


class TimeIsFleeting(Action):
    name = "Time is Fleeting"
    other_name = "Time Is Fleeting"
    special = "only"
    text = (
        "Special: play after a base scores, if there is a base in the base discard pile. Replace"
        " the scored base with one of those instead of the top card of the base deck."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.after_scoring and bool(me.controller.bases_discarded())

    def on_play(self, me: Card) -> None:
        you = me.controller
        base = you.choose("Which base comes next?", you.bases_discarded())
        if base is not None:
            you.set_next_base(me, base)


class TimeWalk(Action):
    name = "Time Walk"
    text = (
        "You may play an extra minion and an extra action. Draw two cards. This card goes to the"
        " bottom of your deck, not to the discard pile."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.extra_minion()
        you.extra_action()
        you.draw(2)
        me.goes_to(DECK_BOTTOM)


class Wormhole(Action):
    name = "Wormhole"
    special = "only"
    affects_minions = True
    text = (
        "Special: play after a base scores. Your minions there are shuffled into their owners'"
        " decks instead of being discarded."
    )
    keywords = "special"

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: play after a base scores. You may shuffle any of your minions there into"
            " their owners' decks."
        )

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.after_scoring

    def on_play(self, me: Card) -> None:
        mine = me.minions(YOURS, me.scoring_base)
        if self.has_current_text:
            mine = me.controller.choose_some("Shuffle in which minion?", mine)
        me.put(mine, to=DECK_SHUFFLED)


class TimeBox(Titan):
    name = "Time Box"
    optional = True
    text = (
        "Special: while this titan is set aside, put a counter on it at the start of your turn"
        " and whenever a card goes to your hand from play or the discard pile. After the fifth or"
        " a later counter you may remove them all and play this titan. Talent: play an extra"
        " minion with at most 2 power here and/or an extra action."
    )
    keywords = "talent special counters extra"
    while_set_aside = hooks(Hook.START_OF_TURN, Hook.AFTER_ENTERING_HAND)
    special_abilities = hooks(Hook.START_OF_TURN, Hook.AFTER_ENTERING_HAND)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        self.count(me)

    def after_entering_hand_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller

    def after_entering_hand(self, me: Card, ev: Event) -> None:
        self.count(me)

    def count(self, me: Card) -> None:
        if not me.is_in(SET_ASIDE):
            return
        me.tokens += 1
        you = me.controller
        if me.tokens >= 5 and you.can_play(me) and me.may("Play the titan?"):
            me.tokens = 0
            you.play(me, must=True)

    def talent(self, me: Card) -> None:
        me.controller.extra_minion(at=me.base, max_power=2)
        me.controller.extra_action()


class PortalRoom(BaseCard):
    name = "Portal Room"
    breakpoint = 22
    vp = (2, 3, 1)
    text = "The winner takes an extra turn after the current turn."
    keywords = "extra"

    def on_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            winner.take_extra_turn()


class TheNexus(BaseCard):
    name = "The Nexus"
    breakpoint = 19
    vp = (3, 3, 2)
    once_for_ties = True
    text = (
        "The winner may choose the next base from the base discard pile instead of taking the"
        " top card of the base deck."
    )

    def apply_current_printing(self) -> None:
        self.vp = (4, 3, 2)
        self.text = (
            "After this base scores, before it is replaced, the winner may put a base from the"
            " base discard pile on top of the base deck."
        )

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in me.ability_users(ev):
            base = winner.choose("Which base comes next?", winner.bases_discarded(), optional=True)
            if base is not None and self.has_current_text:
                winner.put(base, to=DECK_TOP)
            elif base is not None:
                winner.set_next_base(me, base)


FACTION = Faction(
    name="Time Travelers",
    name_fr="Voyageurs du Temps",
    set_name="Science Fiction Double Feature",
    blurb="Nothing is gone for good: replay minions, reuse actions, rewrite which base comes next.",
    cards=(
        DoctorWhen, RepeaterPerfect, TimeRaider, Jumper, Gigawatts, DoOver, IntoTheTimeSlip,
        ItsAstounding, StasisField, TimeIsFleeting, TimeWalk, Wormhole,
    ),
    bases=(PortalRoom, TheNexus),
    titans=(TimeBox,),
)  # fmt: skip
