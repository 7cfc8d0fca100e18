"""Minions of Cthulhu (Obligatory Cthulhu): pay in Madness for actions, power and destruction."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    HAND,
    MADNESS_DECK,
    MINION,
    Action,
    ActionOnBase,
    Base,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    Titan,
    hooks,
)


def pass_on_madness(you: Player) -> None:
    """Put a Madness card of one's hand into the hand of another player."""
    madness = you.madness()
    if madness:
        to = you.choose_player("Put it into whose hand?", you.other_players())
        if to is not None:
            you.give(madness[0], to, openly=True)


class StarSpawnOfCthulhu(Minion):
    name = "Star-Spawn of Cthulhu"
    power = 5
    text = "Talent: put a Madness card you hold into the hand of another player."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        pass_on_madness(me.controller)


class CthulhusChosen(Minion):
    name = "Cthulhu's Chosen"
    power = 3
    copies = 3
    special_abilities = hooks(Hook.BEFORE_SCORE)
    at_any_base = hooks(Hook.BEFORE_SCORE)
    text = (
        "Special: before any base scores, you may draw a Madness card. If you do, this minion has"
        " +2 power this turn."
    )
    keywords = "special"

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return me.controller.madness_left > 0

    def before_score(self, me: Card, ev: Event) -> None:
        you = me.controller
        if (
            you.madness_left
            and you.may("Draw a Madness card to give this minion +2 power?")
            and you.draw(deck=MADNESS_DECK)
        ):
            me.gain_power(me, 2)


class ServitorOfCthulhu(Minion):
    name = "Servitor of Cthulhu"
    power = 2
    copies = 4
    text = "Talent: destroy this minion, then put an action from your discard pile on your deck."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        you = me.controller
        me.destroy(me)  # the action comes even if it cannot be destroyed
        found = you.choose("Put which action on top of your deck?", you.discarded(ACTION))
        you.put(found, to=DECK_TOP)


class AltarToCthulhu(ActionOnBase):
    name = "Altar to Cthulhu"
    text = "Play on a base. Ongoing: after each minion you play here, you may play an extra action."
    keywords = "ongoing extra"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: you may play an extra action once per turn, after you play a"
            " minion here."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        you = me.controller
        if self.has_current_text and me.used_this_turn(you):
            return False
        return ev.player is you and ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        if self.has_current_text:
            if me.used_this_turn(ev.player):
                return
            me.mark_used(ev.player)
        ev.player.extra_action()


class CompleteTheRitual(ActionOnBase):
    name = "Complete the Ritual"
    text = (
        "Play on a base where you have a minion. Ongoing: at the start of your turn, every minion"
        " and action here, actions on minions included, goes to the bottom of its owner's deck."
        " What this cannot affect is discarded, and titans are set aside. Then this base and the"
        " top card of the base deck change places."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base where you have a minion. Ongoing: at the start of your turn, every card"
            " here, those on minions included, goes to the bottom of its owner's deck. What this"
            " cannot affect is discarded, and titans are set aside. Then this base and the top card"
            " of the base deck change places."
        )

    def can_play_at(self, me: Card, place: Base) -> bool:
        return place.has_minion_of(me.controller)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        here = me.base
        sunk = [c for c in me.actions_in_play(at=here) if c.is_on_card]
        for c in here.cards():
            if c.is_minion or c.is_action or (self.has_current_text and not c.is_titan):
                sunk.append(c)
        me.put(sunk, to=DECK_BOTTOM)
        here.clear()
        me.swap_base(exchange=True)


class Corruption(Action):
    name = "Corruption"
    copies = 2
    affects_minions = True
    text = "Draw a Madness card and destroy any minion."

    def on_play(self, me: Card) -> None:
        me.controller.draw(deck=MADNESS_DECK)
        me.destroy(me.target("Destroy which minion?", me.minions()))


