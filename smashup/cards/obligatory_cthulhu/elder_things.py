"""Elder Things (Obligatory Cthulhu): drive the others mad, and profit from those who are."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DISCARD,
    HAND,
    MADNESS_DECK,
    MINION,
    OTHERS,
    REMOVED,
    YOURS,
    Action,
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
    hooks,
)


def offer_madness(me: Card) -> list[Player]:
    """Let each other player draw a Madness card; those who did not."""
    return [
        player
        for player in me.other_players()
        if not (
            player.madness_left
            and player.may("Draw a Madness card?")
            and player.draw(deck=MADNESS_DECK)
        )
    ]


def reveal_hands(players: list[Player]) -> list[list[Card]]:
    """Players reveal their hands: the Madness cards in each."""
    for player in players:
        player.show(player.hand)
    return [player.madness() for player in players]


class ElderThing(Minion):
    name = "Elder Thing"
    other_name = "Eldest Thing"
    power = 10
    text = (
        "Destroy two other minions of yours, or put this minion on the bottom of your deck, as you"
        " must if not both are destroyed. Ongoing: other players' cards do not affect this minion."
    )
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.name = "Eldest Thing"
        self.other_name = "Elder Thing"

    def on_play(self, me: Card) -> None:
        yours = me.minions(YOURS, but=me)
        if len(yours) >= 2:
            modes = ("Destroy two other minions of yours", "Put this minion under your deck")
            if me.choose_mode(*modes) == 0:
                price = me.controller.choose_some("Destroy which minion?", yours, most=2, least=2)
                if len(me.destroy(price)) == 2:
                    return
        me.put(me, to=DECK_BOTTOM)

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        return card is me and cause.controller not in (-1, me.controller.index)


class Shoggoth(Minion):
    name = "Shoggoth"
    power = 6
    copies = 2
    only_printed = hooks(Hook.CAN_PLAY_AT)
    text = (
        "Play this minion only where you have at least 6 power. The other players may each draw a"
        " Madness card. Of each who does not, destroy a minion here."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Each other player may draw a Madness card. Of each who does not, you may destroy a"
            " minion here. Then draw two Madness cards if your power here is below 12."
        )

    def can_play_at(self, me: Card, place: Base) -> bool:
        return place.power_of(me.controller) >= 6

    def on_play(self, me: Card) -> None:
        you = me.controller
        doomed = []
        for player in offer_madness(me):
            here = me.base.minions(of=player)
            doomed.append(you.target("Destroy which minion?", here, self.has_current_text))
        me.destroy(doomed)
        if self.has_current_text and me.is_in_play and me.base.power_of(you) < 12:
            you.draw(2, deck=MADNESS_DECK)


class MiGo(Minion):
    name = "Mi-go"
    power = 3
    copies = 3
    text = (
        "Each other player may draw a Madness card. You may draw a card for every one of them who"
        " does not."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Each other player may draw a Madness card. You may draw a card for every one of them"
            " who does not. If none of them does, you may place a +1 power counter on any minion."
        )
        self.keywords = "counters"

    def on_play(self, me: Card) -> None:
        unwilling = offer_madness(me)
        for _ in unwilling:
            if me.may("Draw a card?"):
                me.draw()
        if self.has_current_text and len(unwilling) == len(me.other_players()):
            prompt = "Place a +1 power counter on which minion?"
            me.place_counters(1, on=me.may_target(prompt, me.minions()))


class Byakhee(Minion):
    name = "Byakhee"
    power = 2
    copies = 4
    text = "Every other player who has a minion here draws a Madness card."

    def on_play(self, me: Card) -> None:
        for player in me.other_players():
            if me.base.has_minion_of(player):
                player.draw(deck=MADNESS_DECK)


class BeginTheSummoning(Action):
    name = "Begin the Summoning"
    copies = 2
    text = "A minion from your discard pile goes on top of your deck. You may play an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        minion = you.choose("Put which minion on top of your deck?", you.discarded(MINION))
        you.put(minion, to=DECK_TOP)
        you.extra_action()


class DunwichHorror(ActionOnMinion):
    name = "Dunwich Horror"
    only_printed = hooks(Hook.END_OF_TURN)
    only_current = hooks(Hook.BEFORE_SCORE)
    special_abilities = hooks(Hook.BEFORE_SCORE)
    text = "Play on a minion. Ongoing: it has +5 power, and at the end of the turn it is destroyed."
    keywords = "ongoing"

    def apply_current_printing(self) -> None:
        self.text = (
            "Play on a minion. Ongoing: it has +5 power. Special: before its base scores, the"
            " player who controls it draws two Madness cards, or else it is destroyed."
        )
        self.keywords = "special ongoing"

    def host_bonus(self, me: Card, host: Card) -> int:
        return 5

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return True

    def end_of_turn(self, me: Card, ev: Event) -> None:
        me.destroy(me.host)

    def before_score(self, me: Card, ev: Event) -> None:
        host = me.host
        if host is None:
            return
        holder = host.controller
        modes = ("Draw two Madness cards", "Destroy this minion")
        if holder.madness_left >= 2 and holder.choose_mode(*modes) == 0:
            holder.draw(2, deck=MADNESS_DECK)
        else:
            me.destroy(host, by=holder)


class Insanity(Action):
    name = "Insanity"
    text = "Every other player draws two Madness cards."

    def apply_current_printing(self) -> None:
        self.text = "Every other player draws two Madness cards. Put this action in the box."

    def on_play(self, me: Card) -> None:
        for player in me.other_players():
            player.draw(2, deck=MADNESS_DECK)
        if self.has_current_text:
            me.goes_to(REMOVED)


class PowerOfMadness(Action):
    name = "Power of Madness"
    copies = 2
    text = (
        "The other players reveal their hands and discard every Madness card in them. Each then"
        " shuffles their discard pile into their deck."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "For every other player, name an action. That player reveals their hand, discards each"
            " card of that name, then shuffles their discard pile into their deck."
        )

    def on_play(self, me: Card) -> None:
        for player in me.other_players():
            banned = ""
            if self.has_current_text:
                banned = me.controller.name_card("Name an action.", ACTION)
            player.show(player.hand)
            found = [c for c in player.hand if c.is_madness or self.has_current_text]
            player.discard([c for c in found if not banned or c.name == banned])
            if player.discard_pile:
                player.put_back(player.discard_pile, to=DECK_SHUFFLED)


class SpreadingHorror(Action):
    name = "Spreading Horror"
    text = (
        "Every other player discards random cards, one by one, up to the first that is not Madness."
    )

    def apply_current_printing(self) -> None:
        self.text = (
            "Every other player may discard two cards that are not Madness. For each who does not,"
            " you may play a minion with at most 3 power from your discard pile as an extra minion;"
            " each goes to a different base."
        )
        self.keywords = "extra"

    def on_play(self, me: Card) -> None:
        if not self.has_current_text:
            for player in me.other_players():
                self.strip(player)
            return
        used: list[Base] = []
        for _ in [player for player in me.other_players() if not self.pays(player)]:
            self.raise_minion(me, used)

    def strip(self, player: Player) -> None:
        while card := player.pick_random(player.hand):
            player.discard(card)
            if not card.is_madness:
                return

    def pays(self, player: Player) -> bool:
        """Whether a player discards two cards that are not Madness."""
        sane = [c for c in player.hand if not c.is_madness]
        if len(sane) < 2:
            return False
        first = player.choose("Discard the first of two cards?", sane, optional=True)
        if first is None:
            return False
        second = player.choose("Discard which card?", [c for c in sane if c is not first])
        player.discard([first, second])
        return True

    def raise_minion(self, me: Card, used: list[Base]) -> None:
        you = me.controller
        free = [base for base in me.bases() if base not in used]
        minion = you.extra_minion(at=free, max_power=3, from_zone=DISCARD, at_once=True)
        if minion is not None:
            used.append(you.last_play_base)


class ThePriceOfPower(Action):
    name = "The Price of Power"
    special = "only"
    affects_minions = True
    raises_minions = True
    text = (
        "Special: play before a base scores. The other players who have a minion there reveal"
        " their hands. For each Madness card among them, a minion of yours there, always the same"
        " one, has +2 power this turn."
    )
    keywords = "special"

    def apply_current_printing(self) -> None:
        self.special = "also"
        self.text = (
            "The other players reveal their hands. For each Madness card among them, a minion of"
            " yours gets a +1 power counter. Special: you may play this before a base scores; then"
            " only players who have a minion there reveal their hands."
        )
        self.keywords = "special counters"

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        return ev.before_scoring

    def on_play(self, me: Card) -> None:
        rivals = me.other_players()
        there = me.scoring_base
        if me.reacts_to is not None:
            rivals = [player for player in rivals if there.has_minion_of(player)]
        count = sum(len(madness) for madness in reveal_hands(rivals))
        if self.has_current_text:
            for _ in range(count):
                prompt = "Place a +1 power counter on which minion?"
                me.place_counters(1, on=me.target(prompt, me.minions(YOURS)))
        elif count:
            subject = me.target("Give power to which minion?", me.minions(YOURS, there))
            me.gain_power(subject, 2 * count)


class TouchOfMadness(Action):
    name = "Touch of Madness"
    text = "Every other player draws a Madness card. You draw a card and may play an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        for player in me.other_players():
            player.draw(deck=MADNESS_DECK)
        me.draw()
        me.controller.extra_action()


class UnfathomableGoals(Action):
    name = "Unfathomable Goals"
    affects_minions = True
    text = (
        "The other players reveal their hands. Every one of them who shows Madness destroys a"
        " minion of their own."
    )

    def apply_current_printing(self) -> None:
        self.affects_minions = False
        self.text = (
            "The other players reveal their hands. If one of them shows two or more Madness cards,"
            " you may play an extra minion. If they show four or more in all, you may play an extra"
            " action."
        )
        self.keywords = "extra"

    def on_play(self, me: Card) -> None:
        rivals = me.other_players()
        shown = [len(madness) for madness in reveal_hands(rivals)]
        you = me.controller
        if self.has_current_text:
            if max(shown) >= 2:
                you.extra_minion()
            if sum(shown) >= 4:
                you.extra_action()
            return
        for player, count in zip(rivals, shown, strict=True):
            if count:
                theirs = [c for c in me.minions(OTHERS) if c.controller is player]
                me.destroy(player.target("Destroy which of your minions?", theirs), by=player)


class AntarcticBase(BaseCard):
    name = "Antarctic Base"
    breakpoint = 24
    vp = (5, 3, 2)
    text = "No player can play more than one minion here in a turn."

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        return base is me.base and card.is_minion and base.minions_played_by(player) > 0


class PlateauOfLeng(BaseCard):
    name = "Plateau of Leng"
    breakpoint = 18
    vp = (3, 2, 1)
    text = (
        "After the first minion you play here from your hand each turn, you may play an extra"
        " minion of the same name here."
    )
    keywords = "extra"

    def apply_current_printing(self) -> None:
        self.text = (
            "After the first minion you play here each turn, you may play an extra minion of the"
            " same name here."
        )

    def after_play_if(self, me: Card, ev: Event) -> bool:
        if not ev.minion_here(me) or me.used_this_turn(ev.player):
            return False
        return ev.amount == 1 if self.has_current_text else ev.how == HAND

    def after_play(self, me: Card, ev: Event) -> None:
        if not me.used_this_turn(ev.player):
            me.mark_used(ev.player)
            ev.player.extra_minion(at=me.base, names=ev.card.names)


FACTION = Faction(
    name="Elder Things",
    set_name="The Obligatory Cthulhu Set",
    blurb="Hand out Madness, then make everyone who went mad pay for it.",
    cards=(
        ElderThing, Shoggoth, MiGo, Byakhee, BeginTheSummoning, DunwichHorror, Insanity,
        PowerOfMadness, SpreadingHorror, ThePriceOfPower, TouchOfMadness, UnfathomableGoals,
    ),
    bases=(AntarcticBase, PlateauOfLeng),
    uses_madness=True,
)  # fmt: skip
