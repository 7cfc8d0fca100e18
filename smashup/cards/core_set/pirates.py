"""Pirates (Core Set): sail from base to base and sink whatever is small."""

from __future__ import annotations

from smashup.cards.language import (
    DESTROYED,
    END_OF_TURN,
    OTHERS,
    YOUR_NEXT_TURN,
    YOURS,
    Action,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    Titan,
    hooks,
)


def sail(me: Card, most: int) -> None:
    """Move up to so many of your minions, each to a base of your choice."""
    left = me.minions(YOURS)
    for _ in range(min(most, len(left))):
        minion = me.may_target("Move which minion?", left)
        if minion is None:
            return
        left.remove(minion)
        me.move(minion, me.choose_base("Move it to which base?", me.other_bases(minion.base)))


class PirateKing(Minion):
    name = "Pirate King"
    power = 5
    text = "Special: before any base scores, you may move this minion to it."
    keywords = "special"
    special_abilities = hooks(Hook.BEFORE_SCORE)
    at_any_base = hooks(Hook.BEFORE_SCORE)

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return ev.base is not me.base

    def before_score(self, me: Card, ev: Event) -> None:
        if me.may("Move this minion to the scoring base?"):
            me.move(me, ev.base)


class Buccaneer(Minion):
    name = "Buccaneer"
    power = 4
    copies = 2
    text = "Special: instead of being destroyed, this minion moves to another base."
    keywords = "special"

    def apply_current_printing(self) -> None:
        self.text = (
            "Ongoing: once per turn, you may move this minion to another base instead of letting it"
            " be destroyed."
        )
        self.keywords = "ongoing"

    def instead_of_leaving_if(self, me: Card, card: Card, how: int, to: int) -> bool:
        if card is not me or how != DESTROYED or not me.other_bases():
            return False
        return not (self.has_current_text and me.used_this_turn(me.controller))

    def instead_of_leaving(self, me: Card, card: Card, how: int, to: int) -> bool:
        if self.has_current_text:
            if not me.may("Move the minion to another base?"):
                return False
            me.mark_used(me.controller)
        return me.move(me, me.choose_base("Move it to which base?", me.other_bases()))


class SaucyWench(Minion):
    name = "Saucy Wench"
    other_name = "Cut Lass"
    power = 3
    copies = 3
    text = "You may destroy a minion here with at most 2 power."

    def apply_current_printing(self) -> None:
        self.name = "Cut Lass"
        self.other_name = "Saucy Wench"

    def on_play(self, me: Card) -> None:
        me.destroy(me.may_target("Destroy which minion?", me.minions(at=me.base, max_power=2)))


class FirstMate(Minion):
    name = "First Mate"
    power = 2
    copies = 4
    text = "Special: after this base scores, you may move this minion to another base."
    keywords = "special"
    special_abilities = hooks(Hook.AFTER_SCORE)

    def after_score(self, me: Card, ev: Event) -> None:
        if me.may("Move the minion to another base?"):
            me.move(me, me.choose_base("Move it to which base?", me.other_bases()))


