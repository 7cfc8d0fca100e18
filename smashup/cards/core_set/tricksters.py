"""Tricksters (Core Set): traps on bases, and hands that shrink."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DESTROYED,
    DISCARD,
    MINION,
    ON_BASE,
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
    PlayPermission,
    Titan,
    hooks,
)


class Leprechaun(Minion):
    name = "Leprechaun"
    power = 5
    text = (
        "Ongoing: after another player plays a minion here and it has resolved, destroy it if it"
        " has less power than this minion."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Ongoing: each turn, destroy the first minion that another player plays here and that"
            " has less power than this minion once it has resolved."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        is_used = self.has_current_text and me.used_this_turn(me.controller)
        return ev.player is not me.controller and ev.minion_here(me) and not is_used

    def after_play(self, me: Card, ev: Event) -> None:
        minion = ev.card
        meets = me.is_in_play and minion.is_in_play and minion.base is me.base is ev.base
        if meets and minion.power < me.power:
            me.mark_used(me.controller)
            me.destroy(minion)


class Brownie(Minion):
    name = "Brownie"
    power = 4
    copies = 2
    text = (
        "Ongoing: after another player plays a card that directly affects this minion, that player"
        " discards two random cards."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Ongoing: once per turn, after another player plays a minion at another base, draw a"
            " card."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        if not self.has_current_text:
            return me in ev.affected and ev.affected_of[me] != ev.player.index
        is_elsewhere = ev.card.is_minion and ev.base is not None and not ev.is_here(me)
        return (
            is_elsewhere and ev.player is not me.controller and not me.used_this_turn(me.controller)
        )

    def after_play(self, me: Card, ev: Event) -> None:
        if self.has_current_text:
            me.mark_used(me.controller)
            me.draw()
        else:
            ev.player.discard_random(2)


class Gnome(Minion):
    name = "Gnome"
    power = 3
    copies = 3
    text = "You may destroy a minion here with less power than the number of minions you have here."
    only_printed = hooks(Hook.ON_PLAY)
    only_current = hooks(Hook.BEFORE_SCORE)

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: you may destroy a minion here before the base scores, if it has less"
            " power than the number of minions and titans you have here."
        )
        self.keywords = "special"
        self.special_abilities = hooks(Hook.BEFORE_SCORE)

    def on_play(self, me: Card) -> None:
        self.destroy_weak(me, len(me.minions(YOURS, me.base)))

    def before_score(self, me: Card, ev: Event) -> None:
        crowd = me.minions(YOURS, me.base) + me.titans_in_play(YOURS, me.base)
        self.destroy_weak(me, len(crowd))

    def destroy_weak(self, me: Card, count: int) -> None:
        weak = me.minions(at=me.base, max_power=count - 1)
        me.destroy(me.may_target("Destroy which minion?", weak))


class Gremlin(Minion):
    name = "Gremlin"
    power = 2
    copies = 4
    text = (
        "Ongoing: when this minion has been destroyed, draw a card, and all other players"
        " discard one at random."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Ongoing: after this minion goes from play to the discard pile, draw a card. If it"
            " got there by being destroyed, all other players discard one at random."
        )

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        if self.has_current_text:
            return ev.card is me and ev.to == DISCARD
        return ev.card is me and ev.how == DESTROYED

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        me.draw()
        if ev.how == DESTROYED:
            for player in me.other_players():
                player.discard_random()


class BlockThePath(ActionOnBase):
    name = "Block the Path"
    text = "Play on a base. Name a faction. Ongoing: no minion of that faction can be played here."
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Name one faction of each other player. Ongoing: minions of these"
            " factions cannot be played here."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        if self.has_current_text:
            for player in me.other_players():
                me.note_faction(you.name_faction("Keep which faction's minions out?", of=player))
        else:
            me.note_faction(you.name_faction("Keep which faction's minions out?"))

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        is_here = base is me.base and card.is_minion
        return is_here and card.definition.faction in me.noted_factions


class EnshroudingMist(ActionOnBase):
    name = "Enshrouding Mist"
    copies = 2
    text = "Play on a base. Ongoing: you may play one extra minion here on each of your turns."
    keywords = "ongoing extra"
    only_printed = hooks(Hook.GRANTS_PLAY)
    only_current = hooks(Hook.TALENT)

    def apply_current_printing(self) -> None:
        self.text = "Play on a base. Talent: play an extra minion here."
        self.keywords = "talent extra"

    def grants_play(self, me: Card, player: Player) -> PlayPermission | None:
        if player is not me.controller:
            return None
        return PlayPermission(
            MINION, at=me.base.serial, source_card=me.id, once_per_turn_key="extra minion"
        )

    def talent(self, me: Card) -> None:
        me.controller.extra_minion(at=me.base)


class FlameTrap(ActionOnBase):
    name = "Flame Trap"
    text = (
        "Play on a base. Ongoing: after another player plays a minion here and it has resolved,"
        " destroy it and this action."
    )
    keywords = "ongoing"
    only_current = hooks(Hook.START_OF_TURN)

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: once another player has played a minion here, destroy"
            " this action. If you do, destroy that minion. At the start of your turn, you may"
            " reduce the breakpoint of this base by 4 this turn."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.player is not me.controller and ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        minion = ev.card
        if not (me.is_in_play and minion.is_in_play and minion.base is me.base is ev.base):
            return
        if not self.has_current_text:
            me.destroy([minion, me])
        elif me.destroy(me):
            me.destroy(minion)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        if me.may("Reduce the breakpoint of this base by 4?"):
            me.base.reduce_breakpoint(4)


class Hideout(ActionOnBase):
    name = "Hideout"
    text = (
        "Play on a base. Ongoing: destroy this action if an action of another player would"
        " affect minions you have here. That action then does not affect them this turn."
    )
    keywords = "ongoing"
    prevents_continuous = True
    only_printed = hooks(Hook.PREVENTS)
    only_current = hooks(Hook.FORBIDS_MOVE, Hook.TALENT)

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: other players cannot move minions here. Talent: this action"
            " and one from your hand or deck that is played on bases change places. Then you may"
            " destroy a minion here with at most 2 power."
        )
        self.keywords = "talent ongoing"

    def prevents_if(self, me: Card, card: Card, cause: Cause) -> bool:
        is_foreign = cause.controller not in (-1, me.controller.index)
        is_mine = card.is_minion and card.controller is me.controller and card.base is me.base
        return cause.type == ACTION and is_foreign and is_mine

    def prevents(self, me: Card, card: Card, cause: Cause) -> list[Card]:
        mine = me.minions(YOURS, me.base)
        me.destroy(me)
        return mine

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        is_foreign = cause.player not in (-1, me.controller.index)
        return card.is_minion and to is me.base and is_foreign

    def talent(self, me: Card) -> None:
        here = me.base
        action = self.find_action(me.controller)
        if action is not None:
            me.swap_with(action)
        me.destroy(me.may_target("Destroy which minion?", me.minions(at=here, max_power=2)))

    def find_action(self, you: Player) -> Card | None:
        held = [c for c in you.hand if c.played_on == ON_BASE]
        action = you.choose("Swap with an action of your hand?", held, optional=True)
        if action is not None:
            return action
        fitting = [c for c in you.deck_cards(ACTION) if c.played_on == ON_BASE]
        return you.search("Swap with which action?", fitting)


class MarkOfSleep(Action):
    name = "Mark of Sleep"
    text = "Choose a player, who cannot play actions on their next turn."

    def apply_current_printing(self) -> None:
        self.text = (
            "For each other player, choose what they cannot do until your next turn starts: play"
            " actions, or move minions."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        if not self.has_current_text:
            player = you.choose_player("Which player cannot play actions?", me.all_players())
            if player is not None:
                me.forbid_actions_next_turn(player)
            return
        others = me.other_players()
        while others:
            prompt = "Which player cannot play actions? The others cannot move minions."
            player = you.choose_player(prompt, others, optional=True)
            if player is None:
                break
            me.forbid_actions(player, until=YOUR_NEXT_TURN)
            others.remove(player)
        for other in others:
            me.forbid_moves(other, until=YOUR_NEXT_TURN)


class PayThePiper(ActionOnBase):
    name = "Pay the Piper"
    text = "Play on a base. Ongoing: other players discard a card after they play a minion here."
    keywords = "ongoing"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.player is not me.controller and ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        ev.player.discard_from_hand(1)


class TakeTheShinies(Action):
    name = "Take the Shinies"
    text = "Each other player discards two random cards."

    def on_play(self, me: Card) -> None:
        for player in me.other_players():
            player.discard_random(2)


class Disenchant(Action):
    name = "Disenchant"
    copies = 2
    text = "Destroy an action on a minion or base."

    def apply_current_printing(self) -> None:
        self.copies = 0

    def on_play(self, me: Card) -> None:
        me.destroy(me.target("Destroy which action?", me.actions_in_play()))


class PixieDust(Action):
    """Pixie, played as an action."""

    affects_minions = True
    raises_minions = True

    def on_play(self, me: Card) -> None:
        action = me.target("Destroy which action?", me.actions_in_play())
        if me.destroy(action):
            for _ in range(2):
                minion = me.target("A counter on which minion?", me.minions(YOURS))
                me.place_counters(1, on=minion)


class Pixie(Minion):
    name = "Pixie"
    power = 2
    copies = 0
    text = (
        "Fusion: play this card as a minion or as an action. Minion: if at least one other player"
        " has fewer cards in hand than you, place a +1 power counter on any number of your minions"
        " here. Action: destroy an action. If you do, place two +1 power counters on one of your"
        " minions, or one each on two of them."
    )
    keywords = "counters"

    def apply_current_printing(self) -> None:
        self.copies = 2
        self.fused_action = PixieDust()

    def on_play(self, me: Card) -> None:
        you = me.controller
        held = len(you.hand)
        if any(len(player.hand) < held for player in you.other_players()):
            mine = me.minions(YOURS, me.base)
            me.place_counters(1, on=you.choose_some("A counter on which minion?", mine))


class BigFunnyGiant(Titan):
    name = "Big Funny Giant"
    titan_cost = MINION
    optional = True
    text = (
        "Special: you may play this titan instead of your regular minion. Ongoing: other"
        " players discard a card after they play a minion here. At the end of another player's"
        " turn, if that player has no minion here, you may give this titan a +1 power counter."
        " Special: when you win this base, if another player has no minion here, gain 1 VP."
    )
    keywords = "special ongoing counters"
    special_abilities = hooks(Hook.ON_SCORE)

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return True

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.player is not me.controller and ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        ev.player.discard_from_hand(1)

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is not me.controller and not me.base.has_minion_of(ev.player)

    def end_of_turn(self, me: Card, ev: Event) -> None:
        if me.may("Place a +1 power counter on this titan?"):
            me.place_counters(1, on=me)

    def on_score_if(self, me: Card, ev: Event) -> bool:
        others = me.other_players()
        return me.controller in ev.winners and not all(
            me.base.has_minion_of(player) for player in others
        )

    def on_score(self, me: Card, ev: Event) -> None:
        me.controller.gain_vp(1)


class CaveOfShinies(BaseCard):
    name = "Cave of Shinies"
    breakpoint = 23
    vp = (4, 2, 1)
    text = "After a minion here is destroyed, its owner gains 1 VP."

    def apply_current_printing(self) -> None:
        self.text = "Once per turn, after a minion you own is destroyed here, you gain 1 VP."

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        is_minion = ev.card.definition.type == MINION
        return ev.how == DESTROYED and is_minion and ev.origin is me.base

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        owner = ev.card.owner
        if self.has_current_text and me.used_this_turn(owner):
            return
        me.mark_used(owner)
        owner.gain_vp(1)


class MushroomKingdom(BaseCard):
    name = "Mushroom Kingdom"
    breakpoint = 20
    vp = (5, 3, 2)
    text = (
        "At the start of your turn, you may move a minion of another player from any base to here."
    )

    def apply_current_printing(self) -> None:
        self.breakpoint = 19
        self.vp = (4, 3, 2)
        self.text = (
            "At the start of your turn, if you have more cards in hand than each other player, you"
            " may move a minion from elsewhere to here or from here to another base."
        )

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        you = ev.player
        return not self.has_current_text or all(
            len(player.hand) < len(you.hand) for player in you.other_players()
        )

    def start_of_turn(self, me: Card, ev: Event) -> None:
        you = ev.player
        minions = me.minions()
        if not self.has_current_text:
            minions = [c for c in me.minions(not_at=me.base) if c.controller is not you]
        me.let_move(you, "Move which minion?", minions)


FACTION = Faction(
    name="Tricksters",
    set_name="Core Set",
    blurb="Set foot on their bases, and it will cost you a card, or the foot.",
    cards=(
        Leprechaun, Brownie, Gnome, Gremlin, BlockThePath, EnshroudingMist, FlameTrap, Hideout,
        MarkOfSleep, PayThePiper, TakeTheShinies, Disenchant, Pixie,
    ),
    bases=(CaveOfShinies, MushroomKingdom),
    titans=(BigFunnyGiant,),
)  # fmt: skip
