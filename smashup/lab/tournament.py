"""The tournament: every bot meets every other, and everybody sits everywhere.

A *table* is a choice of bots: two of them, or as many as there are seats (the same one may sit
there twice if there are fewer bots than seats). Round by round each table is dealt factions and a
shuffle, and the deal is played once in every rotation of the bots; the factions stay with the
seats, so luck comes to all bots alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import ClassVar

from smashup.bots.duel import Duel, Teams, derive_seed
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import Catalogue
from smashup.lab.playing import Job, check_bot
from smashup.lab.study import Study


@dataclass(frozen=True)
class Tournament(Study):
    """A round robin of bots."""

    kind: ClassVar[str] = "tournament"

    entrants: tuple[str, ...] = ("random", "easy", "normal")
    factions: Teams = ()
    """Factions given to the seats; those left open are drawn for every deal anew."""

    @property
    def bots(self) -> tuple[str, ...]:
        return self.entrants

    def options(self) -> list[str]:
        given = ", ".join("+".join(team) or "random" for team in self.factions)
        return ["--bots", ",".join(self.entrants), *(["--factions", given] if given else [])]

    def tables(self) -> list[tuple[str, ...]]:
        """Who meets whom."""
        if len(self.entrants) >= self.players:
            return list(combinations(self.entrants, self.players))
        mixed = combinations_with_replacement(self.entrants, self.players)
        return [table for table in mixed if len(set(table)) > 1]

    def round(self, cards: Catalogue) -> int:
        return len(self.tables())

    def check(self, cards: Catalogue) -> None:
        for name in self.entrants:
            check_bot(name)
        if len(set(self.entrants)) != len(self.entrants):
            raise SetupError("A bot is named twice; each enters once.")
        if len(self.entrants) < 2:
            raise SetupError("A tournament needs two bots at least.")
        self.check_table(cards)
        self._dealer().setup(0, cards).check(cards)

    def job(self, game: int, cards: Catalogue) -> Job:
        deal, rotation = divmod(game, self.players)
        tables = self.tables()
        seats = list(tables[deal % len(tables)])
        Random(f"{derive_seed(self.seed, deal)}/seats").shuffle(seats)
        seats = seats[rotation:] + seats[:rotation]
        setup = replace(self._dealer().setup(deal, cards), first=0)
        return Job(game, deal, setup, tuple(seats))

    def _dealer(self) -> Duel:
        """A duel deals in the same way."""
        return Duel(
            self.entrants[0],
            self.entrants[0],
            self.players,
            self.seed,
            self.edition,
            self.printing,
            self.factions,
        )
