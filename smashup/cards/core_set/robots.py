"""Robots (Core Set): swarms of small minions that bring each other into play."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_SHUFFLED,
    DESTROYED,
    MINION,
    OTHERS,
    YOURS,
    Action,
    BaseCard,
    Card,
    Cause,
    Event,
    Faction,
    Minion,
)

MICROBOT = "Microbot"


def is_microbot(card: Card) -> bool:
    """Whether a card is a Microbot: by its own name, or because another card says so."""
    return any(name.startswith(MICROBOT) for name in card.names_and_kinds)


def follow_up_first_minion(me: Card) -> None:
    """An extra minion, if no other one was played by you before this one, this turn."""
    if me.controller.cards_played(MINION) == 1:
        me.controller.extra_minion()


class Nukebot(Minion):
    name = "Nukebot"
    power = 5
    text = (
        "Ongoing: after this minion is destroyed, destroy every minion that other players have"
        " here."
    )
    keywords = "ongoing"

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card is me and ev.how == DESTROYED

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        me.destroy(me.minions(OTHERS, ev.origin))


class Warbot(Minion):
    name = "Warbot"
    power = 4
    copies = 2
    text = "Ongoing: this minion cannot be destroyed."
    keywords = "ongoing"

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me


class Hoverbot(Minion):
    name = "Hoverbot"
    power = 3
    copies = 3
    text = (
        "Reveal the top card of your deck and put it back, unless it is a minion that you play"
        " immediately as an extra minion."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        for card in you.reveal_from_deck(1):
            playable = card.is_minion and you.can_play(card)
            if not (playable and you.play(card, types=MINION) is not None):
                you.put_back(card)


class Zapbot(Minion):
    name = "Zapbot"
    power = 2
    copies = 4
    text = "You may play an extra minion with at most 2 power."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion(max_power=2)


class MicrobotAlpha(Minion):
    name = "Microbot Alpha"
    power = 1
    text = (
        "Ongoing: all your minions in play count as Microbots, and this minion has +1 power for"
        " each other Microbot of yours."
    )
    keywords = "ongoing"
    gives_kinds = True

    def gives_names(self, me: Card, card: Card) -> tuple[str, ...]:
        is_yours = card.is_minion and card.controller is me.controller
        return (MICROBOT,) if is_yours else ()

    def power_bonus(self, me: Card) -> int:
        others = me.minions(YOURS, but=me) + me.actions_in_play(YOURS, on_minions=False)
        return sum(is_microbot(c) for c in others)


class MicrobotArchive(Minion):
    name = "Microbot Archive"
    power = 1
    text = (
        "Ongoing: after a Microbot of yours is destroyed, draw a card. This minion counts as well."
    )
    keywords = "ongoing"

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return ev.how == DESTROYED and ev.card.controller is me.controller and is_microbot(ev.card)

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        me.draw()


class MicrobotFixer(Minion):
    name = "Microbot Fixer"
    power = 1
    copies = 2
    text = (
        "If no other minion was played by you this turn, you may play an extra minion. Ongoing:"
        " your Microbots have +1 power."
    )
    keywords = "ongoing extra"

    def on_play(self, me: Card) -> None:
        follow_up_first_minion(me)

    def card_bonus(self, me: Card, card: Card) -> int:
        return 1 if card.controller is me.controller and is_microbot(card) else 0


class MicrobotGuard(Minion):
    name = "Microbot Guard"
    power = 1
    copies = 2
    text = "Destroy a minion here that has less power than you have minions here."

    def on_play(self, me: Card) -> None:
        count = len(me.minions(YOURS, me.base))
        weak = me.minions(at=me.base, max_power=count - 1)
        me.destroy(me.target("Destroy which minion?", weak))


class MicrobotReclaimer(Minion):
    name = "Microbot Reclaimer"
    power = 1
    copies = 2
    text = (
        "If no other minion was played by you this turn, you may play an extra one. Any number of"
        " Microbots from your discard pile may be shuffled into your deck."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        follow_up_first_minion(me)
        you = me.controller
        microbots = [c for c in you.discarded(MINION) if c.name.startswith(MICROBOT)]
        you.put(you.choose_some("Shuffle in which minion?", microbots), to=DECK_SHUFFLED)


class TechCenter(Action):
    name = "Tech Center"
    copies = 2
    text = "Choose a base. For each minion you have there, draw a card."

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Choose a base", me.bases())
        if base is not None:
            me.draw(len(me.minions(YOURS, base)))


class Factory(BaseCard):
    name = "Factory 436-1337"
    breakpoint = 25
    vp = (2, 2, 1)
    text = (
        "When this base scores, the winner gains 1 VP more for every full 5 power they have here."
    )

    def on_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            winner.gain_vp(me.base.power_of(winner) // 5)


class TheCentralBrain(BaseCard):
    name = "The Central Brain"
    breakpoint = 19
    vp = (4, 2, 1)
    text = "Minions here have +1 power."

    def aura(self, me: Card, card: Card) -> int:
        return 1 if card.base is me.base else 0


FACTION = Faction(
    name="Robots",
    set_name="Core Set",
    blurb="Eighteen minions, most of them tiny: play one, and the next follows at once.",
    cards=(
        Nukebot, Warbot, Hoverbot, Zapbot, MicrobotAlpha, MicrobotArchive, MicrobotFixer,
        MicrobotGuard, MicrobotReclaimer, TechCenter,
    ),
    bases=(Factory, TheCentralBrain),
)  # fmt: skip
