"""Grimms' Fairy Tales (Culture Shock): named minions that work in pairs, and the way to a pair."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    BURIED,
    DECK_SHUFFLED,
    DECK_TOP,
    DESTROYED,
    HAND,
    MINION,
    YOURS,
    Action,
    ActionOnBase,
    Base,
    BaseCard,
    Card,
    Event,
    Faction,
    Minion,
    Player,
)

WOLF = "Big Bad Wolf"
HOOD = "Red Riding Hood"


def minions_named(me: Card, name: str) -> list[Card]:
    """ "The minion X" in play, under any control: a card of another type does not count."""
    return [c for c in me.minions() if c.is_named(name)]


def is_here(me: Card, name: str) -> bool:
    """Whether a card that has this name, of whatever type and controller, is at this base."""
    return any(c.is_named(name) for c in me.base.cards() if not c.is_in(BURIED))


def play_from_discard(me: Card, base: Base) -> None:
    """Play another minion from your discard pile there as an extra minion, if you want."""
    you = me.controller
    fallen = [c for c in you.discarded(MINION) if c is not me and you.can_play(c, at=base)]
    minion = you.choose("Play which minion from your discard pile?", fallen, optional=True)
    you.play(minion, at=base, must=True)


class BigBadWolf(Minion):
    name = WOLF
    power = 6
    mentions = (HOOD,)
    text = (
        "You may destroy a minion here with at most 4 power, unless the minion Red Riding Hood is"
        " in play. Ongoing: after this minion is destroyed, play another minion here from your"
        " discard pile as an extra minion."
    )
    keywords = "ongoing extra"

    def on_play(self, me: Card) -> None:
        if not minions_named(me, HOOD):
            weak = me.minions(at=me.base, max_power=4)
            me.destroy(me.may_target("Destroy which minion?", weak))

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card is me and ev.how == DESTROYED

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        if ev.origin is not None:
            play_from_discard(me, ev.origin)


class CharmingPrincess(Minion):
    name = "Charming Princess"
    power = 4
    mentions = ("Prince Charming",)
    text = "Talent: while Prince Charming is here, play an extra minion here."
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        if is_here(me, "Prince Charming"):
            me.controller.extra_minion(at=me.base)


class PrinceCharming(Minion):
    name = "Prince Charming"
    power = 4
    mentions = ("Charming Princess",)
    text = "Talent: while Charming Princess is here, play an extra action."
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        if is_here(me, "Charming Princess"):
            me.controller.extra_action()


class RedRidingHood(Minion):
    name = HOOD
    power = 3
    mentions = (WOLF,)
    text = (
        "Ongoing: while the minion Big Bad Wolf is not in play, your minions here have +1 power,"
        " this one included."
    )
    keywords = "ongoing"

    def aura(self, me: Card, card: Card) -> int:
        yours = card.controller is me.controller and card.base is me.base
        return 1 if yours and not minions_named(me, WOLF) else 0


class Rumpelstiltskin(Minion):
    name = "Rumpelstiltskin"
    power = 3
    text = "Search your deck for a card; the deck then has that card on top."

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.search("Put which card on top?", you.deck_cards()), to=DECK_TOP)


class TheFrogPrince(Minion):
    name = "The Frog Prince"
    power = 3
    text = (
        "Ongoing: after you play another minion here, you may shuffle this one into your deck. If"
        " you do, play a minion from your discard pile here as an extra minion."
    )
    keywords = "ongoing extra"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and ev.card is not me and ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        base = me.base
        wanted = me.is_in_play and me.may("Shuffle this minion into your deck?")
        if wanted and me.put(me, to=DECK_SHUFFLED):
            play_from_discard(me, base)


class Gretel(Minion):
    name = "Gretel"
    power = 2
    mentions = ("Hansel",)
    text = "Ongoing: this minion has +2 power while Hansel is here."
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return 2 if is_here(me, "Hansel") else 0


class Hansel(Minion):
    name = "Hansel"
    power = 2
    mentions = ("Gretel",)
    text = "Ongoing: this minion has +2 power while Gretel is here."
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return 2 if is_here(me, "Gretel") else 0


class RoseRed(Minion):
    name = "Rose Red"
    power = 2
    mentions = ("The Other Snow White",)
    text = "Ongoing: this minion has +2 power while The Other Snow White is here."
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return 2 if is_here(me, "The Other Snow White") else 0


class TheOtherSnowWhite(Minion):
    name = "The Other Snow White"
    power = 2
    mentions = ("Rose Red",)
    text = "Ongoing: this minion has +2 power while Rose Red is here."
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return 2 if is_here(me, "Rose Red") else 0


class AnotherStory(Action):
    name = "Another Story"
    text = "Shuffle up to three cards from your discard pile back into your deck."

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(
            you.choose_some("Shuffle in which card?", you.discard_pile, most=3), to=DECK_SHUFFLED
        )


class BasketOfGoodies(Action):
    name = "Basket of Goodies"
    text = "Search your deck for an action; the deck then has that action on top."

    def on_play(self, me: Card) -> None:
        you = me.controller
        actions = you.deck_cards(ACTION)
        you.put(you.search("Put which action on top?", actions), to=DECK_TOP)


class Breadcrumbs(Action):
    name = "Breadcrumbs"
    affects_minions = True
    text = "Choose up to two of your minions at the same base. Move them to one other base."

    def on_play(self, me: Card) -> None:
        first = me.may_target("Move which minion?", me.minions(YOURS))
        if first is None:
            return
        company = me.minions(YOURS, first.base, but=first)
        second = me.controller.choose("Which minion goes along?", company, optional=True)
        to = me.choose_base("Move to which base?", me.other_bases(first.base))
        me.move_together([first, second], to)


class FairyGodmothersBlessing(Action):
    name = "Fairy Godmother's Blessing"
    text = "Search your deck for a minion; the deck then has that minion on top."

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.search("Put which minion on top?", you.deck_cards(MINION)), to=DECK_TOP)


class GrimmsBlessing(ActionOnBase):
    name = "Grimms' Blessing"
    copies = 2
    text = (
        "Play on a base. Ongoing: while you have two or more minions here, this card has the names"
        " of all minions you own besides its own name. It has none of their abilities."
    )
    keywords = "ongoing"

    def extra_names(self, me: Card) -> tuple[str, ...]:
        you = me.controller
        return you.minion_names if len(me.base.minions(of=you)) >= 2 else ()


class MouseBirdAndSausage(Action):
    name = "Mouse, Bird and Sausage"
    affects_minions = True
    raises_minions = True
    text = (
        "Choose up to two minions of the same faction at the same base. Each has +2 power this"
        " turn."
    )

    def on_play(self, me: Card) -> None:
        first = me.may_target("Give which minion +2 power?", me.minions())
        if first is None:
            return
        faction = first.definition.faction
        kin = [c for c in me.minions(at=first.base, but=first) if c.definition.faction == faction]
        second = me.controller.choose("Give which other minion +2 power?", kin, optional=True)
        me.gain_power(first, 2)
        me.gain_power(second, 2)


class Teamwork(Action):
    name = "Teamwork"
    copies = 2
    text = (
        "Choose a minion. Search your hand, deck and/or discard pile for a minion named in one of"
        " its abilities. Take it into your hand or play it as an extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        chosen = me.choose("Find a partner of which minion?", me.minions())
        if chosen is not None:
            named = chosen.mentions
            partner = you.search_piles(
                "Find which minion?", lambda c: c.is_minion and c.name in named, hand=True
            )
            you.keep_or_play(partner)


class TheWoodsmansAxe(Action):
    name = "The Woodsman's Axe"
    affects_minions = True
    text = (
        "Destroy an action on a base to play an extra action. Or destroy Big Bad Wolf (the minion),"
        " search your deck for a minion and play it on the same base as an extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        actions = me.actions_in_play(on_minions=False)
        wolves = minions_named(me, WOLF)
        modes = ("Destroy an action on a base", "Destroy Big Bad Wolf")
        if wolves and (not actions or me.choose_mode(*modes) == 1):
            self.destroy_wolf(me, wolves)
        elif me.destroy(me.target("Destroy which action?", actions)):
            me.controller.extra_action()

    def destroy_wolf(self, me: Card, wolves: list[Card]) -> None:
        you = me.controller
        for wolf in me.destroy(me.target("Destroy which Big Bad Wolf?", wolves)):
            you.play(you.search("Play which minion?", you.deck_cards(MINION)), at=wolf.base)


class GingerbreadHouse(BaseCard):
    name = "Gingerbread House"
    breakpoint = 21
    vp = (4, 2, 1)
    text = (
        "Before this base scores, each player may choose exactly two of their minions here that"
        " have the same power. Those have +2 power this turn."
    )

    def paired(self, me: Card, player: Player) -> list[Card]:
        """A player's minions here that have the power of another of theirs."""
        mine = me.base.minions(of=player)
        powers = [c.power for c in mine]
        return [c for c in mine if powers.count(c.power) >= 2]

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return any(self.paired(me, player) for player in me.all_players())

    def before_score(self, me: Card, ev: Event) -> None:
        for player in me.all_players():
            paired = self.paired(me, player)
            first = player.choose("Give which minion +2 power?", paired, optional=True)
            if first is not None:
                twins = [c for c in paired if c is not first and c.power == first.power]
                second = player.choose("And which other of the same power?", twins)
                me.gain_power(first, 2)
                me.gain_power(second, 2)


