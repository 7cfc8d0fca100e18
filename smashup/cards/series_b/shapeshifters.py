"""Shapeshifters: minions that turn into other minions, or pretend to be them."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_SHUFFLED,
    DISCARD,
    END_OF_TURN,
    HAND,
    MINION,
    OTHERS,
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
    Player,
    hooks,
)


class Doppelgaenger(Minion):
    name = "Doppelgänger"
    power = 5
    text = (
        "Special: when this minion goes from a base to the discard pile, search your deck for a"
        " minion, shuffle the deck and play the minion you found as an extra minion."
    )
    keywords = "special extra"
    special_abilities = hooks(Hook.AFTER_LEAVING_PLAY)

    def apply_current_printing(self) -> None:
        self.special_abilities = hooks()
        self.text = (
            "Ongoing: after this minion goes from play to the discard pile, search your deck for a"
            " minion, shuffle the deck and play the minion you found as an extra minion."
        )
        self.keywords = "ongoing extra"

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card is me and ev.to == DISCARD

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        you = me.controller
        prompt = "Search for which minion?"
        found = you.search(prompt, you.deck_cards(MINION), shuffles=True)
        you.play(found, types=MINION)


class Gelf(Minion):
    name = "G.E.L.F."
    power = 4
    copies = 2
    mentions = ("G.E.L.F.",)
    text = (
        "Talent: search your deck for a minion with at most 4 power that is not a G.E.L.F."
        " Shuffle this minion into your deck and play the one you found here as an extra minion."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        you = me.controller
        base = me.base
        others = [c for c in you.deck_cards(MINION, max_power=4) if not c.is_named(self.name)]
        found = you.search("Search for which minion?", others)
        me.put(me, to=DECK_SHUFFLED)
        you.play(found, at=base)


class Copycat(Minion):
    name = "Copycat"
    power = 2
    copies = 4
    copies_abilities = True
    text = "Choose another player's minion in play. This minion has the same ability this turn."

    def on_play(self, me: Card) -> None:
        model = me.choose("Copy the ability of which minion?", me.minions(OTHERS))
        if model is not None:
            me.copy_ability(model, until=END_OF_TURN)


class Mimic(Minion):
    name = "Mimic"
    power = 0
    copies = 3
    text = "Ongoing: this minion's power is the highest power printed on a minion in play."
    keywords = "ongoing"

    def starting_power(self, me: Card) -> int:
        return max(minion.printed_power for minion in me.minions())


class Really(Action):
    name = "“... Really?”"
    other_name = "...Really?"
    affects_minions = True
    text = (
        "Destroy a minion of yours. Play an extra minion of the same or lower power from your"
        " discard pile."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        minion = me.target("Destroy which minion?", me.minions(YOURS))
        if minion is not None:
            power = minion.power
            me.destroy(minion)
            me.controller.extra_minion(from_zone=DISCARD, max_power=power)


class BactaTheFuture(Action):
    name = "Bacta the Future"
    affects_minions = True
    text = "Destroy a minion. Its owner may immediately play an extra minion."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        minion = me.target("Destroy which minion?", me.minions())
        if minion is not None:
            me.destroy(minion)
            minion.owner.extra_minion(at_once=True)


class CellularBonding(ActionOnMinion):
    name = "Cellular Bonding"
    raises_minions = True
    copies_abilities = True
    text = (
        "Play on a minion and choose an action on a minion. Ongoing: this card has the abilities"
        " of that action. With no action to choose, this card is discarded."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        actions = [c for c in me.actions_in_play(on_bases=False) if c is not me]
        model = me.choose("Copy the abilities of which action?", actions)
        if model is None:
            me.put(me, to=DISCARD)
        else:
            me.copy_ability(model)


class GeneticShift(Action):
    name = "Genetic Shift"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = (
        "Until the end of the turn, either each of your minions in play gets +1 power or one of"
        " them gets +3 power."
    )

    def on_play(self, me: Card) -> None:
        if me.choose_mode("+1 power for each of your minions", "+3 power for one of them") == 0:
            me.gain_power(me.minions(YOURS), 1)
        else:
            me.gain_power(me.target("Which minion gets +3 power?", me.minions(YOURS)), 3)


class Mitosis(Action):
    name = "Mitosis"
    text = (
        "Choose a minion of yours in play. Play a minion of the same name from your hand as an"
        " extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        minion = me.choose("Play a copy of which minion?", me.minions(YOURS))
        if minion is not None:
            me.controller.extra_minion(name=minion.name, at_once=True)


class ShellGame(ActionOnMinion):
    name = "Shell Game"
    text = "Play on a minion. Ongoing: it cannot be destroyed."
    keywords = "ongoing"

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me.host


class SpliceAsNice(ActionOnMinion):
    name = "Splice as Nice"
    text = "Play on a minion. Ongoing: it has +2 power."
    keywords = "ongoing"

    def host_bonus(self, me: Card, host: Card) -> int:
        return 2


class Transmogrify(Action):
    name = "Transmogrify"
    copies = 2
    affects_minions = True
    text = (
        "Destroy a minion of yours. Search your deck for a minion of the same or lower power,"
        " shuffle the deck and play that minion as an extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        minion = me.target("Destroy which minion?", me.minions(YOURS))
        if minion is not None:
            power = minion.power
            me.destroy(minion)
            prompt = "Search for which minion?"
            matches = you.deck_cards(MINION, max_power=power)
            you.play(you.search(prompt, matches, shuffles=True), types=MINION)


class FacelessCity(BaseCard):
    name = "Faceless City"
    breakpoint = 20
    vp = (4, 2, 1)
    text = (
        "Once per turn, after playing a minion here, search your deck for another minion of that"
        " name, reveal it, take it into your hand and shuffle the deck."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Once per turn, after playing a minion here, you may search your deck for another"
            " minion of that name, reveal it, take it into your hand and shuffle the deck."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and not me.used_this_turn(ev.player)

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if me.used_this_turn(you) or (
            self.has_current_text and not you.may("Search your deck for a copy?")
        ):
            return
        me.mark_used(you)
        copies = [c for c in you.deck_cards(MINION) if c.is_named(ev.card.name)]
        prompt = "Which minion do you take?"
        you.put(you.search(prompt, copies, reveals=True, shuffles=True), to=HAND)


class TheVats(BaseCard):
    name = "The Vats"
    breakpoint = 15
    vp = (3, 1, 1)
    text = "You cannot play a minion here if a minion of the same name is here already."

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        return (
            base is me.base
            and card.is_minion
            and any(minion.is_named(card.name) for minion in base.minions())
        )


FACTION = Faction(
    name="Shapeshifters",
    name_fr="Métamorphes",
    set_name="Science Fiction Double Feature",
    blurb="Trade one minion for another, copy what others do best, and grow to match the biggest.",
    cards=(
        Doppelgaenger, Gelf, Copycat, Mimic, Really, BactaTheFuture, CellularBonding,
        GeneticShift, Mitosis, ShellGame, SpliceAsNice, Transmogrify,
    ),
    bases=(FacelessCity, TheVats),
)  # fmt: skip
