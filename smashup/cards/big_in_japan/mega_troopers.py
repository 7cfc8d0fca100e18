"""Mega Troopers (Big in Japan): Specials that turn a base around just before it scores."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_TOP_OR_BOTTOM,
    END_OF_YOUR_TURN,
    HAND,
    MINION,
    ON_BASE,
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
    PlayPermission,
    Titan,
    hooks,
)


def is_behind(player: Player, base: Base) -> bool:
    """Whether a player has more power there; a tie for the most counts as the most."""
    return any(base.power_of(other) > base.power_of(player) for other in player.other_players())


class RedTrooper(Minion):
    name = "Red Trooper"
    extra_titans = 1
    power = 5
    mentions = ("Megabot",)
    text = "Talent: play Megabot here, or move it here."
    keywords = "talent"
    only_current = hooks(Hook.EXTRA_TITANS)

    def apply_current_printing(self) -> None:
        self.text = (
            "Ongoing: you may control one more titan."
            " Talent: play Megabot on another base, or move it to any other base."
        )
        self.keywords = "talent ongoing"

    def talent(self, me: Card) -> None:
        you = me.controller
        own = me.titan("Megabot")
        if you.can_play(own):
            bases = me.other_bases() if self.has_current_text else [me.base]
            if you.play(
                own, at=bases, must=not any(c.is_named("Megabot") for c in me.titans_in_play())
            ):
                return
        bot = me.titan_in_play("Megabot", None if self.has_current_text else me.base)
        if bot is not None:
            bases = me.other_bases(bot.base) if self.has_current_text else [me.base]
            me.move(bot, me.choose_base("Move it to which base?", bases))


class BlueTrooper(Minion):
    name = "Blue Trooper"
    power = 4
    text = "Special: before this base scores, this minion has +2 power this turn."
    keywords = "special"
    special_abilities = hooks(Hook.BEFORE_SCORE)

    def apply_current_printing(self) -> None:
        self.at_any_base = hooks(Hook.BEFORE_SCORE)
        self.text = (
            "Special: before any base scores, you may draw a card or give this minion +2 power"
            " until your turn ends."
        )

    def before_score(self, me: Card, ev: Event) -> None:
        if not self.has_current_text:
            me.gain_power(me, 2)
            return
        mode = me.choose_mode("Draw a card", "Give this minion +2 power", optional=True)
        if mode == 0:
            me.draw()
        elif mode == 1:
            me.gain_power(me, 2, until=END_OF_YOUR_TURN)


class YellowTrooper(Minion):
    name = "Yellow Trooper"
    power = 4
    text = "Special: before this base scores, you may move another minion of yours to this base."
    keywords = "special"
    special_abilities = hooks(Hook.BEFORE_SCORE)

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: before this base scores, you may move another minion of yours to this base,"
            " or from here to another base."
        )

    def before_score(self, me: Card, ev: Event) -> None:
        too_near = None if self.has_current_text else me.base
        minions = me.minions(YOURS, but=me, not_at=too_near)
        me.move_to_or_from_here(me.may_target("Move which minion?", minions))


class BlackTrooper(Minion):
    name = "Black Trooper"
    power = 3
    text = "Ongoing: after any player uses a Special, this minion has +1 power this turn."
    keywords = "ongoing"

    def after_special(self, me: Card, ev: Event) -> None:
        me.gain_power(me, 1)


class GreenTrooper(Minion):
    name = "Green Trooper"
    power = 3
    special = "also"
    special_is_extra = True
    text = "Special: you may play this minion as an extra minion on a base just before it scores."
    keywords = "special extra"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def special_bases(self, me: Card, ev: Event) -> list[Base]:
        return [me.scoring_base]


class PinkTrooper(Minion):
    name = "Pink Trooper"
    power = 3
    text = (
        "Special: after this base scores, return a minion of yours here with at most 3 power to"
        " your hand instead of discarding it."
    )
    keywords = "special"
    special_abilities = hooks(Hook.AFTER_SCORE)

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: after this base scores, you may take a minion of yours here with at most 3"
            " printed power back into your hand."
        )

    def after_score(self, me: Card, ev: Event) -> None:
        mine = me.minions(YOURS, me.base)
        if self.has_current_text:
            small = [m for m in mine if m.printed_power <= 3]
            me.return_to_hand(me.may_target("Return which minion?", small))
        else:
            small = [m for m in mine if m.power <= 3]
            me.return_to_hand(me.target("Return which minion?", small))


class Beta6(Minion):
    name = "Beta 6"
    power = 2
    copies = 4
    text = "Special: before this base scores, this minion has +1 power this turn."
    keywords = "special"
    special_abilities = hooks(Hook.BEFORE_SCORE)

    def apply_current_printing(self) -> None:
        self.at_any_base = hooks(Hook.BEFORE_SCORE)
        self.text = (
            "Special: before any base scores, you may give a minion of yours a +1 power counter."
        )
        self.keywords = "special counters"

    def before_score(self, me: Card, ev: Event) -> None:
        if self.has_current_text:
            me.place_counters(1, on=me.may_target("A counter on which minion?", me.minions(YOURS)))
        else:
            me.gain_power(me, 1)


class BlitzingSwordAttack(Action):
    name = "Blitzing Sword Attack"
    special = "only"
    affects_minions = True
    text = (
        "Special: play before a base scores where you have a titan and are not winning. Destroy a"
        " minion there with at most 4 power."
    )
    keywords = "special"

    def apply_current_printing(self) -> None:
        self.special = "also"
        self.text = (
            "Destroy a minion with at most 4 power on a base where you have a titan. Special: you"
            " may play this before a base scores."
        )

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring and (self.has_current_text or bool(self.within_reach(me)))

    def on_play(self, me: Card) -> None:
        bases = self.within_reach(me)
        minions = [m for m in me.minions(max_power=4) if m.base in bases]
        me.destroy(me.target("Destroy which minion?", minions))

    def within_reach(self, me: Card) -> list[Base]:
        """Bases where you have a titan; as printed only the scoring one, if you do not lead it."""
        bases = [b for b in me.bases() if me.titans_in_play(YOURS, at=b)]
        if self.has_current_text:
            return bases
        return [b for b in bases if b is me.scoring_base and me.controller not in b.leaders()]


class FormMegabot(Action):
    name = "Form Megabot!"
    copies = 2
    mentions = ("Megabot",)
    text = "Play Megabot on a base where you have two or more minions, or move it to one."

    def apply_current_printing(self) -> None:
        self.affects_minions = True
        self.text = "Play Megabot, or move any number of your minions to the base Megabot is on."

    def on_play(self, me: Card) -> None:
        you = me.controller
        own = me.titan("Megabot")
        bases = (
            me.bases() if self.has_current_text else [b for b in me.bases() if has_team(you, b, 2)]
        )
        if you.can_play(own) and you.play(own, at=bases):
            return
        bot = me.titan_in_play("Megabot")
        if bot is None:
            return
        if self.has_current_text:
            elsewhere = me.minions(YOURS, not_at=bot.base)
            minions = you.choose_some("Move which minion to Megabot?", elsewhere)
            me.move_together(minions, bot.base)
        else:
            bases = [b for b in bases if b is not bot.base]
            me.move(bot, me.choose_base("Move it to which base?", bases))


def has_team(player: Player, base: Base, size: int) -> bool:
    """Whether a player has that many minions there."""
    return len(base.minions(of=player)) >= size


class ItsBlitzinTime(Action):
    name = "It's Blitzin' Time!"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = "A minion of yours has +3 power this turn."

    def apply_current_printing(self) -> None:
        self.copies = 1
        self.text = "A minion of yours has +4 power this turn."

    def on_play(self, me: Card) -> None:
        minion = me.target("Which minion gains power?", me.minions(YOURS))
        me.gain_power(minion, 4 if self.has_current_text else 3)


class LightningCrystal(Action):
    name = "Lightning Crystal"
    text = "Destroy an action that is on a base or on a minion."

    def apply_current_printing(self) -> None:
        self.text = "Destroy an action in play or a titan."

    def on_play(self, me: Card) -> None:
        cards = me.actions_in_play()
        if self.has_current_text:
            cards += me.titans_in_play()
        me.destroy(me.target("Destroy which card?", cards))


class LightningRescue(Action):
    name = "Lightning Rescue!"
    special = "only"
    text = "Special: play before a base scores. You may immediately play an extra action."
    keywords = "special extra"

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: play before a base scores where you have a minion and another player has more"
            " power than you. You may immediately play an extra action."
        )

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        if not ev.before_scoring:
            return False
        you = me.controller
        base = me.scoring_base
        return not self.has_current_text or (base.has_minion_of(you) and is_behind(you, base))

    def on_play(self, me: Card) -> None:
        me.controller.extra_action()


class MegaAttack(Action):
    name = "Mega Attack"
    affects_minions = True
    text = (
        "Destroy a minion whose power is less than the total power of your minions on the same"
        " base."
    )

    def apply_current_printing(self) -> None:
        self.copies = 0

    def on_play(self, me: Card) -> None:
        weaker = [m for m in me.minions() if m.power < self.team_power(me, m.base)]
        me.destroy(me.target("Destroy which minion?", weaker))

    def team_power(self, me: Card, base: Base) -> int:
        return sum(m.power for m in me.minions(YOURS, base))


class PlanForMore(Action):
    name = "Plan for More!"
    text = (
        "Reveal the top three cards of your deck. Draw the minions among them; you may play one of"
        " those as an extra minion. Put the rest back on top in any order."
    )
    keywords = "extra"

    def apply_current_printing(self) -> None:
        self.copies = 2
        self.text = (
            "Look at the top three cards of your deck. You may draw one of them, or play one as an"
            " extra minion. Put the rest on the top and/or bottom of your deck in any order."
        )

    def on_play(self, me: Card) -> None:
        if self.has_current_text:
            self.look_and_take_one(me.controller)
        else:
            self.reveal_and_take_minions(me.controller)

    def reveal_and_take_minions(self, you: Player) -> None:
        revealed = you.reveal_from_deck(3)
        minions = [c for c in revealed if c.is_minion]
        you.put(minions, to=HAND)
        playable = [m for m in minions if you.can_play(m)]
        minion_to_play = you.choose("Play which minion?", playable, optional=True)
        you.play(minion_to_play, must=True, types=MINION)
        you.put_back([c for c in revealed if c not in minions], in_any_order=True)

    def look_and_take_one(self, you: Player) -> None:
        seen = you.look_at_deck(3)
        taken: Card | None = None
        mode = you.choose_mode("Draw one of them", "Play one as an extra minion", optional=True)
        if mode == 0:
            taken = you.choose("Draw which card?", seen)
            you.put(taken, to=HAND)
        elif mode == 1:
            playable = [c for c in seen if c.is_minion and you.can_play(c)]
            taken = you.choose("Play which minion?", playable)
            you.play(taken, must=True, types=MINION)
        you.put_back([c for c in seen if c is not taken], to=DECK_TOP_OR_BOTTOM, in_any_order=True)


class PowerPose(Action):
    name = "Power Pose"
    special = "only"
    text = "Special: play after a base scores, if you won it. Draw two cards."
    keywords = "special"
    only_printed = hooks(Hook.CAN_PLAY_AS_SPECIAL, Hook.ON_PLAY)
    only_current = hooks(Hook.BEFORE_SCORE, Hook.AFTER_SCORE)

    def apply_current_printing(self) -> None:
        self.played_on = ON_BASE
        self.special = ""
        self.special_abilities = hooks(Hook.BEFORE_SCORE, Hook.AFTER_SCORE)
        self.text = (
            "Play on a base. Special: before this base scores, draw two cards if another player has"
            " more power here than you. Special: after this base scores, if you won it, you may"
            " play an extra minion with at most 3 power on the base that replaces it."
        )
        self.keywords = "special extra"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.after_scoring and me.controller in ev.winners

    def on_play(self, me: Card) -> None:
        me.draw(2)

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return is_behind(me.controller, me.base)

    def before_score(self, me: Card, ev: Event) -> None:
        me.draw(2)

    def after_score_if(self, me: Card, ev: Event) -> bool:
        return me.controller in ev.winners

    def after_score(self, me: Card, ev: Event) -> None:
        me.after_replacement_do(self)

    def delayed_effect(self, me: Card, ev: Event) -> None:
        if ev.base is not None:
            ev.player.extra_minion(at=ev.base, max_power=3)


class OmegaProtocol(ActionOnBase):
    name = "Omega Protocol"
    copies = 0
    text = (
        "Play on a base. Ongoing: at the start of each other player's turn, this base has -10"
        " breakpoint for that turn."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.copies = 1

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is not me.controller

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.base.reduce_breakpoint(10)


class Megabot(Titan):
    name = "Megabot"
    titan_cost = MINION
    text = (
        "Special: you may play this titan instead of your regular minion, on a base where you have"
        " three or more minions. Ongoing: you have +1 power here for each minion you have here."
        " Special: you may move this titan to another base before that base scores."
    )
    keywords = "special ongoing"
    while_set_aside = hooks(Hook.AFTER_PLAY)
    special_abilities = hooks(Hook.AFTER_PLAY, Hook.BEFORE_SCORE)
    at_any_base = hooks(Hook.BEFORE_SCORE)
    only_printed = hooks(Hook.CAN_PLAY_TITAN_AT, Hook.PLAYER_POWER)
    only_current = hooks(Hook.AFTER_PLAY, Hook.AURA)

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: after you play a minion, if you have minions on three or more bases, you may"
            " play this titan on that minion's base. Ongoing: your minions here have +1 power."
            " Special: you may move this titan to another base before that base scores."
        )

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return has_team(me.owner, place, 3)

    def after_play_if(self, me: Card, ev: Event) -> bool:
        minion = ev.card.is_minion and ev.player is me.owner
        return minion and self.is_called(me, ev.card.base)

    def after_play(self, me: Card, ev: Event) -> None:
        if self.is_called(me, ev.card.base):
            me.owner.play(me, at=ev.card.base)

    def is_called(self, me: Card, base: Base) -> bool:
        you = me.owner
        manned = [b for b in me.bases() if b.has_minion_of(you)]
        return len(manned) >= 3 and base.is_in_play and you.can_play(me)

    def player_power(self, me: Card, player: Player) -> int:
        return len(me.base.minions(of=player)) if player is me.controller else 0

    def aura(self, me: Card, card: Card) -> int:
        return 1 if card.base is me.base and card.controller is me.controller else 0

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return ev.base is not me.base

    def before_score(self, me: Card, ev: Event) -> None:
        if me.may("Move the titan to the scoring base?"):
            me.move(me, ev.base)


class JuiceBar(BaseCard):
    name = "Juice Bar"
    breakpoint = 20
    vp = (3, 2, 1)
    text = (
        "Before this base scores, each time a player uses a Special, one of their minions here"
        " has +2 power this turn."
    )
    only_printed = hooks(Hook.AFTER_SPECIAL)
    only_current = hooks(Hook.BEFORE_SCORE)

    def apply_current_printing(self) -> None:
        self.breakpoint = 18
        self.vp = (4, 2, 1)
        self.text = (
            "Before this base scores, each player with a minion here, from the current player on,"
            " may play an extra minion here."
        )
        self.keywords = "extra"

    def after_special_if(self, me: Card, ev: Event) -> bool:
        return me.is_about_to_score and me.base.has_minion_of(ev.player)

    def after_special(self, me: Card, ev: Event) -> None:
        mine = me.base.minions(of=ev.player)
        me.gain_power(ev.player.target("Which minion gains power?", mine), 2)

    def before_score(self, me: Card, ev: Event) -> None:
        for player in me.all_players():
            if me.base.has_minion_of(player):
                player.extra_minion(at=me.base)


class MoonDumpster(BaseCard):
    name = "Moon Dumpster"
    breakpoint = 24
    vp = (4, 2, 2)
    text = (
        "After this base comes into play, each player in turn reveals the top card of their deck"
        " and may play it here as an extra minion if it is a minion."
    )
    keywords = "extra"
    only_printed = hooks(Hook.AFTER_BASE_PLAYED)
    only_current = hooks(Hook.GRANTS_PLAY, Hook.FORBIDS_MOVE)

    def apply_current_printing(self) -> None:
        self.text = (
            "Once on your turn, you may play an extra minion with at most 3 power here. You"
            " cannot move your minions away from here."
        )

    def after_base_played_if(self, me: Card, ev: Event) -> bool:
        return ev.base is me.base

    def after_base_played(self, me: Card, ev: Event) -> None:
        for player in me.all_players():
            for card in player.reveal_from_deck(1):
                if not (
                    card.is_minion
                    and player.can_play(card, at=me.base)
                    and player.play(card, at=me.base)
                ):
                    player.put_back(card)

    def grants_play(self, me: Card, player: Player) -> PlayPermission | None:
        return PlayPermission(
            MINION,
            max_power=3,
            at=me.base.serial,
            source_card=me.id,
            once_per_turn_key="minion here",
        )

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        return card.is_minion and card.base is me.base and cause.player == card.controller.index


FACTION = Faction(
    name="Mega Troopers",
    set_name="Big in Japan",
    blurb="Hold back until a base is about to score, then strike a pose and turn it around.",
    cards=(
        RedTrooper, BlueTrooper, YellowTrooper, BlackTrooper, GreenTrooper, PinkTrooper, Beta6,
        BlitzingSwordAttack, FormMegabot, ItsBlitzinTime, LightningCrystal, LightningRescue,
        MegaAttack, PlanForMore, PowerPose, OmegaProtocol,
    ),
    bases=(JuiceBar, MoonDumpster),
    titans=(Megabot,),
)  # fmt: skip
