"""Bear Cavalry (Awesome Level 9000): chase rivals from base to base, into the next bear."""

from __future__ import annotations

from smashup.cards.language import (
    DESTROYED,
    MINION,
    ON_BASE,
    OTHERS,
    STANDARD,
    YOUR_NEXT_TURN,
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


def chase(me: Card, minions: list[Card], optional: bool = False) -> bool:
    """Move one of these minions to another base; whether it moved."""
    minion = me.controller.target("Move which minion?", minions, optional)
    if minion is None:
        return False
    to = me.choose_base("Move it to which base?", me.other_bases(minion.base))
    return me.move(minion, to)


def is_rival_arriving(me: Card, ev: Event) -> bool:
    """Whether another player's minion moved to the base of this card."""
    rival = ev.card.is_minion and ev.card.controller is not me.controller
    return rival and ev.card is not me and ev.base is me.base


class GeneralIvan(Minion):
    name = "General Ivan"
    power = 6
    only_current = hooks(Hook.AFTER_MOVE)
    text = "Ongoing: none of your minions can be destroyed."
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Ongoing: none of your minions can be destroyed. Once per turn, after a minion of"
            " another player moves, you may give your minions where it went +1 power this turn."
        )

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return card.is_minion and card.controller is me.controller

    def after_move_if(self, me: Card, ev: Event) -> bool:
        rival = ev.card.is_minion and ev.card.controller is not me.controller
        return rival and not me.used_this_turn(me.controller)

    def after_move(self, me: Card, ev: Event) -> None:
        you = me.controller
        if ev.base is None or me.used_this_turn(you) or not ev.base.is_in_play:
            return
        yours = ev.base.minions(of=you)
        if yours and me.may("Give your minions there +1 power?"):
            me.mark_used(you)
            me.gain_power(yours, 1)


