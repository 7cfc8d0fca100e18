"""Redealing hidden cards: tables as a player may imagine them.

The dealer starts from an order that does not depend on where hidden cards really are: the same
randomness deals the same table, however they lie. What is done with dealt tables can therefore
tell nothing about hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable

from smashup.engine.model.constants import BASE_DECK, NONE
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.knowledge import SPECTATOR, Mix
from smashup.engine.model.state import State

Shuffle = Callable[[list[int]], None]


class HiddenCards:
    """What a viewer cannot tell of a table: which cards may lie in each other's place.

    Unknown cards hide among the other unknown cards of their pool. Cards that were mixed up
    (`knowledge`) may lie in any order, and those of them that are not known belong to their pools.
    """

    def __init__(self, s: State, hidden: list[int], viewer: int) -> None:
        number = viewer & SPECTATOR
        self.viewer = number
        self.in_mix: set[int] = set()
        self.mixes: list[tuple[list[int], list[int]]] = []
        """Cards that were mixed up, and those of them that are known to be there."""
        known: set[int] = set()
        for mix in s.mixes:
            if mix.viewer == number:
                cards = [c for c in hidden if c in mix.cards]
                self.mixes.append((cards, in_order(s, [c for c in cards if c in mix.known])))
                self.in_mix.update(cards)
                known.update(mix.known)
        pools: dict[int, list[int]] = {}
        for c in hidden:
            if c not in known:
                pools.setdefault(NONE if s.zone[c] == BASE_DECK else s.hidden_with[c], []).append(c)
        self.pools = [pools[key] for key in sorted(pools)]
        self._ordered = [in_order(s, pool) for pool in self.pools]
        self.real = Deal(s)
        """The cards as they really lie."""

    def lots(self, shuffle: Shuffle, order: Callable[[int], int] | None = None) -> dict[int, int]:
        """For each place, named by the card that lies there, a card that may lie there instead.

        Places are gone through by the numbers of their cards, or in another ``order``.
        """
        lots: dict[int, int] = {}
        places = self.pools
        if self.mixes:
            places = [[c for c in pool if c not in self.in_mix] for pool in places]
            for cards, known in self.mixes:
                in_pool = (
                    ~number for number, pool in enumerate(self.pools) for c in pool if c in cards
                )
                roles = [*known, *in_pool]
                shuffle(roles)
                for c, role in zip(sorted(cards, key=order), roles, strict=True):
                    if role >= 0:
                        lots[c] = role
                    else:
                        places[~role].append(c)
        for spots, cards in zip(places, self._ordered, strict=True):
            drawn = cards[:]
            shuffle(drawn)
            for c, other in zip(sorted(spots, key=order), drawn, strict=True):
                lots[c] = other
        return lots

    def deal(self, shuffle: Shuffle, order: Callable[[int], int] | None = None) -> Deal:
        """Redeal the hidden cards; ``order`` as in `lots`."""
        real = self.real
        dealt = Deal(real)
        definitions, owners = dealt.definition, dealt.owner
        lots = self.lots(shuffle, order)
        for c, other in lots.items():
            definitions[c] = real.definition[other]
            owners[c] = real.owner[other]
        if self.mixes:
            for c in self.in_mix:
                dealt.hidden_with[c] = real.hidden_with[lots[c]]
            dealt.mixes = [
                Mix(m.viewer, m.cards, frozenset([c for c in m.cards if lots.get(c, c) in m.known]))
                if m.viewer == self.viewer
                else m
                for m in real.mixes
            ]
        return dealt


class Deal:
    """What cards there are, and what is known of them: all that a fresh deal changes."""

    __slots__ = ("definition", "hidden_with", "mixes", "owner")

    def __init__(self, cards: State | Deal) -> None:
        self.definition: list[CardDefinition] = cards.definition[:]
        self.owner: list[int] = cards.owner[:]
        self.hidden_with: list[int] = cards.hidden_with[:]
        self.mixes: list[Mix] = cards.mixes[:]

    def lay(self, s: State) -> None:
        """Lay the cards on a table."""
        s.definition = self.definition[:]
        s.owner = self.owner[:]
        s.hidden_with = self.hidden_with[:]
        s.mixes = self.mixes[:]


def in_order(s: State, cards: list[int]) -> list[int]:
    """Cards in an order that does not tell where they lie: by what they are."""
    return [c for _, _, c in sorted([(s.definition[c].name, s.owner[c], c) for c in cards])]
