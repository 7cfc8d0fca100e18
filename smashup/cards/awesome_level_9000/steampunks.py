"""Steampunks (Awesome Level 9000): machines on every base, and none of them lost for good."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DESTROYED,
    HAND,
    ON_BASE,
    OTHERS,
    YOURS,
    Action,
    ActionOnBase,
    Base,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Minion,
    Player,
)


def is_yours_here(me: Card, card: Card) -> bool:
    """Whether a card is a minion of "yours" at the base of this one."""
    return card.is_minion and card.controller is me.controller and card.base is me.base


class SteamQueen(Minion):
    name = "Steam Queen"
    power = 5
    text = "Ongoing: other players' cards do not affect your actions."
    keywords = "ongoing"

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        you = me.controller
        return card.is_action and card.controller is you and cause.controller not in (-1, you.index)


class Mechanic(Minion):
    name = "Mechanic"
    power = 4
    copies = 2
    text = (
        "Play an action from your discard pile as an extra action. It must be one that is played on"
        " a base."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        machines = [c for c in you.discarded(ACTION) if c.played_on == ON_BASE and you.can_play(c)]
        you.play(you.choose("Play which action?", machines))


class SteamMan(Minion):
    name = "Steam Man"
    power = 3
    copies = 3
    text = "Ongoing: while an action of yours is on this base, this minion has +1 power."
    keywords = "ongoing"

    def power_bonus(self, me: Card) -> int:
        return 1 if me.base.actions(of=me.controller) else 0


class CaptainAhab(Minion):
    name = "Captain Ahab"
    power = 2
    copies = 4
    text = "Talent: move this minion to another base, one with an action of yours on it."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        ports = [base for base in me.other_bases() if base.actions(of=me.controller)]
        me.move(me, me.choose_base("Move this minion to which base?", ports))


class Aggromotive(ActionOnBase):
    name = "Aggromotive"
    text = "Play on a base. Ongoing: while you have a minion here, you have +5 power here."
    keywords = "ongoing"

    def player_power(self, me: Card, player: Player) -> int:
        return 5 if player is me.controller and me.base.has_minion_of(player) else 0


class ChangeOfVenue(Action):
    name = "Change of Venue"
    text = (
        "Take an action of yours from a base or a minion into your hand, then play it again as an"
        " extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        action = me.target("Take which action into your hand?", me.actions_in_play(YOURS))
        if action is not None and me.put(action, to=HAND):
            you.play(action)


class DifferenceEngine(ActionOnBase):
    name = "Difference Engine"
    text = (
        "Play on a base. Ongoing: at the end of your turn, draw a card if you have a minion here."
    )
    keywords = "ongoing"

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and me.base.has_minion_of(ev.player)

    def end_of_turn(self, me: Card, ev: Event) -> None:
        me.draw()


class EscapeHatch(ActionOnBase):
    name = "Escape Hatch"
    text = (
        "Play on a base. Ongoing: a minion of yours here that would be destroyed is placed into the"
        " hand instead and counts as not destroyed."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: a minion of yours here that would be destroyed is returned to"
            " the hand instead and counts as not destroyed."
        )

    def instead_of_leaving_if(self, me: Card, card: Card, how: int, to: int) -> bool:
        return how == DESTROYED and is_yours_here(me, card)

    def instead_of_leaving(self, me: Card, card: Card, how: int, to: int) -> bool:
        if self.has_current_text:
            return bool(me.return_to_hand(card))
        return bool(me.put(card, to=HAND))


class OrnateDome(ActionOnBase):
    name = "Ornate Dome"
    text = (
        "Play on a base. Destroy the other players' actions on this base. Ongoing: other players"
        " can play no action on this base."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        me.destroy(me.actions_in_play(OTHERS, at=me.base, on_minions=False))

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        on_base = card.is_action and card.played_on == ON_BASE
        return on_base and base is me.base and player is not me.controller


class RotarySlugThrower(ActionOnBase):
    name = "Rotary Slug Thrower"
    text = "Play on a base. Ongoing: all your minions here have +2 power."
    keywords = "ongoing"

    def aura(self, me: Card, card: Card) -> int:
        return 2 if is_yours_here(me, card) else 0


class ScrapDiving(Action):
    name = "Scrap Diving"
    copies = 2
    text = "Take an action from your discard pile into your hand."

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.choose("Which action do you take?", you.discarded(ACTION)), to=HAND)


class Zeppelin(ActionOnBase):
    name = "Zeppelin"
    copies = 2
    text = (
        "Play on a base. Talent: move a minion of yours to this base, or from this base to another."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        me.move_to_or_from_here(me.target("Move which minion?", me.minions(YOURS)))


class InventorsSalon(BaseCard):
    name = "Inventor's Salon"
    breakpoint = 22
    vp = (4, 2, 1)
    text = (
        "After this base scores, the winner may take an action from their discard pile into their"
        " hand."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "After this base scores, the winner may draw an action of their choice from their"
            " discard pile."
        )

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            action = winner.choose(
                "Which action do you take?", winner.discarded(ACTION), optional=True
            )
            if action is None:
                continue
            if self.has_current_text:
                winner.draw_from_discard_pile(action)
            else:
                winner.put(action, to=HAND)


class Workshop(BaseCard):
    name = "Workshop"
    breakpoint = 20
    vp = (4, 2, 1)
    text = "After each action you play on this base, you may play an extra action."
    keywords = "extra"

    def apply_current_printing(self) -> None:
        self.text = (
            "After the first action you play on this base each turn, you may play an extra action."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        if not ev.action_here(me):
            return False
        return not self.has_current_text or ev.amount_alike == 1

    def after_play(self, me: Card, ev: Event) -> None:
        ev.player.extra_action()


FACTION = Faction(
    name="Steampunks",
    set_name="Awesome Level 9000",
    blurb="Bolt engines to the bases, and send your crew wherever they are running.",
    cards=(
        SteamQueen, Mechanic, SteamMan, CaptainAhab, Aggromotive, ChangeOfVenue, DifferenceEngine,
        EscapeHatch, OrnateDome, RotarySlugThrower, ScrapDiving, Zeppelin,
    ),
    bases=(InventorsSalon, Workshop),
)  # fmt: skip
