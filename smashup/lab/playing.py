"""One game of a study, played to its end: a row for each seat.

Nothing here needs more than the engine and the bots, so that processes that only play start fast.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from smashup.bots.duel import compute_rank, derive_seed
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.bots.rollout_policies import random_policy
from smashup.engine.events.base import GameEvent
from smashup.engine.events.course import BaseScored, TurnStarted
from smashup.engine.events.values import VictoryPointsGained, VictoryPointsLost
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup
from smashup.engine.model.table import Policy

QUICK: Final = "quick"
"""The quickest player there is: the one with whom bots imagine the rest of a turn."""


@dataclass(frozen=True)
class Job:
    """One game to be played."""

    game: int
    """Its number in the study, from 0."""
    deal: int
    """The deal it belongs to: the same cards are played once from every seat."""
    setup: Setup
    """Seat 0 goes first."""
    bots: tuple[str, ...]
    subject: int = -1
    """The seat the game is about, in studies that are about one."""


class Row(NamedTuple):
    """What is kept of one seat of one game; `records.SCHEMA` gives the types."""

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
    """In the order of the catalogue, so that a pair has one name."""
    vp: int
    rank: float
    won: float
    """1 or 0, or a share where victory is shared."""
    turns: int
    """Of all players together."""
    own_turns: int
    bases: int
    """Bases that scored, whoever was there."""
    bases_placed: int
    """Those that gave this seat one of the first three places."""
    bases_first: int
    """Those where it had the most power, alone or tied."""
    bases_broken: int
    """Those that scored in its own turns."""
    vp_by_turn: list[int]
    """Its VP after each turn of the game."""
    decisions: int
    """Those with more than one option."""
    ms: float
    """Time it took to think about them: the one column that differs from run to run."""


class Story:
    """A game told turn by turn, from its events."""

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
            elif isinstance(event, VictoryPointsGained):
                self.vp[event.player] += event.amount
            elif isinstance(event, VictoryPointsLost):
                self.vp[event.player] = max(0, self.vp[event.player] - event.amount)
        self._end_turn()

    def _end_turn(self) -> None:
        for seat, points in enumerate(self.vp):
            self.vp_by_turn[seat].append(points)


class Sitting:
    """Bots at a table, with a note of how often and how long each of them thought."""

    def __init__(self, job: Job, cards: Catalogue) -> None:
        self.table = Game(job.setup, cards)
        self.decisions = [0] * job.setup.players
        self.seconds = [0.0] * job.setup.players
        self._answers = [
            self._player(name, derive_seed(job.setup.seed, seat))
            for seat, name in enumerate(job.bots)
        ]
        # Whoever looks at the table needs one that can be copied amid a card.
        self.table.play_out(self._answer, record=any(name != QUICK for name in job.bots))

    def _player(self, name: str, seed: int) -> Policy:
        if name == QUICK:
            return random_policy(Random(seed).random)
        bot = make_bot(name, seed)
        return lambda decision: bot.choose(InformationSet(self.table))

    def _answer(self, decision: Decision) -> int:
        if len(decision.options) == 1:
            return 0
        seat = decision.player
        self.decisions[seat] += 1
        began = time.perf_counter()
        pick = self._answers[seat](decision)
        self.seconds[seat] += time.perf_counter() - began
        return pick


def check_bot(name: str) -> None:
    """Refuse a bot that does not exist, in a sentence."""
    if name != QUICK:
        make_bot(name)


def play(job: Job, cards: Catalogue) -> list[Row]:
    """Play a game; its rows, seat by seat."""
    sitting = Sitting(job, cards)
    table, setup = sitting.table, job.setup
    story = Story(table.table.events, setup.players)
    winners, vp = tuple(table.table.state.winners), tuple(table.table.state.vp)
    places = {faction.name: place for place, faction in enumerate(cards.factions)}
    rows = []
    for seat in range(setup.players):
        one, other = sorted(setup.factions[seat], key=places.__getitem__)
        story.vp_by_turn[seat][-1] = vp[seat]  # Madness counts at the very end
        rows.append(
            Row(
                game=job.game,
                deal=job.deal,
                seed=setup.seed,
                edition=setup.edition,
                printing=setup.printing,
                players=setup.players,
                seat=seat,
                subject=seat == job.subject,
                bot=job.bots[seat],
                faction_a=one,
                faction_b=other,
                vp=vp[seat],
                rank=compute_rank(seat, winners, vp),
                won=1 / len(winners) if seat in winners else 0.0,
                turns=table.table.state.turn,
                own_turns=story.own_turns[seat],
                bases=story.bases,
                bases_placed=story.placed[seat],
                bases_first=story.first[seat],
                bases_broken=story.broken[seat],
                vp_by_turn=story.vp_by_turn[seat],
                decisions=sitting.decisions[seat],
                ms=round(1000 * sitting.seconds[seat], 2),
            )
        )
    table.put_away()
    return rows
