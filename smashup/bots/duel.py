"""One bot against another, often enough to tell who plays better.

A duel is a list of games, fixed by its seed. Every deal (factions, shuffles, who goes first) is
played once for each seat, with A in that seat and B in all the others; factions stay with their
seats, so luck of the deal comes to both sides alike. Game after game is the same wherever and
whenever it is played, unless a bot thinks by the clock.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from smashup.bots.crew import Crew
from smashup.bots.ladder import make_bot
from smashup.bots.sight import Sight
from smashup.bots.tally import OPEN, Bar, Tally
from smashup.cards import catalogue as own_cards
from smashup.engine.errors import SetupError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.engine.model.editions import DEFAULT_EDITION
from smashup.engine.model.setup import Setup
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.bots.ledger import Ledger

Teams = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Result:
    """How one game ended. Pairs are about A and about all the others together."""

    game: int
    """Its number in the duel, from 0."""
    seat: int
    """Where A sat."""
    winners: tuple[int, ...]
    vp: tuple[int, ...]
    turns: int
    decisions: tuple[int, int]
    """Decisions with more than one option."""
    seconds: tuple[float, float]
    """Time spent on them."""
    factions: Teams

    @property
    def rank(self) -> float:
        """A's rank, 1 for the best; those who are equal share the mean of their ranks."""
        return rank(self.seat, self.winners, self.vp)


def rank(seat: int, winners: tuple[int, ...], vp: tuple[int, ...]) -> float:
    """The rank of a seat: winners first, then by VP."""
    standing = [(other in winners, points) for other, points in enumerate(vp)]
    better = sum(place > standing[seat] for place in standing)
    equal = sum(place == standing[seat] for place in standing)
    return better + (equal + 1) / 2


@dataclass(frozen=True)
class Duel:
    """Who plays whom, and at which tables."""

    a: str
    b: str
    players: int = 2
    seed: int = 1
    edition: str = DEFAULT_EDITION.key
    printing: str = PRINTED
    factions: Teams = ()
    """Factions given to the seats; those left open are drawn for every deal anew."""
    files: tuple[str, ...] = ()
    """Faction files the cards come from, besides those of the project."""

    def check(self, cards: Catalogue) -> None:
        """Refuse a duel that cannot be played, in a sentence."""
        for name in (self.a, self.b):
            make_bot(name)
        Setup(self.players, edition=self.edition, printing=self.printing).check(cards)
        self.setup(0, cards).check(cards)

    def deal_of(self, game: int) -> int:
        return game // self.players

    def seat_of(self, game: int) -> int:
        """Where A sits in a game."""
        return game % self.players

    def whole_deals(self, games: int) -> int:
        """So many games, or a few more until each deal was played from every seat."""
        return -(-games // self.players) * self.players

    def setup(self, deal: int, cards: Catalogue) -> Setup:
        """The table of a deal."""
        seed = derived(self.seed, deal)
        return Setup(
            players=self.players,
            factions=self._teams(seed, cards),
            edition=self.edition,
            printing=self.printing,
            seed=seed,
        )

    def _teams(self, seed: int, cards: Catalogue) -> Teams:
        teams = [list(team) for team in self.factions]
        teams += [[] for _ in range(self.players - len(teams))]
        taken = {name for team in teams for name in team}
        free = [f.name for f in cards.factions if f.name not in taken]
        Random(f"{seed}/factions").shuffle(free)
        for team in teams:
            while len(team) < 2:
                if not free:
                    raise SetupError("There are not enough factions left for random decks.")
                team.append(free.pop())
        return tuple(tuple(team) for team in teams)

    def play(self, game: int, cards: Catalogue) -> Result:
        """Play one game of the duel to its end."""
        setup = self.setup(self.deal_of(game), cards)
        ours = self.seat_of(game)
        bots = [
            make_bot(self.a if seat == ours else self.b, derived(setup.seed, seat))
            for seat in range(self.players)
        ]
        table = Game(setup, cards)
        table.table.logging = False
        decisions = [0, 0]
        seconds = [0.0, 0.0]
        while (decision := table.decision) is not None:
            if len(decision.options) == 1:
                table.choose(0)
                continue
            side = int(decision.player != ours)
            began = time.perf_counter()
            pick = bots[decision.player].choose(Sight(table))
            seconds[side] += time.perf_counter() - began
            decisions[side] += 1
            table.choose(pick)
        return Result(
            game,
            ours,
            tuple(table.table.state.winners),
            tuple(table.table.state.vp),
            table.table.state.turn,
            (decisions[0], decisions[1]),
            (round(seconds[0], 3), round(seconds[1], 3)),
            setup.factions,
        )

    def facts(self, cards: Catalogue) -> dict[str, Any]:
        """All that makes this measurement what it is, as plain data."""
        known = {faction.name for faction in own_cards().factions}
        return {
            "a": self.a,
            "b": self.b,
            "players": self.players,
            "seed": self.seed,
            "edition": self.edition,
            "printing": self.printing,
            "factions": [list(team) for team in self.factions],
            "guests": [f.name for f in cards.factions if f.name not in known],
            "version": __version__,
        }


def derived(*parts: int) -> int:
    """A seed that follows from others, and looks like none of them."""
    return Random("/".join(str(part) for part in parts)).getrandbits(32)


@dataclass
class Measurement:
    """A duel being played: what is known so far, and what is still to do.

    Games are counted in their order, also where several are played at once: counting whichever is
    over first would prefer short games.
    """

    duel: Duel
    cards: Catalogue
    games: int
    """When to end at the latest."""
    bar: Bar = field(default_factory=Bar)
    ledger: Ledger | None = None
    """Where results are kept; those kept already are not played again."""
    processes: int = 1
    verdict: str = OPEN
    """What the bar said, if the duel ended because of it."""

    def __post_init__(self) -> None:
        self.games = self.duel.whole_deals(self.games)
        self.tally = Tally(self.duel.players)
        for result in self.ledger.results if self.ledger is not None else ():
            if self.is_over():
                break
            self._count(result)

    def is_over(self) -> bool:
        """Whether everything asked for is known."""
        return self.verdict != OPEN or self.tally.games >= self.games

    def play(self) -> Generator[Result, None, None]:
        """Play what is left, game by game. Closing the iterator ends all processes."""
        if self.is_over():
            return
        todo = range(self.tally.games, self.games)
        with Crew(self.duel, self.cards, min(self.processes, len(todo))) as crew:
            for result in crew.play(todo):
                if self.ledger is not None:
                    self.ledger.add(result)
                self._count(result)
                yield result
                if self.is_over():
                    return

    def _count(self, result: Result) -> None:
        self.tally.add(result)
        self.verdict = self.bar.verdict(self.tally)
