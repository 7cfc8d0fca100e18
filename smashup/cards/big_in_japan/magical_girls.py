"""Magical Girls (Big in Japan): talents that grow with the number of friends at one base."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_SHUFFLED,
    DECK_TOP,
    HAND,
    MINION,
    ON_MINION,
    OTHERS,
    YOUR_NEXT_TURN,
    YOURS,
    Action,
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


def friends(me: Card) -> int:
    """How many minions you have here."""
    return len(me.minions(YOURS, me.base))


class LunarCaptain(Minion):
    name = "Lunar Captain"
    power = 5
    text = (
        "Talent: take a minion from your discard pile into your hand. Its power can be at most the"
        " number of your minions here."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        you = me.controller
        fallen = you.discarded(MINION, max_power=friends(me))
        you.put(you.choose("Which minion do you take?", fallen), to=HAND)


class SakuraWarrior(Minion):
    name = "Sakura Warrior"
    power = 4
    text = (
        "Talent: until the start of your next turn, a minion here has -1 power for each minion you"
        " have here now."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        minion = me.target("Weaken which minion?", me.minions(at=me.base))
        me.gain_power(minion, -friends(me), until=YOUR_NEXT_TURN)


class TechnomagicalLass(Minion):
    name = "Technomagical Lass"
    power = 4
    text = (
        "Talent: destroy another player's minion here whose power is at most the number of your"
        " minions here."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        rivals = me.minions(OTHERS, me.base, max_power=friends(me))
        me.destroy(me.target("Destroy which minion?", rivals))


class BewitchingGal(Minion):
    name = "Bewitching Gal"
    power = 3
    text = "Talent: this turn, this base has -1 breakpoint for each minion you have here now."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        me.base.reduce_breakpoint(friends(me))


class FancySuitLad(Minion):
    name = "Fancy Suit Lad"
    power = 3
    text = "Ongoing: other players' cards do not affect your other minions here."
    keywords = "ongoing"

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return (
            cause.controller != me.controller.index
            and card is not me
            and card.is_minion
            and card.controller is me.controller
            and card.base is me.base
        )


class PowerMaid(Minion):
    name = "Power Maid"
    power = 3
    text = (
        "Talent: choose a minion whose power is at most the number of your minions here. Move it to"
        " this base, or from here to another base."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        minions = me.minions(max_power=friends(me))
        me.move_to_or_from_here(me.target("Move which minion?", minions))


class RainbowGirl(Minion):
    name = "Rainbow Girl"
    power = 2
    copies = 2
    text = "Your other minions here now have +1 power this turn."

    def on_play(self, me: Card) -> None:
        me.gain_power(me.minions(YOURS, me.base, but=me), 1)


def fetch(me: Card, name: str) -> None:
    """Search your discard pile and/or your deck for a card and put it into your hand."""
    you = me.controller
    you.put(you.search_piles("Which card do you take?", lambda c: c.is_named(name)), to=HAND)


class BlackMagicat(Minion):
    name = "Black Magicat"
    power = 1
    mentions = ("Lunar Captain",)
    text = "Search your deck and/or discard pile for Lunar Captain and take it into your hand."

    def on_play(self, me: Card) -> None:
        fetch(me, "Lunar Captain")


class WhiteMagicat(Minion):
    name = "White Magicat"
    power = 1
    mentions = ("Power Maid",)
    text = "Search your deck and/or discard pile for Power Maid and take it into your hand."

    def on_play(self, me: Card) -> None:
        fetch(me, "Power Maid")


class CelestialTeleport(Action):
    name = "Celestial Teleport"
    copies = 2
    affects_minions = True
    text = "Move a minion of yours to another base."
    only_printed = hooks(Hook.ON_PLAY)
    only_current = hooks(Hook.TALENT)

    def apply_current_printing(self) -> None:
        self.played_on = ON_MINION
        self.text = "Play on a minion of yours. Talent: move the minion to another base."
        self.keywords = "talent"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def on_play(self, me: Card) -> None:
        self.teleport(me, me.target("Move which minion?", me.minions(YOURS)))

    def talent(self, me: Card) -> None:
        self.teleport(me, me.host)

    def teleport(self, me: Card, minion: Card | None) -> None:
        if minion is not None:
            me.move(minion, me.choose_base("Move it to which base?", me.other_bases(minion.base)))


class Coordination(Action):
    name = "Coordination"
    copies = 2
    mentions = ("Walking Castle",)
    text = "Play an extra minion, or play Walking Castle on any base."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        castle = me.titan("Walking Castle")
        if you.can_play(castle) and me.choose_mode("An extra minion", "Walking Castle") == 1:
            you.play(castle, must=True)
        else:
            you.extra_minion()


class CoronetAttack(Action):
    name = "Coronet Attack"
    affects_minions = True
    text = (
        "Destroy another player's minion whose power is at most the number of your minions on the"
        " same base."
    )

    def on_play(self, me: Card) -> None:
        rivals = [m for m in me.minions(OTHERS) if m.power <= len(me.minions(YOURS, m.base))]
        me.destroy(me.target("Destroy which minion?", rivals))


class KissTheSkySpell(Action):
    name = "Kiss the Sky Spell"
    text = (
        "Take a minion from your discard pile into your hand, and play an extra action if you like."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.choose("Which minion do you take?", you.discarded(MINION)), to=HAND)
        you.extra_action()


class LunarHealingLoveSpell(Action):
    name = "Lunar Healing Love Spell"
    text = "Choose a minion in each player's discard pile. Each goes to its owner's hand."

    def on_play(self, me: Card) -> None:
        you = me.controller
        for player in me.all_players():
            healed = you.choose("Heal which minion?", player.discarded(MINION))
            if player is you:
                you.put(healed, to=HAND)
            elif healed is not None:
                you.give(healed, player, openly=True)


class MagicalStaff(ActionOnMinion):
    name = "Magical Staff"
    text = (
        "Play on a minion of yours. Ongoing: it has +1 power. If it would go to the discard pile,"
        " put it on top of its owner's deck instead."
    )
    keywords = "ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def host_bonus(self, me: Card, host: Card) -> int:
        return 1

    def instead_of_discard_if(self, me: Card, card: Card) -> bool:
        return card is me.host

    def instead_of_discard(self, me: Card, card: Card) -> int:
        return DECK_TOP


class PurgeTheDemon(Action):
    name = "Purge the Demon"
    affects_minions = True
    text = (
        "Choose any card in play, even a base or a titan. Destroy an action on it or remove all"
        " counters from it."
    )
    keywords = "counters"

    def on_play(self, me: Card) -> None:
        bases = [base.card for base in me.bases()]
        card = me.target("Purge which card?", me.cards_in_play() + bases)
        if card is None:
            return
        actions = card.base.actions() if card.is_base else card.actions
        if actions and me.choose_mode("Destroy an action on it", "Remove all counters") == 0:
            me.destroy(me.target("Destroy which action?", actions))
        else:
            me.remove_counters(card)


class SilverShard(Action):
    name = "Silver Shard"
    text = "Each player shuffles all minions from their discard pile into their deck."

    def on_play(self, me: Card) -> None:
        for player in me.all_players():
            player.put(player.discarded(MINION), to=DECK_SHUFFLED)


class WalkingCastle(Titan):
    name = "Walking Castle"
    titan_cost = MINION
    text = (
        "Special: you may play this titan instead of your regular minion, on a base where you have"
        " two or more minions. Ongoing: other players' abilities cannot destroy your minions here."
        " Talent: move this titan to another base, along with up to three of your minions here."
    )
    keywords = "talent special ongoing"

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return len(place.minions(of=me.owner)) >= 2

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return (
            cause.controller not in (-1, me.controller.index)
            and card.is_minion
            and card.controller is me.controller
            and card.base is me.base
        )

    def talent(self, me: Card) -> None:
        to = me.choose_base("Move it to which base?", me.other_bases())
        if to is not None:
            mine = me.minions(YOURS, me.base)
            party = me.controller.choose_some("Which minions move with it?", mine, most=3)
            me.move_together([me, *party], to)


class AkihabaraHigh(BaseCard):
    name = "Akihabara High"
    breakpoint = 20
    vp = (3, 2, 1)
    text = "After a player plays a minion here, their other minions here have +1 power this turn."

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        for minion in me.base.minions(of=ev.player):
            if minion is not ev.card:
                me.gain_power(minion, 1)


class QPoint(BaseCard):
    name = "Q Point"
    breakpoint = 25
    vp = (5, 4, 3)
    text = (
        "Before this base scores, each player keeps one of their minions or actions on it and"
        " destroys the others."
    )

    def before_score(self, me: Card, ev: Event) -> None:
        for player in me.all_players():
            mine = me.base.minions(of=player) + me.base.actions(of=player)
            if len(mine) > 1:
                kept = player.choose("Keep which card?", mine)
                me.destroy([c for c in mine if c is not kept], by=player)


FACTION = Faction(
    name="Magical Girls",
    set_name="Big in Japan",
    blurb="Gather at one base: with every friend there the talents get stronger.",
    cards=(
        LunarCaptain, SakuraWarrior, TechnomagicalLass, BewitchingGal, FancySuitLad, PowerMaid,
        RainbowGirl, BlackMagicat, WhiteMagicat, CelestialTeleport, Coordination, CoronetAttack,
        KissTheSkySpell, LunarHealingLoveSpell, MagicalStaff, PurgeTheDemon, SilverShard,
    ),
    bases=(AkihabaraHigh, QPoint),
    titans=(WalkingCastle,),
)  # fmt: skip
