"""The matrix: every pair of factions against a field of random opponents.

Round by round, in an order that changes, each pair is dealt one table: the pair, opponents drawn
from the other factions, and a shuffle. The deal is played once with the pair in every seat, so it
goes first as often as not. Opponents are drawn evenly, so that a game counts for everybody at its
table; and since the order is drawn too, a study says something at whatever moment it is stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import ClassVar

from smashup.bots.duel import derive_seed
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.setup import Setup
from smashup.lab.playing import Job, check_bot
from smashup.lab.study import Study

Pair = tuple[str, str]


@dataclass(frozen=True)
class Matrix(Study):
    """All pairs of the factions, with one bot in all seats."""

    kind: ClassVar[str] = "matrix"

    bot: str = "normal"
    factions: tuple[str, ...] = ()
    """Only these take part; empty for all there are."""

    @property
    def bots(self) -> tuple[str, ...]:
        return (self.bot,)

    def options(self) -> list[str]:
        named = ["--factions", ", ".join(self.factions)] if self.factions else []
        return ["--bot", self.bot, *named]

    def names(self, cards: Catalogue) -> list[str]:
        """The factions that take part, in the order of the catalogue."""
        return [f.name for f in cards.factions if not self.factions or f.name in self.factions]

    def pairs(self, cards: Catalogue) -> list[Pair]:
        return list(combinations(self.names(cards), 2))

    def round(self, cards: Catalogue) -> int:
        return len(self.pairs(cards))

    def check(self, cards: Catalogue) -> None:
        check_bot(self.bot)
        self.check_table(cards)
        for name in self.factions:
            cards.faction(name)
        if len(set(self.factions)) != len(self.factions):
            raise SetupError("A faction is named twice; each takes part once.")
        self.check_faction_count(len(self.names(cards)))

    def job(self, game: int, cards: Catalogue) -> Job:
        deal, seat = divmod(game, self.players)
        pair = self._pair(deal, cards)
        seed = derive_seed(self.seed, deal)
        free = [name for name in self.names(cards) if name not in pair]
        Random(f"{seed}/field").shuffle(free)
        field: list[Pair] = list(zip(free[::2], free[1::2], strict=False))[: self.players - 1]
        teams = (*field[:seat], pair, *field[seat:])
        setup = Setup(
            players=self.players,
            factions=teams,
            edition=self.edition,
            printing=self.printing,
            seed=seed,
            first=0,
        )
        return Job(game, deal, setup, (self.bot,) * self.players, subject=seat)

    def _pair(self, deal: int, cards: Catalogue) -> Pair:
        """The pair a deal is about; each comes once in every round."""
        pairs = self.pairs(cards)
        number, place = divmod(deal, len(pairs))
        Random(f"{self.seed}/{number}/round").shuffle(pairs)
        return pairs[place]
