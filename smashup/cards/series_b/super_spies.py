"""Super Spies: know every deck and hand, then strike just before a base scores."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    BURIED,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DECK_TOP_OR_BOTTOM,
    END_OF_TURN,
    MINION,
    OTHERS,
    STANDARD,
    YOURS,
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
    Titan,
    hooks,
)


class SecretAgent(Minion):
    name = "Secret Agent"
    power = 5
    text = "Ongoing: after another player plays an action, they must discard a card."
    keywords = "ongoing"

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.card.is_action and ev.player is not me.controller

    def after_play(self, me: Card, ev: Event) -> None:
        ev.player.discard_from_hand()


class Mole(Minion):
    name = "Mole"
    power = 4
    copies = 2
    text = "Ongoing: before this base scores, you may play an action as a Special."
    keywords = "special ongoing"
    special_abilities = hooks(Hook.BEFORE_SCORE)

    def apply_current_printing(self) -> None:
        self.text = "Special: you may play an extra action just before this base scores."
        self.keywords = "special extra"

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return self.has_current_text or me.controller.may_play_specials

    def before_score(self, me: Card, ev: Event) -> None:
        action = me.controller.extra_action()
        # Printed, the action is the Special; one that is a Special anyway is used once, not twice.
        if action is None or (not self.has_current_text and action.definition.special == "only"):
            me.mark_unused()


class Operative(Minion):
    name = "Operative"
    power = 3
    copies = 3
    text = (
        "Reveal the top card of each player's deck. Put any of those cards on the bottom of their"
        " owners' decks and the others back on top."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Look at two cards from the top or from the bottom of your deck. You may bury one of"
            " them at any base. Put the rest back where they came from, in any order."
        )

    def on_play(self, me: Card) -> None:
        if self.has_current_text:
            self.bury_one(me)
        else:
            self.sort_tops(me)

    def sort_tops(self, me: Card) -> None:
        you = me.controller
        tops = [
            (card, player)
            for player in me.all_players()
            for card in you.reveal_from_deck(1, player)
        ]
        sunk = you.choose_some("Put which card on the bottom?", [card for card, _ in tops])
        for card, player in tops:
            if card in sunk:
                you.put_back(card, deck=card.owner, to=DECK_BOTTOM)
            else:
                you.put_back(card, deck=player)

    def bury_one(self, me: Card) -> None:
        you = me.controller
        from_top = me.choose_mode("The top of your deck", "The bottom of your deck") == 0
        cards = you.look_at_deck(2, bottom=not from_top)
        buried = you.choose("Bury which card?", cards, optional=True)
        base = me.choose_base("Bury it at which base?", me.bases()) if buried else None
        if buried is not None and base is not None:
            cards.remove(buried)
            you.bury(buried, base)
        end = DECK_TOP if from_top else DECK_BOTTOM
        you.put_back(cards, to=end, in_any_order=True)


class Spy(Minion):
    name = "Spy"
    other_name = "Informant"
    power = 2
    copies = 4
    text = (
        "Look at the top three cards of your deck. Put them back on the top and/or bottom, in any"
        " order."
    )

    def apply_current_printing(self) -> None:
        self.name = "Informant"
        self.other_name = "Spy"
        self.text = (
            "Look at the top three cards of a player's deck. If it is yours, put them back on the"
            " top and/or bottom, in any order; otherwise put them back as they were."
        )

    def on_play(self, me: Card) -> None:
        you = me.controller
        deck: Player | None = you
        if self.has_current_text:
            deck = you.choose_player("Look at whose deck?", me.all_players())
        cards = you.look_at_deck(3, deck)
        if deck is you:
            you.put_back(cards, to=DECK_TOP_OR_BOTTOM, in_any_order=True)
        else:
            you.put_back(cards, deck=deck)


class DiscardsAreForever(Action):
    name = "Discards Are Forever"
    text = (
        "All players reveal cards from their decks until they reveal a minion, and discard all"
        " they revealed."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Each other player discards the first minion off the top of their deck. You may put a"
            " minion from your discard pile on top of your deck, if its power is not higher than"
            " that of one of those minions."
        )

    def on_play(self, me: Card) -> None:
        if self.has_current_text:
            self.trade_minions(me)
            return
        for player in me.all_players():
            minions, others = player.reveal_until(MINION)
            player.discard([*others, *minions])

    def trade_minions(self, me: Card) -> None:
        you = me.controller
        highest = -1
        for other in me.other_players():
            minions, rest = other.reveal_until(MINION)
            other.discard(minions)
            if rest:
                other.put_back(rest, to=DECK_SHUFFLED)
            highest = max([highest, *(c.printed_power for c in minions)])
        mine = you.discarded(MINION, max_power=highest)
        you.put(you.choose("Put which minion on top?", mine, optional=True), to=DECK_TOP)


class ForMyEyesOnly(Action):
    name = "For My Eyes Only"
    copies = 2
    text = (
        "Look at the top five cards of your deck. Put them back on the top and/or bottom, in any"
        " order."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put_back(you.look_at_deck(5), to=DECK_TOP_OR_BOTTOM, in_any_order=True)


class FromQWithLove(Action):
    name = "From Q With Love"
    text = "Draw three cards, then discard two."

    def apply_current_printing(self) -> None:
        self.text = (
            "Draw two cards. You may then discard one; if you do, play an extra minion or action."
        )
        self.keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        if not self.has_current_text:
            you.draw(3)
            you.discard_from_hand(2)
            return
        you.draw(2)
        if you.may_discard("Discard a card to play an extra one?"):
            you.extra_card()


class LiveAndLetChum(Action):
    name = "Live and Let Chum"
    name_fr = "Vivre et laisser conquérir"
    special = "only"
    limit = 3
    affects_minions = True
    text = "Special: play before a base scores. Destroy a minion there with at most 3 power."
    keywords = "special"

    def apply_current_printing(self) -> None:
        self.limit = 4
        self.text = (
            "Special: play before a base scores. Destroy a minion there with at most 4 power."
        )

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        there = me.minions(at=me.scoring_base, max_power=self.limit)
        me.destroy(me.target("Destroy which minion?", there))


class Mindraker(ActionOnBase):
    name = "Mindraker"
    only_printed = hooks(Hook.FORBIDS_SPECIALS)
    only_current = hooks(Hook.ON_PLAY)
    text = "Play on a base. Ongoing: other players cannot play Specials while this base scores."
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.played_on = STANDARD
        self.text = (
            "Look at each other player's hand and at any buried cards. Draw a card and play an"
            " extra action."
        )
        self.keywords = "extra"

    def forbids_specials(self, me: Card, player: Player, scoring: Base) -> bool:
        return scoring is me.base and player is not me.controller

    def on_play(self, me: Card) -> None:
        you = me.controller
        for other in me.other_players():
            you.look_at(other.hand)
        you.look_at([card for card in me.cards_in_play() if card.is_in(BURIED)])
        you.draw()
        you.extra_action()


class PermitToKill(Action):
    name = "Permit to Kill"
    text = (
        "Each other player reveals the top two cards of their deck and discards the minions among"
        " them. Put the rest back on top in any order."
    )

    def apply_current_printing(self) -> None:
        self.affects_minions = self.raises_minions = True
        self.text = (
            "Each other player reveals the top two cards of their deck and discards the minions"
            " among them. Put the rest back on top in any order. Choose one of those players and,"
            " for each minion they discarded, place two +1 power counters among your minions."
        )
        self.keywords = "counters"

    def on_play(self, me: Card) -> None:
        you = me.controller
        lost: dict[Player, int] = {}
        for other in me.other_players():
            revealed = you.reveal_from_deck(2, other)
            minions = [c for c in revealed if c.is_minion]
            other.discard(minions)
            you.put_back([c for c in revealed if c not in minions], deck=other, in_any_order=True)
            lost[other] = len(minions)
        chosen = (
            you.choose_player("Count whose minions?", me.other_players())
            if self.has_current_text
            else None
        )
        if chosen is not None:
            for _ in range(2 * lost[chosen]):
                mine = me.minions(YOURS)
                me.place_counters(1, on=me.target("Place a +1 power counter on which?", mine))


class TheBaseIsNotEnough(Action):
    name = "The Base Is Not Enough"
    special = "only"
    limit = 4
    affects_minions = True
    text = (
        "Special: play before a base scores. Until the end of the turn, take control of a minion"
        " there with at most 4 power."
    )
    keywords = "special"

    def apply_current_printing(self) -> None:
        self.limit = 3
        self.text = (
            "Special: play before a base scores. Until the end of the turn, take control of a"
            " minion there with at most 3 power."
        )

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        there = me.minions(at=me.scoring_base, max_power=self.limit)
        minion = me.target("Take control of which minion?", there)
        me.take_control(minion, until=END_OF_TURN)


class TheSpyWhoDitchedMe(Action):
    name = "The Spy Who Ditched Me"
    copies = 2
    text = "Each other player discards a minion from hand, or shows a hand without any."

    def apply_current_printing(self) -> None:
        self.affects_minions = self.raises_minions = True
        self.text = (
            "Each other player discards a minion from hand, or shows a hand without any. Unless"
            " all of them discarded a minion of power 3 or more, place a +1 power counter on each"
            " of your minions."
        )
        self.keywords = "counters"

    def on_play(self, me: Card) -> None:
        cheap = False
        for other in me.other_players():
            minions = [c for c in other.hand if c.is_minion]
            minion = other.choose("Discard which minion?", minions)
            if minion is None:
                other.show(other.hand)
            else:
                other.discard(minion)
            cheap = cheap or minion is None or minion.printed_power < 3
        if self.has_current_text and cheap:
            me.place_counters(1, on=me.minions(YOURS))


class MoonZeroThree(Titan):
    name = "Moon Zero Three"
    titan_cost = MINION
    optional = True
    only_printed = hooks(Hook.AFTER_DECK_SEEN)
    only_current = hooks(Hook.ON_PLAY, Hook.AFTER_DISCARD)
    text = (
        "Special: you may play this titan instead of your regular minion, on a base without other"
        " players' minions. Ongoing: after the first time each turn that an ability reveals, looks"
        " at or searches cards of a player's deck, this titan gets a +1 power counter. Talent: look"
        " at the top card of a player's deck and put it on top or on the bottom."
    )
    keywords = "talent special ongoing counters"

    def apply_current_printing(self) -> None:
        self.titan_cost = ACTION
        self.text = (
            "Special: you may play this titan instead of your regular action, to look at the hand"
            " of a player who has a minion at its base. Talent: look at the top card of a player's"
            " deck and put it on top or on the bottom. Ongoing: after another player discards cards"
            " from hand or deck, you may place a +1 power counter on this titan."
        )

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        return self.has_current_text or not me.minions(OTHERS, at=place)

    def on_play(self, me: Card) -> None:
        you = me.controller
        present = [p for p in me.other_players() if me.base.has_minion_of(p)]
        other = you.choose_player("Look at whose hand?", present)
        if other is not None:
            you.look_at(other.hand)

    def talent(self, me: Card) -> None:
        you = me.controller
        deck = you.choose_player("Look at whose deck?", me.all_players())
        for card in you.look_at_deck(1, deck):
            you.put_back(card, deck=deck, to=DECK_TOP_OR_BOTTOM)

    def after_deck_seen_if(self, me: Card, ev: Event) -> bool:
        return ev.amount == 1

    def after_deck_seen(self, me: Card, ev: Event) -> None:
        me.place_counters(1, on=me)

    def after_discard_if(self, me: Card, ev: Event) -> bool:
        return ev.player is not me.controller

    def after_discard(self, me: Card, ev: Event) -> None:
        if me.may("Place a +1 power counter on the titan?"):
            me.place_counters(1, on=me)


class SwinginPad(BaseCard):
    name = "ISI's Swingin' Pad"
    breakpoint = 21
    vp = (4, 2, 1)
    only_printed = hooks(Hook.ON_SCORE)
    only_current = hooks(Hook.AFTER_PLAY)
    text = (
        "The winner may look at the top three cards of their deck and put them back on the top"
        " and/or bottom, in any order."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "After the first minion you play here each turn, you may look at as many cards from the"
            " top of a player's deck as that minion's printed power. Put them back in any order."
        )

    def on_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            if winner.may("Look at the top three cards of your deck?"):
                winner.put_back(winner.look_at_deck(3), to=DECK_TOP_OR_BOTTOM, in_any_order=True)

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return ev.minion_here(me) and ev.amount == 1 and ev.card.printed_power > 0

    def after_play(self, me: Card, ev: Event) -> None:
        you = ev.player
        deck = you.choose_player("Look at whose deck?", me.all_players(), optional=True)
        if deck is not None:
            you.put_back(
                you.look_at_deck(ev.card.printed_power, deck), deck=deck, in_any_order=True
            )


class SecretVolcanoHeadquarters(BaseCard):
    name = "Secret Volcano Headquarters"
    breakpoint = 18
    vp = (4, 3, 2)
    text = (
        "Before this base scores, all players reveal the top card of their deck and play it here"
        " if it is a minion."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Before this base scores, each player with a minion here reveals the top card of their"
            " deck and plays it here if it is a minion."
        )

    def before_score(self, me: Card, ev: Event) -> None:
        base = me.base
        minions: list[tuple[Player, Card]] = []
        for player in me.all_players():
            if self.has_current_text and not base.has_minion_of(player):
                continue
            for card in player.reveal_from_deck(1):
                if card.is_minion:
                    minions.append((player, card))
                else:
                    player.put_back(card)
        for player, card in minions:
            player.play(card, at=base, must=True)


FACTION = Faction(
    name="Super Spies",
    name_fr="Super Espions",
    set_name="Science Fiction Double Feature",
    blurb="Read every deck and hand, thin them out, and spring your surprises as a base scores.",
    cards=(
        SecretAgent, Mole, Operative, Spy, DiscardsAreForever, ForMyEyesOnly, FromQWithLove,
        LiveAndLetChum, Mindraker, PermitToKill, TheBaseIsNotEnough, TheSpyWhoDitchedMe,
    ),
    bases=(SwinginPad, SecretVolcanoHeadquarters),
    titans=(MoonZeroThree,),
)  # fmt: skip
