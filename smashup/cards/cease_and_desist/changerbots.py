"""Changerbots (Cease and Desist): a choice of talents each turn, and a price for each."""

from __future__ import annotations

from smashup.cards.language import (
    YOUR_NEXT_TURN,
    YOURS,
    Action,
    ActionOnMinion,
    Base,
    BaseCard,
    Card,
    CardDefinition,
    Cause,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    Titan,
    ability,
    hooks,
)


class LeaderTwo(Minion):
    name = "Leader Two"
    power = 6
    text = "Talent: another minion of yours has +2 power this turn."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        me.gain_power(me.target("Which minion gains power?", me.minions(YOURS, but=me)), 2)


class Solarshout(Minion):
    name = "Solarshout"
    power = 4
    copies = 2
    text = "Talent: play an extra action. This minion has -2 power this turn."
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        me.controller.extra_action()
        me.gain_power(me, -2)


def drive_off(me: Card) -> None:
    """Move to another base, for 1 power until the end of the turn."""
    me.move(me, me.choose_base("Move to which base?", me.other_bases()))
    me.gain_power(me, -1)


class Huffie(Minion):
    name = "Huffie"
    power = 3
    copies = 4
    text = "Talent: move this minion to another base. It has -1 power this turn."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        drive_off(me)


class Bruiser(Minion):
    name = "Bruiser"
    power = 2
    copies = 3
    text = (
        "Ongoing: this minion cannot be destroyed. Talent: until the start of your next turn, this"
        " minion has +2 power but loses its Ongoing ability and every other ability it has."
    )
    keywords = "talent ongoing"

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me

    def talent(self, me: Card) -> None:
        me.gain_power(me, 2, until=YOUR_NEXT_TURN)
        me.lose_abilities(until=YOUR_NEXT_TURN)


class CesiumArmor(ActionOnMinion):
    name = "Cesium Armor"
    text = "Play on a minion. Ongoing: it has +1 power and cannot be destroyed."
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = "Play on a minion. Ongoing: it has +2 power and cannot be destroyed."

    def host_bonus(self, me: Card, host: Card) -> int:
        return 2 if self.has_current_text else 1

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me.host


def is_on_yours(me: Card) -> bool:
    """Whether this action is on a minion of its controller; a copy may be on another."""
    return me.host is not None and me.host.controller is me.controller


class ChangeIntoAGun(ActionOnMinion):
    name = "Change Into A Gun"
    copies = 2
    text = (
        "Play on a minion of yours to destroy a minion with at most 4 power on the same base."
        " Ongoing: the minion this is on has -2 power. At the start of your turn, destroy this"
        " action."
    )
    keywords = "ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def on_play(self, me: Card) -> None:
        if is_on_yours(me):
            me.destroy(me.target("Destroy which minion?", me.minions(at=me.base, max_power=4)))

    def host_bonus(self, me: Card, host: Card) -> int:
        return -2

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.destroy(me)


