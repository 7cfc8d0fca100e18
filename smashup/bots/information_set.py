"""A bot's input: its seat's view, and tables sampled consistently with it.

The hidden cards of the real game have no influence on what an `InformationSet` returns. One that
is handed to a third-party bot does not contain them either (`without_secrets`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from smashup.engine.game import Game
from smashup.engine.model.constants import AT_BASE, BURIED, DISCARD, NONE, ON_CARD, SETUP
from smashup.engine.model.decisions import CARDS, FACTIONS, MOVES, TRIGGERS, WORDS, Decision, Move
from smashup.engine.model.events import Trigger
from smashup.engine.replay.dealing import Dealer

_PUBLIC_ZONES = frozenset((AT_BASE, ON_CARD, DISCARD, BURIED))
"""Zones in which the card number identifies a card; elsewhere its name does."""

OptionKey = Hashable


class InformationSet:
    """A decision as the seat that has to make it sees it."""

    def __init__(self, game: Game, player: int | None = None) -> None:
        decision = game.decision
        if decision is None:
            raise ValueError("The game is over: there is no decision to make.")
        self.player = decision.player if player is None else player
        self.keys: list[OptionKey] = option_keys(decision)
        """Identifies each option in a way that holds on every sampled table."""
        self.is_draft = decision.kind == FACTIONS
        self.is_setup = game.table.state.phase == SETUP
        """Whether the first turn has not begun: a base that comes into play may ask."""
        self.turn = game.table.state.turn
        self.num_players = game.table.num_players
        self._dealer = Dealer(game, self.player)
        self._game = self._dealer.origin
        self._moves: list[Move] = decision.options if self._game.at_menu else []
        self._view: Mapping[str, Any] | None = None

    @property
    def num_options(self) -> int:
        return len(self.keys)

    def view(self) -> Mapping[str, Any]:
        """Return the seat's view, exactly as a person in the seat sees it."""
        return self._view if self._view is not None else self._game.view(self.player)

    @property
    def options(self) -> list[dict[str, Any]]:
        """The options as plain data, in order: label, card, base and so on."""
        options: list[dict[str, Any]] = self.view()["decision"]["options"]
        return options

    def sample(self, rng: Random) -> Game:
        """Return the game with hidden cards dealt at random; valid until the next call."""
        return self._dealer.deal_again(rng)

    def sample_seeded(self, seed: int) -> Game:
        """Return what ``sample(Random(seed))`` returns: faster if the seed was used recently."""
        return self._dealer.deal_seeded(seed)

    def first_move(self, option: int) -> Move | None:
        """Return an option of a play menu as the move to perform; None for other decisions."""
        return self._moves[option] if self._moves else None

    def without_secrets(self, dealt: Game) -> InformationSet:
        """Return the same decision on a table that contains no real hidden card.

        ``dealt`` comes from `smashup.bots.consistent_deals`.
        """
        safe = InformationSet(dealt, self.player)
        if safe.keys != self.keys:
            safe.keys = self.keys
            safe._moves = []
        real = self._game.view(self.player)
        if dealt.view(self.player) != real:
            safe._view = deepcopy(real)
        return safe


def option_keys(decision: Decision) -> list[OptionKey]:
    """Identify each option of a decision, equally on all tables sampled from one position."""
    s = decision.table.state
    definition = s.definition
    kind = decision.kind
    if kind == MOVES:
        moves: list[Move] = decision.options
        return [
            (
                move.verb,
                definition[move.card].name if move.card != NONE else "",
                move.place,
                move.ability.stamp if move.ability is not None else NONE,
                move.permission.source_card if move.permission is not None else NONE,
            )
            for move in moves
        ]
    if kind == CARDS:
        zone = s.zone
        return [
            c if c == NONE or zone[c] in _PUBLIC_ZONES else (definition[c].name, zone[c])
            for c in decision.options
        ]
    if kind == TRIGGERS:
        triggers: list[Trigger] = decision.options
        return [(x.ability.card, x.ability.stamp, x.hook) for x in triggers]
    if kind == WORDS:
        return list(range(len(decision.options)))
    return list(decision.options)
