"""Numbers for cards, factions and purposes, and the printed card values as an array."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTED, PRINTINGS, Catalogue
from smashup.engine.model.constants import ACTION, BASE, MINION, ON_BASE, ON_MINION, SETUP, TITAN
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.editions import EDITIONS

PURPOSES: Final = ("", *Purpose)
"""What decisions are for, by number. A change of the order is a new encoding."""
PURPOSE_NUMBER: Final = {purpose: i for i, purpose in enumerate(PURPOSES)}

KIND_COLUMNS: Final = (
    "faction", "minion", "action", "titan", "base", "on_base", "on_minion", "special", "power",
    "copies", "breakpoint", "vp_first", "vp_second", "vp_third",
)  # fmt: skip
"""What `Vocabulary.features` says of each kind of card, as printed."""


class Vocabulary:
    """A number for everything that has a name; 0 always means nothing, or nothing known.

    The numbers of cards go by their names and are the same in every game and both printings.
    Another set goes to the end: the numbers of the cards before it stay.
    Factions from elsewhere follow the built-in ones and change none of their numbers.
    """

    def __init__(self, cards: Catalogue) -> None:
        self.cards = cards
        by_name: dict[str, CardDefinition] = {}
        for known in (catalogue(), cards):
            for kind in sorted(_all_kinds(known), key=lambda kind: _generation(known, kind)):
                by_name.setdefault(kind.name, kind)
        self.kinds: list[str] = ["", *by_name]
        """The names of all cards, by number."""
        self.kind_number: dict[str, int] = {name: i for i, name in enumerate(self.kinds)}
        self.factions: list[str] = ["", *(faction.name for faction in cards.factions)]
        """The names of all factions, by number."""
        self.faction_number: dict[str, int] = {name: i for i, name in enumerate(self.factions)}

    def factions_of(self, game: Game) -> list[list[int]]:
        """The two factions of each seat by number, as far as they are chosen."""
        s = game.table.state
        found: list[list[int]] = [[] for _ in range(game.table.num_players)]
        if s.phase == SETUP and s.drafted and not s.definition:
            for mine, drafted in zip(found, s.drafted, strict=True):
                mine += [i + 1 for i in drafted]
        else:
            for kind, owner in zip(s.definition, s.owner, strict=True):
                number = self.faction_number.get(kind.faction, 0)
                if owner >= 0 and number and number not in found[owner]:
                    found[owner].append(number)
        return [[*sorted(mine), 0, 0][:2] for mine in found]

    def features(self, printing: str = PRINTED) -> NDArray[np.float32]:
        """What is printed on every card: a row a kind, columns as in `KIND_COLUMNS`.

        Row 0 (nothing) is zero, as are cards that this printing does not have.
        """
        table = np.zeros((len(self.kinds), len(KIND_COLUMNS)), np.float32)
        for kind in self.cards.definitions(printing):
            if kind.type:
                table[self.kind_number[kind.name]] = (
                    self.faction_number.get(kind.faction, 0),
                    kind.type == MINION,
                    kind.type == ACTION,
                    kind.type == TITAN,
                    kind.type == BASE,
                    kind.played_on == ON_BASE,
                    kind.played_on == ON_MINION,
                    bool(kind.special),
                    kind.power,
                    kind.copies,
                    kind.breakpoint,
                    *kind.vp,
                )
        return table


def _all_kinds(cards: Catalogue) -> list[CardDefinition]:
    return [kind for printing in PRINTINGS for kind in cards.definitions(printing) if kind.type]


def _generation(cards: Catalogue, kind: CardDefinition) -> int:
    """0 for Madness and the sets with a rulebook, which were numbered together; then set by set."""
    sets = list(dict.fromkeys(faction.set_name for faction in cards.factions))
    first = len(EDITIONS)
    return max(0, sets.index(kind.set_name) - first + 1) if kind.set_name in sets else 0


@cache
def vocabulary() -> Vocabulary:
    """The numbers of the cards of this project."""
    return Vocabulary(catalogue())
