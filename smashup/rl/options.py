"""Options as rows of numbers: what each does, to what, and the state of its base."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from smashup.engine.game import Game
from smashup.engine.model.constants import (
    ACTION,
    AT_BASE,
    BASE,
    BURIED,
    DISCARD,
    HAND,
    MINION,
    NONE,
    ON_CARD,
    TITAN,
)
from smashup.engine.model.decisions import (
    CARDS,
    DONE,
    FACTIONS,
    LATER,
    MOVES,
    PASS,
    PLAY_CARD,
    PLAYERS,
    SITES,
    TRIGGERS,
    USE_TALENT,
    Decision,
    Move,
)
from smashup.engine.rules import queries, visibility
from smashup.rl.fields import OPTION_COLUMNS
from smashup.rl.pages import Page
from smashup.rl.standings import Standings
from smashup.rl.vocabulary import Vocabulary

(
    O_PLAY, O_TALENT, O_SPECIAL, O_DONE, O_PASS, O_LATER, O_NONE, O_CARD, O_BASE, O_PLAYER,
    O_WORDS, O_TRIGGER, O_FACTION, O_MORE, INDEX, DECLINES, MODE, ROW, KIND, IS_MINION,
    IS_ACTION, IS_TITAN, PRINTED, POWER, COUNTERS, MINE, THEIRS, IN_PLAY, IN_HAND, IN_DISCARD,
    ELSEWHERE, EXTRA, ON, HOST_MINE, HOST_POWER, WHO, WHICH_FACTION, WHERE, BASE_KIND, TO_GO,
    TOTAL, MY_POWER, RIVAL, VP_NOW, VP_FIRST, ADDS, BREAKS, LEAD_AFTER,
) = range(len(OPTION_COLUMNS))  # fmt: skip

_VERBS = {PLAY_CARD: O_PLAY, USE_TALENT: O_TALENT, DONE: O_DONE, PASS: O_PASS, LATER: O_LATER}
_TYPES = {MINION: IS_MINION, ACTION: IS_ACTION, TITAN: IS_TITAN}
_WIDTH = len(OPTION_COLUMNS)


def write_options(
    out: NDArray[np.float32],
    game: Game,
    seat: int,
    decision: Decision,
    page: Page,
    standings: Standings,
    row_of: dict[int, int],
    vocabulary: Vocabulary,
) -> None:
    """Write the options of one page into their slots of a zeroed array."""
    encoder = _OptionEncoder(game, seat, standings, row_of, vocabulary)
    kind = decision.kind
    options = decision.options
    rows: list[list[float]] = []
    for i in range(page.first, page.first + page.shown):
        row = [0.0] * _WIDTH
        row[INDEX] = i
        encoder.describe(row, kind, options[i])
        if decision.declines(i):
            row[DECLINES] = 1.0
        rows.append(row)
    out[: page.shown] = rows
    if page.pages > 1:
        out[-1, O_MORE] = 1.0


class _OptionEncoder:
    """Encodes options as rows."""

    __slots__ = ("bases", "game", "number_of", "players", "row_of", "seat", "slot_of")

    def __init__(
        self,
        game: Game,
        seat: int,
        standings: Standings,
        row_of: dict[int, int],
        vocabulary: Vocabulary,
    ) -> None:
        self.game = game
        self.seat = seat
        self.players = game.table.num_players
        self.row_of = row_of
        self.number_of = vocabulary.kind_number
        self.slot_of = standings.slot_of
        s = game.table.state
        self.bases: list[tuple[float, ...]] = []
        """Values per base, for the columns from `WHERE` on."""
        for slot, base in enumerate(standings.bases):
            self.bases.append(
                (
                    slot + 1,
                    self.number_of.get(s.definition[base.site.base].name, 0),
                    base.breakpoint - base.total,
                    base.total,
                    base.totals[0],
                    max(base.totals[1:]),
                    base.points[0],
                    base.vp[0],
                )
            )

    def describe(self, row: list[float], kind: int, option: Any) -> None:
        if kind == MOVES:
            self._move(row, option)
        elif kind == CARDS:
            if option == NONE:
                row[O_NONE] = 1.0
            else:
                row[O_CARD] = 1.0
                self._card(row, option)
        elif kind == SITES:
            if option == NONE:
                row[O_NONE] = 1.0
            else:
                row[O_BASE] = 1.0
                self._base(row, option)
        elif kind == PLAYERS:
            if option == NONE:
                row[O_NONE] = 1.0
            else:
                row[O_PLAYER] = 1.0
                row[WHO] = (option - self.seat) % self.players + 1
                row[MINE if option == self.seat else THEIRS] = 1.0
        elif kind == TRIGGERS:
            row[O_TRIGGER] = 1.0
            c = option.ability.card
            if self.game.table.in_play(c) or visibility.knows_card(self.game.table, self.seat, c):
                self._face(row, c)
        elif kind == FACTIONS:
            row[O_FACTION] = 1.0
            row[WHICH_FACTION] = option + 1
        else:
            row[O_WORDS] = 1.0
            row[MODE] = row[INDEX] + 1

    def _move(self, row: list[float], move: Move) -> None:
        verb = _VERBS[move.verb]
        if verb == O_TALENT and self.game.table.window is not None:
            verb = O_SPECIAL  # no talents are used in a window for Specials
        row[verb] = 1.0
        c = move.card
        if c == NONE:
            return
        self._face(row, c)
        if move.verb != PLAY_CARD:
            return
        if move.permission is not None and not move.permission.is_normal:
            row[EXTRA] = 1.0
        place = move.place
        game = self.game
        if place == NONE:
            return
        if move.on_card:
            row[ON] = 1.0
            if game.table.state.controller[place] == self.seat:
                row[HOST_MINE] = 1.0
            row[HOST_POWER] = queries.power(game.table, place)
            place = game.table.site_serial(place)
        self._base(row, place)
        kind = game.table.state.definition[c]
        if kind.type == MINION:
            power = kind.power
            row[ADDS] = power
            if power >= row[TO_GO]:
                row[BREAKS] = 1.0
            row[LEAD_AFTER] = row[MY_POWER] + power - row[RIVAL]

    def _card(self, row: list[float], c: int) -> None:
        """Encode an offered card, face up or face down."""
        game = self.game
        zone = game.table.state.zone[c]
        if zone in (AT_BASE, ON_CARD) or visibility.knows_card(game.table, self.seat, c):
            self._face(row, c)
        elif zone == BURIED:
            self._base(row, game.table.site_serial(c))
            row[ROW] = self.row_of.get(c, 0)
            row[IN_PLAY] = 1.0
            row[MINE if game.table.state.controller[c] == self.seat else THEIRS] = 1.0
        else:
            row[IN_HAND if zone == HAND else ELSEWHERE] = 1.0

    def _face(self, row: list[float], c: int) -> None:
        """Encode a card that the seat can identify, and its location."""
        game = self.game
        s = game.table.state
        kind = s.definition[c]
        row[ROW] = self.row_of.get(c, 0)
        row[KIND] = self.number_of.get(kind.name, 0)
        sort = kind.type
        if sort == BASE:
            serial = game.table.site_serial(c)
            if serial != NONE:
                self._base(row, serial)
            return
        row[_TYPES[sort]] = 1.0
        row[PRINTED] = kind.power
        zone = s.zone[c]
        if zone in (AT_BASE, ON_CARD, BURIED):
            row[IN_PLAY] = 1.0
            row[COUNTERS] = s.counters[c]
            row[POWER] = (
                queries.power(game.table, c) if zone == AT_BASE and sort != ACTION else kind.power
            )
            self._base(row, game.table.site_serial(c))
            row[MINE if s.controller[c] == self.seat else THEIRS] = 1.0
            return
        row[POWER] = kind.power
        row[IN_HAND if zone == HAND else IN_DISCARD if zone == DISCARD else ELSEWHERE] = 1.0
        row[MINE if s.owner[c] == self.seat else THEIRS] = 1.0

    def _base(self, row: list[float], serial: int) -> None:
        slot = self.slot_of.get(serial)
        if slot is not None:
            row[WHERE : VP_FIRST + 1] = self.bases[slot]
