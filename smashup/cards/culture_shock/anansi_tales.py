"""Anansi Tales (Culture Shock): give cards away, and gain when others use or lose them."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_SHUFFLED,
    STANDARD,
    YOURS,
    Action,
    Base,
    BaseCard,
    Card,
    CardDefinition,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    PlayPermission,
    hooks,
)


def give_away(you: Player, card: Card | None) -> bool:
    """Put a card into the hand of another player of your choice; whether you did."""
    receiver = (
        you.choose_player("Into whose hand?", you.other_players()) if card is not None else None
    )
    if card is None or receiver is None:
        return False
    you.give(card, receiver)
    return True


def place_with_another(me: Card) -> None:
    """This action, just played, goes into another player's hand."""
    if me.may_place_itself:
        give_away(me.controller, me)


def play_and_give(definition: CardDefinition, me: Card) -> None:
    """Search the deck for a standard action and play it; ``definition`` then gives it away."""
    you = me.controller
    fit = [c for c in you.deck_cards(ACTION) if c.played_on == STANDARD and you.can_play(c)]
    found = you.search("Play which action?", fit, optional=True)
    you.play(found, must=True, destination_set_by=me, follow_up=definition, types=ACTION)


def not_their_own(ev: Event) -> list[Card]:
    """Cards that a player played or discarded from a hand or deck without owning them.

    A Madness card belongs to the player who has it.
    """
    if not ev.is_from_hand_or_deck:
        return []
    cards = ev.cards or [ev.card]
    return [c for c in cards if not ev.player.owns(c) and not c.definition.is_madness]


