"""Miskatonic University (Obligatory Cthulhu): study Madness, use it up, and put it back in time."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_BOTTOM,
    MADNESS_DECK,
    REMOVED,
    YOURS,
    Action,
    ActionOnBase,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    hooks,
)


def discard_madness(you: Player) -> bool:
    """Discard a Madness card of one's hand; whether there was one."""
    madness = you.madness()[:1]
    you.discard(madness)
    return bool(madness)


def cure(you: Player, cards: list[Card], most: int) -> None:
    """Put some of these Madness cards back into the Madness deck, as many as one likes."""
    chosen = you.choose_some("Put which card back into the Madness deck?", cards, most=most)
    you.put(chosen, to=MADNESS_DECK)


def draw_up_to(you: Player, most: int) -> int:
    """Draw as many Madness cards as one likes, up to a number; how many."""
    drawn = 0
    while drawn < most and you.madness_left and you.may("Draw a Madness card?"):
        you.draw(deck=MADNESS_DECK)
        drawn += 1
    return drawn


class Professor(Minion):
    name = "Professor"
    power = 5
    text = (
        "Talent: discard a Madness card from your hand. If you do, you may play an extra minion"
        " and/or an extra action."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        you = me.controller
        if discard_madness(you):
            you.extra_minion()
            you.extra_action()


class Librarian(Minion):
    name = "Librarian"
    power = 4
    copies = 2
    text = "Talent: discard a Madness card from your hand to draw a card."
    keywords = "talent"

    def apply_current_printing(self) -> None:
        self.text = "Talent: draw a Madness card, or play one you hold as an extra action."
        self.keywords = "talent extra"

    def talent(self, me: Card) -> None:
        you = me.controller
        if not self.has_current_text:
            if discard_madness(you):
                me.draw()
        elif me.choose_mode("Draw a Madness card", "Play a Madness card") == 0:
            you.draw(deck=MADNESS_DECK)
        else:
            held = you.madness()
            you.play(held[0] if held else None, must=True)


class Psychologist(Minion):
    name = "Psychologist"
    power = 3
    copies = 3
    text = "You may put a Madness card from your hand or discard pile back into the Madness deck."

    def apply_current_printing(self) -> None:
        self.text = (
            "Put a Madness card from your hand or discard pile back into the Madness deck, or draw"
            " one from your discard pile."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        if not self.has_current_text:
            cure(you, you.madness(discard_pile=True), most=1)
            return
        discarded = you.madness(hand=False, discard_pile=True)
        modes = ("Put a Madness card back into its deck", "Take one from your discard pile")
        if discarded and me.choose_mode(*modes) == 1:
            you.draw_from_discard_pile(discarded[0])
            return
        prompt = "Put which card back into the Madness deck?"
        you.put(you.choose(prompt, you.madness(discard_pile=True)), to=MADNESS_DECK)


class Researcher(Minion):
    name = "Researcher"
    power = 2
    copies = 4
    text = "You may draw a Madness card."

    def apply_current_printing(self) -> None:
        self.text = (
            "You may draw a Madness card. If you do, place a +1 power counter on any minion."
        )
        self.keywords = "counters"

    def on_play(self, me: Card) -> None:
        if draw_up_to(me.controller, 1) and self.has_current_text:
            prompt = "Place a +1 power counter on which minion?"
            me.place_counters(1, on=me.target(prompt, me.minions()))


class OldManJenkins(Action):
    name = "“Old Man Jenkins!?”"
    special = "only"
    affects_minions = True
    text = "Special: play before a base scores. Destroy a minion there that no other outpowers."
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        there = me.scoring_base.minions()
        strongest = max((c.power for c in there), default=0)
        me.destroy(me.target("Destroy which minion?", [c for c in there if c.power == strongest]))


class FieldTrip(Action):
    name = "Field Trip"
    copies = 2
    bonus = 0
    text = (
        "Put as many cards from your hand as you like on the bottom of your deck, then draw as many"
        " as you put there."
    )

    def apply_current_printing(self) -> None:
        self.bonus = 1
        self.text = (
            "Put as many cards from your hand as you like on the bottom of your deck, then draw one"
            " more than you put there."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        chosen = you.choose_some("Put which card on the bottom?", you.hand)
        you.put_back(chosen, to=DECK_BOTTOM)
        me.draw(len(chosen) + self.bonus)


class GateToBeyond(ActionOnBase):
    name = "Gate to Beyond"
    other_name = "Eldritch Gate"
    text = "Play on a base. Talent: draw a Madness card, and you may play an extra minion here."
    keywords = "talent extra"

    def apply_current_printing(self) -> None:
        self.name = "Eldritch Gate"
        self.other_name = "Gate to Beyond"

    def talent(self, me: Card) -> None:
        me.controller.draw(deck=MADNESS_DECK)
        me.controller.extra_minion(at=me.base)


class Jinkies(Action):
    name = "Jinkies!"
    copies = 2
    text = (
        "Put one or two Madness cards from your hand and/or discard pile back into the Madness"
        " deck, if you like."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        cure(you, you.madness(discard_pile=True), most=2)


class ThatsSoCrazy(Action):
    name = "That's So Crazy..."
    affects_minions = True
    raises_minions = True
    text = (
        "Draw a Madness card. All minions you have in play now have +1 power this turn. You may"
        " play an extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.draw(deck=MADNESS_DECK)
        me.gain_power(me.minions(YOURS), 1)
        me.controller.extra_action()


class ItJustMightWork(Action):
    name = "... It Just Might Work"
    affects_minions = True
    raises_minions = True
    text = (
        "Discard a Madness card from your hand. If you do, all minions you have in play now have +1"
        " power this turn."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Discard up to two Madness cards from your hand. For each of them, all minions you have"
            " in play now have +1 power this turn."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        if not self.has_current_text:
            count = int(discard_madness(you))
        else:
            chosen = you.choose_some("Discard which Madness card?", you.madness(), most=2)
            you.discard(chosen)
            count = len(chosen)
        if count:
            me.gain_power(me.minions(YOURS), count)


class ThingsBestNotKnown(Action):
    name = "Things Best Not Known"
    special = "only"
    affects_minions = True
    raises_minions = True
    text = (
        "Special: play before a base scores. Choose a minion there and draw up to three Madness"
        " cards. It has +2 power this turn for each you drew."
    )
    keywords = "special"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        subject = me.target("Give power to which minion?", me.minions(at=me.scoring_base))
        count = draw_up_to(me.controller, 3)
        if count:
            me.gain_power(subject, 2 * count)


class ThoseMeddlingKids(Action):
    name = "Those Meddling Kids"
    text = "Choose a base and destroy as many actions on the base itself as you like."

    def apply_current_printing(self) -> None:
        self.text = (
            "Choose a base and destroy as many actions on the base itself as you like, or draw a"
            " Madness card and play an extra action if you like."
        )
        self.keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        modes = ("Destroy actions on a base", "Draw a Madness card and play an extra action")
        if self.has_current_text and me.choose_mode(*modes) == 1:
            you.draw(deck=MADNESS_DECK)
            you.extra_action()
            return
        occupied = [base for base in me.bases() if base.actions()]
        base = me.choose_base("Destroy actions on which base?", occupied)
        if base is not None:
            me.destroy(you.choose_some("Destroy which action?", base.actions()))


class MiskatonicUniversity(BaseCard):
    name = "Miskatonic University"
    other_name = "Arkham University"
    breakpoint = 24
    vp = (3, 3, 2)
    only_printed = hooks(Hook.AFTER_SCORE)
    only_current = hooks(Hook.AFTER_PLAY)
    text = (
        "After this base scores, the winner may put as many Madness cards from their hand and"
        " discard pile back into the Madness deck as they like."
    )

    def apply_current_printing(self) -> None:
        self.name = "Arkham University"
        self.other_name = "Miskatonic University"
        self.vp = (4, 3, 2)
        self.text = (
            "Once per turn, after you play a minion here, you may draw two Madness cards or discard"
            " one from your hand. If you do, you may play an extra action."
        )
        self.keywords = "extra"

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            held = winner.madness(discard_pile=True)
            cure(winner, held, most=len(held))

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and not me.used_this_turn(ev.player)

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if me.used_this_turn(you):
            return
        can_draw, can_discard = you.madness_left >= 2, bool(you.madness())
        chosen = -1
        if can_draw and can_discard:
            chosen = you.choose_mode(
                "Draw two Madness cards", "Discard a Madness card", optional=True
            )
        elif can_draw:
            chosen = you.choose_mode("Draw two Madness cards", optional=True)
        elif can_discard:
            chosen = you.choose_mode("Discard a Madness card", optional=True)
        if chosen < 0:
            return
        me.mark_used(you)
        if can_draw and chosen == 0:
            you.draw(2, deck=MADNESS_DECK)
        else:
            discard_madness(you)
        you.extra_action()


class Asylum(BaseCard):
    name = "Asylum"
    breakpoint = 16
    vp = (3, 1, 1)
    text = (
        "Each time a minion is played here, the player who owns it may then put a Madness card from"
        " their hand back into the Madness deck."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "After you play a minion here, you may put a card from your hand in the box. If you do,"
            " a minion of yours gets a +1 power counter."
        )
        self.keywords = "counters"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me)

    def after_play(self, me: Card, ev: Event) -> None:
        if not self.has_current_text:
            cure(ev.card.owner, ev.card.owner.madness(), most=1)
            return
        you = ev.player
        lost = you.choose("Put which card in the box?", you.hand, optional=True)
        if lost is not None:
            you.put(lost, to=REMOVED)
            mine = [c for c in me.minions() if c.controller is you]
            me.place_counters(1, on=you.target("Place a +1 power counter on which minion?", mine))


FACTION = Faction(
    name="Miskatonic University",
    set_name="The Obligatory Cthulhu Set",
    blurb="Read the forbidden books, turn them into plays, and return them before the exam.",
    cards=(
        Professor, Librarian, Psychologist, Researcher, OldManJenkins, FieldTrip, GateToBeyond,
        Jinkies, ThatsSoCrazy, ItJustMightWork, ThingsBestNotKnown, ThoseMeddlingKids,
    ),
    bases=(MiskatonicUniversity, Asylum),
    uses_madness=True,
)  # fmt: skip
