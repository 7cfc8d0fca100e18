"""The tournament study: every bot plays every other from every seat.

A *table* is a combination of bots: two of them, or one per seat (with repetitions if there are
fewer bots than seats). Each round deals every table factions and a shuffle, and plays the deal in
every rotation of the bots; factions stay with the seats, so all bots get the same luck.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import ClassVar

from smashup.bots.bot_game import Teams, deal_random_factions, derive_seed
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.setup import Setup
from smashup.lab.game_runner import GameSpec, check_bot
from smashup.lab.study import Study


@dataclass(frozen=True)
class Tournament(Study):
    """A round robin of bots."""

    kind: ClassVar[str] = "tournament"

    entrants: tuple[str, ...] = ("random", "easy", "normal")
    factions: Teams = ()
    """Factions assigned to seats; missing ones are drawn at random for each deal."""

    @property
    def bots(self) -> tuple[str, ...]:
        return self.entrants

    def command_options(self) -> list[str]:
        given = ", ".join("+".join(team) or "random" for team in self.factions)
        return ["--bots", ",".join(self.entrants), *(["--factions", given] if given else [])]

    def tables(self) -> list[tuple[str, ...]]:
        """Return all combinations of bots."""
        if len(self.entrants) >= self.players:
            return list(combinations(self.entrants, self.players))
        mixed = combinations_with_replacement(self.entrants, self.players)
        return [table for table in mixed if len(set(table)) > 1]

    def deals_per_round(self, cards: Catalogue) -> int:
        return len(self.tables())

    def check(self, cards: Catalogue) -> None:
        for name in self.entrants:
            check_bot(name)
        if len(set(self.entrants)) != len(self.entrants):
            raise SetupError("A bot is named twice; each enters once.")
        if len(self.entrants) < 2:
            raise SetupError("A tournament needs at least two bots.")
        self.check_table(cards)
        self._setup(0, cards).check(cards)

    def game_spec(self, game: int, cards: Catalogue) -> GameSpec:
        deal, rotation = divmod(game, self.players)
        tables = self.tables()
        seats = list(tables[deal % len(tables)])
        Random(f"{derive_seed(self.seed, deal)}/seats").shuffle(seats)
        seats = seats[rotation:] + seats[:rotation]
        return GameSpec(game, deal, self._setup(deal, cards), tuple(seats))

    def _setup(self, deal: int, cards: Catalogue) -> Setup:
        seed = derive_seed(self.seed, deal)
        factions = deal_random_factions(self.factions, self.players, seed, cards)
        return self.deal_setup(seed, factions)
