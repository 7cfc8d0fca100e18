"""Redealing hidden cards: tables that look the same to a player.

The dealer starts from an order that does not depend on where hidden cards really are: the same
randomness deals the same table, wherever they are. Nothing that is done with dealt tables can
therefore reveal hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy_extensions import mypyc_attr

from smashup.engine.model.constants import BASE_DECK, NONE
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.knowledge import SPECTATOR, Mix
from smashup.engine.model.state import State

Shuffle = Callable[[list[int]], None]


class HiddenCards:
    """The hidden cards of a table for one viewer: which cards may be in each other's place.

    Unknown cards hide among the other unknown cards of their pool. Cards that were mixed up
    (`knowledge`) may be in any order; those of them that are not known belong to their pools.
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
        """The real positions of the cards."""

    def lots(self, shuffle: Shuffle, order: Callable[[int], int] | None = None) -> dict[int, int]:
        """Return for each place, given by its current card, a card that may be there instead.

        Places are processed by the numbers of their cards, or in another ``order``.
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


@mypyc_attr(acyclic=True)
class Deal:
    """The cards and what is known of them: all that a new deal changes."""

    __slots__ = ("definition", "hidden_with", "mixes", "owner")

    def __init__(self, cards: State | Deal) -> None:
        self.definition: list[CardDefinition] = cards.definition[:]
        self.owner: list[int] = cards.owner[:]
        self.hidden_with: list[int] = cards.hidden_with[:]
        self.mixes: list[Mix] = cards.mixes[:]

    def lay(self, s: State) -> None:
        """Put the cards on a table."""
        s.definition = self.definition[:]
        s.owner = self.owner[:]
        s.hidden_with = self.hidden_with[:]
        s.mixes = self.mixes[:]


def in_order(s: State, cards: list[int]) -> list[int]:
    """Sort cards by what they are, so that the order does not reveal where they are."""
    return [c for _, _, c in sorted([(s.definition[c].name, s.owner[c], c) for c in cards])]
