"""Star Roamers (Cease and Desist): minions beamed up and down, and ensigns that pay for it."""

from __future__ import annotations

from smashup.cards.language import (
    DESTROYED,
    DISCARD,
    HAND,
    MINION,
    RETURNED,
    STANDARD,
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
    hooks,
)


def comes_back_to_you(me: Card, card: Card, how: int, to: int) -> bool:
    """Whether another of your minions is about to return to your hand: yours to own, too."""
    you = me.controller
    return (
        how == RETURNED
        and to == HAND
        and card.is_minion
        and card is not me
        and card.controller is you
        and card.owner is you
    )


class ShipsCaptain(Minion):
    name = "Ship's Captain"
    power = 5
    text = (
        "Search your deck for a minion, reveal it, take it into your hand and shuffle the deck. If"
        " its power is 3 or less, you may play it here as an extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        prompt = "Which minion do you take?"
        minion = you.search(prompt, you.deck_cards(MINION), reveals=True, shuffles=True)
        you.put(minion, to=HAND)
        if minion is not None and minion.printed_power <= 3:
            you.play(minion, at=me.base)


class MedicalOfficer(Minion):
    name = "Medical Officer"
    power = 4
    text = (
        "Ongoing: if another minion of yours would be destroyed, you may return it to its owner's"
        " hand instead."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.replaces_one_per_event = True
        self.text = (
            "Ongoing: if any of your other minions would be returned to your hand, you may leave"
            " one of them where it is and draw a card instead."
        )

    def instead_of_leaving_if(self, me: Card, card: Card, how: int, to: int) -> bool:
        if self.has_current_text:
            return comes_back_to_you(me, card, how, to)
        return (
            how == DESTROYED
            and card.is_minion
            and card is not me
            and card.controller is me.controller
        )

    def instead_of_leaving(self, me: Card, card: Card, how: int, to: int) -> bool:
        if self.has_current_text:
            if me.may_target("Draw a card instead of returning this minion?", [card]) is None:
                return False
            me.draw()
        else:
            if me.may_target("Return this minion instead of losing it?", [card]) is None:
                return False
            me.return_to_hand(card)
        return True


class ScienceOfficer(Minion):
    name = "Science Officer"
    power = 4
    text = (
        "Talent: return a minion of yours with at most 4 power to its owner's hand. Play an extra"
        " minion of another name."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        minion = me.target("Return which minion?", me.minions(YOURS, max_power=4))
        me.return_to_hand(minion)
        me.controller.extra_minion(not_name=minion.name if minion is not None else "")


class ShipsEngineer(Minion):
    name = "Ship's Engineer"
    power = 3
    copies = 3
    text = (
        "Ongoing: if another minion of yours would be returned to your hand, you may instead move"
        " it to another base."
    )
    keywords = "ongoing"

    def instead_of_leaving_if(self, me: Card, card: Card, how: int, to: int) -> bool:
        return comes_back_to_you(me, card, how, to) and bool(me.other_bases(card.base))

    def instead_of_leaving(self, me: Card, card: Card, how: int, to: int) -> bool:
        if me.may_target("Move this minion instead of returning it?", [card]) is None:
            return False
        return me.move(card, me.choose_base("Move it to which base?", me.other_bases(card.base)))


class Ensign(Minion):
    name = "Ensign"
    power = 2
    copies = 4
    text = (
        "Ongoing: when another player plays a card that directly affects another minion of yours"
        " here, you may have it affect this minion instead."
    )
    keywords = "ongoing"

    def redirects_if(self, me: Card, card: Card, cause: Cause) -> bool:
        return (
            cause.controller != me.controller.index
            and card.is_minion
            and card is not me
            and card.controller is me.controller
            and card.base is me.base
        )

    def redirects(self, me: Card, card: Card, cause: Cause) -> bool:
        return me.may_target("Take on what is done to this minion?", [card]) is not None


class Hyperspeed10(Action):
    name = "Hyperspeed 10"
    affects_minions = True
    text = "Choose a base. Move all minions there to one other base."

    def on_play(self, me: Card) -> None:
        origin = me.choose_base("Move all minions from which base?", me.bases())
        if origin is not None:
            to = me.choose_base("Move them to which base?", me.other_bases(origin))
            me.move_together(origin.minions(), to)


class MassTeleport(Action):
    name = "Mass Teleport"
    copies = 2
    affects_minions = True
    text = "Each player chooses one of their minions, which returns to its owner's hand."

    def on_play(self, me: Card) -> None:
        chosen: list[Card | None] = []
        players = me.all_players()
        for player in players:
            mine = [m for m in me.minions() if m.controller is player]
            chosen.append(player.target("Return which minion?", mine))
        me.return_to_hand(chosen, by=players)


class PortMeUp(Action):
    name = "Port Me Up"
    copies = 2
    special = "also"
    affects_minions = True
    text = (
        "Return a minion of yours to its owner's hand. Special: you may play this after a base"
        " scores, to return a minion of yours from that base."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.after_scoring and me.scoring_base.has_minion_of(me.controller)

    def on_play(self, me: Card) -> None:
        window = me.reacts_to
        at = me.scoring_base if window is not None and window.after_scoring else None
        me.return_to_hand(me.target("Return which minion?", me.minions(YOURS, at=at)))


class ProtectorFields(ActionOnBase):
    name = "Protector Fields"
    text = (
        "Play on a base where you have a minion. Ongoing: other players' cards do not affect your"
        " minions here."
    )
    keywords = "ongoing"

    def can_play_at(self, me: Card, place: Base) -> bool:
        return place.has_minion_of(me.controller)

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return (
            cause.controller != me.controller.index
            and card.is_minion
            and card.controller is me.controller
            and card.base is me.base
        )


class TeleportError(Action):
    name = "Teleport Error"
    affects_minions = True
    text = "Choose a minion and move it to a random other base."

    def on_play(self, me: Card) -> None:
        minion = me.target("Move which minion?", me.minions())
        if minion is not None:
            me.move(minion, me.controller.pick_random(me.other_bases(minion.base)))


class TeleportOverflow(Action):
    name = "Teleport Overflow"
    affects_minions = True
    text = (
        "Return a minion of yours to its owner's hand. Reveal any number of minions from your"
        " hand that share one name and play them as extra minions."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        me.return_to_hand(me.target("Return which minion?", me.minions(YOURS)))
        minions = [c for c in you.hand if c.is_minion]
        first = you.choose("Reveal and play which minion?", minions, optional=True, distinct=True)
        if first is None:
            return
        copies = [c for c in minions if c.is_named(first.name) and c is not first]
        crew = [first, *you.choose_some("And which other of that name?", copies)]
        you.show(crew)
        for minion in crew:
            if minion.is_in(HAND):
                you.play(minion, types=MINION)


class WeirdNewWorlds(ActionOnBase):
    name = "Weird New Worlds"
    at_any_base = hooks(Hook.ON_SCORE)
    only_printed = hooks(Hook.ON_SCORE)
    text = (
        "Play on a base. Bring the top card of the base deck into play as one more base. You may"
        " play an extra minion there. Ongoing: the next base that scores is not replaced; then"
        " discard this card."
    )
    keywords = "ongoing extra"

    def apply_current_printing(self) -> None:
        self.played_on = STANDARD
        self.text = (
            "Bring the top card of the base deck into play as one more base. You may play an extra"
            " minion there."
        )
        self.keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        world = you.play_base()
        if world is not None:
            you.extra_minion(at=world)

    def on_score(self, me: Card, ev: Event) -> None:
        me.controller.set_next_base(me, None)
        me.put(me, to=DISCARD)


class WhiplashManeuver(ActionOnBase):
    name = "Whiplash Maneuver"
    text = (
        "Play on a base. Ongoing: if minions of yours on other bases would return to your hand, you"
        " may move any of them here instead."
    )
    keywords = "ongoing"

    def instead_of_leaving_if(self, me: Card, card: Card, how: int, to: int) -> bool:
        return comes_back_to_you(me, card, how, to) and card.base is not me.base

    def instead_of_leaving(self, me: Card, card: Card, how: int, to: int) -> bool:
        return me.move(me.may_target("Move this minion here instead?", [card]), me.base)


class NeutralSpace(BaseCard):
    name = "Neutral Space"
    breakpoint = 18
    vp = (3, 2, 1)
    text = "Other players' minions here do not affect your minions here."

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return (
            cause.type == MINION
            and cause.controller != card.controller.index
            and card.is_minion
            and card.base is me.base
            and any(minion.id == cause.card for minion in me.base.minions())
        )


class USSUndertaking(BaseCard):
    name = "USS Undertaking"
    breakpoint = 22
    vp = (4, 2, 1)
    text = (
        "At the start of your turn, you may move a minion of yours to this base, or from here to"
        " another base."
    )

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return any(minion.controller is ev.player for minion in me.minions())

    def start_of_turn(self, me: Card, ev: Event) -> None:
        you = ev.player
        mine = [minion for minion in me.minions() if minion.controller is you]
        me.let_move(you, "Move which minion to or from here?", mine)


FACTION = Faction(
    name="Star Roamers",
    set_name="Cease and Desist",
    blurb="Beam your crew in and out of trouble, and let the ensigns take the hits.",
    cards=(
        ShipsCaptain, MedicalOfficer, ScienceOfficer, ShipsEngineer, Ensign, Hyperspeed10,
        MassTeleport, PortMeUp, ProtectorFields, TeleportError, TeleportOverflow, WeirdNewWorlds,
        WhiplashManeuver,
    ),
    bases=(NeutralSpace, USSUndertaking),
)  # fmt: skip
