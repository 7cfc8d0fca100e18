"""Ancient Incas (Culture Shock): actions on bases that build on each other."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_SHUFFLED,
    HAND,
    ON_BASE,
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


def place_counter(me: Card, at: Base | None) -> None:
    """Put a +1 power counter on one of your minions at a base."""
    me.place_counters(1, me.target("A counter for which minion?", me.minions(YOURS, at)))


class SapaInca(Minion):
    name = "Sapa Inca"
    power = 5
    text = (
        "Search your deck and/or discard pile for an action that is played on a base and take it"
        " into your hand. Ongoing: after you play an action on a base, a minion of yours there gets"
        " a +1 power counter."
    )
    keywords = "ongoing counters"

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(
            you.search_piles("Which action do you take?", lambda c: c.played_on == ON_BASE), to=HAND
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return (
            ev.player is me.controller
            and ev.card.played_on == ON_BASE
            and ev.base is not None
            and ev.base.has_minion_of(me.controller)
        )

    def after_play(self, me: Card, ev: Event) -> None:
        place_counter(me, ev.base)


class ChildOfTheSun(Minion):
    name = "Child of the Sun"
    power = 4
    copies = 2
    text = (
        "Ongoing: after the first action you play on this base each turn, you may play an extra"
        " action."
    )
    keywords = "ongoing extra"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and ev.action_here(me) and ev.amount_alike == 1

    def after_play(self, me: Card, ev: Event) -> None:
        me.controller.extra_action()


class IncanEngineer(Minion):
    name = "Incan Engineer"
    power = 3
    copies = 3
    text = (
        "Reveal cards from the top of your deck until one is an action that is played on a base."
        " Take it into your hand and shuffle the others into your deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        found, others = you.reveal_until(ACTION, where=ON_BASE)
        you.put(found, to=HAND)
        you.put_back(others, to=DECK_SHUFFLED)


class Llama(Minion):
    name = "Llama"
    power = 2
    copies = 4
    text = (
        "You may return one of your actions to your hand from another base and play it here as an"
        " extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        actions = me.actions_in_play(YOURS, on_minions=False)
        elsewhere = [c for c in actions if c.base is not me.base]
        action = me.may_target("Return which action?", elsewhere)
        if me.return_to_hand(action) and action in you.hand:
            you.play(action, at=me.base)


class Armory(ActionOnBase):
    name = "Armory"
    copies = 2
    text = "Play on a base. Ongoing: you have +2 power here for each other action of yours on it."
    keywords = "ongoing"

    def player_power(self, me: Card, player: Player) -> int:
        if player is not me.controller:
            return 0
        return 2 * (len(me.base.actions(of=player)) - 1)


class AshlarMasonry(Action):
    name = "Ashlar Masonry"
    special = "only"
    text = (
        "Special: play after a base scores. Of your actions on it, you may return one to your hand"
        " and shuffle the rest into your deck instead of discarding them."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.after_scoring

    def on_play(self, me: Card) -> None:
        mine = me.actions_in_play(YOURS, at=me.scoring_base, on_minions=False)
        returned = me.may_target("Return which action to your hand?", mine)
        if returned is not None:
            me.return_to_hand(returned)
            me.put([c for c in mine if c is not returned], to=DECK_SHUFFLED)


class FortressWalls(ActionOnBase):
    name = "Fortress Walls"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = (
        "Play on a base. A minion of yours here gets a +1 power counter. Ongoing: after you play"
        " another action on this base, you may give a minion of yours here a +1 power counter."
    )
    keywords = "ongoing counters"

    def on_play(self, me: Card) -> None:
        place_counter(me, me.base)

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return (
            ev.player is me.controller
            and ev.action_here(me)
            and me.base.has_minion_of(me.controller)
        )

    def after_play(self, me: Card, ev: Event) -> None:
        minions = me.minions(YOURS, me.base)
        me.place_counters(1, me.may_target("A counter for which minion?", minions))


class GoldenCondor(Action):
    name = "Golden Condor"
    text = (
        "Take any number of your actions on bases back into your hand. You must play each of them"
        " again as an extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        actions = me.actions_in_play(YOURS, on_minions=False)
        returned = me.return_to_hand(you.choose_some("Return which action?", actions))
        while left := [c for c in returned if c in you.hand and you.can_play(c)]:
            action = you.choose("Play which action next?", left)
            if not you.play(action, must=True):
                break
            returned = [c for c in returned if c is not action]


class QuipuStrings(Action):
    name = "Quipu Strings"
    text = (
        "Choose an action in your discard pile that is played on a base and play it as an extra"
        " action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        fit = [c for c in you.discard_pile if c.played_on == ON_BASE and you.can_play(c)]
        action = you.choose("Play which action?", fit, optional=True)
        you.play(action, must=True)


class RoyalHighway(ActionOnBase):
    name = "Royal Highway"
    affects_minions = True
    text = (
        "Play on a base. You may move a minion of yours to this base, or from here to another base."
        " Ongoing: after you play an action on another base, you may move a minion of yours from"
        " here to there or from there to here."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        me.move_to_or_from_here(me.may_target("Move which minion?", me.minions(YOURS)))

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return (
            ev.player is me.controller
            and ev.card.played_on == ON_BASE
            and not ev.is_here(me)
            and bool(self.travellers(me, ev))
        )

    def after_play(self, me: Card, ev: Event) -> None:
        minion = me.may_target("Move which minion?", self.travellers(me, ev))
        if minion is not None:
            me.move(minion, ev.base if minion.base is me.base else me.base)

    def travellers(self, me: Card, ev: Event) -> list[Card]:
        """Your minions at either end of the road."""
        return me.minions(YOURS, me.base) + me.minions(YOURS, ev.base)


class SignsInTheStars(ActionOnBase):
    name = "Signs in the Stars"
    text = (
        "Play on a base. Ongoing: the top card of the base deck lies face up and this base has"
        " its abilities too. At the start of each player's turn, that player may turn it face down"
        " this turn. Talent: put the top card of the base deck on the bottom."
    )
    keywords = "talent ongoing"

    def reveals_base_deck_top(self, me: Card) -> bool:
        return not me.top_base_is_down

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return not me.top_base_is_down

    def start_of_turn(self, me: Card, ev: Event) -> None:
        if ev.player.may("Turn the top base face down this turn?"):
            me.turn_top_base_down()

    def talent(self, me: Card) -> None:
        me.controller.put_top_base_on_bottom()


class TempleOfTheSun(ActionOnBase):
    name = "Temple of the Sun"
    text = (
        "Play on a base and draw a card. Ongoing: draw a card after each further action you play on"
        " this base."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        me.draw()

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and ev.action_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        me.draw()


class Cuzcu(BaseCard):
    name = "Cuzcu"
    breakpoint = 30
    vp = (5, 3, 2)
    text = "The breakpoint is 3 lower for each action on this base."

    def breakpoint_change(self, me: Card, base: Base) -> int:
        return -3 * len(base.actions()) if base is me.base else 0


class MachuPicchu(BaseCard):
    name = "Machu Picchu"
    breakpoint = 20
    vp = (4, 2, 1)
    text = "Draw a card after each action you play on this base."

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.action_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        ev.player.draw()


FACTION = Faction(
    name="Ancient Incas",
    set_name="Culture Shock",
    blurb="Raise walls, temples and roads on the bases and let every stone pay twice.",
    cards=(
        SapaInca, ChildOfTheSun, IncanEngineer, Llama, Armory, AshlarMasonry, FortressWalls,
        GoldenCondor, QuipuStrings, RoyalHighway, SignsInTheStars, TempleOfTheSun,
    ),
    bases=(Cuzcu, MachuPicchu),
)  # fmt: skip
