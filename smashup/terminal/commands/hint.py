"""`smashup hint`: a bot's advice for the pending decision of a saved game."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any, cast

from rich.console import Console

from smashup.bots.bot import Advice, Bot, ProgressCallback, ignore_progress
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.bots.mcts import MctsBot
from smashup.bots.win_probability import win_probabilities, win_probability_history
from smashup.engine.errors import SaveError, SetupError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.terminal.game.bot_progress import BotProgress
from smashup.terminal.game.save_files import default_save_path, load_saved_game
from smashup.terminal.game.seats import derive_bot_seed
from smashup.terminal.screens.advice import ChancesChart, render_advice, render_chances
from smashup.terminal.screens.board import render_heading
from smashup.terminal.screens.hand import Detail
from smashup.terminal.screens.option_menu import build_menu, render_question
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import printable

DEFAULT_ADVISER = "hard"
"""The bot that gives hints by default."""
CHANCE_DIGITS = 4


def get_advice(game: Game, bot: Bot, progress: ProgressCallback = ignore_progress) -> Advice:
    """Ask a bot about the pending decision, with the information of the deciding seat."""
    return bot.advise(InformationSet(game), progress)


def make_adviser(
    game: Game,
    name: str = DEFAULT_ADVISER,
    seconds: float | None = None,
    iterations: int | None = None,
) -> Bot:
    """Create a bot by name, optionally with a limit on time or iterations."""
    bot = make_bot(name, derive_bot_seed(game))
    if seconds is None and iterations is None:
        return bot
    if not isinstance(bot, MctsBot):
        raise SetupError(
            "The bot “{name}” does not search, so it takes no --seconds or --iterations.", name=name
        )
    if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
        raise SetupError("--seconds must be more than 0.")
    if iterations is not None and iterations < 1:
        raise SetupError("--iterations must be 1 or more.")
    bot.milliseconds = 1000 * (seconds or 0)
    bot.iterations = iterations or 0
    return bot


def run_hint(options: argparse.Namespace, catalogue: Catalogue, console: Console) -> int:
    """Print a bot's advice for a saved game; return the exit code."""
    path = Path(options.file).expanduser() if options.file else default_save_path()
    game, seats, warning = load_saved_game(path, catalogue)
    if game.is_over:
        raise SaveError("The game in {path} is over: no decision is pending.", path=str(path))
    if warning:
        print(printable(warning), file=sys.stderr)
    position = HintPosition(game, PlayerNames([seat.name for seat in seats]))
    bot = make_adviser(game, options.bot, options.seconds, options.iterations)
    with BotProgress(console) as progress:
        progress.start(options.bot)
        advice = get_advice(game, bot, progress.update)
    if options.json:
        print(json.dumps(position.to_dict(options.bot, advice), ensure_ascii=False, indent=1))
    else:
        position.show(options.bot, advice, console)
    return 0


class HintPosition:
    """The pending decision of a game as the deciding player sees it."""

    def __init__(self, game: Game, player_names: PlayerNames) -> None:
        decision = game.decision
        assert decision is not None
        self.player = decision.player
        self.player_names = player_names
        self.view: dict[str, Any] = cast("dict[str, Any]", game.view(self.player))
        self.decision: dict[str, Any] = self.view["decision"]
        self.outlook = win_probabilities(game, self.player)
        self.history = win_probability_history(game, self.player)

    def show(self, bot: str, advice: Advice, console: Console) -> None:
        """Print the question, the advice, and the course of the game."""
        order = build_menu(self.view, self.player_names, Detail.DENSE).order
        console.print(render_heading(self.view, self.player_names))
        console.print(render_question(self.view, self.player_names))
        console.print()
        console.print(render_advice(bot, advice, self.decision, order, self.player_names))
        console.print()
        console.print(ChancesChart(self.history, self.player_names))
        console.print(render_chances(self.outlook, self.player_names))

    def to_dict(self, bot: str, advice: Advice) -> dict[str, Any]:
        """The advice and position as plain data."""
        shown = advice.to_dict()
        labels = [
            self.player_names.render(option["label"]).plain for option in self.decision["options"]
        ]
        for option in shown["options"]:
            option["label"] = labels[option["option"]]
        return {
            "bot": bot,
            "seats": self.player_names.names,
            "turn": self.view["turn"],
            "player": self.player,
            "question": self.player_names.render(self.decision["question"]).plain,
            "labels": labels,
            **shown,
            "outlook": _round_chances(self.outlook),
            "history": [{**e, "chances": _round_chances(e["chances"])} for e in self.history],
        }


def _round_chances(chances: list[float]) -> list[float]:
    return [round(chance, CHANCE_DIGITS) for chance in chances]