class PolarCommando(Minion):
    name = "Polar Commando"
    power = 4
    copies = 2
    only_printed = hooks(Hook.POWER_BONUS, Hook.FORBIDS_DESTRUCTION)
    only_current = hooks(Hook.TALENT)
    text = (
        "Ongoing: while you have no other minion here, this minion has +2 power and cannot be"
        " destroyed."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = "Talent: place a +1 power counter on this minion or on one with less power."
        self.keywords = "talent counters"

    def is_alone(self, me: Card) -> bool:
        return len(me.base.minions(of=me.controller)) == 1

    def power_bonus(self, me: Card) -> int:
        return 2 if self.is_alone(me) else 0

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me and self.is_alone(me)

    def talent(self, me: Card) -> None:
        recruits = [c for c in me.minions() if c is me or c.power < me.power]
        prompt = "Place a +1 power counter on which minion?"
        me.place_counters(1, on=me.target(prompt, recruits))


class BearCavalry(Minion):
    name = "Bear Cavalry"
    other_name = "Grizzled Veteran"
    power = 3
    copies = 3
    text = "Move a minion of another player from here to another base."

    def apply_current_printing(self) -> None:
        self.name = "Grizzled Veteran"
        self.other_name = "Bear Cavalry"
        self.text = "If you like, move a minion of another player from here to another base."

    def on_play(self, me: Card) -> None:
        chase(me, me.minions(OTHERS, me.base), optional=self.has_current_text)


class CubScout(Minion):
    name = "Cub Scout"
    power = 3
    copies = 4
    text = (
        "Ongoing: after a minion of another player moves to this base, destroy it if it has less"
        " power than this minion."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Ongoing: after a minion of another player moves to this base, you may destroy it if it"
            " has less power than this minion. If it is destroyed, you may move a minion of yours"
            " whose printed power is at most 3 to this base."
        )

    def after_move_if(self, me: Card, ev: Event) -> bool:
        # One that moves at the same time was not here before.
        return is_rival_arriving(me, ev) and not me.moved_together_with(ev.card)

    def after_move(self, me: Card, ev: Event) -> None:
        rival = ev.card
        if not (me.is_in_play and rival.is_in_play and rival.base is me.base):
            return
        if rival.power >= me.power:
            return
        if not self.has_current_text:
            me.destroy(rival)
        elif me.may("Destroy {subject}?", about=rival) and me.destroy(rival):
            far = [c for c in me.minions(YOURS, not_at=me.base) if c.printed_power <= 3]
            me.move(me.may_target("Move which minion here?", far), me.base)


class BearHug(Action):
    name = "Bear Hug"
    affects_minions = True
    text = (
        "Every other player destroys the minion of theirs with the least power; among equals their"
        " owner chooses."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Every other player destroys the minion of theirs with the least power, choosing among"
            " equals."
        )

    def on_play(self, me: Card) -> None:
        doomed = []
        rivals = me.other_players()
        for player in rivals:
            theirs = [c for c in me.minions(OTHERS) if c.controller is player]
            least = min((c.power for c in theirs), default=0)
            weakest = [c for c in theirs if c.power == least]
            owner = weakest[0].owner if weakest else player
            by_owner = not self.has_current_text and all(c.owner is owner for c in weakest)
            chooser = owner if by_owner else player
            doomed.append(chooser.target("Destroy which of your minions?", weakest))
        me.destroy(doomed, by=rivals)


class BearNecessities(ActionOnBase):
    name = "Bear Necessities"
    played_on = STANDARD
    only_printed = hooks(Hook.ON_PLAY)
    only_current = hooks(Hook.TALENT)
    text = "Destroy an action on a base or on a minion."

    def apply_current_printing(self) -> None:
        self.played_on = ON_BASE
        self.text = (
            "Play on a base. Talent: until your next turn begins, other players who have a minion"
            " here cannot play extra cards. Destroy this action at the start of that turn."
        )
        self.keywords = "talent extra"

    def on_play(self, me: Card) -> None:
        me.destroy(me.target("Destroy which action?", me.actions_in_play()))

    def talent(self, me: Card) -> None:
        me.base.forbid_extra_plays(by=me.controller)
        me.controller.at_start_of_next_turn(self, me)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        me.destroy(me)


class BearRidesYou(Action):
    name = "Bear Rides You"
    affects_minions = True
    text = "Move a minion of yours to another base."

    def apply_current_printing(self) -> None:
        self.copies = 2
        self.text = (
            "Move any minion to another base. If it is yours, you may cancel the abilities of a"
            " card at its new base, or of that base, until your next turn begins."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        minion = me.target("Move which minion?", self.mounts(me))
        if minion is None:
            return
        to = me.choose_base("Move it to which base?", me.other_bases(minion.base))
        moved = me.move(minion, to)
        if moved and to is not None and self.has_current_text and minion.controller is you:
            there = [c for c in me.cards_in_play() if c.base is to]
            prompt = "Cancel the abilities of which card?"
            me.cancel_abilities(me.may_target(prompt, [*there, to.card]), until=YOUR_NEXT_TURN)

    def mounts(self, me: Card) -> list[Card]:
        return me.minions() if self.has_current_text else me.minions(YOURS)


class Commission(Action):
    name = "Commission"
    copies = 2
    affects_minions = True
    text = (
        "You may play an extra minion immediately. If you do, move a minion of another player from"
        " its base to another base."
    )
    keywords = "extra"

    def apply_current_printing(self) -> None:
        self.text = (
            "You may play an extra minion immediately. If you do, you may move a minion of another"
            " player from its base to another base."
        )

    def on_play(self, me: Card) -> None:
        minion = me.controller.extra_minion(at_once=True)
        if minion is not None and minion.base.is_in_play:
            chase(me, me.minions(OTHERS, minion.base), optional=self.has_current_text)


class HighGround(ActionOnBase):
    name = "High Ground"
    text = (
        "Play on a base. Ongoing: while you have a minion here, destroy each minion of another"
        " player that moves to this base."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: while you have a minion here, after a minion of another"
            " player moves to this base, you may destroy this action. If you do, destroy that"
            " minion, or draw a card and play an extra action."
        )
        self.keywords = "ongoing extra"

    def after_move_if(self, me: Card, ev: Event) -> bool:
        return is_rival_arriving(me, ev) and me.base.has_minion_of(me.controller)

    def after_move(self, me: Card, ev: Event) -> None:
        if ev.card.base is not me.base:
            return
        if not self.has_current_text:
            me.destroy(ev.card)
            return
        you = me.controller
        modes = ("Destroy that minion", "Draw a card and play an extra action")
        chosen = you.choose_mode(*modes, optional=True) if me.is_in_play else -1
        if chosen < 0 or not me.destroy(me):
            return
        if chosen == 0:
            me.destroy(ev.card)
        else:
            you.draw()
            you.extra_action()


class Superiority(ActionOnBase):
    name = "Superiority"
    only_printed = hooks(Hook.FORBIDS_DESTRUCTION, Hook.FORBIDS_MOVE, Hook.FORBIDS_RETURN)
    only_current = hooks(Hook.TALENT)
    text = (
        "Play on a base. Ongoing: other players' cards cannot destroy or move your minions here,"
        " nor return them to your hand."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Talent: if nobody has more power here than you, draw a card, or other"
            " players' cards do not affect your minions here until your next turn begins."
        )
        self.keywords = "talent"

    def guards(self, me: Card, card: Card, cause: Cause) -> bool:
        you = me.controller
        yours = card.is_minion and card.controller is you and card.base is me.base
        return yours and cause.controller not in (-1, you.index)

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return self.guards(me, card, cause)

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        return self.guards(me, card, cause)

    def forbids_return(self, me: Card, card: Card, cause: Cause) -> bool:
        return self.guards(me, card, cause)

    def talent(self, me: Card) -> None:
        you = me.controller
        if you not in me.base.leaders():
            return
        if me.choose_mode("Draw a card", "Your minions here are not affected") == 0:
            me.draw()
        else:
            me.base.shelter_minions(of=you)


class YourePrettyMuchBorscht(Action):
    name = "You're Pretty Much Borscht"
    affects_minions = True
    text = (
        "Choose a base where you have a minion. All minions of the other players there move to one"
        " other base."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        yours = [base for base in me.bases() if base.has_minion_of(you)]
        base = me.choose_base("Move them away from which base?", yours)
        if base is not None:
            rivals = me.minions(OTHERS, base)
            to = me.choose_base("Move them to which base?", me.other_bases(base))
            me.move_together(rivals, to)


class YoureScrewed(Action):
    name = "You're Screwed"
    copies = 2
    affects_minions = True
    text = "Move a minion of another player from a base where you have a minion to another base."

    def apply_current_printing(self) -> None:
        self.copies = 0

    def on_play(self, me: Card) -> None:
        you = me.controller
        chase(me, [c for c in me.minions(OTHERS) if c.base.has_minion_of(you)])


class BearingDown(ActionOnBase):
    name = "Bearing Down"
    copies = 0
    text = (
        "Play on a base. Ongoing: the breakpoint is 2 higher for each player who has a minion here."
        " On a turn on which you moved a minion of another player here, it is that much lower"
        " instead."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.copies = 1

    def breakpoint_change(self, me: Card, base: Base) -> int:
        if base is not me.base:
            return 0
        weight = 2 * len({c.controller for c in base.minions()})
        return -weight if base.minions_moved_here_by(me.controller) else weight


class MajorUrsa(Titan):
    name = "Major Ursa"
    optional = True
    titan_cost = MINION
    text = (
        "Special: you may play this titan instead of your regular minion. Ongoing: after a minion"
        " of another player moves to or from this base, this titan may get a +1 power counter."
        " Talent: place a +1 power counter on a minion here, or move this titan to another base."
    )
    keywords = "talent special ongoing counters"

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return True

    def after_move_if(self, me: Card, ev: Event) -> bool:
        rival = ev.card.is_minion and ev.card.controller is not me.controller
        return rival and me.base in (ev.base, ev.origin)

    def after_move(self, me: Card, ev: Event) -> None:
        if me.is_in_play and me.may("Place a +1 power counter on this titan?"):
            me.place_counters(1, on=me)

    def talent(self, me: Card) -> None:
        if me.choose_mode("Place a +1 power counter on a minion here", "Move this titan") == 0:
            prompt = "Place a +1 power counter on which minion?"
            me.place_counters(1, on=me.target(prompt, me.minions(at=me.base)))
        else:
            me.move(me, me.choose_base("Move this titan to which base?", me.other_bases()))


class FieldOfHonor(BaseCard):
    name = "Field of Honor"
    breakpoint = 18
    vp = (3, 2, 1)
    text = "A player who destroys minions here, one or more at once, gains 1 VP each time."

    def apply_current_printing(self) -> None:
        self.breakpoint = 16
        self.vp = (3, 1, 1)
        self.text = "Once per turn, after you destroy a minion of another player here, gain 1 VP."

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        if ev.by.index < 0 or ev.how != DESTROYED or not self.counts(me, ev, ev.card):
            return False
        if self.has_current_text and me.used_this_turn(ev.by):
            return False
        # Of those that one player destroyed together only one earns the point.
        theirs = [c for c in ev.cards if ev.actors[c] is ev.by]
        return ev.card is next(c for c in theirs if self.counts(me, ev, c))

    def counts(self, me: Card, ev: Event, card: Card) -> bool:
        if card.definition.type != MINION or card.base is not me.base:
            return False
        return not self.has_current_text or card.controller is not ev.by

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        if self.has_current_text:
            if me.used_this_turn(ev.by):
                return
            me.mark_used(ev.by)
        ev.by.gain_vp(1)


class TsarsPalace(BaseCard):
    name = "Tsar's Palace"
    breakpoint = 22
    vp = (5, 3, 2)
    text = "No player can play a minion with at most 2 power here."

    def apply_current_printing(self) -> None:
        self.text = (
            "You can play a minion with at most 2 power here only if you have more power here than"
            " every other player."
        )

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        if base is not me.base or not card.is_minion or card.printed_power > 2:
            return False
        return not self.has_current_text or base.leaders() != [player]


FACTION = Faction(
    name="Bear Cavalry",
    set_name="Awesome Level 9000",
    blurb="Drive your rivals off, and let nobody arrive at your bases alive.",
    cards=(
        GeneralIvan, PolarCommando, BearCavalry, CubScout, BearHug, BearNecessities, BearRidesYou,
        Commission, HighGround, Superiority, YourePrettyMuchBorscht, YoureScrewed, BearingDown,
    ),
    bases=(FieldOfHonor, TsarsPalace),
    titans=(MajorUrsa,),
)  # fmt: skip
