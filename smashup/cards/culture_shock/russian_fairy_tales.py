"""Russian Fairy Tales (Culture Shock): minions that turn into others off the top of the deck."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DECK_TOP_OR_BOTTOM,
    DISCARD,
    HAND,
    MINION,
    Action,
    ActionOnBase,
    ActionOnMinion,
    Base,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    hooks,
)


def transform(me: Card, minion: Card | None) -> None:
    """A minion goes under its owner's deck; the owner plays one off the top in its place."""
    for gone in me.put(minion, to=DECK_BOTTOM):
        gone.owner.play_off_top(MINION, at=gone.base)
        gone.owner.shuffle_deck()


def find(you: Player, name: str) -> Card | None:
    """Search your hand, deck and/or discard pile for a card by its name."""
    return you.search_piles("Which card do you take?", lambda c: c.is_named(name), hand=True)


class BabaYaga(Minion):
    name = "Baba Yaga"
    power = 5
    text = (
        "Talent: put another minion here on the bottom of its owner's deck. If you do, that player"
        " plays a minion here off the top of their deck as an extra minion, then shuffles the deck."
    )
    keywords = "talent extra"

    def talent(self, me: Card) -> None:
        transform(me, me.target("Transform which minion?", me.minions(at=me.base, but=me)))


class FinistTheFalcon(Minion):
    name = "Finist the Falcon"
    power = 4
    text = (
        "Special: before a base scores, you may move this minion there; or, if it is there, return"
        " it to your hand and play it on another base as an extra minion."
    )
    keywords = "special extra"
    special_abilities = hooks(Hook.BEFORE_SCORE)
    at_any_base = hooks(Hook.BEFORE_SCORE)

    def before_score(self, me: Card, ev: Event) -> None:
        if me.base is not ev.base:
            if me.may("Move this minion to the scoring base?"):
                me.move(me, ev.base)
        elif me.may("Return this minion and play it on another base?") and me.return_to_hand(me):
            self.fly_on(me, ev)

    def fly_on(self, me: Card, ev: Event) -> None:
        """Play it elsewhere, if it came to your hand and not to another owner's."""
        if me in me.controller.hand:
            me.controller.play(me, not_at=ev.base)


class TheBirchWoman(Minion):
    name = "The Birch Woman"
    power = 4
    mentions = ("The Birch",)
    text = (
        "Ongoing: after this minion goes from play to the discard pile, you may search for The"
        " Birch in your hand, deck and/or discard pile, and take it into your hand or play it as an"
        " extra minion."
    )
    keywords = "ongoing extra"

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card is me and ev.to == DISCARD

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        if me.may("Search for The Birch?"):
            me.controller.keep_or_play(find(me.controller, "The Birch"))


class TheGrayWolf(Minion):
    name = "The Gray Wolf"
    power = 3
    text = (
        "Talent: put this minion on top of its owner's deck. If you do, you may immediately play an"
        " extra minion here and place a +1 power counter on it."
    )
    keywords = "talent counters extra"

    def talent(self, me: Card) -> None:
        here = me.base
        if me.put(me, to=DECK_TOP):
            me.place_counters(1, on=me.controller.extra_minion(at=here, at_once=True))


