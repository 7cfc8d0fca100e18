"""A seat's observation as arrays, encoded directly from the table.

Contains only what `smashup.engine.views.view` would show the seat: tests redeal all hidden cards
and compare. Seats are counted clockwise from the observer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from smashup.engine.game import Game
from smashup.engine.model.constants import (
    ACTION,
    AT_BASE,
    BURIED,
    MINION,
    NONE,
    PHASE_NAMES,
    PLAY,
    TITAN,
)
from smashup.engine.model.decisions import Decision
from smashup.engine.rules import visibility
from smashup.engine.rules.permissions import plays_left
from smashup.rl.fields import (
    BASES,
    CARD_COLUMNS,
    OPTION_COLUMNS,
    Z_ASIDE,
    Z_AT_BASE,
    Z_BASE_DECK,
    Z_BASE_DISCARD,
    Z_BURIED,
    Z_DECK,
    Z_DISCARD,
    Z_HAND,
    Z_LIMBO,
    Z_ON_CARD,
    card_rows,
    column_scales,
    normalize,
    table_fields,
    table_scales,
)
from smashup.rl.match import Match
from smashup.rl.options import write_options
from smashup.rl.pages import Page
from smashup.rl.standings import Standings
from smashup.rl.vocabulary import PURPOSE_NUMBER, Vocabulary

_PHASES = [[float(i == phase) for i in range(len(PHASE_NAMES))] for phase in range(8)]
_DECISIONS = [[float(i + 1 == kind) for i in range(7)] for kind in range(8)]
_PLAYS = {MINION: 0, ACTION: 1, MINION | ACTION: 2, TITAN: 3}
_DECISION_FIELDS = ("decision", "source", "purpose", "step", "picks", "options", "page")
_NO_DECISION = [0.0] * sum(f.size for f in table_fields(2) if f.name in _DECISION_FIELDS)


Observation = dict[str, NDArray[Any]]
"""A seat's observation: ``observation``, ``cards``, ``options`` and ``action_mask``.

