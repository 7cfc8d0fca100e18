"""Plays one game of a study and returns a row per seat.

Imports only the engine and the bots, so that worker processes start fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from smashup.bots.bot_game import QUICK, BotGame, compute_rank
from smashup.bots.levels import make_bot
from smashup.cards.authoring.places import closest, suggest
from smashup.engine.errors import SetupError
from smashup.engine.events.base import GameEvent
from smashup.engine.events.course import BaseScored, MadnessCounted, TurnStarted
from smashup.engine.events.values import VictoryPointsGained, VictoryPointsLost
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.setup import Setup


@dataclass(frozen=True)
class GameSpec:
    """A game to play."""

    game: int
    """Number in the study, from 0."""
    deal: int
    """Deal number; each deal is played once from every seat."""
    setup: Setup
    """Seat 0 goes first."""
    bots: tuple[str, ...]
    subject: int = -1
    """The seat under study; -1 if there is none."""


class Row(NamedTuple):
    """The record of one seat in one game; `records.SCHEMA` has the column types."""

    game: int
    deal: int
    seed: int
    edition: str
    printing: str
    players: int
    seat: int
    """0 goes first."""
    subject: bool
    bot: str
    faction_a: str
    faction_b: str
    """Both in the order of the catalogue, so that a pair has one name."""
    vp: int
    rank: float
    won: float
    """1 or 0, or a fraction if victory is shared."""
    turns: int
    """Of all players together."""
    own_turns: int
    bases: int
    """Bases that scored."""
    bases_placed: int
    """Bases where this seat was among the first three."""
    bases_first: int
    """Bases where it had the most power, alone or tied."""
    bases_broken: int
    """Bases that scored during its own turns."""
    vp_by_turn: list[int]
    """VP after each turn of the game."""
    decisions: int
    """With more than one option."""
    ms: float
    """Thinking time for these decisions: the only column that differs between runs."""


class GameTimeline:
    """Statistics of a game by turn, derived from its visible events."""

    def __init__(self, events: list[GameEvent], players: int) -> None:
        self.vp = [0] * players
        self.vp_by_turn: list[list[int]] = [[] for _ in range(players)]
        self.own_turns = [0] * players
        self.bases = 0
        self.placed = [0] * players
        self.first = [0] * players
        self.broken = [0] * players
        current = -1
        for event in events:
            if isinstance(event, TurnStarted):
                if current >= 0:
                    self._end_turn()
                current = event.player
                self.own_turns[current] += 1
            elif isinstance(event, BaseScored):
                self.bases += 1
                if current >= 0:
                    self.broken[current] += 1
                for player, place, amount, _ in event.places:
                    self.vp[player] += amount
                    self.placed[player] += 1
                    self.first[player] += place == 1
            elif isinstance(event, MadnessCounted):
                self.vp[event.player] = max(0, self.vp[event.player] - event.amount)
            elif isinstance(event, VictoryPointsGained):
                self.vp[event.player] += event.amount
            elif isinstance(event, VictoryPointsLost):
                self.vp[event.player] = max(0, self.vp[event.player] - event.amount)
        self._end_turn()

    def _end_turn(self) -> None:
        for seat, points in enumerate(self.vp):
            self.vp_by_turn[seat].append(points)


def check_bot(name: str) -> None:
    """Raise `SetupError` if there is no such bot."""
    if name == QUICK:
        return
    if ":" not in name and closest(name, (QUICK,)):
        raise SetupError(
            "There is no bot called “{name}”.{hint}", name=name, hint=suggest(name, (QUICK,))
        )
    make_bot(name)


def play_game(spec: GameSpec, cards: Catalogue) -> list[Row]:
    """Play a game and return its rows in seat order."""
    setup = spec.setup
    bot_game = BotGame(setup, spec.bots, cards)
    game, winners, vp = bot_game.game, bot_game.winners, bot_game.vp
    timeline = GameTimeline(game.table.events, setup.players)
    places = {faction.name: place for place, faction in enumerate(cards.factions)}
    rows = []
    for seat in range(setup.players):
        one, other = sorted(setup.factions[seat], key=places.__getitem__)
        # With the Madness penalty at the end of the game.
        timeline.vp_by_turn[seat][-1] = vp[seat]
        rows.append(
            Row(
                game=spec.game,
                deal=spec.deal,
                seed=setup.seed,
                edition=setup.edition,
                printing=setup.printing,
                players=setup.players,
                seat=seat,
                subject=seat == spec.subject,
                bot=spec.bots[seat],
                faction_a=one,
                faction_b=other,
                vp=vp[seat],
                rank=compute_rank(seat, winners, vp),
                won=1 / len(winners) if seat in winners else 0.0,
                turns=bot_game.turns,
                own_turns=timeline.own_turns[seat],
                bases=timeline.bases,
                bases_placed=timeline.placed[seat],
                bases_first=timeline.first[seat],
                bases_broken=timeline.broken[seat],
                vp_by_turn=timeline.vp_by_turn[seat],
                decisions=bot_game.decisions[seat],
                ms=round(1000 * bot_game.seconds[seat], 2),
            )
        )
    game.dispose()
    return rows