class AnansiTheSpider(Minion):
    name = "Anansi the Spider"
    power = 5
    text = (
        "Talent: search your deck for a standard action. Play it as an extra action, then put it"
        " into another player's hand, wherever it would otherwise go. You cannot play another copy"
        " of it this turn."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        play_and_give(self, me)

    def on_granted_play(self, me: Card, played: Card, by: Player) -> None:
        give_away(by, played)
        by.cannot_play(played)


class OniniThePython(Minion):
    name = "Onini the Python"
    power = 4
    text = (
        "Ongoing: after another player plays or discards a card they do not own from a hand or"
        " deck, this minion gets a +1 power counter."
    )
    keywords = "ongoing counters"

    def apply_current_printing(self) -> None:
        self.text = (
            "Ongoing: after another player plays or discards a card they do not own from a hand or"
            " deck, you may give a minion of yours a +1 power counter."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.player is not me.controller and bool(not_their_own(ev))

    def after_play(self, me: Card, ev: Event) -> None:
        for _ in not_their_own(ev):
            minion: Card | None = me
            if self.has_current_text:
                minion = me.may_target("A counter for which minion?", me.minions(YOURS))
            me.place_counters(1, minion)

    def after_discard_if(self, me: Card, ev: Event) -> bool:
        return self.after_play_if(me, ev)

    def after_discard(self, me: Card, ev: Event) -> None:
        self.after_play(me, ev)


class OseboTheLeopard(Minion):
    name = "Osebo the Leopard"
    power = 4
    text = (
        "Ongoing: after you put a card into another player's hand, this minion gets a +1 power"
        " counter."
    )
    keywords = "ongoing counters"

    def after_giving_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller

    def after_giving(self, me: Card, ev: Event) -> None:
        me.place_counters(1, me)


class AkyeTheTurtle(Minion):
    name = "Akye the Turtle"
    power = 3
    copies = 3
    text = "You may put a card from your hand into another player's hand to draw two cards."

    def on_play(self, me: Card) -> None:
        you = me.controller
        if give_away(you, you.choose("Give away which card?", you.hand, optional=True)):
            you.draw(2)


class MboroHornet(Minion):
    name = "Mboro Hornet"
    power = 2
    copies = 4
    special_timing = hooks(Hook.AFTER_PLAY, Hook.AFTER_DISCARD)
    special_is_extra = True
    text = (
        "Special: you may play this minion as an extra minion after another player plays or"
        " discards a card they do not own from a hand or deck."
    )
    keywords = "special extra"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.player is not me.controller and bool(not_their_own(ev))

    def special_bases(self, me: Card, ev: Event) -> list[Base]:
        return me.bases()


class CollectingStories(Action):
    name = "Collecting Stories"
    copies = 2
    text = "Look at another player's hand. You may play a card you own from it as an extra card."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        other = you.choose_player("Look at whose hand?", you.other_players())
        if other is not None:
            you.look_at(other.hand)
            own = [c for c in other.hand if you.owns(c) and you.can_play(c)]
            you.play(you.choose("Play which card?", own, optional=True), must=True)


class EarOfCorn(Action):
    name = "Ear of Corn"
    text = (
        "Shuffle up to three actions from your discard pile back into your deck and play an extra"
        " action. Put this card into another player's hand."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        actions = you.choose_some("Shuffle in which action?", you.discarded(ACTION), most=3)
        you.put(actions, to=DECK_SHUFFLED)
        you.extra_action()
        place_with_another(me)


class FeatherGifts(Action):
    name = "Feather Gifts"
    affects_minions = True
    text = "Move a minion of yours to another base. Put this card into another player's hand."

    def on_play(self, me: Card) -> None:
        minion = me.target("Move which minion?", me.minions(YOURS))
        if minion is not None:
            me.move(minion, me.choose_base("To which base?", me.other_bases(minion.base)))
        place_with_another(me)


class LetItBeFullAndEat(Action):
    name = "Let it be Full and Eat"
    text = "Draw two cards. Put this card into another player's hand."

    def on_play(self, me: Card) -> None:
        me.draw(2)
        place_with_another(me)


class PotOfBeans(Action):
    name = "Pot of Beans"
    copies = 2
    affects_minions = True
    raises_minions = True
    text = (
        "Place two +1 power counters, both on one minion or on two different ones. Put this card"
        " into another player's hand."
    )
    keywords = "counters"

    def on_play(self, me: Card) -> None:
        for _ in range(2):
            me.place_counters(1, me.target("A counter for which minion?", me.minions()))
        place_with_another(me)


class PotOfWisdom(Action):
    name = "Pot of Wisdom"
    text = (
        "Draw a card for each other player, then give each of them a card from your hand. Play an"
        " extra action."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.draw(len(you.other_players()))
        for other in you.other_players():
            card = you.choose("Give away which card?", you.hand)
            if card is not None:
                you.give(card, other)
        you.extra_action()


class ThePerfectGift(Action):
    name = "The Perfect Gift"
    text = (
        "Search your deck for a standard action. Play it as an extra action, then put it into"
        " another player's hand, wherever it would otherwise go."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        play_and_give(self, me)

    def on_granted_play(self, me: Card, played: Card, by: Player) -> None:
        give_away(by, played)


class TradingStories(Action):
    name = "Trading Stories"
    text = (
        "You may put up to three cards from your hand into other players' hands. Draw a card for"
        " each."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        given = 0
        while given < 3:
            card = you.choose("Give away which card?", you.hand, optional=True)
            if not give_away(you, card):
                break
            given += 1
        you.draw(given)


class AnansisWeb(BaseCard):
    name = "Anansi's Web"
    breakpoint = 17
    vp = (3, 2, 1)
    text = (
        "After the first standard action you play each turn, if you have a minion here, you may put"
        " that action into another player's hand instead of the discard pile. If you do, draw two"
        " cards."
    )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return (
            ev.card.is_action
            and ev.card.played_on == STANDARD
            and ev.amount_alike == 1
            and ev.card.is_to_be_discarded  # not one that places itself somewhere
            and me.base.has_minion_of(ev.player)
        )

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if ev.card.is_to_be_discarded and you.may("Give the action away to draw two cards?"):
            give_away(you, ev.card)
            you.draw(2)


class StorytellersHut(BaseCard):
    name = "Storyteller's Hut"
    breakpoint = 24
    vp = (4, 2, 1)
    text = (
        "On your turn, you may play an extra action to put a counter (not a +1 power counter) on"
        " this base. Its breakpoint is 2 lower for each of these counters."
    )
    keywords = "counters extra"

    def grants_play(self, me: Card, player: Player) -> PlayPermission | None:
        return PlayPermission(
            ACTION, follow_up=self, source_card=me.id, once_per_turn_key="extra action"
        )

    def on_granted_play(self, me: Card, played: Card, by: Player) -> None:
        if me.is_in_play:
            me.tokens += 1

    def breakpoint_change(self, me: Card, base: Base) -> int:
        return -2 * me.tokens if base is me.base else 0


FACTION = Faction(
    name="Anansi Tales",
    set_name="Culture Shock",
    blurb="Hand your cards round the table and collect your share when others use them.",
    cards=(
        AnansiTheSpider, OniniThePython, OseboTheLeopard, AkyeTheTurtle, MboroHornet,
        CollectingStories, EarOfCorn, FeatherGifts, LetItBeFullAndEat, PotOfBeans, PotOfWisdom,
        ThePerfectGift, TradingStories,
    ),
    bases=(AnansisWeb, StorytellersHut),
)  # fmt: skip
