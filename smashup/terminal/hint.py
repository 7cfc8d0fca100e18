"""`smashup hint`: what a bot thinks of the decision a saved game waits for."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any, cast

from rich.console import Console

from smashup.bots.bot import Advice, Bot, Progress, no_progress
from smashup.bots.insight import history, outlook
from smashup.bots.ladder import make_bot
from smashup.bots.mcts import Mcts
from smashup.bots.sight import Sight
from smashup.engine.errors import SaveError, SetupError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.terminal.board import heading
from smashup.terminal.keeping import default_path, resume
from smashup.terminal.odds import Chart, opinion, outlook_line
from smashup.terminal.questions import menu, question
from smashup.terminal.seats import bot_seed
from smashup.terminal.sentences import Voice
from smashup.terminal.thinking import Thinking
from smashup.terminal.translation import printable

ADVISER = "hard"
"""Whose opinion a person gets who asks for none in particular."""
DIGITS = 4


def advice_on(game: Game, bot: Bot, progress: Progress = no_progress) -> Advice:
    """What a bot thinks of the pending decision, told only what its seat may know."""
    return bot.advise(Sight(game), progress)


def adviser(
    game: Game, name: str = ADVISER, seconds: float | None = None, iterations: int | None = None
) -> Bot:
    """A bot by its name, with so much time or so many iterations to think if they are given."""
    bot = make_bot(name, bot_seed(game))
    if seconds is None and iterations is None:
        return bot
    if not isinstance(bot, Mcts):
        raise SetupError("The bot «{name}» does not search: it needs no budget.", name=name)
    if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
        raise SetupError("--seconds must be more than 0.")
    if iterations is not None and iterations < 1:
        raise SetupError("--iterations must be 1 or more.")
    bot.milliseconds = 1000 * (seconds or 0)
    bot.iterations = iterations or 0
    return bot


def hint(options: argparse.Namespace, catalogue: Catalogue, console: Console) -> int:
    """Tell what a bot thinks of a saved game; the exit code."""
    path = Path(options.file).expanduser() if options.file else default_path()
    game, seats, warning = resume(path, catalogue)
    if game.is_over:
        raise SaveError("The game in {path} is over: nothing is asked any more.", path=str(path))
    if warning:
        print(printable(warning), file=sys.stderr)
    position = Position(game, Voice([seat.name for seat in seats]))
    bot = adviser(game, options.bot, options.seconds, options.iterations)
    with Thinking(console) as thinking:
        thinking.about(options.bot)
        advice = advice_on(game, bot, thinking.progress)
    if options.json:
        print(json.dumps(position.as_data(options.bot, advice), ensure_ascii=False, indent=1))
    else:
        position.show(options.bot, advice, console)
    return 0


class Position:
    """A game that waits for an answer, as the seat that has to give it sees it."""

    def __init__(self, game: Game, voice: Voice) -> None:
        decision = game.decision
        assert decision is not None
        self.player = decision.player
        self.voice = voice
        self.view: dict[str, Any] = cast("dict[str, Any]", game.view(self.player))
        self.decision: dict[str, Any] = self.view["decision"]
        self.outlook = outlook(game, self.player)
        self.history = history(game, self.player)

    def show(self, bot: str, advice: Advice, console: Console) -> None:
        """Whose decision it is, what is asked, the options, and how the game went."""
        order = menu(self.view, self.voice, brief=True).order
        console.print(heading(self.view, self.voice))
        console.print(question(self.view, self.voice))
        console.print()
        console.print(opinion(bot, advice, self.decision, order, self.voice))
        console.print()
        console.print(Chart(self.history, self.voice))
        console.print(outlook_line(self.outlook, self.voice))

    def as_data(self, bot: str, advice: Advice) -> dict[str, Any]:
        """The same as plain data."""
        shown = advice.as_data()
        labels = [self.voice.sentence(option["label"]).plain for option in self.decision["options"]]
        for option in shown["options"]:
            option["label"] = labels[option["option"]]
        return {
            "bot": bot,
            "seats": self.voice.names,
            "turn": self.view["turn"],
            "player": self.player,
            "question": self.voice.sentence(self.decision["question"]).plain,
            "labels": labels,
            **shown,
            "outlook": _rounded(self.outlook),
            "history": [{**e, "chances": _rounded(e["chances"])} for e in self.history],
        }


def _rounded(chances: list[float]) -> list[float]:
    return [round(chance, DIGITS) for chance in chances]
