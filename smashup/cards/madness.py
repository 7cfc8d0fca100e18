"""The Madness card (Obligatory Cthulhu Set): thirty of them lie in a deck of their own."""

from __future__ import annotations

from smashup.cards.language import MADNESS_DECK, Action, Card


class Madness(Action):
    name = "Madness"
    name_fr = "Démence"
    copies = 30
    is_madness = True
    text = "Draw two cards, or put this card back into the Madness deck."

    def on_play(self, me: Card) -> None:
        if me.choose_mode("Draw two cards", "Put this card back into the Madness deck") == 0:
            me.draw(2)
        else:
            me.controller.put(me, to=MADNESS_DECK)
