"""Data of trials: a card is played on a copy of the table to find out what it can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from smashup.engine.model.constants import BASE_DECK, DECK, MINION
from smashup.engine.model.redealing import Deal, HiddenCards

if TYPE_CHECKING:
    from smashup.engine.model.decisions import Move
    from smashup.engine.model.events import ActiveAbility, Resolution
    from smashup.engine.model.state import State

DEAL_COUNT: Final = 4
"""The number of ways in which trials deal hidden cards."""
IN_DECKS: Final = 1
"""A trial used hidden cards in decks."""
ELSEWHERE: Final = 2
"""A trial used hidden cards in hands, or buried ones."""

_DECKS: Final = (DECK, BASE_DECK)


class TrialSucceeded(Exception):
    """Raised to end a trial that has succeeded. Internal."""


class AbilityIndex:
    """The abilities in force at one moment, kept with a copy of the table. Immutable."""

    __slots__ = ("all_abilities", "by_hook", "has_cancellers", "is_volatile")

    def __init__(
        self,
        by_hook: list[list[ActiveAbility]],
        all_abilities: list[list[ActiveAbility]],
        has_cancellers: bool,
        is_volatile: bool,
    ) -> None:
        self.by_hook = by_hook
        self.all_abilities = all_abilities
        self.has_cancellers = has_cancellers
        self.is_volatile = is_volatile


class Trial:
    """A card played with a permission that demands a direct effect, until it has that effect."""

    __slots__ = (
        "answers",
        "before",
        "deals",
        "first_question",
        "index",
        "move",
        "player",
        "resolution",
        "seen_by",
        "witnesses",
    )  # fmt: skip

    def __init__(
        self, before: State, index: AbilityIndex | None, player: int, move: Move,
        first_question: int = 0,
    ) -> None:  # fmt: skip
        self.before = before
        """The state just before the card is played; never changed."""
        self.first_question = first_question
        """The table's cursor at that time."""
        self.deals: TrialDeals | None = None
        """The ways to deal hidden cards."""
        self.seen_by: list[int] = []
        """The viewers who knew each card when they were dealt."""
        self.index = index
        """The abilities in force at that time."""
        self.player = player
        self.move = move
        """The card, its place and the permission."""
        self.resolution: Resolution | None = None
        """The resolution of the card, once it is played."""
        self.answers: list[int] = []
        """The choices and random picks since it was played."""
        self.witnesses: list[list[int]] = []
        """Choices that made trials succeed, for the hidden cards dealt last."""


class TrialDeals:
    """The ways to deal hidden cards in a trial: extreme ones that do not depend on luck.

    The first cards of each pool are on top of the deck or in hand, and these are the weakest
    minions, or actions and then the strongest minions.
    """

    def __init__(self, s: State, hidden: HiddenCards, question: int | None) -> None:
        """``s``: the state with the hidden cards, which must not change."""
        self._state = s
        self._hidden = hidden
        cards = [c for pool in hidden.pools for c in pool]
        self._in_decks = _Watched(s, [c for c in cards if s.zone[c] in _DECKS])
        self._elsewhere = _Watched(s, [c for c in cards if s.zone[c] not in _DECKS])
        self._deals: dict[int, Deal] = {}
        self.question = question
        """The number of the card's question at which they are dealt; None: before it is played."""
        self.checkpoints: dict[int, State] = {}
        """The state before the card is played, for each way."""

    @property
    def real(self) -> Deal:
        """The real cards."""
        return self._hidden.real

    def deal(self, number: int) -> Deal:
        """Return the deal of one of the ways."""
        if number not in self._deals:
            real = self.real

            def arrange(cards: list[int]) -> None:
                arrange_cards(real, cards, number)

            ranks = _rank_places(self._state, decks_first=not number & 2)
            self._deals[number] = self._hidden.deal(arrange, ranks.__getitem__)
        return self._deals[number]

    def find_used(self, s: State) -> int:
        """Return where hidden cards have been seen or have moved, as bits."""
        before = self._state
        if s.zone == before.zone and s.seen_by == before.seen_by:
            return 0
        found = IN_DECKS if self._in_decks.have_changed(s) else 0
        return found | ELSEWHERE if self._elsewhere.have_changed(s) else found

    def is_relevant(self, number: int, used: int) -> bool:
        """Whether a way may matter if hidden cards were used in these places."""
        return bool(used & (ELSEWHERE if number & 2 else IN_DECKS))


class _Watched:
    """Cards with the zones where they were and the viewers who knew them."""

    def __init__(self, s: State, cards: list[int]) -> None:
        self.cards = cards
        self.zones = [s.zone[c] for c in cards]
        self.seen_by = [s.seen_by[c] for c in cards]

    def have_changed(self, s: State) -> bool:
        """Whether one of the cards was seen or moved since."""
        zone = s.zone
        seen_by = s.seen_by
        return [zone[c] for c in self.cards] != self.zones or (
            [seen_by[c] for c in self.cards] != self.seen_by
        )


def arrange_cards(real: State | Deal, cards: list[int], number: int) -> None:
    """Sort cards for one of the ways, whatever their order was."""
    if cards and min(cards) < 0:
        return  # mixed-up cards: these numbers stand for pools

    def rank(c: int) -> tuple[bool, int, str, int, int]:
        definition = real.definition[c]
        return definition.type != MINION, definition.power, definition.name, real.owner[c], c

    cards.sort(key=rank, reverse=bool(number & 1))


def _rank_places(s: State, decks_first: bool) -> list[int]:
    """Return the rank of each card's place."""
    in_decks = [c for deck in (*s.decks, s.base_deck) for c in reversed(deck)]
    elsewhere = sorted(set(range(len(s.zone))).difference(in_decks))
    ranks = [0] * len(s.zone)
    for rank, c in enumerate(in_decks + elsewhere if decks_first else elsewhere + in_decks):
        ranks[c] = rank
    return ranks


class TrialChoice:
    """A choice in a trial: how many options, and which one was taken."""

    __slots__ = ("count", "guess", "lowest", "taken")

    def __init__(self, count: int, guess: int, taken: int, lowest: int) -> None:
        self.count = count
        self.guess = guess
        """The option to try first."""
        self.taken = taken
        self.lowest = lowest
        """The lowest option worth trying: for several picks in any order, one order is enough."""
