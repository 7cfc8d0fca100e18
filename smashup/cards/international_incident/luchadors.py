"""Luchadors (International Incident): actions that mark a rival's minion, then make it pay."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_SHUFFLED,
    END_OF_TURN,
    HAND,
    ON_MINION,
    OTHERS,
    YOURS,
    Action,
    ActionOnMinion,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    hooks,
)


def is_set_up(card: Card) -> bool:
    """A Set-Up action is an action with "Set-Up" in its name (International Incident p. 14)."""
    return card.is_action and "Set-Up" in card.name


def has_set_up(minion: Card) -> bool:
    """Whether a Set-Up action is on the minion, whoever played it."""
    return any(is_set_up(action) for action in minion.actions)


def your_actions_on(me: Card, minion: Card) -> list[Card]:
    """The actions on a minion that "you" control."""
    return [action for action in minion.actions if action.controller is me.controller]


class SenorMuchoslam(Minion):
    name = "Señor Muchoslam"
    other_name = "El Sagrado"
    power = 5
    text = (
        "Take an action from your discard pile into your hand. Talent: play an extra action on"
        " another player's minion."
    )
    keywords = "talent extra"

    def apply_current_printing(self) -> None:
        self.name = "El Sagrado"
        self.other_name = "Señor Muchoslam"

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.choose("Which action do you take?", you.discarded(ACTION)), to=HAND)

    def talent(self, me: Card) -> None:
        me.controller.extra_action(on_opponents_minion=True)


class CapaRoja(Minion):
    name = "Capa Roja"
    power = 4
    copies = 2
    text = (
        "Special: before this base scores, you may destroy, for each other player, one minion of"
        " theirs here with at most 3 printed power."
    )
    keywords = "special"
    special_abilities = hooks(Hook.BEFORE_SCORE)

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return any(m.printed_power <= 3 for m in me.minions(OTHERS, me.base))

    def before_score(self, me: Card, ev: Event) -> None:
        if not me.may("Destroy a small minion of each other player?"):
            return
        small = [m for m in me.minions(OTHERS, me.base) if m.printed_power <= 3]
        victims: list[Card | None] = []
        for other in me.other_players():
            theirs = [m for m in small if m.controller is other]
            victims.append(me.target("Destroy which minion?", theirs))
        me.destroy(victims)


class FlorLoca(Minion):
    name = "Flor Loca"
    other_name = "La Torcha"
    power = 3
    copies = 3
    text = (
        "Ongoing: this minion has +2 power while another player's minion here has one of your"
        " actions on it."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.name = "La Torcha"
        self.other_name = "Flor Loca"

    def power_bonus(self, me: Card) -> int:
        return 2 if any(your_actions_on(me, m) for m in me.minions(OTHERS, me.base)) else 0


class YellowDemon(Minion):
    name = "Yellow Demon"
    power = 2
    copies = 4
    text = (
        "You may search your deck and/or your discard pile for a Set-Up action and take it into"
        " your hand."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        found = you.search_piles("Which Set-Up action do you take?", is_set_up, optional=True)
        you.put(found, to=HAND)


class CheapPop(Action):
    name = "Cheap Pop"
    affects_minions = True
    raises_minions = True
    text = (
        "A minion of yours has +2 power this turn; +4 instead if a minion on its base has a"
        " Set-Up action on it."
    )

    def on_play(self, me: Card) -> None:
        minion = me.target("Which minion gains power?", me.minions(YOURS))
        if minion is not None:
            staged = any(has_set_up(m) for m in minion.base.minions())
            me.gain_power(minion, 4 if staged else 2)


class OutForTheCount(Action):
    name = "Out for the Count"
    affects_minions = True
    text = (
        "Choose a minion with one of your actions on it. Return one of those actions to your hand"
        " and destroy the minion."
    )

    def on_play(self, me: Card) -> None:
        marked = [m for m in me.minions() if your_actions_on(me, m)]
        minion = me.target("Destroy which minion?", marked)
        if minion is not None:
            me.return_to_hand(me.choose("Return which action?", your_actions_on(me, minion)))
            me.destroy(minion)


class Pin(ActionOnMinion):
    name = "Pin"
    copies = 2
    text = (
        "Play on a minion with one of your actions on it. Ongoing: the minion's abilities are"
        " cancelled and its power does not count for its controller here."
    )
    keywords = "ongoing"
    cancels_host_only = True

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return bool(your_actions_on(me, host))

    def cancels(self, me: Card, card: Card) -> bool:
        return card is me.host

    def excluded_from_total(self, me: Card, card: Card) -> bool:
        return card is me.host


class PowerfulSetUp(ActionOnMinion):
    name = "Powerful Set-Up"
    text = "Play on another player's minion. Ongoing: your minions here have +1 power."
    keywords = "ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is not me.controller

    def aura(self, me: Card, card: Card) -> int:
        return 1 if card.controller is me.controller and card.base is me.base else 0


class QuickSetUp(ActionOnMinion):
    name = "Quick Set-Up"
    text = "Play on another player's minion. You may play an extra action."
    keywords = "extra"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is not me.controller

    def on_play(self, me: Card) -> None:
        me.controller.extra_action()


class SmartSetUp(ActionOnMinion):
    name = "Smart Set-Up"
    text = (
        "Play on another player's minion. Ongoing: after the first minion played here each turn by"
        " any player, draw a card."
    )
    keywords = "ongoing"
    counts_all_plays = True

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is not me.controller

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.amount_by_all == 1

    def after_play(self, me: Card, ev: Event) -> None:
        me.draw()


class Reversal(Action):
    name = "Reversal"
    special = "only"
    affects_minions = True
    text = (
        "Special: play before a base scores where you are not winning. Until the end of the turn,"
        " take control of a minion there that has a Set-Up action on it. Destroy any number of your"
        " actions on it."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring and me.controller not in me.scoring_base.leaders()

    def on_play(self, me: Card) -> None:
        staged = [m for m in me.minions(at=me.scoring_base) if has_set_up(m)]
        minion = me.target("Take control of which minion?", staged)
        if minion is not None:
            me.take_control(minion, until=END_OF_TURN)
            yours = your_actions_on(me, minion)
            me.destroy(me.controller.choose_some("Destroy which of your actions?", yours))


class SenorMuchoslamVsTheMonsters(Action):
    name = "Señor Muchoslam vs the Monsters"
    other_name = "Sagrado vs the Monsters"
    text = (
        "Choose any number of actions in your discard pile. Take one of them that is played on a"
        " minion into your hand and shuffle the others into your deck."
    )

    def apply_current_printing(self) -> None:
        self.name = "Sagrado vs the Monsters"
        self.other_name = "Señor Muchoslam vs the Monsters"

    def on_play(self, me: Card) -> None:
        you = me.controller
        chosen = you.choose_some("Choose an action", you.discarded(ACTION))
        holds = [c for c in chosen if c.played_on == ON_MINION]
        taken = you.choose("Which action do you take into your hand?", holds)
        you.put(taken, to=HAND)
        you.put([c for c in chosen if c is not taken], to=DECK_SHUFFLED)


class TagTeam(Action):
    name = "Tag-Team"
    text = "Play an extra minion on a base where you have a minion."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion(where_you_have_a_minion=True)


class Ringside(BaseCard):
    name = "Ringside"
    breakpoint = 21
    vp = (4, 2, 1)
    text = "Draw a card whenever an action you play directly affects another player's minion here."

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card.is_action and ev.affects_others_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        ev.player.draw()


class TheSquaredCircle(BaseCard):
    name = "The Squared Circle"
    breakpoint = 18
    vp = (3, 1, 1)
    text = (
        "After the first minion you play here each turn, you may take a random action from your"
        " discard pile into your hand."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.amount == 1

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        actions = you.discarded(ACTION)
        if actions and you.may("Take a random action from your discard pile?"):
            you.put(you.pick_random(actions), to=HAND)


FACTION = Faction(
    name="Luchadors",
    set_name="International Incident",
    blurb="Set a rival's minion up with one action, then pin it, floor it or fight on its side.",
    cards=(
        SenorMuchoslam, CapaRoja, FlorLoca, YellowDemon, CheapPop, OutForTheCount, Pin,
        PowerfulSetUp, QuickSetUp, SmartSetUp, Reversal, SenorMuchoslamVsTheMonsters, TagTeam,
    ),
    bases=(Ringside, TheSquaredCircle),
)  # fmt: skip
