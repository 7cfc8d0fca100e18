"""Ignobles (Cease and Desist): give minions away for profit, take them back in time."""

from __future__ import annotations

from smashup.cards.language import (
    FREE,
    OTHERS,
    YOURS,
    Action,
    Base,
    BaseCard,
    Card,
    Event,
    Faction,
    Minion,
    Player,
    Titan,
)


def give_away_one(me: Card) -> bool:
    """Give control of one of your minions to another player; whether it changed hands."""
    minion = me.target("Give away which minion?", me.minions(YOURS))
    if minion is None:
        return False
    to = me.controller.choose_player("Give control of it to which player?", me.other_players())
    return me.controller.give_control(minion, to)


def given_away(you: Player) -> list[Card]:
    """Minions you own that other players control."""
    return [minion for minion in you.minions_owned() if minion.controller is not you]


class AuntOfDrakes(Minion):
    name = "Aunt of Drakes"
    power = 5
    text = (
        "Talent: give control of a minion of yours to another player. If you do, draw a card and"
        " play an extra action."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        you = me.controller
        if give_away_one(me):
            you.draw()
            you.extra_action()


class FootOfTheKing(Minion):
    name = "Foot of the King"
    power = 4
    copies = 2
    text = "Ongoing: when your turn ends, you may take control of a minion you own."
    keywords = "ongoing"

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        you = me.controller
        # With all at home to stay there is nothing to ask.
        return ev.player is you and any(
            c.controller is not you or c.lasting_controller is not you for c in you.minions_owned()
        )

    def end_of_turn(self, me: Card, ev: Event) -> None:
        me.take_control(me.may_target("Take back which minion?", me.controller.minions_owned()))


class Betrothed(Minion):
    name = "Betrothed"
    power = 3
    copies = 3
    text = (
        "You may give control of this minion to another player. Ongoing: if a player other than its"
        " owner controls this minion and wins this base, its owner gains 1 VP."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        prompt = "Give control of this minion to which player?"
        you = me.controller
        you.give_control(me, you.choose_player(prompt, me.other_players(), optional=True))

    def on_score_if(self, me: Card, ev: Event) -> bool:
        return me.controller in ev.winners and me.controller is not me.owner

    def on_score(self, me: Card, ev: Event) -> None:
        me.owner.gain_vp(1)


class SneakySquire(Minion):
    name = "Sneaky Squire"
    power = 2
    copies = 4
    text = "You may give control of this minion to another player. If you do, play an extra minion."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        prompt = "Give control of this minion to which player?"
        if you.give_control(me, you.choose_player(prompt, me.other_players(), optional=True)):
            you.extra_minion()


class ActivateTheSpy(Action):
    name = "Activate the Spy"
    copies = 2
    affects_minions = True
    text = "Take control of a minion you own, and play an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        me.take_control(me.target("Take back which minion?", you.minions_owned()))
        you.extra_action()


class BannerCall(Action):
    name = "Banner Call"
    affects_minions = True
    text = "Take control of as many of the minions you own as you like."

    def on_play(self, me: Card) -> None:
        you = me.controller
        me.take_control(you.choose_some("Take back which minion?", you.minions_owned()))


class FateOfTheFavorites(Action):
    name = "Fate of the Favorites"
    affects_minions = True
    text = "Each player chooses a minion they own and destroys it."

    def on_play(self, me: Card) -> None:
        prompt = "Destroy which minion you own?"
        players = me.all_players()
        me.destroy([p.target(prompt, p.minions_owned()) for p in players], by=players)


class HostageExchange(Action):
    name = "Hostage Exchange"
    affects_minions = True
    text = (
        "Give control of a minion of yours to another player to take control of another minion of"
        " theirs with the same or lower power."
    )

    def on_play(self, me: Card) -> None:
        hostage = me.target("Give away which minion?", me.minions(YOURS))
        if hostage is None:
            return
        power = hostage.power
        rival = me.controller.choose_player("Exchange it with which player?", me.other_players())
        if me.controller.give_control(hostage, rival):
            weaker = me.minions(OTHERS, max_power=power, but=hostage)
            theirs = [minion for minion in weaker if minion.controller is rival]
            me.take_control(me.target("Take control of which minion?", theirs))


class InevitableBetrayal(Action):
    name = "Inevitable Betrayal"
    special = "only"
    affects_minions = True
    text = "Special: play before a base scores. Take control of a minion you own there."
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        there = me.controller.minions_owned(at=me.scoring_base)
        me.take_control(me.target("Take back which minion?", there))


class OutOfSight(Action):
    name = "Out of Sight"
    affects_minions = True
    text = "Each player takes a minion they own back into their hand."

    def on_play(self, me: Card) -> None:
        prompt = "Return which minion you own?"
        players = me.all_players()
        me.return_to_hand([p.target(prompt, p.minions_owned()) for p in players], by=players)


class RedBirthdayParty(Action):
    name = "Red Birthday Party"
    affects_minions = True
    text = "Destroy a minion you own and all minions of lower power at the same base."

    def on_play(self, me: Card) -> None:
        host = me.target("Destroy which minion you own?", me.controller.minions_owned())
        if host is not None:
            guests = [c for c in host.base.minions() if c.power < host.power]
            me.destroy([host, *guests])


class RepayingDebts(Action):
    name = "Repaying Debts"
    copies = 2
    affects_minions = True
    text = (
        "Give control of a minion of yours to another player. If you do, draw two cards and play an"
        " extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        if give_away_one(me):
            me.draw(2)
            me.controller.extra_minion()


class TheHillThatStrolls(Titan):
    name = "The Hill that Strolls"
    titan_cost = FREE
    optional = True
    text = (
        "Special: on your turn, you may play this titan if other players control two or more"
        " minions you own. Ongoing: after you give control of a minion of yours to another player,"
        " you may place a +1 power counter on that minion. Talent: take control of a minion here"
        " that you own, or give control of a minion of yours to another player to draw a card."
    )
    keywords = "talent special ongoing counters"

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return len(given_away(me.owner)) >= 2

    def after_control_change_if(self, me: Card, ev: Event) -> bool:
        return ev.card.is_minion and ev.giver is me.controller

    def after_control_change(self, me: Card, ev: Event) -> None:
        if ev.card.is_in_play and me.may("Place a +1 power counter on the minion given away?"):
            me.place_counters(1, on=ev.card)

    def talent(self, me: Card) -> None:
        you = me.controller
        if me.choose_mode("Give away a minion to draw a card", "Take back a minion here") == 0:
            if give_away_one(me):
                you.draw()
        else:
            me.take_control(me.target("Take back which minion?", you.minions_owned(at=me.base)))


class SpikeyChairRoom(BaseCard):
    name = "Spikey Chair Room"
    breakpoint = 20
    vp = (4, 2, 1)
    text = (
        "At the end of a turn in which you played a minion here, you may destroy a minion you own"
        " to draw a card, even if this base is gone by then."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and not me.used_this_turn(ev.player)

    def after_play(self, me: Card, ev: Event) -> None:
        if not me.used_this_turn(ev.player):
            me.mark_used(ev.player)
            ev.player.at_end_of_turn(self, me, even_if_gone=True)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        you = ev.player
        prompt = "Destroy which minion you own to draw a card?"
        if me.destroy(you.target(prompt, you.minions_owned(), optional=True), by=you):
            you.draw()


class Wintersquashed(BaseCard):
    name = "Wintersquashed"
    breakpoint = 16
    vp = (2, 4, 1)
    text = "Whenever you play a minion here, you may give control of that minion to another player."

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if ev.card.is_in_play and ev.card.controller is you:
            prompt = "Give control of the minion to which player?"
            you.give_control(ev.card, you.choose_player(prompt, you.other_players(), optional=True))


FACTION = Faction(
    name="Ignobles",
    set_name="Cease and Desist",
    blurb="Lend your minions to the other houses, live off the favors, and call them home to win.",
    cards=(
        AuntOfDrakes, FootOfTheKing, Betrothed, SneakySquire, ActivateTheSpy, BannerCall,
        FateOfTheFavorites, HostageExchange, InevitableBetrayal, OutOfSight, RedBirthdayParty,
        RepayingDebts,
    ),
    bases=(SpikeyChairRoom, Wintersquashed),
    titans=(TheHillThatStrolls,),
)  # fmt: skip
