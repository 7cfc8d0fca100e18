"""Musketeers (International Incident): chains of actions that pay off on whom they touch."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    HAND,
    YOURS,
    Action,
    ActionOnMinion,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Minion,
    Player,
)


def you_affected(me: Card, minion: Card | None, ev: Event) -> bool:
    """Whether "you" just played an action that directly affects the minion."""
    return ev.player is me.controller and ev.card.is_action and minion in ev.affected


class Athos(Minion):
    name = "Athos"
    power = 4
    text = (
        "Ongoing: after you play an action that directly affects other minions of yours here,"
        " each of those has +1 power this turn."
    )
    keywords = "ongoing"

    def others_affected(self, me: Card, ev: Event) -> list[Card]:
        return [minion for minion in ev.own_affected_here(me) if minion is not me]

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return (
            ev.player is me.controller and ev.card.is_action and bool(self.others_affected(me, ev))
        )

    def after_play(self, me: Card, ev: Event) -> None:
        me.gain_power(self.others_affected(me, ev), 1)


class Porthos(Minion):
    name = "Porthos"
    power = 4
    text = "Ongoing: other players' actions do not affect this minion."
    keywords = "ongoing"

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me and cause.type == ACTION and cause.controller != me.controller.index


class Aramis(Minion):
    name = "Aramis"
    power = 4
    text = (
        "Ongoing: once in your Play Cards phase, after you play an action that directly affects"
        " this minion, you may play another that does so as an extra action."
    )
    keywords = "ongoing extra"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        you = me.controller
        return you.is_on_turn and not me.used_this_turn(you) and you_affected(me, me, ev)

    def after_play(self, me: Card, ev: Event) -> None:
        you = me.controller
        if not me.used_this_turn(you):
            me.mark_used(you)
            you.extra_action(must_affect=me)


class DArtagnan(Minion):
    name = "D'Artagnan"
    power = 4
    text = "Ongoing: draw a card whenever an action you play directly affects this minion."
    keywords = "ongoing"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return you_affected(me, me, ev)

    def after_play(self, me: Card, ev: Event) -> None:
        me.draw()


class YoungMusketeer(Minion):
    name = "Young Musketeer"
    power = 3
    copies = 5
    text = (
        "Ongoing: after you play the first action each turn that directly affects this minion, it"
        " has +1 power this turn."
    )
    keywords = "ongoing"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return you_affected(me, me, ev) and not me.used_this_turn(me.controller)

    def after_play(self, me: Card, ev: Event) -> None:
        if not me.used_this_turn(me.controller):
            me.mark_used(me.controller)
            me.gain_power(me, 1)


class AllForOne(ActionOnMinion):
    name = "All for One"
    text = (
        "Play on a minion. You may play an extra action. Ongoing: each time you play another action"
        " that directly affects the minion, it has +1 power this turn, and this card is destroyed"
        " at the end of the turn."
    )
    keywords = "ongoing extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_action()

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return you_affected(me, me.host, ev) and ev.card is not me

    def after_play(self, me: Card, ev: Event) -> None:
        me.gain_power(me.host, 1)
        if not me.used_this_turn(me.controller):
            me.mark_used(me.controller)
            me.controller.at_end_of_turn(self, me)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        me.destroy(me)


class BidingTime(Action):
    name = "Biding Time"
    affects_minions = True
    raises_minions = True
    text = (
        "Choose a minion: it has +2 power this turn. You may play an extra action that directly"
        " affects it."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        minion = me.target("Which minion gains power?", me.minions())
        if minion is not None:
            me.gain_power(minion, 2)
            me.controller.extra_action(must_affect=minion)


class EnGarde(Action):
    name = "En Garde"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = "Choose a minion: it has +1 power this turn. Draw a card. You may play an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.gain_power(me.target("Which minion gains power?", me.minions()), 1)
        me.draw()
        me.controller.extra_action()


class LastStand(Action):
    name = "Last Stand"
    special = "only"
    affects_minions = True
    raises_minions = True
    text = (
        "Special: play before a base scores. A minion of yours there has +2 power this turn. Draw a"
        " card."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        mine = me.minions(YOURS, at=me.scoring_base)
        me.gain_power(me.target("Which minion gains power?", mine), 2)
        me.draw()


class MakeWay(Action):
    name = "Make Way"
    affects_minions = True
    text = "Move a minion of yours to another base. You may play an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        minion = me.target("Move which minion?", me.minions(YOURS))
        if minion is not None:
            to = me.choose_base("Move it to which base?", me.other_bases(minion.base))
            me.move(minion, to)
        me.controller.extra_action()


class OnARoll(Action):
    name = "On a Roll"
    text = "You may play up to two extra actions. Both must directly affect the same minion."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_action(must_affect_any=True, follow_up=self)

    def on_granted_play(self, me: Card, played: Card, by: Player) -> None:
        """After the first: the second goes for one of the minions it affected."""
        ev = me.reacts_to
        if ev is not None:
            touched = [c for c in dict.fromkeys(ev.affected) if c.is_minion and c.is_in_play]
            minion = (
                touched[0]
                if len(touched) == 1
                else by.choose("Which minion must the second action affect too?", touched)
            )
            if minion is not None:
                by.extra_action(must_affect=minion)


class OneForAll(Action):
    name = "One for All"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = (
        "Choose a base: each of your minions there has +1 power this turn. You may play an extra"
        " action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Strengthen your minions at which base?", me.bases())
        if base is not None:
            me.gain_power(me.minions(YOURS, at=base), 1)
        me.controller.extra_action()


class ToBattle(Action):
    name = "To Battle!"
    text = "Play an extra minion. Then you may play an extra action that directly affects it."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion(follow_up=self)

    def on_granted_play(self, me: Card, played: Card, by: Player) -> None:
        by.extra_action(must_affect=played)


class TokenOfAffection(Action):
    name = "Token of Affection"
    text = (
        "Search your deck, your discard pile or both for an action that directly affects a minion,"
        " and take it into your hand. You may play it now as an extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        found = you.search_piles(
            "Which action do you take?", lambda c: c.is_action and c.affects_minions
        )
        you.put(found, to=HAND)
        you.play(found, types=ACTION)


class BastionSaintGervais(BaseCard):
    name = "Bastion Saint-Gervais"
    breakpoint = 25
    vp = (5, 4, 3)
    text = (
        "Once per turn, after you play an action that directly affects a minion of yours here, you"
        " may play an extra action."
    )
    keywords = "extra"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return (
            ev.card.is_action
            and bool(ev.own_affected_here(me))
            and not me.used_this_turn(ev.player)
        )

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if me.used_this_turn(you):
            return
        me.mark_used(you)
        if you.extra_action() is None and not you.is_on_turn:
            me.unmark_used(you)


class TheGoldenLily(BaseCard):
    name = "The Golden Lily"
    breakpoint = 18
    vp = (3, 2, 2)
    text = "At the end of your turn, draw a card if you have a minion here."

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return me.base.has_minion_of(ev.player)

    def end_of_turn(self, me: Card, ev: Event) -> None:
        ev.player.draw()


FACTION = Faction(
    name="Musketeers",
    set_name="International Incident",
    blurb="Play action after action on your own heroes, who repay each with power and cards.",
    cards=(
        Athos, Porthos, Aramis, DArtagnan, YoungMusketeer, AllForOne, BidingTime, EnGarde,
        LastStand, MakeWay, OnARoll, OneForAll, ToBattle, TokenOfAffection,
    ),
    bases=(BastionSaintGervais, TheGoldenLily),
)  # fmt: skip
