"""The matrix study: every pair of factions against random opponents.

Each round deals one table to every pair, in random order: the pair, opponents drawn evenly from the
other factions, and a shuffle. The deal is played once with the pair in each seat, so turn order
cancels out. Every seat of a game counts, not only that of the pair. Because the order is random, an
unfinished study is meaningful too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import ClassVar

from smashup.bots.bot_game import derive_seed
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import Catalogue
from smashup.lab.game_runner import GameSpec, check_bot
from smashup.lab.study import Study

Pair = tuple[str, str]


@dataclass(frozen=True)
class Matrix(Study):
    """All pairs of factions, with the same bot in all seats."""

    kind: ClassVar[str] = "matrix"

    bot: str = "normal"
    factions: tuple[str, ...] = ()
    """Factions that take part; empty for all."""

    @property
    def bots(self) -> tuple[str, ...]:
        return (self.bot,)

    def command_options(self) -> list[str]:
        named = ["--factions", ", ".join(self.factions)] if self.factions else []
        return ["--bot", self.bot, *named]

    def faction_names(self, cards: Catalogue) -> list[str]:
        """Return the participating factions in the order of the catalogue."""
        return [f.name for f in cards.factions if not self.factions or f.name in self.factions]

    def pairs(self, cards: Catalogue) -> list[Pair]:
        return list(combinations(self.faction_names(cards), 2))

    def deals_per_round(self, cards: Catalogue) -> int:
        return len(self.pairs(cards))

    def check(self, cards: Catalogue) -> None:
        check_bot(self.bot)
        self.check_table(cards)
        for name in self.factions:
            cards.faction(name)
        if len(set(self.factions)) != len(self.factions):
            raise SetupError("A faction is named twice; each takes part once.")
        self.check_faction_count(len(self.faction_names(cards)))

    def game_spec(self, game: int, cards: Catalogue) -> GameSpec:
        deal, seat = divmod(game, self.players)
        pair = self._pair(deal, cards)
        seed = derive_seed(self.seed, deal)
        free = [name for name in self.faction_names(cards) if name not in pair]
        Random(f"{seed}/field").shuffle(free)
        field: list[Pair] = list(zip(free[::2], free[1::2], strict=False))[: self.players - 1]
        teams = (*field[:seat], pair, *field[seat:])
        setup = self.deal_setup(seed, teams)
        return GameSpec(game, deal, setup, (self.bot,) * self.players, subject=seat)

    def _pair(self, deal: int, cards: Catalogue) -> Pair:
        """Return the pair of a deal; each pair appears once per round."""
        pairs = self.pairs(cards)
        number, place = divmod(deal, len(pairs))
        Random(f"{self.seed}/{number}/round").shuffle(pairs)
        return pairs[place]
