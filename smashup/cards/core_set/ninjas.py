"""Ninjas (Core Set): destroy from the shadows, and appear when a base is about to score."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DESTROYED,
    FREE,
    HAND,
    MINION,
    RETURNED,
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
    Player,
    Titan,
    hooks,
)


class NinjaMaster(Minion):
    name = "Ninja Master"
    power = 5
    text = "You may destroy any minion here."

    def on_play(self, me: Card) -> None:
        me.destroy(me.may_target("Destroy which minion?", me.minions(at=me.base)))


class TigerAssassin(Minion):
    name = "Tiger Assassin"
    power = 4
    copies = 2
    text = "You may destroy a minion here with at most 3 power."

    def on_play(self, me: Card) -> None:
        me.destroy(me.may_target("Destroy which minion?", me.minions(at=me.base, max_power=3)))


class Shinobi(Minion):
    name = "Shinobi"
    power = 3
    copies = 3
    text = (
        "Special: before a base scores, you may play this minion at it. At each base you can use"
        " this ability of one card of this name."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return (
            ev.before_scoring
            and ev.base is not None
            and not me.controller.has_used(self.name, ev.base)
        )

    def special_bases(self, me: Card, ev: Event) -> list[Base]:
        return [ev.base] if ev.base is not None else []

    def on_play(self, me: Card) -> None:
        if me.reacts_to is not None:  # played by its own Special
            me.controller.mark_has_used(self.name, me.base)


class NinjaAcolyte(Minion):
    name = "Ninja Acolyte"
    power = 2
    copies = 4
    special_abilities = hooks(Hook.TALENT)
    text = (
        "Special: on your turn, before you have played a minion, you may return this minion to hand"
        " and immediately play an extra minion here. You have to do both."
    )
    keywords = "special extra"

    def apply_current_printing(self) -> None:
        self.special_abilities = ()
        self.text = (
            "Talent: if no minion was played by you on this turn, return this minion to hand and"
            " immediately play an extra minion here."
        )
        self.keywords = "talent extra"

    def talent_if(self, me: Card) -> bool:
        you = me.controller
        if you.cards_played(MINION, on_turn=True):
            return False
        minions = [c for c in (*you.hand, me) if c.is_minion and (c is not me or me.owner is you)]
        return any(you.can_play(c, me.base) for c in minions)

    def talent(self, me: Card) -> None:
        here = me.base
        if me.return_to_hand(me):
            me.controller.extra_minion(at=here, must=True)


class Assassination(ActionOnMinion):
    name = "Assassination"
    text = "Play on a minion. Ongoing: at the end of the turn, destroy the minion."
    keywords = "ongoing"

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return True

    def end_of_turn(self, me: Card, ev: Event) -> None:
        me.destroy(me.host)


class Disguise(Action):
    name = "Disguise"
    affects_minions = True
    text = (
        "Choose one or two of your minions at one base. Immediately play as many extra minions"
        " there, then return the chosen ones to hand. You have to do both."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        first = me.target(
            "Return which minion?", [c for c in me.minions(YOURS) if self.substitutes(you, c.base)]
        )
        if first is None:
            return
        here = first.base
        chosen = [first]
        if self.substitutes(you, here) > 1:
            second = me.may_target("Return which minion?", me.minions(YOURS, here, but=first))
            chosen += [second] if second is not None else []
        for _ in chosen:
            you.extra_minion(at=here, must=True)
        me.return_to_hand(chosen)

    def substitutes(self, you: Player, base: Base) -> int:
        """How many minions in hand can be played there."""
        return sum(c.is_minion and you.can_play(c, base) for c in you.hand)


class HiddenNinja(Action):
    name = "Hidden Ninja"
    special = "only"
    text = "Special: play before a base scores. Play a minion there, as an extra minion."
    keywords = "special extra"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion(at=me.scoring_base, at_once=True)


class Infiltrate(ActionOnBase):
    name = "Infiltrate"
    copies = 2
    text = (
        "Play on a base. Destroy another action on this base. Ongoing: until your next turn starts,"
        " the abilities of this base do not exist for you and your cards."
    )
    keywords = "ongoing"
    only_printed = hooks(Hook.IGNORES_BASE, Hook.START_OF_TURN)
    only_current = hooks(Hook.TALENT)

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. You may destroy another action on this base. Talent: destroy this"
            " action. If you do, the abilities of this base are cancelled until your next turn"
            " starts."
        )
        self.keywords = "talent"

    def on_play(self, me: Card) -> None:
        actions = [c for c in me.base.actions() if c is not me]
        if self.has_current_text:
            me.destroy(me.may_target("Destroy which action?", actions))
        else:
            me.tokens = 1
            me.destroy(me.target("Destroy which action?", actions))

    def ignores_base(self, me: Card, player: Player) -> bool:
        return player is me.controller and me.tokens > 0

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.tokens = 0

    def talent(self, me: Card) -> None:
        base = me.base.card
        if me.destroy(me):
            me.cancel_abilities(base, until=YOUR_NEXT_TURN)


class Poison(ActionOnMinion):
    name = "Poison"
    text = (
        "Play on a minion. Destroy any number of other actions on it. Ongoing: the minion has -4"
        " power."
    )
    keywords = "ongoing"

    def on_play(self, me: Card) -> None:
        if me.host is not None:
            others = [c for c in me.host.actions if c is not me]
            me.destroy(me.controller.choose_some("Destroy which action?", others))

    def host_bonus(self, me: Card, host: Card) -> int:
        return -4


class SeeingStars(Action):
    name = "Seeing Stars"
    copies = 2
    affects_minions = True
    text = "Destroy a minion with at most 3 power."

    def on_play(self, me: Card) -> None:
        me.destroy(me.target("Destroy which minion?", me.minions(max_power=3)))


class SmokeBomb(ActionOnMinion):
    name = "Smoke Bomb"
    text = (
        "Play on a minion of yours. Ongoing: other players' actions do not affect it. At the start"
        " of your turn, destroy this action."
    )
    keywords = "ongoing"
    only_printed = hooks(Hook.START_OF_TURN)

    def apply_current_printing(self) -> None:
        self.text = "Play on a minion of yours. Ongoing: other players' actions do not affect it."

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        is_foreign = cause.controller not in (-1, me.controller.index)
        return card is me.host and cause.type == ACTION and is_foreign

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.destroy(me)


class WayOfDeception(Action):
    name = "Way of Deception"
    affects_minions = True
    text = "Move a minion of yours to another base."

    def on_play(self, me: Card) -> None:
        minion = me.target("Move which minion?", me.minions(YOURS))
        if minion is not None:
            me.move(minion, me.choose_base("Move it to which base?", me.other_bases(minion.base)))


class InvisibleNinja(Titan):
    name = "Invisible Ninja"
    titan_cost = FREE
    optional = True
    notes_start_of_turn = True
    text = (
        "Special: on your turn, unless this titan was in play when the turn started, you may"
        " discard a card to play it at a base where you have a minion. Ongoing: once per turn,"
        " after you destroy a card of another player or return a minion of yours to hand, you may"
        " look at the top two cards of your deck, draw one of them and shuffle the other in."
        " Special: at the start of your turn, you may destroy this titan to play an extra minion"
        " with at most 3 power."
    )
    keywords = "special ongoing extra"
    special_abilities = hooks(Hook.START_OF_TURN)

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        you = me.owner
        return bool(you.hand) and place.has_minion_of(you) and not me.was_in_play_at_start

    def on_play(self, me: Card) -> None:
        me.controller.discard_from_hand(1)

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        you = me.controller
        card = ev.card
        if me.used_this_turn(you) or ev.by is not you:
            return False
        if ev.how == DESTROYED:
            return card.controller is not you
        is_yours = card.definition.type == MINION and card.controller is you
        return ev.how == RETURNED and is_yours and card.owner is you and ev.to == HAND

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        you = me.controller
        if me.used_this_turn(you) or not me.may("Look at the top two cards of your deck?"):
            return
        me.mark_used(you)
        seen = you.look_at_deck(2)
        drawn = you.choose("Draw which card?", seen)
        you.put(drawn, to=HAND)
        you.put_back([c for c in seen if c is not drawn], to=DECK_SHUFFLED)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        you = me.controller
        if me.may("Destroy the titan to play an extra minion?") and me.destroy(me):
            you.extra_minion(max_power=3)


class NinjaDojo(BaseCard):
    name = "Ninja Dojo"
    breakpoint = 18
    vp = (2, 3, 2)
    text = "After this base scores, the winner may destroy a minion at any base."

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            minion = winner.target("Destroy which minion?", me.minions(), optional=True)
            me.destroy(minion, by=winner)


class TempleOfGoju(BaseCard):
    name = "Temple of Goju"
    breakpoint = 18
    vp = (2, 3, 2)
    text = (
        "After this base scores, the strongest minion that each player has here goes to the bottom"
        " of its owner's deck."
    )

    def after_score(self, me: Card, ev: Event) -> None:
        chosen = []
        for player in me.all_players():
            minions = me.base.minions(of=player)
            most = max((c.power for c in minions), default=0)
            strongest = [c for c in minions if c.power == most]
            if len(strongest) > 1:
                chosen.append(player.target("Put which minion on the bottom?", strongest))
            chosen += strongest if len(strongest) == 1 else []
        me.put(chosen, to=DECK_BOTTOM)


FACTION = Faction(
    name="Ninjas",
    set_name="Core Set",
    blurb="A knife for every small minion, and somebody nobody saw at the base that scores.",
    cards=(
        NinjaMaster, TigerAssassin, Shinobi, NinjaAcolyte, Assassination, Disguise, HiddenNinja,
        Infiltrate, Poison, SeeingStars, SmokeBomb, WayOfDeception,
    ),
    bases=(NinjaDojo, TempleOfGoju),
    titans=(InvisibleNinja,),
)  # fmt: skip
