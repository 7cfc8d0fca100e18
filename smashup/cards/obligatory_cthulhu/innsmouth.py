"""Innsmouth (Obligatory Cthulhu): one face, many times over."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_BOTTOM,
    DECK_SHUFFLED,
    FREE,
    HAND,
    MADNESS_DECK,
    MINION,
    YOURS,
    Action,
    ActionOnBase,
    Base,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    Titan,
    hooks,
)


def share_a_name(one: Card, other: Card) -> bool:
    """Whether two cards have a name in common."""
    return any(one.is_named(name) for name in other.names)


def namesakes(minion: Card, minions: list[Card]) -> list[Card]:
    """The other minions among these that have a name in common with it."""
    return [c for c in minions if c is not minion and share_a_name(c, minion)]


class TheLocals(Minion):
    name = "The Locals"
    power = 2
    copies = 10
    text = (
        "Reveal three cards off the top of your deck. Take those that are The Locals into your hand"
        " and put the others on the bottom of your deck."
    )
    mentions = ("The Locals",)

    def on_play(self, me: Card) -> None:
        you = me.controller
        revealed = you.reveal_from_deck(3)
        locals_ = [c for c in revealed if c.is_named("The Locals")]
        you.put(locals_, to=HAND)
        you.put_back([c for c in revealed if c not in locals_], to=DECK_BOTTOM)


class InPlainSight(ActionOnBase):
    name = "In Plain Sight"
    text = (
        "Play on a base. Ongoing: other players' cards do not affect your minions here with at most"
        " 2 power."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: other players' cards do not affect your minions here whose"
            " printed power is at most 2."
        )

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        you = me.controller
        if not card.is_minion or card.controller is not you or card.base is not me.base:
            return False
        if cause.controller in (-1, you.index):
            return False
        return (card.printed_power if self.has_current_text else card.power) <= 2


class MysteriesOfTheDeep(Action):
    name = "Mysteries of the Deep"
    text = (
        "If three or more minions of yours at one base have the same name, draw three cards. After"
        " that you may draw two more together with two Madness cards."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        for base in me.bases():
            mine = base.minions(of=you)
            if any(len(namesakes(minion, mine)) >= 2 for minion in mine):
                me.draw(3)
                if me.may("Draw two more cards and two Madness cards?"):
                    me.draw(2)
                    you.draw(2, deck=MADNESS_DECK)
                return


class NewAcolytes(Action):
    name = "New Acolytes"
    text = "Every player shuffles the minions of their discard pile into their deck."

    def on_play(self, me: Card) -> None:
        for player in me.all_players():
            minions = player.discarded(MINION)
            if minions:
                player.put_back(minions, to=DECK_SHUFFLED)


class Recruitment(Action):
    name = "Recruitment"
    text = "Draw up to three Madness cards. You may play an extra minion for each one you drew."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        drawn = 0
        while drawn < 3 and you.madness_left and me.may("Draw a Madness card?"):
            you.draw(deck=MADNESS_DECK)
            drawn += 1
        for _ in range(drawn):
            you.extra_minion()


class ReturnToTheSea(Action):
    name = "Return to the Sea"
    special = "only"
    affects_minions = True
    text = (
        "Special: play after a base scores. Of your minions there, place as many of one name into"
        " your hand as you like."
    )
    keywords = "special"

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: play after a base scores. Of your minions there, return as many of one name"
            " to your hand as you like."
        )

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.after_scoring

    def on_play(self, me: Card) -> None:
        mine = me.minions(YOURS, at=me.scoring_base)
        first = me.may_target("Return which minion?", mine)
        if first is not None:
            more = me.controller.choose_some("Return which minion as well?", namesakes(first, mine))
            if self.has_current_text:
                me.return_to_hand([first, *more])
            else:
                me.put([first, *more], to=HAND)


class SacredCircle(ActionOnBase):
    name = "Sacred Circle"
    text = (
        "Play on a base. Talent: you may play an extra minion here if a minion here has the same"
        " name."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        here = [name for minion in me.minions(at=me.base) for name in minion.names]
        if here:
            me.controller.extra_minion(at=me.base, names=here)


class SpreadingTheWord(Action):
    name = "Spreading the Word"
    copies = 2
    text = (
        "Choose a minion in play. You may play one or two extra minions that have the same name as"
        " it has."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        chosen = you.choose("Play minions named like which one?", me.minions(), distinct=True)
        if chosen is not None and you.extra_minion(names=chosen.names):
            you.extra_minion(names=chosen.names)


class TheDeepOnes(Action):
    name = "The Deep Ones"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = "All minions you have in play now with at most 2 power have +1 power this turn."

    def on_play(self, me: Card) -> None:
        me.gain_power(me.minions(YOURS, max_power=2), 1)


class Dagon(Titan):
    name = "Dagon"
    optional = True
    titan_cost = FREE
    text = (
        "Special: on your turn, you may play this titan where two of your minions have the same"
        " name. Ongoing: you have +1 power here for each minion of yours that has the same name as"
        " another minion here. Talent: play an extra minion here."
    )
    keywords = "talent special ongoing extra"

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        mine = place.minions(of=me.owner)
        return any(namesakes(minion, mine) for minion in mine)

    def player_power(self, me: Card, player: Player) -> int:
        if player is not me.controller:
            return 0
        here = me.base.minions()
        return sum(bool(namesakes(c, here)) for c in here if c.controller is player)

    def talent(self, me: Card) -> None:
        me.controller.extra_minion(at=me.base)


class InnsmouthBase(BaseCard):
    name = "Innsmouth"
    breakpoint = 23
    vp = (5, 3, 2)
    text = (
        "Each time a minion is played here, the player who owns it may then put a card from any"
        " discard pile on the bottom of the deck it belongs to."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.card.owner
        piles = [c for player in me.all_players() for c in player.discard_pile]
        chosen = you.choose("Put which card under its deck?", piles, optional=True)
        if chosen is not None:
            pile = next(p for p in me.all_players() if chosen in p.discard_pile)
            pile.put(chosen, to=DECK_BOTTOM)


class RitualSite(BaseCard):
    name = "Ritual Site"
    breakpoint = 20
    vp = (4, 2, 2)
    only_printed = hooks(Hook.INSTEAD_OF_DISCARD)
    text = (
        "After this base scores, the minions here are not discarded but shuffled into the decks of"
        " their owners."
    )

    def apply_current_printing(self) -> None:
        self.text = "After this base scores, shuffle the minions here into their owners' decks."

    def after_score(self, me: Card, ev: Event) -> None:
        if self.has_current_text:
            me.put(me.base.minions(), to=DECK_SHUFFLED)
        else:
            me.mark_used(me.controller)

    def instead_of_discard_if(self, me: Card, card: Card) -> bool:
        return me.used_this_turn(me.controller) and card.is_minion and card.base is me.base

    def instead_of_discard(self, me: Card, card: Card) -> int:
        return DECK_SHUFFLED


FACTION = Faction(
    name="Innsmouth",
    set_name="The Obligatory Cthulhu Set",
    blurb="Ten Locals who all look alike: find one, and the whole village turns up.",
    cards=(
        TheLocals, InPlainSight, MysteriesOfTheDeep, NewAcolytes, Recruitment, ReturnToTheSea,
        SacredCircle, SpreadingTheWord, TheDeepOnes,
    ),
    bases=(InnsmouthBase, RitualSite),
    titans=(Dagon,),
    uses_madness=True,
)  # fmt: skip