class ChangeUpAndRollOn(Action):
    name = "Change Up and Roll On"
    special = "only"
    affects_minions = True
    text = (
        "Special: play before a base scores. Move any number of your minions to that base; each of"
        " them has -1 power this turn."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        base = me.scoring_base
        elsewhere = me.minions(YOURS, not_at=base)
        for minion in me.controller.choose_some("Move which minion?", elsewhere):
            if me.move(minion, base):
                me.gain_power(minion, -1)


class FlighterizerTalent(CardDefinition):
    name = "Flighterizer's talent"
    text = "Talent: move this minion to another base. It has -1 power this turn."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        drive_off(me)


FLIGHT = ability(FlighterizerTalent())


class Flighterizer(ActionOnMinion):
    name = "Flighterizer"
    grants_to_host: CardDefinition | None = FLIGHT
    text = (
        "Play on a minion of yours. Ongoing: that minion has “Talent: move this minion to another"
        " base. It has -1 power this turn.”"
    )
    keywords = "talent ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller


class FormMergacon(Action):
    name = "Form Mergacon"
    affects_minions = True
    raises_minions = True
    text = "Choose a base. Each minion you have there now has +1 power this turn."

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Strengthen your minions at which base?", me.bases())
        if base is not None:
            me.gain_power(me.minions(YOURS, at=base), 1)


class MatrixOfBossiness(ActionOnMinion):
    name = "Matrix of Bossiness"
    text = "Play on a minion of yours. Ongoing: that minion counts as having a printed power of 5."
    keywords = "ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def host_printed_power(self, me: Card, host: Card) -> int:
        return 5


class PassengersTalent(CardDefinition):
    name = "Passengers' talent"
    text = (
        "Talent: if this minion moved this turn, move another minion of yours here from the base"
        " it came from."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        origin = me.moved_from
        if origin is not None:
            mates = me.minions(YOURS, at=origin, but=me)
            me.move(me.target("Move which minion here?", mates), me.base)


RIDE = ability(PassengersTalent())


class Passengers(ActionOnMinion):
    name = "Passengers"
    grants_to_host: CardDefinition | None = RIDE
    text = (
        "Play on a minion. Ongoing: that minion has “Talent: if this minion moved this turn, move"
        " another minion of yours here from the base it came from.”"
    )
    keywords = "talent ongoing"


class TheTouchTalent(CardDefinition):
    name = "The Touch's talent"
    text = "Talent: this turn, this minion has +3 power and loses every other ability it has."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        me.gain_power(me, 3)
        me.lose_abilities()


TOUCH = ability(TheTouchTalent())


class TheTouch(ActionOnMinion):
    name = "The Touch"
    grants_to_host: CardDefinition | None = TOUCH
    copies = 2
    text = (
        "Play on a minion of yours. Ongoing: that minion has “Talent: this turn, this minion has"
        " +3 power and loses every other ability it has.”"
    )
    keywords = "talent ongoing"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller


class Mergacon(Titan):
    name = "Mergacon"
    optional = True
    text = (
        "Special: at the start of your turn, you may play this titan on a base where you have two"
        " or more minions. Ongoing: you have +3 power here. Talent: move this titan from here to"
        " another base; it loses its Ongoing ability this turn."
    )
    keywords = "talent special ongoing"
    while_set_aside = hooks(Hook.START_OF_TURN)
    special_abilities = hooks(Hook.START_OF_TURN)

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        you = me.controller
        return ev.player is you and you.can_play(me) and bool(self.crews(me))

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.controller.play(me, at=self.crews(me))

    def crews(self, me: Card) -> list[Base]:
        """Bases where you have two minions or more."""
        return [b for b in me.bases() if len(b.minions(of=me.controller)) >= 2]

    def player_power(self, me: Card, player: Player) -> int:
        return 3 if player is me.controller else 0

    def talent(self, me: Card) -> None:
        me.move(me, me.choose_base("Move to which base?", me.other_bases()))
        me.lose_abilities()


class ChangingRoom(BaseCard):
    name = "Changing Room"
    breakpoint = 22
    vp = (5, 3, 2)
    text = (
        "After a minion here uses a talent of its own or of an action on it, that minion has +1"
        " power this turn."
    )

    def after_talent_if(self, me: Card, ev: Event) -> bool:
        return ev.base is me.base and talent_user(ev) is not None

    def after_talent(self, me: Card, ev: Event) -> None:
        me.gain_power(talent_user(ev), 1)


def talent_user(ev: Event) -> Card | None:
    """The minion that used a talent, of its own or of an action on it."""
    return ev.card if ev.card.is_minion else ev.card.host


class Unicrave(BaseCard):
    name = "Unicrave"
    breakpoint = 19
    vp = (0, 0, 0)
    text = (
        "Before this base scores, the top card of the base deck takes its place. All cards stay"
        " there, this card is discarded, and scoring goes on with the new base."
    )

    def before_score(self, me: Card, ev: Event) -> None:
        me.swap_base()


FACTION = Faction(
    name="Changerbots",
    set_name="Cease and Desist",
    blurb="Shift between fighting, driving and flying: each talent buys you something at a price.",
    cards=(
        LeaderTwo, Solarshout, Huffie, Bruiser, CesiumArmor, ChangeIntoAGun, ChangeUpAndRollOn,
        Flighterizer, FormMergacon, MatrixOfBossiness, Passengers, TheTouch,
    ),
    bases=(ChangingRoom, Unicrave),
    titans=(Mergacon,),
)  # fmt: skip
