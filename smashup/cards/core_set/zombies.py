"""Zombies (Core Set): the discard pile is a second hand."""

from __future__ import annotations

from smashup.cards.language import (
    DECK_SHUFFLED,
    DISCARD,
    HAND,
    MINION,
    PLAIN_PLAY,
    Action,
    ActionOnBase,
    Base,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    PlayPermission,
    hooks,
)


class ZombieLord(Minion):
    name = "Zombie Lord"
    power = 5
    text = (
        "For each base where you have no minion now, you may play an extra minion with at most 2"
        " power there from your discard pile, immediately."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        empty = [base for base in me.bases() if not base.has_minion_of(you)]
        while empty and you.extra_minion(at=empty, max_power=2, from_zone=DISCARD):
            empty = [base for base in empty if base is not you.last_play_base]


class GraveDigger(Minion):
    name = "Grave Digger"
    power = 4
    copies = 2
    text = "You may take a minion from your discard pile into your hand."

    def on_play(self, me: Card) -> None:
        you = me.controller
        minions = you.discarded(MINION)
        you.put(you.choose("Which minion do you take?", minions, optional=True), to=HAND)


class TenaciousZ(Minion):
    name = "Tenacious Z"
    power = 2
    copies = 3
    text = (
        "Special: during your turn, you may play this minion from your discard pile as an extra"
        " minion. Once per turn you may use this ability of one card of this name."
    )
    keywords = "special extra"
    special_abilities = hooks(Hook.GRANTS_OWN_PLAY)

    def apply_current_printing(self) -> None:
        self.text = (
            "Special: on your turn, you may play this minion from your discard pile as an extra"
            " minion. Once per turn you may use this ability of one card of this name."
        )

    def grants_own_play(self, me: Card, player: Player) -> PlayPermission | None:
        return PlayPermission(
            MINION,
            card=me.id,
            from_zone=DISCARD,
            is_own_special=True,
            once_per_turn_key=self.name,
        )


class Walker(Minion):
    name = "Walker"
    power = 2
    copies = 4
    text = "Look at the top card of your deck. Discard it, or put it back."

    def on_play(self, me: Card) -> None:
        you = me.controller
        top = you.look_at_deck(1)
        if top and you.choose_mode("Discard it", "Put it back") == 0:
            you.discard(top)
        else:
            you.put_back(top)


class GraveRobbing(Action):
    name = "Grave Robbing"
    copies = 2
    text = "Take a card from your discard pile into your hand."

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.choose("Which card do you take?", you.discard_pile), to=HAND)


class LendAHand(Action):
    name = "Lend a Hand"
    text = "Shuffle any number of cards from your discard pile into your deck."

    def on_play(self, me: Card) -> None:
        you = me.controller
        cards = you.choose_some("Shuffle in which card?", you.discard_pile)
        you.put(cards, to=DECK_SHUFFLED)


class MallCrawl(Action):
    name = "Mall Crawl"
    text = (
        "Search your deck for any number of cards that share a name, discard them, and shuffle the"
        " deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.discard(you.search_copies("Discard which card?", you.deck_cards(), shuffles=True))


class NotEnoughBullets(Action):
    name = "Not Enough Bullets"
    text = "Take any number of minions that share a name from your discard pile into your hand."

    def on_play(self, me: Card) -> None:
        you = me.controller
        minions = you.discarded(MINION)
        first = you.choose("Which minion do you take?", minions, optional=True)
        if first is not None:
            copies = [c for c in minions if c is not first and c.name == first.name]
            you.put([first, *you.choose_some("And which other of that name?", copies)], to=HAND)


class Outbreak(Action):
    name = "Outbreak"
    text = "Play an extra minion at a base where you have no minion."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion(where_you_have_no_minion=True)


class Overrun(ActionOnBase):
    name = "Overrun"
    text = (
        "Play on a base. Ongoing: other players cannot play minions here. At the start of your"
        " turn, destroy this action."
    )
    keywords = "ongoing"

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        return base is me.base and card.is_minion and player is not me.controller

    def start_of_turn(self, me: Card, ev: Event) -> None:
        me.destroy(me)


class TheyKeepComing(Action):
    name = "They Keep Coming"
    copies = 2
    text = "Play an extra minion from your discard pile."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion(from_zone=DISCARD)


class TheyreComingToGetYou(ActionOnBase):
    name = "They're Coming To Get You"
    text = (
        "Play on a base. Ongoing: on your turn, a minion that you may play may come from your"
        " discard pile instead of your hand if you play it here."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a base. Ongoing: once on your turn, a minion that you may play may come from"
            " your discard pile instead of your hand if you play it here."
        )

    def grants_play(self, me: Card, player: Player) -> PlayPermission | None:
        if player is not me.controller:
            return None
        is_once = self.has_current_text or player.acts_once_on_turn
        return PlayPermission(
            MINION,
            at=me.base.serial,
            from_zone=DISCARD,
            instead_of=PLAIN_PLAY,
            source_card=me.id,
            once_per_turn_key="from discard" if is_once else "",
        )


class EvansCityCemetery(BaseCard):
    name = "Evans City Cemetery"
    breakpoint = 20
    vp = (5, 3, 2)
    text = "After this base scores, the winner discards their whole hand and draws five cards."

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            winner.discard(winner.hand)
            winner.draw(5)


class RhodesPlazaMall(BaseCard):
    name = "Rhodes Plaza Mall"
    breakpoint = 24
    vp = (0, 0, 0)
    text = "When this base scores, each player gains 1 VP per minion they have here."

    def on_score(self, me: Card, ev: Event) -> None:
        for player in me.all_players():
            player.gain_vp(len(me.base.minions(of=player)))


FACTION = Faction(
    name="Zombies",
    set_name="Core Set",
    blurb="What you discard comes back: your discard pile is as good as a second hand.",
    cards=(
        ZombieLord, GraveDigger, TenaciousZ, Walker, GraveRobbing, LendAHand, MallCrawl,
        NotEnoughBullets, Outbreak, Overrun, TheyKeepComing, TheyreComingToGetYou,
    ),
    bases=(EvansCityCemetery, RhodesPlazaMall),
)  # fmt: skip
