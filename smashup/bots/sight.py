"""What a bot is told: its seat's view, and tables dealt as the seat may imagine them.

Nothing else: a `Sight` of the same position is the same wherever hidden cards lie.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random
from typing import Any

from smashup.engine.game import Game
from smashup.engine.model.constants import AT_BASE, BURIED, DISCARD, NONE, ON_CARD
from smashup.engine.model.decisions import CARDS, FACTIONS, MOVES, TRIGGERS, WORDS, Decision
from smashup.engine.replay.dealing import Dealer

_OPEN = frozenset((AT_BASE, ON_CARD, DISCARD, BURIED))
"""Zones in which a card is known by its place on the table, not by what it says."""

Key = Hashable


class Sight:
    """A decision as the seat that has to take it sees it."""

    def __init__(self, game: Game, player: int | None = None) -> None:
        decision = game.decision
        if decision is None:
            raise ValueError("The game is over: nobody has to decide.")
        self.player = decision.player if player is None else player
        self.keys: list[Key] = option_keys(decision)
        """What each option is, in terms that hold on every dealt table."""
        self.is_draft = decision.kind == FACTIONS
        self.turn = game.table.state.turn
        self.players = game.table.num_players
        self._dealer = Dealer(game, self.player)
        self._game = self._dealer.origin

    @property
    def size(self) -> int:
        """How many options there are."""
        return len(self.keys)

    def view(self) -> Mapping[str, Any]:
        """What the seat sees: exactly what a person in it would be shown."""
        return self._game.view(self.player)

    def imagine(self, rng: Random) -> Game:
        """A table as it may be; it holds until the next one is imagined."""
        return self._dealer.deal_again(rng)


def option_keys(decision: Decision) -> list[Key]:
    """What each option of a decision is, the same on every table dealt from one position."""
    s = decision.table.state
    kind = s.definition
    sort = decision.kind
    if sort == MOVES:
        return [
            (
                move.verb,
                kind[move.card].name if move.card != NONE else "",
                move.place,
                move.ability.stamp if move.ability is not None else NONE,
                move.permission.source_card if move.permission is not None else NONE,
            )
            for move in decision.options
        ]
    if sort == CARDS:
        zone = s.zone
        return [
            c if c == NONE or zone[c] in _OPEN else (kind[c].name, zone[c])
            for c in decision.options
        ]
    if sort == TRIGGERS:
        return [(x.ability.card, x.ability.stamp, x.hook) for x in decision.options]
    if sort == WORDS:
        return list(range(len(decision.options)))
    return list(decision.options)