docs/research.md documents every number.
"""


class Encoder:
    """Encodes observations for a fixed number of players and option slots.

    Normalized observations have all numbers between -1 and 1.
    """

    def __init__(
        self, players: int, slots: int, vocabulary: Vocabulary, normalized: bool = False
    ) -> None:
        self.players = players
        self.normalized = normalized
        self.slots = slots
        self.vocabulary = vocabulary
        self._number_of = vocabulary.kind_number
        self.rows = card_rows(players)
        self.size = sum(field.size for field in table_fields(players))
        self._seats = [[float(i == seat) for i in range(players)] for seat in range(players)]
        self._no_seat = [0.0] * players
        self.cards_dtype = np.float32 if normalized else np.int16
        self._scales = {
            "observation": table_scales(players),
            "cards": column_scales(CARD_COLUMNS),
            "options": column_scales(OPTION_COLUMNS),
        }

    def empty(self, *batch: int) -> Observation:
        """Return zeroed arrays for one observation, or for a batch."""
        return {
            "observation": np.zeros((*batch, self.size), np.float32),
            "cards": np.zeros((*batch, self.rows, len(CARD_COLUMNS)), self.cards_dtype),
            "options": np.zeros((*batch, self.slots, len(OPTION_COLUMNS)), np.float32),
            "action_mask": np.zeros((*batch, self.slots), np.int8),
        }

    def write_match(self, out: Observation, match: Match, seat: int) -> None:
        """Write what a seat of a match sees now."""
        self.write(out, match.game, seat, match.decision, match.page, match.factions)

    def write(
        self,
        out: Observation,
        game: Game,
        seat: int,
        decision: Decision | None,
        page: Page,
        factions: list[list[int]],
    ) -> None:
        """Write what the seat sees now into the arrays of one observation."""
        standings = Standings(game, seat)
        mine = decision if decision is not None and decision.player == seat else None
        out["observation"][:] = self._table(game, seat, standings, decision, page, factions)
        row_of, rows = self._cards(game, seat, standings)
        flat = out["cards"].reshape(-1)
        size = min(len(rows), len(flat))
        flat[:size] = rows[:size]
        flat[size:] = 0
        options = out["options"]
        mask = out["action_mask"]
        options.fill(0.0)
        mask.fill(0)
        if mine is not None:
            write_options(options, game, seat, mine, page, standings, row_of, self.vocabulary)
            mask[: page.shown] = 1
            if page.pages > 1:
                mask[self.slots - 1] = 1
        if self.normalized:
            for name, scales in self._scales.items():
                out[name][:] = normalize(out[name], scales)

    # --- the table ----------------------------------------------------------------------------

    def _table(
        self,
        game: Game,
        seat: int,
        standings: Standings,
        decision: Decision | None,
        page: Page,
        factions: list[list[int]],
    ) -> list[float]:
        s = game.table.state
        players = self.players
        numbers: list[float] = [s.turn, *_PHASES[s.phase]]
        numbers += self._seats[(s.current - seat) % players]
        if decision is None:
            numbers += self._no_seat
        else:
            numbers += self._seats[(decision.player - seat) % players]
        if decision is not None and decision.player == seat:
            numbers += self._decision_fields(game, seat, decision, page)
        else:
            numbers += _NO_DECISION
        plays = [0.0] * 4
        if s.phase == PLAY:
            for right, count in plays_left(game.table):
                plays[_PLAYS[right.types]] += count
        numbers += plays
        numbers += (len(s.base_deck), len(s.base_discard), len(s.madness))
        for i in range(players):
            p = (seat + i) % players
            numbers += (
                s.vp[p],
                len(s.hands[p]),
                len(s.decks[p]),
                len(s.discards[p]),
                *factions[p],
                standings.minions[i],
                standings.power[i],
                standings.titans[i],
            )
        number_of = self._number_of
        for base in standings.bases[:BASES]:
            site = base.site
            numbers += (
                number_of.get(s.definition[site.base].name, 0),
                base.breakpoint,
                base.total,
                base.breakpoint - base.total,
                *base.vp,
                s.counters[site.base],
                site.serial == s.scoring,
                *base.totals,
                *base.minions,
                *base.points,
            )
        numbers += [0.0] * (self.size - len(numbers))
        return numbers

    def _decision_fields(
        self, game: Game, seat: int, decision: Decision, page: Page
    ) -> list[float]:
        """Return the fields of the decision that the seat has to make."""
        source = 0
        c = decision.source
        if c != NONE and visibility.knows_card(game.table, seat, c):
            source = self.vocabulary.kind_number.get(game.table.state.definition[c].name, 0)
        several = decision.multi_pick
        return [
            *_DECISIONS[decision.kind],
            source,
            PURPOSE_NUMBER[decision.purpose],
            game.table.resolutions[-1].questions if c != NONE else 0,
            *((several.picked, several.min, several.max) if several is not None else (0, 0, 0)),
            len(decision.options),
            page.number,
            page.pages,
        ]

    # --- the cards ----------------------------------------------------------------------------

    def _cards(
        self, game: Game, seat: int, standings: Standings
    ) -> tuple[dict[int, int], list[int]]:
        """Return the row number (from 1) of each visible card, and all rows concatenated."""
        s = game.table.state
        players = self.players
        order = [(seat + i) % players for i in range(players)]
        seen = s.seen_by
        bit = 1 << seat
        rows: list[int] = []
        row_of: dict[int, int] = {}
        for slot, base in enumerate(standings.bases):
            for c in base.site.cards:
                self._add_card_in_play(game, seat, c, slot + 1, 0, standings.power_of, row_of, rows)
        self._add_known_cards(game, seat, [(Z_HAND, s.hands[seat])], row_of, rows, holder=1)
        for i, p in enumerate(order[1:], 2):
            hand = [c for c in s.hands[p] if seen[c] & bit]
            self._add_known_cards(game, seat, [(Z_HAND, hand)], row_of, rows, holder=i)
        known: list[tuple[int, list[int]]] = [(Z_LIMBO, s.limbo)]
        known += [(Z_ASIDE, s.set_aside[p]) for p in order]
        known += [(Z_DISCARD, s.discards[p]) for p in order]
        self._add_known_cards(game, seat, known, row_of, rows)
        for p in order:
            deck = s.decks[p]
            for i, c in enumerate(deck):
                if seen[c] & bit:
                    self._add_known_cards(game, seat, [(Z_DECK, [c])], row_of, rows)
                    rows[-1] = len(deck) - i
        if s.base_deck:
            top = s.base_deck[-1]
            for i, c in enumerate(s.base_deck):
                if seen[c] & bit or (c == top and visibility.knows_card(game.table, seat, c)):
                    self._add_known_cards(game, seat, [(Z_BASE_DECK, [c])], row_of, rows)
                    rows[-1] = len(s.base_deck) - i
        self._add_known_cards(game, seat, [(Z_BASE_DISCARD, s.base_discard)], row_of, rows)
        return row_of, rows

    def _add_card_in_play(
        self,
        game: Game,
        seat: int,
        c: int,
        base: int,
        host: int,
        power_of: dict[int, int],
        row_of: dict[int, int],
        rows: list[int],
    ) -> None:
        """Append a card in play and the cards attached to it."""
        s = game.table.state
        kind = s.definition[c]
        zone = s.zone[c]
        row = row_of[c] = len(row_of) + 1
        controller = (s.controller[c] - seat) % self.players + 1 if s.controller[c] >= 0 else 0
        if zone == BURIED:
            number = (
                self._number_of.get(kind.name, 0)
                if visibility.knows_card(game.table, seat, c)
                else 0
            )
            rows += (number, Z_BURIED, 0, controller, base, 0, 0, 0, 0, 0)
            return
        owner = s.owner[c]
        power = power_of.get(c)
        rows += (
            self._number_of.get(kind.name, 0),
            Z_AT_BASE if zone == AT_BASE else Z_ON_CARD,
            (owner - seat) % self.players + 1 if owner >= 0 else 0,
            controller,
            base,
            host,
            power if power is not None else kind.power,
            s.counters[c],
            s.tokens.get(c, 0),
            0,
        )
        if c in s.on_card:
            for a in s.on_card[c]:
                self._add_card_in_play(game, seat, a, base, row, power_of, row_of, rows)

    def _add_known_cards(
        self,
        game: Game,
        seat: int,
        zones: list[tuple[int, list[int]]],
        row_of: dict[int, int],
        rows: list[int],
        holder: int = 0,
    ) -> None:
        """Append cards out of play; the seat knows all of them except some in limbo.

        ``holder``: for a hand, the player who holds it, counted from 1 for the seat itself.
        """
        s = game.table.state
        kinds = s.definition
        owners = s.owner
        tokens = s.tokens
        players = self.players
        number_of = self._number_of
        row = len(row_of)
        for zone, cards in zones:
            for c in cards:
                row += 1
                row_of[c] = row
                if zone == Z_LIMBO and not visibility.knows_card(game.table, seat, c):
                    rows += (0, Z_LIMBO, 0, 0, 0, 0, 0, 0, 0, 0)
                    continue
                kind = kinds[c]
                owner = owners[c]
                rows += (
                    number_of.get(kind.name, 0),
                    zone,
                    (owner - seat) % players + 1 if owner >= 0 else 0,
                    holder,
                    0,
                    0,
                    kind.power,
                    0,
                    tokens.get(c, 0),
                    0,
                )
