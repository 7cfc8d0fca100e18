"""Dealing hidden cards anew: tables as a player may imagine them.

The dealer starts from an order that does not depend on where hidden cards really are: the same
randomness deals the same table, however they lie. What is done with dealt tables can therefore
tell nothing about hidden cards.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from smashup.engine.kinds import Kind
from smashup.engine.state import State

if TYPE_CHECKING:
    from smashup.engine.game import Game

Face = tuple[Kind, int]
"""What a card is, and whose."""


class Dealer:
    """Deals tables for one player (-1: a spectator) from one position."""

    def __init__(self, game: Game, player: int) -> None:
        origin = game.clone()
        origin.logging = False
        assert origin.decision is None or origin.pending is not None  # awake
        origin.answers = []
        origin.start = None
        origin.last_menu = None
        origin.setup = game.setup.without_seed()
        self.origin = origin
        """A copy that keeps still at the position."""
        s = origin.state
        self.groups = origin.hidden_groups(player)
        """Cards the player cannot tell apart: their faces may be exchanged."""
        self.faces = [in_order(s, group) for group in self.groups]
        self._spare: Game | None = None

    def deal(self, rng: Random) -> Game:
        """A table with everything the player cannot know dealt anew, and fresh randomness.

        In the middle of a card it runs to the pending question and deals there, so that cards the
        running text holds stay valid; the table can be stepped and cloned again.
        """
        return self._lay(self.origin.clone(), rng)

    def deal_again(self, rng: Random) -> Game:
        """The same, on the table dealt before in this way: quick, for those done with it."""
        if self._spare is None:
            self._spare = self.origin.clone()
        return self._lay(self._spare, rng)

    def _lay(self, table: Game, rng: Random) -> Game:
        random = rng.random
        origin = self.origin
        kinds = origin.state.kind[:]
        owners = origin.state.owner[:]
        for group, faces in zip(self.groups, self.faces, strict=True):
            keys = [random() for _ in group]
            for c, i in zip(group, sorted(range(len(keys)), key=keys.__getitem__), strict=True):
                kinds[c], owners[c] = faces[i]
        fresh = rng.getrandbits(62)
        if origin.at_menu:
            saved = origin.saved.copy()
            saved.kind = kinds
            saved.owner = owners
            saved.use_linear(fresh)
            table.saved = saved
        else:
            table.redeals = [*origin.redeals, (origin.cursor, kinds, owners, fresh)]
            table.script = origin.script[:]
        table.awake = False
        return table


def in_order(s: State, cards: list[int]) -> list[Face]:
    """What these cards are, in an order that does not tell which is which."""
    named = sorted([(s.kind[c].name, s.owner[c], c) for c in cards])
    return [(s.kind[c], owner) for _, owner, c in named]
