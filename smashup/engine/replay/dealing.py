"""Determinizing: games that continue from one position with the hidden cards redealt."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from smashup.engine.rules import visibility

if TYPE_CHECKING:
    from smashup.engine.game import Game
    from smashup.engine.model.redealing import Deal
    from smashup.engine.model.state import State


MAX_KEPT_DEALS: Final = 8
"""Deals that a dealer keeps: those of the last seeds."""


class _SeededDeal:
    """The hidden cards that were dealt with a seed."""

    __slots__ = ("checkpoint", "deal", "fresh")

    def __init__(self, dealer: Dealer, rng: Random) -> None:
        self.deal, self.fresh = dealer.draw(rng)
        self.checkpoint = dealer.lay_at_menu(self.deal, self.fresh)


class Dealer:
    """Deals tables for one player (-1: a spectator) from one position."""

    def __init__(self, game: Game, player: int) -> None:
        origin = game.clone()
        origin.table.logging = False
        assert origin.decision is None or origin.table.pending is not None  # awake
        origin.table.answers = []
        origin.start = None
        origin.table.last_menu = None
        origin.table.setup = game.setup.without_seed()
        self.origin = origin
        """A copy that stays at the position."""
        self.hidden = visibility.hidden_cards(origin.table, player)
        """Cards the player cannot tell apart, whose faces may be exchanged."""
        self._spare: Game | None = None
        self._kept: dict[int, _SeededDeal] = {}
        self._rng = Random(0)

    def deal(self, rng: Random) -> Game:
        """Return a table with new randomness in which all cards the player cannot know are redealt.

        In the middle of a card it runs to the pending question and deals there, so that the cards
        held by the running card stay valid; the table can be stepped and cloned again.
        """
        deal, fresh = self.draw(rng)
        return self._lay(self.origin.clone(), deal, fresh, self.lay_at_menu(deal, fresh))

    def deal_again(self, rng: Random) -> Game:
        """Deal on the table from the previous call, for callers that no longer need it: faster."""
        deal, fresh = self.draw(rng)
        return self._lay(self._take_spare(), deal, fresh, self.lay_at_menu(deal, fresh))

    def deal_seeded(self, seed: int) -> Game:
        """Return what ``deal_again(Random(seed))`` deals. The deals of the last seeds are kept."""
        kept = self._kept.get(seed)
        if kept is None:
            if len(self._kept) >= MAX_KEPT_DEALS:
                del self._kept[next(iter(self._kept))]
            self._rng.seed(seed)
            kept = self._kept[seed] = _SeededDeal(self, self._rng)
        return self._lay(self._take_spare(), kept.deal, kept.fresh, kept.checkpoint)

    def draw(self, rng: Random) -> tuple[Deal, int]:
        """Draw hidden cards, and the randomness of the dealt table."""
        random = rng.random

        def shuffle(cards: list[int]) -> None:
            keys = [random() for _ in cards]
            cards[:] = [cards[i] for i in sorted(range(len(keys)), key=keys.__getitem__)]

        return self.hidden.deal(shuffle), rng.getrandbits(62)

    def lay_at_menu(self, deal: Deal, fresh: int) -> State | None:
        """Return a checkpoint with these hidden cards; None if a card is resolving there."""
        if not self.origin.at_menu:
            return None
        checkpoint = self.origin.table.checkpoint.copy()
        deal.lay(checkpoint)
        checkpoint.use_linear(fresh)
        return checkpoint

    def _take_spare(self) -> Game:
        if self._spare is None:
            self._spare = self.origin.clone()
        return self._spare

    def _lay(self, game: Game, deal: Deal, fresh: int, checkpoint: State | None) -> Game:
        origin = self.origin.table
        table = game.table
        table.chosen_move = origin.chosen_move
        if checkpoint is not None:
            table.checkpoint = checkpoint
        else:
            table.redeals = [*origin.redeals, (origin.cursor, deal, fresh)]
            table.script = origin.script[:]
        table.is_up_to_date = False
        return game
