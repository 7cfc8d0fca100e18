"""Sumo Wrestlers (International Incident): discard to grow, and push rivals off the base."""

from __future__ import annotations

from smashup.cards.language import (
    HAND,
    OTHERS,
    YOURS,
    Action,
    Base,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Minion,
)


def push(me: Card, minion: Card | None) -> bool:
    """Move a minion to another base of your choice; whether it moved."""
    if minion is None:
        return False
    return me.move(minion, me.choose_base("Move it to which base?", me.other_bases(minion.base)))


def feed(me: Card, counters: int = 1) -> None:
    """Place +1 power counters on one of your minions."""
    prompt = "Place +1 power counters on which minion?"
    me.place_counters(counters, on=me.target(prompt, me.minions(YOURS)))


class Yokozuna(Minion):
    name = "Yokozuna"
    power = 6
    text = (
        "Ongoing: other players' cards cannot move your minions. Talent: draw a card, or move"
        " another player's minion here to another base."
    )
    keywords = "talent ongoing"

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        you = me.controller
        return card.is_minion and card.controller is you and cause.controller not in (-1, you.index)

    def talent(self, me: Card) -> None:
        if me.choose_mode("Draw a card", "Move another player's minion from here") == 0:
            me.draw()
        else:
            push(me, me.target("Move which minion?", me.minions(OTHERS, me.base)))


class TopTier(Minion):
    name = "Top Tier"
    power = 4
    copies = 2
    text = (
        "Ongoing: after you discard cards from your hand, place a +1 power counter on this minion,"
        " however many cards they were."
    )
    keywords = "ongoing counters"

    def after_discard_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and ev.how == HAND

    def after_discard(self, me: Card, ev: Event) -> None:
        me.place_counters(1, on=me)


class ThirdTier(Minion):
    name = "Third Tier"
    power = 3
    copies = 3
    text = (
        "You may move another player's minion here with at most 3 power to another base. If it"
        " moves, draw a card."
    )

    def on_play(self, me: Card) -> None:
        if push(me, me.may_target("Move which minion?", me.minions(OTHERS, me.base, max_power=3))):
            me.draw()


class RookieSumo(Minion):
    name = "Rookie Sumo"
    power = 2
    copies = 4
    counters = 1
    text = "You may discard a card. If you do, a minion of yours gets a +1 power counter."
    keywords = "counters"

    def apply_current_printing(self) -> None:
        self.counters = 2
        self.text = (
            "You may discard a card. If you do, a minion of yours gets two +1 power counters."
        )

    def on_play(self, me: Card) -> None:
        if me.controller.may_discard("Discard a card to place +1 power counters?"):
            feed(me, self.counters)


class BodySlam(Action):
    name = "Body Slam"
    affects_minions = True
    text = (
        "Choose a base where you have a minion, and another player. Move all of that player's"
        " minions there to one other base."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        rival = you.choose_player("Move whose minions?", me.other_players())
        yours = [base for base in me.bases() if base.has_minion_of(you)]
        base = me.choose_base("Move them away from which base?", yours)
        if rival is not None and base is not None and base.has_minion_of(rival):
            to = me.choose_base("Move them to which base?", me.other_bases(base))
            me.move_together(base.minions(of=rival), to)


class BulkingStew(Action):
    name = "Bulking Stew"
    affects_minions = True
    raises_minions = True
    text = (
        "Discard any number of cards. For each of them, place a +1 power counter on a minion of"
        " yours."
    )
    keywords = "counters"

    def on_play(self, me: Card) -> None:
        you = me.controller
        cards = you.choose_some("Discard which card?", you.hand)
        you.discard(cards)
        for _ in cards:
            feed(me)


class ChikaraMizu(Action):
    name = "Chikara-Mizu"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = "A minion of yours has +2 power this turn, or +4 if you discard a card for it."

    def on_play(self, me: Card) -> None:
        minion = me.target("Give power to which minion?", me.minions(YOURS))
        if minion is not None:
            card = me.controller.may_discard("Discard a card to give +4 power instead of +2?")
            me.gain_power(minion, 4 if card is not None else 2)


class FightingSpiritPrize(Action):
    name = "Fighting Spirit Prize"
    affects_minions = True
    raises_minions = True
    text = (
        "Draw two cards. Place two +1 power counters: both on a minion of yours, or one each on"
        " two of them."
    )
    keywords = "counters"

    def on_play(self, me: Card) -> None:
        me.draw(2)
        feed(me)
        feed(me)


class GraspTheBelt(Action):
    name = "Grasp the Belt"
    copies = 2
    affects_minions = True
    text = "Move any minion from a base where you have a minion to another base."

    def on_play(self, me: Card) -> None:
        you = me.controller
        within_reach = [c for c in me.minions() if c.base.has_minion_of(you)]
        push(me, me.target("Move which minion?", within_reach))


class HeadButt(Action):
    name = "Head Butt"
    text = (
        "Destroy another player's action on a base where you have a minion, or on a minion at such"
        " a base."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        within_reach = [c for c in me.actions_in_play(OTHERS) if c.base.has_minion_of(you)]
        me.destroy(me.target("Destroy which action?", within_reach))


class PerformancePrize(Action):
    name = "Performance Prize"
    text = "Draw three cards."

    def on_play(self, me: Card) -> None:
        me.draw(3)


class TechniquePrize(Action):
    name = "Technique Prize"
    affects_minions = True
    raises_minions = True
    text = "A minion of yours gets three +1 power counters."
    keywords = "counters"

    def on_play(self, me: Card) -> None:
        feed(me, 3)


class HeyaTrainingStable(BaseCard):
    name = "Heya Training Stable"
    breakpoint = 23
    vp = (4, 2, 1)
    text = (
        "At the start of your turn, you may discard a card. If you do, a minion of yours here gets"
        " a +1 power counter."
    )
    keywords = "counters"

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return me.base.has_minion_of(ev.player)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        you = ev.player
        if you.may_discard("Discard a card to place a +1 power counter?"):
            yours = me.base.minions(of=you)
            me.place_counters(1, on=you.target("Place a +1 power counter on which minion?", yours))


class TheDohyo(BaseCard):
    name = "The Dohyo"
    breakpoint = 17
    vp = (3, 2, 1)
    text = (
        "After the first minion you play here on your turn, you may move another player's minion"
        " away from here to another base."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.amount_on_turn == 1

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        rivals = [c for c in me.base.minions() if c.controller is not you]
        me.let_move(you, "Move which minion?", rivals)


FACTION = Faction(
    name="Sumo Wrestlers",
    set_name="International Incident",
    blurb="Eat through your hand to put on weight, then shove whoever stands in the ring.",
    cards=(
        Yokozuna, TopTier, ThirdTier, RookieSumo, BodySlam, BulkingStew, ChikaraMizu,
        FightingSpiritPrize, GraspTheBelt, HeadButt, PerformancePrize, TechniquePrize,
    ),
    bases=(HeyaTrainingStable, TheDohyo),
)  # fmt: skip
