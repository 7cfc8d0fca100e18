"""Cyborg Apes: minions that grow with the actions played on them."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    HAND,
    OTHERS,
    Action,
    ActionOnMinion,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Hook,
    Minion,
    hooks,
)


class Cyberback(Minion):
    name = "Cyberback"
    power = 5
    plays_from_discard = True
    text = "Ongoing: you may also play actions on this minion from your discard pile."
    keywords = "ongoing"


class Clyde20(Minion):
    name = "Clyde 2.0"
    power = 4
    copies = 2
    text = (
        "Ongoing: if one of your actions on a minion here would go to the discard pile, you may"
        " take it into your hand instead."
    )
    keywords = "ongoing"

    def instead_of_discard_if(self, me: Card, card: Card) -> bool:
        return (
            card.is_action
            and card.is_on_card
            and card.base is me.base
            and (card.controller is me.controller)
        )

    def instead_of_discard(self, me: Card, card: Card) -> int:
        return HAND if me.may("Take {subject} into your hand instead?", about=card) else -1


class Baboom(Minion):
    name = "Baboom"
    power = 3
    copies = 3
    text = "Talent: play an extra action on this minion."
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        me.controller.extra_action(on=me)


class FuriousGeorge(Minion):
    name = "Furious George"
    name_fr = "George en Furie"
    power = 2
    copies = 4
    text = "Ongoing: this minion has +1 power for each action on it."
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return len(me.actions)


class Cyberevolution(ActionOnMinion):
    name = "Cyberevolution"
    copies = 2
    text = "Play on a minion. Ongoing: it has +3 power."
    keywords = "ongoing"

    def host_bonus(self, me: Card, host: Card) -> int:
        return 3


class FlyingMonkey(ActionOnMinion):
    name = "Flying Monkey"
    text = (
        "Play on a minion. Special: after this base scores, you may move the minion to another base"
        " rather than discard it. Destroy this action."
    )
    keywords = "special"
    special_abilities = hooks(Hook.AFTER_SCORE)

    def after_score(self, me: Card, ev: Event) -> None:
        if me.may("Move the minion to another base?"):
            me.move(me.host, me.choose_base("Move it to which base?", me.other_bases()))
            me.destroy(me)


class GoingBananas(Action):
    name = "Going Bananas"
    text = "Choose a base. Destroy other players' actions on it and on minions there."

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Destroy actions at which base?", me.bases())
        if base is not None:
            me.destroy(me.actions_in_play(OTHERS, at=base))


class JuicedUp(ActionOnMinion):
    name = "Juiced Up"
    text = "Play on a minion. Ongoing: it has +2 power for each action on it, this one included."
    keywords = "ongoing"

    def host_bonus(self, me: Card, host: Card) -> int:
        return 2 * len(host.actions)


class MissingUplink(ActionOnMinion):
    name = "Missing Uplink"
    text = "Play on a minion of yours. Ongoing: draw one more card at the end of your turn."
    keywords = "ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def end_of_turn(self, me: Card, ev: Event) -> None:
        me.draw()


class MonkeyOnYourBack(ActionOnMinion):
    name = "Monkey on Your Back"
    text = (
        "Play on a minion of yours. Talent: destroy another player's minion here with at most 4"
        " power. Put this card on the bottom of your deck."
    )
    keywords = "talent"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def talent(self, me: Card) -> None:
        me.destroy(me.target("Destroy which minion?", me.minions(OTHERS, me.base, max_power=4)))
        me.put(me, to=DECK_BOTTOM)


class MonkeySeeMonkeyDo(Action):
    name = "Monkey See, Monkey Do"
    text = (
        "Reveal the top five cards of your deck. Take any number of the actions among them into"
        " your hand and shuffle the rest into your deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        revealed = you.reveal_from_deck(5)
        kept = you.choose_some("Which action do you take?", [c for c in revealed if c.is_action])
        you.put(kept, to=HAND)
        you.put_back([c for c in revealed if c not in kept], to=DECK_SHUFFLED)


class Shielding(ActionOnMinion):
    name = "Shielding"
    copies = 2
    text = (
        "Play on a minion. Ongoing: the minion and the other actions on it are not affected by"
        " other players' actions."
    )
    keywords = "ongoing"

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        host = me.host
        return (
            cause.type == ACTION
            and cause.controller != me.controller.index
            and card is not me
            and host is not None
            and (card is host or card.host is host)
        )


class MonkeyLab(BaseCard):
    name = "Monkey Lab"
    name_fr = "Laboratoire Primitif"
    breakpoint = 23
    vp = (4, 2, 1)
    text = "Minions here have +1 power for each action on them."

    def aura(self, me: Card, card: Card) -> int:
        return len(card.actions) if card.base is me.base else 0


class PrimatePark(BaseCard):
    name = "Primate Park"
    breakpoint = 20
    vp = (3, 2, 1)
    text = (
        "After this base scores, the winner may take any number of their actions on minions here"
        " back into their hand."
    )

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            mine = [c for c in me.base.actions(of=winner, on_minions=True) if c.is_on_card]
            me.return_to_hand(winner.choose_some("Return which action to your hand?", mine))


FACTION = Faction(
    name="Cyborg Apes",
    name_fr="Singes Cyborgs",
    set_name="Science Fiction Double Feature",
    blurb="Wire up a minion with action upon action and watch it outgrow the base.",
    cards=(
        Cyberback, Clyde20, Baboom, FuriousGeorge, Cyberevolution, FlyingMonkey, GoingBananas,
        JuicedUp, MissingUplink, MonkeyOnYourBack, MonkeySeeMonkeyDo, Shielding,
    ),
    bases=(MonkeyLab, PrimatePark),
)  # fmt: skip