class WoodlandCottage(BaseCard):
    name = "Woodland Cottage"
    breakpoint = 19
    vp = (3, 1, 1)
    text = (
        "Once per turn, after playing a minion here, you may search your deck for a minion with at"
        " most 3 power and take it into your hand."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and not me.used_this_turn(ev.player)

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if not me.used_this_turn(you) and you.may(
            "Search your deck for a minion of power 3 or less?"
        ):
            me.mark_used(you)
            you.put(
                you.search("Which minion do you take?", you.deck_cards(MINION, max_power=3)),
                to=HAND,
            )


FACTION = Faction(
    name="Grimms' Fairy Tales",
    set_name="Culture Shock",
    blurb="Everybody has a partner in some story: bring the two together, or let the Wolf in.",
    cards=(
        BigBadWolf, CharmingPrincess, PrinceCharming, RedRidingHood, Rumpelstiltskin,
        TheFrogPrince, Gretel, Hansel, RoseRed, TheOtherSnowWhite, AnotherStory, BasketOfGoodies,
        Breadcrumbs, FairyGodmothersBlessing, GrimmsBlessing, MouseBirdAndSausage, Teamwork,
        TheWoodsmansAxe,
    ),
    bases=(GingerbreadHouse, WoodlandCottage),
)  # fmt: skip
