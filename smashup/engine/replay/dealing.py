"""Determinizing: games that continue from one position with the hidden cards redealt."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from smashup.engine.rules import visibility

if TYPE_CHECKING:
    from smashup.engine.game import Game


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

    def deal(self, rng: Random) -> Game:
        """Return a table with new randomness in which all cards the player cannot know are redealt.

        In the middle of a card it runs to the pending question and deals there, so that the cards
        held by the running card stay valid; the table can be stepped and cloned again.
        """
        return self._lay(self.origin.clone(), rng)

    def deal_again(self, rng: Random) -> Game:
        """Deal on the table from the previous call, for callers that no longer need it: faster."""
        if self._spare is None:
            self._spare = self.origin.clone()
        return self._lay(self._spare, rng)

    def _lay(self, game: Game, rng: Random) -> Game:
        random = rng.random
        origin = self.origin

        def shuffle(cards: list[int]) -> None:
            keys = [random() for _ in cards]
            cards[:] = [cards[i] for i in sorted(range(len(keys)), key=keys.__getitem__)]

        deal = self.hidden.deal(shuffle)
        fresh = rng.getrandbits(62)
        if origin.at_menu:
            saved = origin.table.checkpoint.copy()
            deal.lay(saved)
            saved.use_linear(fresh)
            game.table.checkpoint = saved
        else:
            game.table.redeals = [*origin.table.redeals, (origin.table.cursor, deal, fresh)]
            game.table.script = origin.table.script[:]
            game.table.chosen_move = origin.table.chosen_move
        game.table.is_up_to_date = False
        return game
