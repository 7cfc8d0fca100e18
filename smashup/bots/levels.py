"""Bots by name: four difficulty levels, and any bot with its parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from smashup.bots.bot import Advice, Bot, ProgressCallback, RandomBot
from smashup.bots.greedy import GreedyBot
from smashup.bots.information_set import InformationSet
from smashup.bots.mcts import MctsBot
from smashup.bots.plugins import make_plugin_bot, registered_names
from smashup.cards.authoring.places import suggest
from smashup.engine.errors import SetupError


class NoisyBot(Bot):
    """Plays like another bot, but answers at random with a fixed probability."""

    name = "noisy"

    def __init__(self, seed: int, bot: Bot, error_rate: float) -> None:
        super().__init__(seed)
        self.bot = bot
        self.error_rate = error_rate

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        if self.rng.random() < self.error_rate:
            return Advice(self.rng.randrange(info.num_options))
        return self.bot.think(info, progress)


@dataclass(frozen=True)
class Level:
    """A difficulty level that people can choose as opponent."""

    name: str
    description: str
    make: Callable[[int], Bot]


LEVELS: Final = (
    Level(
        "easy",
        "Makes plenty of mistakes.",
        lambda seed: NoisyBot(seed, GreedyBot(seed, samples=1), 0.5),
    ),
    Level(
        "normal",
        "Plays whatever leaves it best off this turn.",
        GreedyBot,
    ),
    Level(
        "hard",
        "Thinks for a moment: plans its turn and allows for hidden cards.",
        lambda seed: MctsBot(seed, milliseconds=150),
    ),
    Level(
        "expert",
        "Thinks for a second about every choice.",
        lambda seed: MctsBot(seed, milliseconds=1000),
    ),
)
BUILT_IN_NAMES: Final = ("random", "greedy", "human", *(level.name for level in LEVELS))
"""Names that a third-party bot cannot have."""
_BUDGET = re.compile(r"mcts:(\d+)(ms|it)")


def check_level(name: str) -> None:
    """Raise a `SetupError` unless this is a level or a bot registered by the operator."""
    if name not in (*(level.name for level in LEVELS), *registered_names()):
        raise SetupError("There is no bot called «{name}» here.", name=name)


def make_bot(name: str, seed: int = 0) -> Bot:
    """Create a bot by name: random, greedy, a level, mcts with a budget (mcts:500ms, mcts:300it),
    or one of a file or package (my_bot.py:Big, see `smashup.bots.plugins`).
    """
    for level in LEVELS:
        if level.name == name:
            return level.make(seed)
    if name == "random":
        return RandomBot(seed)
    if name == "greedy":
        return GreedyBot(seed)
    budget = _BUDGET.fullmatch(name)
    if budget:
        amount = int(budget[1])
        if amount:
            return MctsBot(seed, amount) if budget[2] == "ms" else MctsBot(seed, iterations=amount)
    bot = make_plugin_bot(name, seed)
    if bot is not None:
        return bot
    raise SetupError(
        "There is no bot called «{name}».{hint} There are random, greedy, mcts:500ms (or any number"
        " of milliseconds), mcts:300it (iterations), the levels {levels}, and those of files like"
        " my_bot.py:Big.",
        name=name,
        hint=suggest(name, (*BUILT_IN_NAMES, *registered_names())),
        levels=", ".join(level.name for level in LEVELS),
    )
