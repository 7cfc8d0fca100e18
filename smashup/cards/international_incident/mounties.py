"""Mounties (International Incident): minions on the move that grow strong in company."""

from __future__ import annotations

from smashup.cards.language import (
    HAND,
    OTHERS,
    YOUR_NEXT_TURN,
    YOURS,
    Action,
    ActionOnBase,
    ActionOnMinion,
    Base,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Hook,
    Minion,
    hooks,
)


def has_company(me: Card, base: Base) -> bool:
    """Whether another player has a minion there."""
    return bool(me.minions(OTHERS, base))


def your_bases(me: Card) -> list[Base]:
    """Bases where "you" have a minion."""
    return [b for b in me.bases() if b.has_minion_of(me.controller)]


class MountieMajor(Minion):
    name = "Mountie Major"
    power = 4
    text = (
        "Ongoing: this minion has +1 power for each minion here of the other player who has the"
        " most minions here."
    )
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return max(len(me.base.minions(of=other)) for other in me.other_players())


class NorthernMover(Minion):
    name = "Northern Mover"
    power = 4
    copies = 2
    text = (
        "Talent: choose another minion of yours and move it to another base or give it +1 power"
        " this turn."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        minion = me.target("Choose a minion", me.minions(YOURS, but=me))
        if minion is None:
            return
        if me.choose_mode("Move it to another base", "Give it +1 power") == 0:
            to = me.choose_base("Move it to which base?", me.other_bases(minion.base))
            me.move(minion, to)
        else:
            me.gain_power(minion, 1)


class WarCanuck(Minion):
    name = "War Canuck"
    power = 3
    copies = 3
    text = "Ongoing: this minion has +1 power while another player has a minion here."
    keywords = "ongoing"
    only_printed = hooks(Hook.POWER_BONUS)
    only_current = hooks(Hook.TALENT)

    def apply_current_printing(self) -> None:
        self.text = (
            "Talent: if another player has a minion here, this minion has +2 power until the start"
            " of your next turn."
        )
        self.keywords = "talent"

    def power_bonus(self, me: Card) -> int:
        return 1 if has_company(me, me.base) else 0

    def talent(self, me: Card) -> None:
        if has_company(me, me.base):
            me.gain_power(me, 2, until=YOUR_NEXT_TURN)


class Dudlee(Minion):
    name = "Dudlee"
    power = 2
    copies = 4
    text = (
        "Talent: move this minion to a base where another player has a minion. If it moves, it has"
        " +1 power this turn."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        bases = [b for b in me.other_bases() if has_company(me, b)]
        if me.move(me, me.choose_base("Move to which base?", bases)):
            me.gain_power(me, 1)


class AlwaysGetOurMan(Action):
    name = "Always Get Our Man"
    affects_minions = True
    text = (
        "Move a minion of yours to the base of another player's minion with less power. If you do,"
        " destroy that minion at the end of the turn."
    )

    def on_play(self, me: Card) -> None:
        hunters = [m for m in me.minions(YOURS) if self.prey(me, m)]
        hunter = me.target("Move which minion?", hunters)
        if hunter is not None:
            man = me.choose("Go after which minion?", self.prey(me, hunter))
            if man is not None and me.move(hunter, man.base):
                me.controller.at_end_of_turn(self, man)

    def prey(self, me: Card, hunter: Card) -> list[Card]:
        """Weaker minions elsewhere; the power counts as it is before the move."""
        return me.minions(OTHERS, max_power=hunter.power - 1, not_at=hunter.base)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        me.destroy(me)


class BattleMoose(ActionOnMinion):
    name = "Battle Moose"
    text = (
        "Play on a minion of yours. Ongoing: other players' cards cannot destroy your minions here."
    )
    keywords = "ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return (
            card.is_minion
            and card.controller is me.controller
            and card.base is me.base
            and cause.controller not in (-1, me.controller.index)
        )


class BringEmIn(ActionOnMinion):
    name = "Bring 'Em In"
    text = (
        "Play on a minion. Ongoing: after the minion moves to another base, it gets a +1 power"
        " counter."
    )
    keywords = "ongoing counters"

    def after_move_if(self, me: Card, ev: Event) -> bool:
        return ev.card is me.host

    def after_move(self, me: Card, ev: Event) -> None:
        me.place_counters(1, on=me.host)


class Eh(Action):
    name = "Eh?"
    special = "also"
    special_timing = hooks(Hook.AFTER_PLAY)
    special_is_extra = True
    affects_minions = True
    raises_minions = True
    text = (
        "Special: you may play this as an extra action after the first action you play in a turn."
        " A minion of yours has +1 power this turn. You may put this card back into your hand"
        " instead of discarding it."
    )
    keywords = "special extra"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and ev.card.is_action and ev.amount_anywhere == 1

    def on_play(self, me: Card) -> None:
        me.gain_power(me.target("Which minion gains power?", me.minions(YOURS)), 1)
        if me.may("Put the card back into your hand?"):
            me.goes_to(HAND)


class HaichQ(ActionOnBase):
    name = "Haich-Q"
    text = (
        "Play on a base. Ongoing: your minions here have +1 power. Talent: move a minion of yours"
        " to this base, or from here to another base."
    )
    keywords = "talent ongoing"

    def aura(self, me: Card, card: Card) -> int:
        return 1 if card.controller is me.controller and card.base is me.base else 0

    def talent(self, me: Card) -> None:
        me.move_to_or_from_here(me.target("Move which minion?", me.minions(YOURS)))


class MoveAboot(Action):
    name = "Move Aboot"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = (
        "Choose a base where another player has a minion. Move a minion of yours there from"
        " another base to give it +2 power this turn."
    )

    def on_play(self, me: Card) -> None:
        bases = [b for b in me.bases() if has_company(me, b)]
        base = me.choose_base("Move to which base?", bases)
        if base is not None:
            minion = me.target("Move which minion?", me.minions(YOURS, not_at=base))
            if me.move(minion, base):
                me.gain_power(minion, 2)


class PowerPoutine(Action):
    name = "Power Poutine"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = "Choose a base. Up to two of your minions there have +2 power each this turn."

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Choose a base", your_bases(me))
        if base is not None:
            you = me.controller
            me.gain_power(
                you.choose_some("Which minion gains power?", base.minions(of=you), most=2), 2
            )


class WhenCallsTheBadge(Action):
    name = "When Calls the Badge"
    affects_minions = True
    raises_minions = True
    text = "Choose a base: every minion of yours there gets a +1 power counter."
    keywords = "counters"
    only_current = hooks(Hook.CAN_PLAY_AS_SPECIAL)

    def apply_current_printing(self) -> None:
        self.special = "also"
        self.text = (
            "Choose a base: every minion of yours there gets a +1 power counter. Special: you may"
            " play this before a base scores."
        )
        self.keywords = "special counters"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Choose a base", your_bases(me))
        if base is not None:
            me.place_counters(1, on=base.minions(of=me.controller))


class GreatWhiteNorthEh(BaseCard):
    name = "Great White North, Eh?"
    breakpoint = 21
    vp = (2, 3, 1)
    text = (
        "Before this base scores, each player may move a minion of theirs from here to another base"
        " and give it +1 power this turn."
    )

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return bool(me.base.minions())

    def before_score(self, me: Card, ev: Event) -> None:
        for player in me.all_players():
            mine = me.base.minions(of=player)
            me.gain_power(me.let_move(player, "Move which minion away?", mine), 1)


class StrategicSyrupReserve(BaseCard):
    name = "Strategic Syrup Reserve"
    breakpoint = 23
    vp = (4, 2, 1)
    text = (
        "After you play a minion here, you may move another player's minion from a base where you"
        " have a minion to this base."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        within_reach = [
            m
            for m in me.minions(not_at=me.base)
            if m.controller is not you and m.base.has_minion_of(you)
        ]
        me.let_move(you, "Move which minion here?", within_reach)


FACTION = Faction(
    name="Mounties",
    set_name="International Incident",
    blurb="Ride to where the others are, draw strength from their company and bring them in.",
    cards=(
        MountieMajor, NorthernMover, WarCanuck, Dudlee, AlwaysGetOurMan, BattleMoose, BringEmIn,
        Eh, HaichQ, MoveAboot, PowerPoutine, WhenCallsTheBadge,
    ),
    bases=(GreatWhiteNorthEh, StrategicSyrupReserve),
)  # fmt: skip
