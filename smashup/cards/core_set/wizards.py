"""Wizards (Core Set): draw cards and play action after action."""

from __future__ import annotations

from smashup.cards.language import (
    ACTION,
    DECK_SHUFFLED,
    HAND,
    MINION,
    TITAN,
    YOURS,
    Action,
    BaseCard,
    Card,
    Event,
    Faction,
    Hook,
    Minion,
    Player,
    PlayPermission,
    Titan,
    hooks,
)


class Archmage(Minion):
    name = "Archmage"
    power = 4
    text = "Ongoing: on each turn of yours, you may play an extra action."
    keywords = "ongoing extra"
    only_printed = hooks(Hook.ON_PLAY, Hook.GRANTS_PLAY)
    only_current = hooks(Hook.TALENT)

    def apply_current_printing(self) -> None:
        self.text = "Talent: play an extra action."
        self.keywords = "talent extra"

    def on_play(self, me: Card) -> None:
        # The extra action of this turn stays even if this minion does not.
        me.controller.extra_action_this_turn()
        me.mark_used(me.controller)

    def grants_play(self, me: Card, player: Player) -> PlayPermission | None:
        if player is not me.controller or me.used_this_turn(player):
            return None
        return PlayPermission(ACTION, source_card=me.id, once_per_turn_key="extra action")

    def talent(self, me: Card) -> None:
        me.controller.extra_action()


class Chronomage(Minion):
    name = "Chronomage"
    power = 3
    copies = 2
    text = "You may play an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_action()


class Enchantress(Minion):
    name = "Enchantress"
    power = 2
    copies = 3
    text = "Draw a card."

    def on_play(self, me: Card) -> None:
        me.draw()


class Neophyte(Minion):
    name = "Neophyte"
    power = 2
    copies = 4
    text = (
        "Reveal the top card of your deck. An action you may take into your hand, or play"
        " immediately as an extra action. Put any other card back."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        for card in you.reveal_from_deck(1):
            modes = ["Take it into your hand"] if card.is_action else []
            if modes and you.can_play(card):
                modes.append("Play it now")
            chosen = you.choose_mode(*modes, optional=True) if modes else -1
            if chosen == 0:
                you.put(card, to=HAND)
            elif chosen == 1:
                you.play(card, must=True, types=ACTION)
            else:
                you.put_back(card)


class MassEnchantment(Action):
    name = "Mass Enchantment"
    text = (
        "Reveal the top card of each other player's deck. Play an action among them immediately as"
        " an extra action. Put the other cards back."
    )
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        tops = [(player, you.reveal_from_deck(1, player)) for player in me.other_players()]
        actions = [c for _, cards in tops for c in cards if c.is_action]
        played = you.play_one_of(actions, types=ACTION)
        for player, cards in tops:
            you.put_back([c for c in cards if c is not played], deck=player)


class MysticStudies(Action):
    name = "Mystic Studies"
    copies = 2
    text = "Draw two cards."

    def on_play(self, me: Card) -> None:
        me.draw(2)


class Portal(Action):
    name = "Portal"
    text = (
        "Reveal the top five cards of your deck. Take any number of the minions among them into"
        " your hand and put the rest back on top, in any order."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        revealed = you.reveal_from_deck(5)
        minions = [c for c in revealed if c.is_minion]
        taken = you.choose_some("Which minion do you take?", minions)
        you.put(taken, to=HAND)
        you.put_back([c for c in revealed if c not in taken], in_any_order=True)


class Sacrifice(Action):
    name = "Sacrifice"
    affects_minions = True
    text = "Draw as many cards as a minion of yours has power, then destroy that minion."

    def on_play(self, me: Card) -> None:
        minion = me.target("Destroy which minion?", me.minions(YOURS))
        if minion is not None:
            me.draw(minion.power)
            me.destroy(minion)


class Scry(Action):
    name = "Scry"
    text = (
        "Search your deck for an action, show it to everybody, take it into your hand and shuffle"
        " the deck."
    )

    def on_play(self, me: Card) -> None:
        you = me.controller
        actions = you.deck_cards(ACTION)
        found = you.search("Which action do you take?", actions, reveals=True, shuffles=True)
        you.put(found, to=HAND)


class Summon(Action):
    name = "Summon"
    copies = 2
    text = "Play an extra minion."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_minion()


class TimeLoop(Action):
    name = "Time Loop"
    text = "Play two extra actions."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        me.controller.extra_action()
        me.controller.extra_action()


class WindsOfChange(Action):
    name = "Winds of Change"
    text = "Shuffle all cards of your hand into your deck. Draw five. You may play an extra action."
    keywords = "extra"

    def on_play(self, me: Card) -> None:
        you = me.controller
        you.put_back(you.hand, to=DECK_SHUFFLED)
        you.draw(5)
        you.extra_action()


class ArcaneProtector(Titan):
    name = "Arcane Protector"
    optional = True
    text = (
        "Special: when you have played five cards or more in a turn, after each of them but the"
        " first four, you may play this titan. Ongoing: every two cards in your hand give you +1"
        " power here. Talent: draw a card."
    )
    keywords = "talent special ongoing"
    while_set_aside = hooks(Hook.AFTER_PLAY)
    special_abilities = hooks(Hook.AFTER_PLAY)

    def after_play_if(self, me: Card, ev: Event) -> bool:
        you = me.controller
        return ev.player is you and you.cards_played(MINION | ACTION | TITAN) >= 5

    def after_play(self, me: Card, ev: Event) -> None:
        me.controller.play(me, at=me.bases())

    def player_power(self, me: Card, player: Player) -> int:
        return len(player.hand) // 2 if player is me.controller else 0

    def talent(self, me: Card) -> None:
        me.draw()


class SchoolOfWizardry(BaseCard):
    name = "School of Wizardry"
    breakpoint = 20
    vp = (3, 2, 1)
    once_for_ties = True
    text = (
        "After this base scores, the winner sees the top three bases of the base deck and"
        " chooses which of them replaces this one. The others go back in any order."
    )

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in me.ability_users(ev):
            bases = winner.look_at_base_deck(3)
            chosen = winner.choose("Which base comes next?", bases)
            if chosen is not None:
                winner.arrange_base_deck([c for c in bases if c is not chosen])
                winner.arrange_base_deck([chosen])
                winner.set_next_base(me, chosen)


class TheGreatLibrary(BaseCard):
    name = "The Great Library"
    breakpoint = 22
    vp = (4, 2, 1)
    text = "After this base scores, each player with a minion here may draw a card."

    def after_score(self, me: Card, ev: Event) -> None:
        for player in me.all_players():
            if me.base.has_minion_of(player) and player.may("Draw a card?"):
                player.draw()


FACTION = Faction(
    name="Wizards",
    set_name="Core Set",
    blurb="Draw, draw, cast and cast again: weak in the arm, but never out of cards.",
    cards=(
        Archmage, Chronomage, Enchantress, Neophyte, MassEnchantment, MysticStudies, Portal,
        Sacrifice, Scry, Summon, TimeLoop, WindsOfChange,
    ),
    bases=(SchoolOfWizardry, TheGreatLibrary),
    titans=(ArcaneProtector,),
)  # fmt: skip
