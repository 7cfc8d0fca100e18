"""Astroknights (Cease and Desist): a band of heroes lifted by actions at the last moment."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_SHUFFLED,
    DECK_TOP_OR_BOTTOM,
    HAND,
    MINION,
    YOUR_NEXT_TURN,
    YOURS,
    Action,
    ActionOnBase,
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


class SpaceKnight(Minion):
    name = "Space Knight"
    power = 5
    text = (
        "Talent: reveal the top three cards of your deck. You may take one action among them into"
        " your hand. Put the rest back in any order."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        you = me.controller
        revealed = you.reveal_from_deck(3)
        actions = [c for c in revealed if c.is_action]
        taken = you.choose("Which action do you take?", actions, optional=True)
        you.put(taken, to=HAND)
        you.put_back([c for c in revealed if c is not taken], in_any_order=True)


class Scoundrel(Minion):
    name = "Scoundrel"
    power = 4
    text = "Talent: move this minion and another minion of yours here to another base."
    keywords = "talent"

    def talent(self, me: Card) -> None:
        partner = me.target("Move which minion along?", me.minions(YOURS, at=me.base, but=me))
        to = me.choose_base("Move to which base?", me.other_bases())
        me.move_together([me, partner], to)


class SpacePrince(Minion):
    name = "Space Prince"
    power = 4
    text = "Talent: play an extra action that directly raises the power of a minion of yours."
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        me.controller.extra_action(must_raise=True)


class WalkingCarpet(Minion):
    name = "Walking Carpet"
    power = 4
    special_abilities = hooks(Hook.BEFORE_SCORE)
    text = (
        "Special: before this base scores, if you are not winning here, you may play an action"
        " that directly increases the power of this minion."
    )
    keywords = "special"

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return me.controller not in me.base.leaders()

    def before_score(self, me: Card, ev: Event) -> None:
        if me.controller.extra_action(must_affect=me, must_raise=True) is None:
            me.mark_unused()


class AlienGuru(Minion):
    name = "Alien Guru"
    power = 2
    text = (
        "Ongoing: once per turn, after you play an action that directly increases the power of a"
        " minion, you may place a +1 power counter on that minion."
    )
    keywords = "ongoing counters"

    def raised(self, ev: Event) -> list[Card]:
        return [c for c in dict.fromkeys(ev.raised) if c.is_minion and c.is_in_play]

    def after_play_if(self, me: Card, ev: Event) -> bool:
        you = me.controller
        return (
            ev.player is you
            and ev.card.is_action
            and not me.used_this_turn(you)
            and bool(self.raised(ev))
        )

    def after_play(self, me: Card, ev: Event) -> None:
        you = me.controller
        if me.used_this_turn(you):
            return
        minion = me.may_target("Put a +1 power counter on which minion?", self.raised(ev))
        if minion is not None:
            me.mark_used(you)
            me.place_counters(1, on=minion)


class AnnoyingAlien(Minion):
    name = "Annoying Alien"
    power = 2
    text = (
        "Talent: name a minion. All minions of that name here have -2 power until the start of"
        " your next turn."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        here = me.minions(at=me.base)
        names = [n for minion in [*here, *me.minions()] for n in minion.names]
        choices = list(dict.fromkeys(names))
        name = choices[me.choose_mode(*choices)]
        for minion in here:
            if minion.is_named(name):
                me.gain_power(minion, -2, until=YOUR_NEXT_TURN)


class AstroRobot(Minion):
    name = "Astro Robot"
    power = 2
    text = "Destroy an action on this base or on a minion here."

    def apply_current_printing(self) -> None:
        self.text = "You may destroy an action on this base or on a minion here."

    def on_play(self, me: Card) -> None:
        actions = me.actions_in_play(at=me.base)
        prompt = "Destroy which action?"
        me.destroy(me.controller.target(prompt, actions, optional=self.has_current_text))


class Mannersbot(Minion):
    name = "Mannersbot"
    power = 2
    text = (
        "Talent: reveal the top card of your deck. If it is an action, take it into your hand;"
        " otherwise put it back."
    )
    keywords = "talent"

    def talent(self, me: Card) -> None:
        you = me.controller
        for card in you.reveal_from_deck(1):
            if card.is_action:
                you.put(card, to=HAND)
            else:
                you.put_back(card)


class Pupoks(Minion):
    name = "Pupoks"
    power = 2
    text = (
        "Talent: lose 1 VP. If you do, reveal the top three cards of your deck and take them into"
        " your hand. You may immediately play one of them as an extra card."
    )
    keywords = "talent extra"

    def talent_if(self, me: Card) -> bool:
        return me.controller.vp >= 1

    def talent(self, me: Card) -> None:
        you = me.controller
        you.gain_vp(-1)
        revealed = you.reveal_from_deck(3)
        you.put(revealed, to=HAND)
        playable = [c for c in revealed if you.can_play(c)]
        you.play(you.choose("Play which card?", playable, optional=True), must=True)


class GhostKnight(Minion):
    name = "Ghost Knight"
    power = 0
    text = "Ongoing: this minion cannot be destroyed, and your other minions here have +2 power."
    keywords = "ongoing"

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me

    def aura(self, me: Card, card: Card) -> int:
        yours = card is not me and card.controller is me.controller
        return 2 if yours and card.base is me.base else 0


class BlockTheProbe(Action):
    name = "Block the Probe"
    copies = 2
    special = "also"
    affects_minions = True
    raises_minions = True
    text = (
        "Choose a minion: it has +2 power this turn. Special: you may also play this card before"
        " a base scores."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        me.gain_power(me.target("Which minion gains power?", me.minions()), 2)


class HiddenBase(ActionOnBase):
    name = "Hidden Base"
    text = (
        "Play on a base. Ongoing: at the start of your turn, draw a card if you have a minion here."
    )
    keywords = "ongoing"

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller and me.base.has_minion_of(me.controller)

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.draw()


class ItsATrap(Action):
    name = "It's a Trap!"
    special = "only"
    text = (
        "Special: play before a base scores. Reveal cards from your deck until one is an action."
        " You may take it into your hand or play it immediately. Shuffle the unused cards into your"
        " deck."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        you = me.controller
        found, unused = you.reveal_until(ACTION)
        for action in found:
            modes = ["Take it into your hand", "Play it now"][: 1 + you.can_play(action)]
            mode = me.choose_mode(*modes, optional=True)
            if mode == 0:
                you.put(action, to=HAND)
            elif mode == 1:
                you.play(action, must=True, types=ACTION)
            else:
                unused.append(action)
        you.put_back(unused, to=DECK_SHUFFLED)


class LaserSword(ActionOnMinion):
    name = "Laser Sword"
    copies = 2
    bonus = 1
    text = (
        "Play on a minion. Ongoing: it has +1 power and is not affected by other players' minions."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.bonus = 2
        self.text = self.text.replace("+1", "+2")

    def host_bonus(self, me: Card, host: Card) -> int:
        return self.bonus

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me.host and cause.type == MINION and cause.controller != me.controller.index


class PrepareForBattle(Action):
    name = "Prepare for Battle"
    taken = 1
    text = (
        "Reveal the top two cards of your deck: one goes into your hand, the other on the top or"
        " bottom of your deck."
    )

    def apply_current_printing(self) -> None:
        self.taken = 2
        self.text = (
            "Reveal the top three cards of your deck: two go into your hand, the other on the top"
            " or bottom of your deck."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        revealed = you.reveal_from_deck(self.taken + 1)
        kept = you.choose_some("Which card do you take?", revealed, self.taken, self.taken)
        for card in revealed:
            if card in kept:
                you.put(card, to=HAND)
            else:
                you.put_back(card, to=DECK_TOP_OR_BOTTOM)


class RecycleTheTrash(Action):
    name = "Recycle the Trash"
    text = "Shuffle up to two actions from your discard pile back into your deck."

    def on_play(self, me: Card) -> None:
        you = me.controller
        prompt = "Shuffle which action into your deck?"
        you.put(you.choose_some(prompt, you.discarded(ACTION), most=2), to=DECK_SHUFFLED)


class UseTheFours(Action):
    name = "Use the Fours"
    affects_minions = True
    raises_minions = True
    text = "A minion of yours has +4 power this turn."

    def on_play(self, me: Card) -> None:
        me.gain_power(me.target("Which minion gains power?", me.minions(YOURS)), 4)


class YieldToRage(Action):
    name = "Yield to Rage"
    affects_minions = True
    raises_minions = True
    text = "A minion of yours has +2 power this turn. Play an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.gain_power(me.target("Which minion gains power?", me.minions(YOURS)), 2)
        me.controller.extra_action()


class HiveOfScumAndVillainy(BaseCard):
    name = "Hive of Scum and Villainy"
    breakpoint = 18
    vp = (4, 2, 1)
    text = (
        "After you play the first action each turn that directly increases the power of a minion"
        " of yours here, draw a card."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return (
            ev.card.is_action
            and not me.used_this_turn(ev.player)
            and any(minion in ev.raised for minion in ev.own_affected_here(me))
        )

    def after_play(self, me: Card, ev: Event) -> None:
        if not me.used_this_turn(ev.player):
            me.mark_used(ev.player)
            ev.player.draw()


class NoMoon(BaseCard):
    name = "No-Moon™"
    other_name = "No-Moon"
    breakpoint = 25
    vp = (5, 3, 3)
    text = (
        "Before this base scores, a random other base and all cards on it are discarded, and the"
        " base is replaced normally."
    )

    def apply_current_printing(self) -> None:
        self.text = "Before this base scores, destroy a random other base and replace it normally."

    def before_score(self, me: Card, ev: Event) -> None:
        doomed = ev.player.pick_random([base.card for base in me.other_bases()])
        if doomed is not None:
            doomed.base.destroy(only_discarding=not self.has_current_text)


FACTION = Faction(
    name="Astroknights",
    set_name="Cease and Desist",
    blurb="Single heroes of every sort, lifted above the breakpoint by a well-timed action.",
    cards=(
        SpaceKnight, Scoundrel, SpacePrince, WalkingCarpet, AlienGuru, AnnoyingAlien, AstroRobot,
        Mannersbot, Pupoks, GhostKnight, BlockTheProbe, HiddenBase, ItsATrap, LaserSword,
        PrepareForBattle, RecycleTheTrash, UseTheFours, YieldToRage,
    ),
    bases=(HiveOfScumAndVillainy, NoMoon),
)  # fmt: skip
