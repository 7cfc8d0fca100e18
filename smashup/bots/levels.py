"""Bots by name: four difficulty levels, and any bot with its parameters."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from smashup.bots.bot import Advice, Bot, ProgressCallback, RandomBot
from smashup.bots.evaluation import Evaluator, linear_evaluator
from smashup.bots.greedy import GreedyBot
from smashup.bots.information_set import InformationSet
from smashup.bots.mcts import MctsBot
from smashup.bots.network.model import load_network
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

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice | int:
        if self.rng.random() < self.error_rate:
            return Advice(self.rng.randrange(info.num_options))
        return self.bot.think(info, progress)


@dataclass(frozen=True)
class Level:
    """A difficulty level that people can choose as opponent."""

    name: str
    description: str
    make: Callable[[int, Evaluator], Bot]
    """From a seed and the evaluation it uses."""


EASY_ERROR_RATE: Final = 0.25
"""Share of the choices that `easy` makes at random; `normal` wins about three quarters of games."""
CLASSIC_ERROR_RATE: Final = 0.5
"""The same for `classic:easy`."""
CLASSIC_MILLISECONDS: Final = {"hard": 150, "expert": 1000}
"""The budgets of `classic:hard` and `classic:expert`."""


def _make_easy(seed: int, evaluate: Evaluator, error_rate: float = EASY_ERROR_RATE) -> Bot:
    return NoisyBot(seed, GreedyBot(seed, evaluate, samples=1), error_rate)


LEVELS: Final = (
    Level(
        "easy",
        "Makes a mistake now and then.",
        _make_easy,
    ),
    Level(
        "normal",
        "Plays whatever leaves it best off this turn.",
        GreedyBot,
    ),
    Level(
        "hard",
        "Thinks for a moment: plans its turn and allows for hidden cards.",
        lambda seed, evaluate: MctsBot(seed, milliseconds=250, evaluate=evaluate),
    ),
    Level(
        "expert",
        "Thinks for a second about every choice.",
        lambda seed, evaluate: MctsBot(seed, milliseconds=1400, evaluate=evaluate),
    ),
)
BUILT_IN_NAMES: Final = ("random", "greedy", "human", *(level.name for level in LEVELS))
"""Names that a third-party bot cannot have."""
CLASSIC: Final = "classic:"
"""Prefix of bots that use the linear evaluation instead of the network, to compare with."""
_BUDGET = re.compile(r"mcts:(\d+)(ms|cpu|it)")


def check_level(name: str) -> None:
    """Raise a `SetupError` unless this is a level or a bot registered by the operator."""
    if name not in (*(level.name for level in LEVELS), *registered_names()):
        raise SetupError("There is no bot called “{name}” here.", name=name)


def make_bot(name: str, seed: int = 0) -> Bot:
    """Create a bot by name.

    Names are random, greedy, the levels, mcts with a budget (mcts:500ms, mcts:500cpu for
    milliseconds of processor time, mcts:300it for iterations), one of these with the linear
    evaluation (classic:hard), and bots of files and packages (my_bot.py:Big, see
    `smashup.bots.plugins`).
    """
    if name == "random":
        return RandomBot(seed)
    if name.startswith(CLASSIC):
        bot = _make_classic_bot(name.removeprefix(CLASSIC), seed)
    else:
        bot = _make_evaluating_bot(name, seed, load_network().evaluate)
        bot = bot or make_plugin_bot(name, seed)
    if bot is not None:
        return bot
    raise SetupError(
        "There is no bot called “{name}”.{hint} There are random, greedy, mcts:500ms (or any number"
        " of milliseconds), mcts:300it (iterations), the levels {levels}, and those of files like"
        " my_bot.py:Big.",
        name=name,
        hint=suggest(name, (*BUILT_IN_NAMES, *registered_names())),
        levels=", ".join(level.name for level in LEVELS),
    )


def _make_classic_bot(name: str, seed: int) -> Bot | None:
    """Create a bot as it was before there was a network; None if there is none of this name."""
    if name == "easy":
        return _make_easy(seed, linear_evaluator(), CLASSIC_ERROR_RATE)
    if name in CLASSIC_MILLISECONDS:
        return MctsBot(seed, milliseconds=CLASSIC_MILLISECONDS[name], evaluate=linear_evaluator())
    return _make_evaluating_bot(name, seed, linear_evaluator())


def _make_evaluating_bot(name: str, seed: int, evaluate: Evaluator) -> Bot | None:
    """Create a bot that uses an evaluation; None if there is none of this name."""
    for level in LEVELS:
        if level.name == name:
            return level.make(seed, evaluate)
    if name == "greedy":
        return GreedyBot(seed, evaluate)
    budget = _BUDGET.fullmatch(name)
    amount = int(budget[1]) if budget else 0
    if budget is None or not amount:
        return None
    if budget[2] == "ms":
        return MctsBot(seed, milliseconds=amount, evaluate=evaluate)
    if budget[2] == "cpu":
        return MctsBot(seed, milliseconds=amount, evaluate=evaluate, clock=time.process_time)
    return MctsBot(seed, iterations=amount, evaluate=evaluate)
