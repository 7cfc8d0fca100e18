"""Deals tables that look the same to a player: at random, and with Specials in other hands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from smashup.engine.game import Game
from smashup.engine.model.constants import HAND
from smashup.engine.model.hooks import Hook
from smashup.engine.replay.dealing import Dealer
from smashup.engine.rules import abilities

RANDOM_DEALS: Final = 12
"""Number of tables with hidden cards dealt at random."""
MAX_SPECIAL_DEALS: Final = 6
"""Maximum number of tables with Specials in the hands of the other players."""


def deal_tables(game: Game, player: int, seed: int) -> Iterator[Game]:
    """Yield the table itself, then tables with all cards redealt that are hidden from a player.

    The game must be at a play menu. The tables keep a log.
    """
    yield game.clone(log=True)
    dealer = Dealer(game, player)
    rng = Random(seed)
    dealt = [dealer.deal(rng) for _ in range(RANDOM_DEALS)]
    specials = _SpecialDeals(dealer, player)
    dealt += [specials.deal(number, rng) for number in range(specials.count)]
    for table in dealt:
        table.table.logging = True
        yield table


class _SpecialDeals:
    """Deals that put Specials into the hands of the other players, one of each kind first."""

    def __init__(self, dealer: Dealer, player: int) -> None:
        self.dealer = dealer
        self.player = player
        self.state = dealer.origin.table.state
        hidden = {card for pool in dealer.hidden.pools for card in pool}
        unknown = {self.state.definition[card].name for card in hidden}
        table = dealer.origin.table
        specials = {kind.name for hook in Hook for kind in abilities.specials_for(table, hook)}
        self.kinds = sorted(specials & unknown)
        """Names of hidden cards that can be played from hand in another player's turn."""
        room = [
            len([card for card in hand if card in hidden])
            for other, hand in enumerate(self.state.hands)
            if other != player
        ]
        self.room = min((size for size in room if size), default=0)
        """Hidden cards in the smallest hand of another player that has any."""

    @property
    def count(self) -> int:
        """The number of deals that it takes to put each kind into a hand."""
        if not self.kinds or not self.room:
            return 0
        return min(MAX_SPECIAL_DEALS, -(-len(self.kinds) // self.room))

    def deal(self, number: int, rng: Random) -> Game:
        """Deal a table; later ones begin with the kinds that had no room in earlier ones."""
        origin = self.dealer.origin
        shift = number * self.room
        rank = {name: (at - shift) % len(self.kinds) for at, name in enumerate(self.kinds)}

        def arrange(cards: list[int]) -> None:
            rng.shuffle(cards)
            copies: dict[str, int] = {}
            places: dict[int, tuple[int, int]] = {}
            for card in cards:
                name = self.state.definition[card].name if card >= 0 else ""
                copies[name] = copies.get(name, -1) + 1
                places[card] = (copies[name], rank[name]) if name in rank else (len(cards), 0)
            cards.sort(key=places.__getitem__)

        laid = origin.table.checkpoint.copy()
        self.dealer.hidden.deal(arrange, self._rank_place).lay(laid)
        laid.use_linear(rng.getrandbits(62))
        dealt = origin.clone()
        dealt.table.checkpoint = laid
        dealt.table.is_up_to_date = False
        return dealt

    def _rank_place(self, card: int) -> int:
        """Rank a place: hands of the other players come first."""
        state = self.state
        in_hand = state.zone[card] == HAND and state.place[card] != self.player
        return card if in_hand else card + len(state.zone)