class FoolishMagician(Minion):
    name = "Foolish Magician"
    power = 3
    copies = 2
    text = (
        "Draw three cards. Then put three cards from your hand back on your deck: on the top and/or"
        " bottom, in any order."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.draw(3)
        you.put_back(
            you.choose_some("Put back which card?", you.hand, 3, 3),
            to=DECK_TOP_OR_BOTTOM,
            in_any_order=True,
        )


class TheBirch(Minion):
    name = "The Birch"
    power = 2
    mentions = ("The Birch Woman",)
    text = (
        "Ongoing: at the start of your turn, you may destroy this minion. If you do, search your"
        " hand, deck and/or discard pile for The Birch Woman and take it into your hand or play it"
        " here as an extra minion."
    )
    keywords = "ongoing extra"

    def start_of_turn(self, me: Card, ev: Event) -> None:
        here = me.base
        if me.may("Destroy this minion to find The Birch Woman?") and me.destroy(me):
            me.controller.keep_or_play(find(me.controller, "The Birch Woman"), at=here)


class TsarEagle(Minion):
    name = "Tsar Eagle"
    power = 2
    copies = 2
    text = (
        "Draw a card, or put a minion from another player's discard pile on top of that player's"
        " deck."
    )

    def on_play(self, me: Card) -> None:
        fallen = [m for player in me.other_players() for m in player.discarded(MINION)]
        modes = ("Draw a card", "Put a discarded minion on top of its deck")
        if not fallen or me.choose_mode(*modes) == 0:
            me.draw(1)
            return
        minion = me.controller.choose("Put which minion on top?", fallen)
        if minion is not None:
            minion.owner.put(minion, to=DECK_TOP)


class Toad(Minion):
    name = "Toad"
    power = 0
    text = (
        "You may give control of this minion to another player. If you do, shuffle another of that"
        " player's minions here into its owner's deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        other = you.choose_player("Give this minion to whom?", me.other_players(), optional=True)
        if other is not None and you.give_control(me, other):
            theirs = [m for m in me.base.minions(of=other) if m is not me]
            me.put(you.target("Shuffle in which minion?", theirs), to=DECK_SHUFFLED)


class Bewitched(ActionOnMinion):
    name = "Bewitched"
    text = (
        "Play on a minion. Ongoing: this minion has +2 power. When it leaves play, transfer this"
        " action to another minion."
    )
    keywords = "ongoing"

    def host_bonus(self, me: Card, host: Card) -> int:
        return 2

    def transfers_when_host_leaves(self, me: Card, leaving: list[Card]) -> Card | None:
        staying = [m for m in me.minions() if m not in leaving]
        return me.target("Transfer this action to which minion?", staying)


class FetchIKnowNotWhat(Action):
    name = "Fetch I Know Not What"
    text = (
        "Reveal cards from your deck until you have revealed two actions. Take any of those actions"
        " into your hand and shuffle all other revealed cards into your deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        actions, rest = you.reveal_until(ACTION, 2)
        taken = you.choose_some("Which action do you take?", actions)
        you.put(taken, to=HAND)
        you.put_back(rest + [a for a in actions if a not in taken], to=DECK_SHUFFLED)


class GoIKnowNotWhither(Action):
    name = "Go I Know Not Whither"
    affects_minions = True
    text = (
        "Choose a base. For each other player, shuffle one of their minions there, at random, into"
        " its owner's deck."
    )

    def on_play(self, me: Card) -> None:
        base = me.choose_base("Choose a base.", me.bases())
        if base is not None:
            lost = [
                me.controller.pick_random(base.minions(of=other)) for other in me.other_players()
            ]
            me.put(lost, to=DECK_SHUFFLED)


class GoSeeMySister(ActionOnBase):
    name = "Go See My Sister"
    text = (
        "Play on a base. Ongoing: after you play a minion here or move a minion of yours here,"
        " you may draw a card."
    )
    keywords = "ongoing"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.player is me.controller

    def after_play(self, me: Card, ev: Event) -> None:
        if me.may("Draw a card?"):
            me.draw(1)

    def after_move_if(self, me: Card, ev: Event) -> bool:
        yours = ev.player is me.controller and ev.card.controller is me.controller
        return yours and ev.card.is_minion and ev.base is me.base

    def after_move(self, me: Card, ev: Event) -> None:
        self.after_play(me, ev)


class MassTransformation(Action):
    name = "Mass Transformation"
    text = (
        "Each player puts their hand on the bottom of their deck and draws as many cards as they"
        " put there."
    )

    def on_play(self, me: Card) -> None:
        for player in me.all_players():
            hand = player.hand
            player.put_back(hand, to=DECK_BOTTOM)
            player.draw(len(hand))


class TheFrogPrincess(ActionOnMinion):
    name = "The Frog Princess"
    text = (
        "Play on a minion of yours. Talent: put this minion on the bottom of its owner's deck. If"
        " you do, play a minion here off the top of your deck as an extra minion, transfer this"
        " action to it, then shuffle your deck."
    )
    keywords = "talent extra"

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def talent(self, me: Card) -> None:
        host = me.host
        if host is not None and me.put(host, keeping=me, to=DECK_BOTTOM):
            you = me.controller
            played = you.play_off_top(MINION, at=host.base)
            me.transfer(me, to=played[0] if played else None)
            you.shuffle_deck()


class TheWaterOfLife(Action):
    name = "The Water of Life"
    copies = 2
    text = (
        "Put a minion from your discard pile on top of your deck, and play an extra action if you"
        " like."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put(you.choose("Put which minion on top?", you.discarded(MINION)), to=DECK_TOP)
        you.extra_action()


class Transformation(Action):
    name = "Transformation"
    copies = 2
    affects_minions = True
    text = (
        "Put a minion on the bottom of its owner's deck. If you do, that player plays a minion"
        " there off the top of their deck as an extra minion, then shuffles the deck."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        transform(me, me.target("Transform which minion?", me.minions()))


class GiantTurnip(BaseCard):
    name = "Giant Turnip"
    breakpoint = 30
    vp = (5, 3, 3)
    text = "The breakpoint is 1 lower for each minion here."

    def breakpoint_change(self, me: Card, base: Base) -> int:
        return -len(base.minions()) if base is me.base else 0


class TransformationSpring(BaseCard):
    name = "Transformation Spring"
    breakpoint = 19
    vp = (4, 2, 1)
    text = (
        "Once during your turn, after you play a minion here, you may put it on the bottom of its"
        " owner's deck. If you do, play a minion here off the top of your deck as an extra minion."
    )
    keywords = "extra"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.player.is_during_turn and not me.used_this_turn(ev.player)

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        if (
            me.used_this_turn(you)
            or not ev.card.is_in_play
            or not you.may("Transform this minion?")
        ):
            return
        me.mark_used(you)
        if me.put(ev.card, to=DECK_BOTTOM):
            you.play_off_top(MINION, at=me.base)


FACTION = Faction(
    name="Russian Fairy Tales",
    set_name="Culture Shock",
    blurb="Nobody stays who they are: trade minions, yours and theirs, for what the deck brings.",
    cards=(
        BabaYaga, FinistTheFalcon, TheBirchWoman, TheGrayWolf, FoolishMagician, TheBirch,
        TsarEagle, Toad, Bewitched, FetchIKnowNotWhat, GoIKnowNotWhither, GoSeeMySister,
        MassTransformation, TheFrogPrincess, TheWaterOfLife, Transformation,
    ),
    bases=(GiantTurnip, TransformationSpring),
)  # fmt: skip