class CthulhuFhtagn(Action):
    name = "Cthulhu Fhtagn"
    text = (
        "Reveal cards off the top of your deck until two of them are actions. Take those into your"
        " hand and put the others on the bottom of your deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        actions, others = you.reveal_until(ACTION, 2)
        you.put(actions, to=HAND)
        you.put_back(others, to=DECK_BOTTOM)


class FurtheringTheCause(ActionOnBase):
    name = "Furthering the Cause"
    text = (
        "Play on a base. Ongoing: at the end of each player's turn, you gain 1 VP if a minion of"
        " another player was destroyed here this turn."
    )
    keywords = "ongoing"

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return any(me.base.minions_destroyed(of=player) for player in me.other_players())

    def end_of_turn(self, me: Card, ev: Event) -> None:
        me.controller.gain_vp(1)


class ItBeginsAgain(Action):
    name = "It Begins Again"
    text = (
        "Choose as many actions from your discard pile as you like and shuffle them into your deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        chosen = you.choose_some("Shuffle in which action?", you.discarded(ACTION))
        if chosen:
            you.put_back(chosen, to=DECK_SHUFFLED)


class MadnessUnleashed(Action):
    name = "Madness Unleashed"
    text = (
        "Discard as many Madness cards from your hand as you like. After that, for each of them,"
        " you may draw a card and play an extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        chosen = you.choose_some("Discard which Madness card?", you.madness())
        you.discard(chosen)
        for _ in chosen:
            if me.may("Draw a card and play an extra action?"):
                me.draw()
                you.extra_action()


class RecruitByForce(Action):
    name = "Recruit by Force"
    text = (
        "Choose as many minions with at most 3 power from your discard pile as you like and put"
        " them on top of your deck, the last one on top."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        small = you.discarded(MINION, max_power=3)
        for minion in you.choose_some("Put which minion on top of your deck?", small):
            you.put(minion, to=DECK_TOP)


class TheSealIsBroken(Action):
    name = "The Seal is Broken"
    text = "You gain 1 VP and draw a Madness card."

    def on_play(self, me: Card) -> None:
        me.controller.draw(deck=MADNESS_DECK)
        me.controller.gain_vp(1)


class WhispersInDarkness(Action):
    name = "Whispers in Darkness"
    copies = 2
    text = "Draw a Madness card. You may play up to two extra actions."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.draw(deck=MADNESS_DECK)
        me.controller.extra_action()
        me.controller.extra_action()


class Cthulhu(Titan):
    name = "Cthulhu"
    optional = True
    titan_cost = ACTION
    text = (
        "Special: you may play this titan instead of your regular action, on a base where you have"
        " a minion, by drawing two Madness cards. Ongoing: after you draw or play a Madness card,"
        " this titan gets a +1 power counter. Talent: draw a Madness card, or put one you hold into"
        " the hand of another player."
    )
    keywords = "talent special ongoing counters"

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return place.has_minion_of(me.owner) and me.owner.madness_left >= 2

    def on_play(self, me: Card) -> None:
        me.controller.draw(2, deck=MADNESS_DECK)

    def after_draw_if(self, me: Card, ev: Event) -> bool:
        # What it costs to play it was paid before it was there.
        paying = me.is_being_played
        return ev.player is me.controller and not paying and any(c.is_madness for c in ev.cards)

    def after_draw(self, me: Card, ev: Event) -> None:
        drawn = [c for c in ev.cards if c.is_madness]
        ev.player.show([c for c in drawn if c.is_in(HAND)])
        me.place_counters(len(drawn), on=me)

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and ev.card.is_madness

    def after_play(self, me: Card, ev: Event) -> None:
        me.place_counters(1, on=me)

    def talent(self, me: Card) -> None:
        modes = ("Draw a Madness card", "Put a Madness card into another player's hand")
        if me.choose_mode(*modes) == 0:
            me.controller.draw(deck=MADNESS_DECK)
        else:
            pass_on_madness(me.controller)


class MountainsOfMadness(BaseCard):
    name = "Mountains of Madness"
    breakpoint = 20
    vp = (6, 4, 3)
    text = "Each time a minion is played here, the player who owns it then draws a Madness card."

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        ev.card.owner.draw(deck=MADNESS_DECK)


class Rlyeh(BaseCard):
    name = "R'lyeh"
    breakpoint = 18
    vp = (4, 2, 1)
    text = (
        "At the start of your turn, you may destroy a minion of yours here. You gain 1 VP if it is"
        " destroyed."
    )

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return me.base.has_minion_of(ev.player)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        you = ev.player
        mine = me.base.minions(of=you)
        if me.destroy(you.target("Destroy which minion for 1 VP?", mine, optional=True)):
            you.gain_vp(1)


FACTION = Faction(
    name="Minions of Cthulhu",
    set_name="The Obligatory Cthulhu Set",
    blurb="Borrow power against your sanity: strike hard, take points, and pay for it at the end.",
    cards=(
        StarSpawnOfCthulhu, CthulhusChosen, ServitorOfCthulhu, AltarToCthulhu, CompleteTheRitual,
        Corruption, CthulhuFhtagn, FurtheringTheCause, ItBeginsAgain, MadnessUnleashed,
        RecruitByForce, TheSealIsBroken, WhispersInDarkness,
    ),
    bases=(MountainsOfMadness, Rlyeh),
    titans=(Cthulhu,),
    uses_madness=True,
)  # fmt: skip
