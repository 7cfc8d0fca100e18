"""Itty Critters (Big in Japan): small minions called up for a turn and sent back to the deck."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DISCARD,
    MINION,
    YOURS,
    Action,
    ActionOnBase,
    Base,
    BaseCard,
    Card,
    CardDefinition,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    PlayPermission,
    Titan,
    hooks,
)

RAINBOROC = "Rainboroc"


def search_and_play(me: Card, max_power: int, at: Base | None = None) -> Card | None:
    """Search your deck for a minion and play it as an extra minion: the minion, if played."""
    you = me.controller
    minion = you.search("Play which minion?", you.deck_cards(MINION, max_power=max_power))
    return you.play(minion, at, types=MINION)


def stays_for_the_turn(definition: CardDefinition, you: Player, minion: Card | None) -> None:
    """Have `delayed_effect` send the minion back at the end of the turn."""
    if minion is not None and minion.is_in_play:
        you.at_end_of_turn(definition, minion)


def goes_back(me: Card, ev: Event) -> None:
    """If you still control it, put the minion on the bottom of the deck."""
    if me.controller is ev.player:
        me.put(me, to=DECK_BOTTOM)


class CritterChampion(Minion):
    name = "Critter Champion"
    power = 5
    text = (
        "Talent: search your deck for a minion with at most 2 power and play it here as an extra"
        " minion. At the end of the turn, if you still control it, put it on the bottom of your"
        " deck."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        stays_for_the_turn(self, me.controller, search_and_play(me, 2, me.base))

    def delayed_effect(self, me: Card, ev: Event) -> None:
        goes_back(me, ev)


class CritterCoach(Minion):
    name = "Critter Coach"
    power = 4
    copies = 3
    text = (
        "You may search your deck for a minion with at most 2 power and play it here as an extra"
        " minion. At the end of the turn, if you still control it, put it on the bottom of your"
        " deck."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        if me.may("Search your deck for a minion?"):
            stays_for_the_turn(self, me.controller, search_and_play(me, 2, me.base))

    def delayed_effect(self, me: Card, ev: Event) -> None:
        goes_back(me, ev)


class Calicoin(Minion):
    name = "Calicoin"
    power = 2
    text = "You may place a +1 power counter on another minion here."
    keywords = "counters"

    def on_play(self, me: Card) -> None:
        others = me.minions(at=me.base, but=me)
        me.place_counters(1, me.may_target("Put a +1 power counter on which minion?", others))


class Flooffairy(Minion):
    name = "Flooffairy"
    other_name = "Floofairy"
    power = 2
    text = "You may draw a card."

    def on_play(self, me: Card) -> None:
        if me.may("Draw a card?"):
            me.draw()


class Krakatoad(Minion):
    name = "Krakatoad"
    power = 2
    text = "You may give another minion here +2 power this turn."

    def on_play(self, me: Card) -> None:
        others = me.minions(at=me.base, but=me)
        me.gain_power(me.may_target("Give +2 power to which minion?", others), 2)


class Leafaroo(Minion):
    name = "Leafaroo"
    power = 2
    text = "You may shuffle a card from your discard pile back into your deck."

    def on_play(self, me: Card) -> None:
        you = me.controller
        card = you.choose("Shuffle in which card?", you.discard_pile, optional=True)
        you.put(card, to=DECK_SHUFFLED)


class Shellshock(Minion):
    name = "Shellshock"
    power = 2
    text = "You may destroy another minion here that has at most 2 power."

    def on_play(self, me: Card) -> None:
        others = me.minions(at=me.base, max_power=2, but=me)
        me.destroy(me.may_target("Destroy which minion?", others))


class Tadpour(Minion):
    name = "Tadpour"
    power = 2
    text = "You may move another minion from here to another base."

    def on_play(self, me: Card) -> None:
        minion = me.may_target("Move which minion?", me.minions(at=me.base, but=me))
        if minion is not None:
            me.move(minion, me.choose_base("Move it to which base?", me.other_bases()))


class CoachCombat(Action):
    name = "Coach Combat"
    affects_minions = True
    text = "Choose a minion of yours. Destroy a minion of lower power at the same base."

    def on_play(self, me: Card) -> None:
        mine = me.choose("Which of your minions fights?", me.minions(YOURS))
        if mine is not None:
            weaker = me.minions(at=mine.base, max_power=mine.power - 1)
            me.destroy(me.target("Destroy which minion?", weaker))


class CritterCube(Action):
    name = "Critter Cube"
    affects_minions = True
    text = (
        "Shuffle a minion in play with at most 3 power into your deck, whoever owns it. (You may"
        " draw and play it, but it leaves play to its owner's hand, deck or discard pile.)"
    )

    def on_play(self, me: Card) -> None:
        minion = me.target("Shuffle in which minion?", me.minions(max_power=3))
        me.put(minion, deck=me.controller, to=DECK_SHUFFLED)


class Evolution(Action):
    name = "Evolution"
    copies = 2
    mentions = (RAINBOROC,)
    affects_minions = True
    text = (
        "Destroy a minion of yours. If it is destroyed, either play Rainboroc there, or search"
        " your deck for a minion with at most 1 more power and play it there as an extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        minion = me.target("Destroy which minion?", me.minions(YOURS))
        if minion is None:
            return
        base = minion.base
        power = minion.power
        if not me.destroy(minion):
            return
        titan = me.titan(RAINBOROC)
        modes = ("Play the titan there", "Search your deck for a minion")
        if you.can_play(titan) and me.choose_mode(*modes) == 0:
            you.play(titan, at=base, must=True)
        else:
            search_and_play(me, power + 1, base)


class GottaGetEmAll(Action):
    name = "Gotta Get 'Em All"
    text = "Shuffle one minion of each name in your discard pile into your deck."

    def on_play(self, me: Card) -> None:
        you = me.controller
        by_name = {minion.name: minion for minion in you.discarded(MINION)}
        you.put(list(by_name.values()), to=DECK_SHUFFLED)


class ISelectYou(Action):
    name = "I Select You!"
    text = (
        "Search your deck for a minion with at most 3 power and play it as an extra minion. At the"
        " end of the turn, if you still control it, put it on the bottom of your deck."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        stays_for_the_turn(self, me.controller, search_and_play(me, 3))

    def delayed_effect(self, me: Card, ev: Event) -> None:
        goes_back(me, ev)


class Ittypedia(ActionOnBase):
    name = "Ittypedia"
    copies = 2
    text = "Play on a base. Ongoing: after you play a minion here, it has +1 power this turn."
    keywords = "ongoing"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.player is me.controller

    def after_play(self, me: Card, ev: Event) -> None:
        me.gain_power(ev.card, 1)


class RecallCritter(Action):
    name = "Recall Critter"
    text = (
        "Play a minion with at most 2 power from your discard pile as an extra minion. At the end"
        " of the turn, if you still control it, put it on the bottom of your deck."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        stays_for_the_turn(self, you, you.extra_minion(from_zone=DISCARD, max_power=2))

    def delayed_effect(self, me: Card, ev: Event) -> None:
        goes_back(me, ev)


class SuperEffective(Action):
    name = "Super Effective!"
    text = "Destroy any action in play, whether it is on a base or on a minion."

    def on_play(self, me: Card) -> None:
        me.destroy(me.target("Destroy which action?", me.actions_in_play()))


class Rainboroc(Titan):
    name = RAINBOROC
    text = (
        "Special: after you win a base while this titan is set aside, you may play it on the base"
        " that replaces the one you won. Ongoing: the first time each turn that you play a minion"
        " with at most 2 power here, place a +1 power counter on this titan. Talent: shuffle a"
        " minion with at most 2 power from your discard pile back into your deck. If you do, you"
        " may move this titan to another base."
    )
    keywords = "talent special ongoing counters"
    counts_all_plays = True
    while_set_aside = hooks(Hook.AFTER_REPLACEMENT)
    special_abilities = hooks(Hook.AFTER_REPLACEMENT)

    def after_replacement_if(self, me: Card, ev: Event) -> bool:
        you = me.owner
        return you in ev.winners and me in ev.cards and you.can_play(me)

    def after_replacement(self, me: Card, ev: Event) -> None:
        if ev.base is not None:
            me.owner.play(me, at=ev.base)

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.player is me.controller and ev.is_first_of_power(2)

    def after_play(self, me: Card, ev: Event) -> None:
        me.place_counters(1, me)

    def talent(self, me: Card) -> None:
        you = me.controller
        minion = you.choose("Shuffle in which minion?", you.discarded(MINION, max_power=2))
        if minion is not None:
            you.put(minion, to=DECK_SHUFFLED)
            prompt = "Move the titan to which base?"
            me.move(me, you.choose_base(prompt, me.other_bases(), optional=True))


class CritterCombatClub(BaseCard):
    name = "Critter Combat Club"
    breakpoint = 23
    vp = (4, 3, 1)
    text = (
        "On your turn, you may play an extra minion with at most 2 power here. At the end of the"
        " turn, if you still control it, put it on the bottom of your deck."
    )
    keywords = "extra"

    def grants_play(self, me: Card, player: Player) -> PlayPermission | None:
        return PlayPermission(
            MINION,
            max_power=2,
            at=me.base.serial,
            follow_up=self,
            source_card=me.id,
            once_per_turn_key="extra minion",
        )

    def on_granted_play(self, me: Card, played: Card, by: Player) -> None:
        stays_for_the_turn(self, by, played)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        goes_back(me, ev)


class IttyCity(BaseCard):
    name = "Itty City"
    breakpoint = 20
    vp = (3, 1, 1)
    text = (
        "After the first minion you play here each turn, you may shuffle one random minion from"
        " your discard pile into your deck."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.amount == 1

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if not you.discarded(MINION):
            return
        if you.may("Shuffle a random minion from your discard pile into your deck?"):
            you.put(you.pick_random(you.discarded(MINION)), to=DECK_SHUFFLED)


FACTION = Faction(
    name="Itty Critters",
    set_name="Big in Japan",
    blurb="Call the right little critter at the right moment; by nightfall it is back in the deck.",
    cards=(
        CritterChampion, CritterCoach, Calicoin, Flooffairy, Krakatoad, Leafaroo, Shellshock,
        Tadpour, CoachCombat, CritterCube, Evolution, GottaGetEmAll, ISelectYou, Ittypedia,
        RecallCritter, SuperEffective,
    ),
    bases=(CritterCombatClub, IttyCity),
    titans=(Rainboroc,),
)  # fmt: skip
