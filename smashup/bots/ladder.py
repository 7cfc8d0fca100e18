"""The ladder of bots: names for programs, levels for people."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from smashup.bots.bot import Advice, Bot, Progress, RandomBot
from smashup.bots.greedy import Greedy
from smashup.bots.mcts import Mcts
from smashup.bots.sight import Sight
from smashup.engine.errors import SetupError


class Careless(Bot):
    """Plays like another bot, but every so often does the first thing that comes to mind."""

    name = "careless"

    def __init__(self, seed: int, bot: Bot, how_often: float) -> None:
        super().__init__(seed)
        self.bot = bot
        self.how_often = how_often

    def think(self, sight: Sight, progress: Progress) -> Advice:
        if self.rng.random() < self.how_often:
            return Advice(self.rng.randrange(sight.size))
        return self.bot.think(sight, progress)


@dataclass(frozen=True)
class Level:
    """An opponent for people: its name and what it is like."""

    name: str
    about: str
    make: Callable[[int], Bot]


LEVELS: Final = (
    Level(
        "easy",
        "Means well, but does half of everything without thinking.",
        lambda seed: Careless(seed, Greedy(seed, deals=1), 0.5),
    ),
    Level(
        "normal",
        "Takes what leaves the best table at the end of its turn.",
        Greedy,
    ),
    Level(
        "hard",
        "Thinks a moment: plans its turn and reckons with what it cannot see.",
        lambda seed: Mcts(seed, milliseconds=150),
    ),
    Level(
        "expert",
        "Thinks for a second about every choice.",
        lambda seed: Mcts(seed, milliseconds=1000),
    ),
)
_BUDGET = re.compile(r"mcts:(\d+)(ms|it)")


def make_bot(name: str, seed: int = 0) -> Bot:
    """A bot by its name: random, greedy, a level, or mcts:500ms, mcts:300it (any budget)."""
    for level in LEVELS:
        if level.name == name:
            return level.make(seed)
    if name == "random":
        return RandomBot(seed)
    if name == "greedy":
        return Greedy(seed)
    found = _BUDGET.fullmatch(name)
    if found:
        amount = int(found[1])
        if amount:
            return Mcts(seed, amount) if found[2] == "ms" else Mcts(seed, iterations=amount)
    raise SetupError(
        "There is no bot called «{name}»: there are random, greedy, mcts:500ms (or any number of"
        " milliseconds), mcts:300it (iterations), and the levels {levels}.",
        name=name,
        levels=", ".join(level.name for level in LEVELS),
    )
