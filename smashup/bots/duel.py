"""Matches between two bots, with enough games to tell which one plays better.

A duel is a list of games determined by its seed. Each deal (factions, shuffles, first player) is
played once per seat, with bot A in that seat and bot B in all others. Factions stay with their
seats, so both sides get the same luck. Replaying a game gives the same result, unless a bot has a
time budget.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from smashup.bots.bot_game import BotGame, Teams, compute_rank, deal_random_factions, derive_seed
from smashup.bots.levels import make_bot
from smashup.bots.process_pool import ProcessPool
from smashup.bots.statistics import UNDECIDED, StoppingRule, Tally
from smashup.cards import catalogue as own_cards
from smashup.cards.plugins import with_plugins
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.engine.model.editions import DEFAULT_EDITION
from smashup.engine.model.setup import Setup
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.bots.results_file import ResultsFile


@dataclass(frozen=True)
class Result:
    """The outcome of one game. Pairs hold a value for A and one for all other seats together."""

    game: int
    """Number of the game in the duel, from 0."""
    seat: int
    """A's seat."""
    winners: tuple[int, ...]
    vp: tuple[int, ...]
    turns: int
    decisions: tuple[int, int]
    """Decisions with more than one option."""
    seconds: tuple[float, float]
    """Thinking time spent on them."""
    factions: Teams

    @property
    def rank(self) -> float:
        """A's rank, 1 for the best; tied seats share the mean of their ranks."""
        return compute_rank(self.seat, self.winners, self.vp)


@dataclass(frozen=True)
class Duel:
    """Two bots and the setup of the games they play."""

    a: str
    b: str
    players: int = 2
    seed: int = 1
    edition: str = DEFAULT_EDITION.key
    printing: str = PRINTED
    factions: Teams = ()
    """Factions assigned to seats; missing ones are drawn at random for each deal."""
    plugin_files: tuple[str, ...] = ()
    """Faction files to load in addition to the built-in factions."""

    def check(self, cards: Catalogue) -> None:
        """Raise `SetupError` if the duel cannot be played."""
        for name in (self.a, self.b):
            make_bot(name)
        Setup(self.players, edition=self.edition, printing=self.printing).check(cards)
        self.setup(0, cards).check(cards)

    def deal_index(self, game: int) -> int:
        return game // self.players

    def seat_of_a(self, game: int) -> int:
        """Return A's seat in a game."""
        return game % self.players

    def round_up_to_deals(self, games: int) -> int:
        """Round a number of games up so that each deal is played from every seat."""
        return -(-games // self.players) * self.players

    def setup(self, deal: int, cards: Catalogue) -> Setup:
        """Return the setup of a deal."""
        seed = derive_seed(self.seed, deal)
        return Setup(
            players=self.players,
            factions=deal_random_factions(self.factions, self.players, seed, cards),
            edition=self.edition,
            printing=self.printing,
            seed=seed,
        )

    def play(self, game: int, cards: Catalogue) -> Result:
        """Play one game of the duel to the end."""
        setup = self.setup(self.deal_index(game), cards)
        ours = self.seat_of_a(game)
        bots = tuple(self.a if seat == ours else self.b for seat in range(self.players))
        played = BotGame(setup, bots, cards, logging=False)
        decisions, seconds = played.decisions, played.seconds
        return Result(
            game,
            ours,
            played.winners,
            played.vp,
            played.turns,
            (decisions[ours], sum(decisions) - decisions[ours]),
            (round(seconds[ours], 3), round(sum(seconds) - seconds[ours], 3)),
            setup.factions,
        )

    def to_dict(self, cards: Catalogue) -> dict[str, Any]:
        """Return all parameters that affect the results, as plain data."""
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


@dataclass
class Measurement:
    """A duel in progress: the results so far and the games left to play.

    Games count in order even when several run in parallel: counting whichever finishes first would
    favor short games.
    """

    duel: Duel
    cards: Catalogue
    games: int
    """Maximum number of games."""
    stopping_rule: StoppingRule = field(default_factory=StoppingRule)
    results_file: ResultsFile | None = None
    """Stores the results; games already in the file are not played again."""
    processes: int = 1
    verdict: str = UNDECIDED
    """The answer of the stopping rule, if it ended the duel."""

    def __post_init__(self) -> None:
        self.games = self.duel.round_up_to_deals(self.games)
        self.tally = Tally(self.duel.players)
        for result in self.results_file.results if self.results_file is not None else ():
            if self.is_over():
                break
            self._count(result)

    def is_over(self) -> bool:
        """Return whether the stopping rule is satisfied or all games are played."""
        return self.verdict != UNDECIDED or self.tally.games >= self.games

    def play(self) -> Generator[Result, None, None]:
        """Play the remaining games one by one. Closing the iterator stops all processes."""
        if self.is_over():
            return
        with closing(self._results(range(self.tally.games, self.games))) as results:
            for result in results:
                if self.results_file is not None:
                    self.results_file.add(result)
                self._count(result)
                yield result
                if self.is_over():
                    return

    def _results(self, games: range) -> Generator[Result, None, None]:
        """Play these games and yield their results in order."""
        processes = min(self.processes, len(games))
        if processes == 1:
            for game in games:
                yield self.duel.play(game, self.cards)
            return
        with ProcessPool(processes, _start_worker, self.duel) as pool:
            yield from pool.map(_play_game, games)

    def _count(self, result: Result) -> None:
        self.tally.add(result)
        self.verdict = self.stopping_rule.verdict(self.tally)


# --- inside a worker process ------------------------------------------------------------------

_DUELS: list[tuple[Duel, Catalogue]] = []
"""The duel that this process plays, and its cards."""


def _start_worker(duel: Duel) -> None:
    _DUELS.append((duel, with_plugins(duel.plugin_files)[0]))


def _play_game(game: int) -> Result:
    duel, cards = _DUELS[-1]
    return duel.play(game, cards)