class Broadside(Action):
    name = "Broadside"
    copies = 2
    affects_minions = True
    text = (
        "Choose a base where you have a minion, and a player. Destroy all minions with at most 2"
        " power that the player has there."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        base = me.choose_base(
            "Destroy minions at which base?", [b for b in me.bases() if b.has_minion_of(you)]
        )
        if base is not None:
            small = me.minions(at=base, max_power=2)
            players = [p for p in me.all_players() if any(c.controller is p for c in small)]
            player = you.choose_player("Destroy whose minions?", players)
            me.destroy([c for c in small if c.controller is player])


class Cannon(Action):
    name = "Cannon"
    affects_minions = True
    text = "Destroy one or two minions with at most 2 power, or none."

    def on_play(self, me: Card) -> None:
        small = me.minions(max_power=2)
        me.destroy(me.controller.choose_some("Destroy which minion?", small, most=2))


class Dinghy(Action):
    name = "Dinghy"
    copies = 2
    affects_minions = True
    text = "Move one or two of your minions, or none, each to a base of your choice."

    def on_play(self, me: Card) -> None:
        sail(me, 2)


class FullSail(Action):
    name = "Full Sail"
    special = "also"
    affects_minions = True
    text = (
        "Move any number of your minions, each to a base of your choice. Special: you may play this"
        " card before a base scores."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        sail(me, len(me.minions(YOURS)))


class Powderkeg(Action):
    name = "Powderkeg"
    affects_minions = True
    text = (
        "Destroy a minion of yours together with every minion at its base that has no more power."
    )

    def on_play(self, me: Card) -> None:
        minion = me.target("Destroy which minion?", me.minions(YOURS))
        if minion is not None:
            me.destroy(me.minions(at=minion.base, max_power=minion.power))


class SeaDogs(Action):
    name = "Sea Dogs"
    affects_minions = True
    text = (
        "Name a faction. Move all minions of that faction that other players have at one base to"
        " one other base."
    )

    def on_play(self, me: Card) -> None:
        faction = me.controller.name_faction("Move the minions of which faction?")
        crew = [c for c in me.minions(OTHERS) if c.definition.faction == faction]
        ports = [b for b in me.bases() if any(c.base is b for c in crew)]
        base = me.choose_base("Move them away from which base?", ports)
        if base is not None:
            to = me.choose_base("Move them to which base?", me.other_bases(base))
            me.move_together([c for c in crew if c.base is base], to)


class Shanghai(Action):
    name = "Shanghai"
    affects_minions = True
    text = "Move a minion of another player to a base of your choice."

    def on_play(self, me: Card) -> None:
        minion = me.target("Move which minion?", me.minions(OTHERS))
        if minion is not None:
            me.move(minion, me.choose_base("Move it to which base?", me.other_bases(minion.base)))


class Swashbuckling(Action):
    name = "Swashbuckling"
    affects_minions = True
    raises_minions = True
    text = "Each minion you have now has +1 power this turn."

    def on_play(self, me: Card) -> None:
        me.gain_power(me.minions(YOURS), 1)


class TheKraken(Titan):
    name = "The Kraken"
    optional = True
    lasts = END_OF_TURN
    text = (
        "Special: after a base scores where you had a minion, if this titan is not in play, you may"
        " release it: play it at the base that comes next. Talent: move this titan to another base."
        " Other players' minions there have -1 power this turn. Special: after this base scores,"
        " move a minion of yours from here to another base."
    )
    keywords = "talent special"
    while_set_aside = hooks(Hook.AFTER_REPLACEMENT)
    special_abilities = hooks(Hook.AFTER_REPLACEMENT, Hook.AFTER_SCORE)

    def apply_current_printing(self) -> None:
        self.lasts = YOUR_NEXT_TURN
        self.text = (
            "Special: after a base scores where you had a minion, if this titan is not in play, you"
            " may release it: play it at the base that comes next. Talent: move this titan to"
            " another base. Until your next turn starts, other players' minions there have -1"
            " power. Special: after this base scores, move a minion of yours from here to another"
            " base."
        )

    def after_replacement_if(self, me: Card, ev: Event) -> bool:
        return me.controller in ev.present and me in ev.cards

    def after_replacement(self, me: Card, ev: Event) -> None:
        me.controller.play(me, at=ev.base)

    def talent(self, me: Card) -> None:
        if me.move(me, me.choose_base("Move the titan to which base?", me.other_bases())):
            me.gain_power(me.minions(OTHERS, me.base), -1, until=self.lasts)

    def after_score(self, me: Card, ev: Event) -> None:
        minion = me.target("Move which minion?", me.minions(YOURS, me.base))
        if minion is not None:
            me.move(minion, me.choose_base("Move it to which base?", me.other_bases()))


class TheGreyOpal(BaseCard):
    name = "The Grey Opal"
    breakpoint = 17
    vp = (3, 1, 1)
    text = (
        "After this base scores, each player but the winner may move a minion from here to another"
        " base."
    )

    def after_score(self, me: Card, ev: Event) -> None:
        for player in me.all_players():
            if player not in ev.winners:
                me.let_move(player, "Move which minion?", me.base.minions())


class Tortuga(BaseCard):
    name = "Tortuga"
    breakpoint = 21
    vp = (4, 3, 2)
    text = (
        "After this base scores and another has replaced it, the runner-up may move a minion of"
        " theirs there."
    )

    def after_score_if(self, me: Card, ev: Event) -> bool:
        return bool(ev.runners_up)

    def after_score(self, me: Card, ev: Event) -> None:
        me.after_replacement_do(self, ev.runners_up)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        for player in ev.present:
            elsewhere = [c for c in me.minions() if c.controller is player]
            minion = player.target("Move which minion there?", elsewhere, optional=True)
            me.move(minion, ev.base, by=player)


FACTION = Faction(
    name="Pirates",
    set_name="Core Set",
    blurb="Never where you left them: they sail to the base that scores and away again.",
    cards=(
        PirateKing, Buccaneer, SaucyWench, FirstMate, Broadside, Cannon, Dinghy, FullSail,
        Powderkeg, SeaDogs, Shanghai, Swashbuckling,
    ),
    bases=(TheGreyOpal, Tortuga),
    titans=(TheKraken,),
)  # fmt: skip
