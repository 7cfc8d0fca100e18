"""What is measured of our engine, on whichever build is imported; prints one line of JSON.

Run as a program of its own, so that the interpreted and the compiled engine are measured alike.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.bots.mcts import MctsBot
from smashup.cards import catalogue
from smashup.engine import game as engine
from smashup.engine.game import Game
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup
from smashup.engine.model.table import Policy

SEATS = 2
TWO_BOXES = (
    "Cyborg Apes", "Shapeshifters", "Super Spies", "Time Travelers",
    "Mega Troopers", "Magical Girls", "Kaiju", "Itty Critters",
)  # fmt: skip
"""The factions of the first two boxes: games of a fixed sort, to compare over time."""
BOTS = ("random", "easy", "normal", "hard")
"""Bots whose games are timed; those of the expert last as long as its clock says."""
ITERATIONS = 100
WARM_UP = 40
"""Games before the clock runs."""


def random_player(rng: random.Random) -> Policy:
    """Somebody who takes any option."""
    pick = rng.random
    return lambda decision: int(pick() * len(decision.options))


def game_times(games: int, pool: tuple[str, ...] = ()) -> list[float]:
    """Seconds of each of so many random two-player games with random factions, by a policy.

    A few games go before, untimed: cards are made when first used, and the interpreter warms up.
    """
    times = []
    for seed in range(-WARM_UP, games):
        answer = random_player(random.Random(seed))
        began = time.perf_counter()
        _play(Setup(SEATS, seed=seed, pool=pool), answer)
        times.append(time.perf_counter() - began)
    return times[WARM_UP:]


def decisions_per_second(seconds: float) -> float:
    """Decisions by a policy, over whole random games."""
    pick = random.Random(7).random
    decisions = 0

    def answer(decision: Decision) -> int:
        nonlocal decisions
        decisions += 1
        return int(pick() * len(decision.options))

    began = time.perf_counter()
    seed = 0
    while time.perf_counter() - began < seconds:
        _play(Setup(SEATS, seed=seed), answer)
        seed += 1
    return decisions / (time.perf_counter() - began)


def _play(setup: Setup, answer: Policy) -> None:
    game = Game(setup, catalogue())
    game.table.logging = False
    game.play_out(answer)


def positions(count: int) -> tuple[list[Game], list[Game]]:
    """Games at a play menu, and games in the middle of a card."""
    cards = catalogue()
    rng = random.Random(11)
    quiet: list[Game] = []
    amid: list[Game] = []
    seed = 0
    while len(quiet) < count or len(amid) < count:
        game = Game(Setup(players=SEATS, seed=seed), cards)
        game.table.logging = False
        seed += 1
        for _ in range(rng.randint(30, 150)):
            decision = game.decision
            if decision is None:
                break
            game.choose(rng.randrange(len(decision.options)))
        if game.decision is not None:
            (quiet if game.at_menu else amid).append(game)
    return quiet[:count], amid[:count]


def microseconds(action: Callable[[Game], object], games: list[Game], rounds: int = 5) -> float:
    """Median time of an action over positions."""
    times = []
    for _ in range(rounds):
        for game in games:
            began = time.perf_counter()
            action(game)
            times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e6


def clone_and_run(game: Game) -> None:
    """A clone ready to play: checkpoint copied and answers run again."""
    assert game.clone().decision is not None


def step(game: Game) -> None:
    """One answer to a position, on a clone that is awake."""
    fork = game.clone()
    decision = fork.decision
    assert decision is not None
    began = time.perf_counter()
    fork.choose(0)
    STEP_TIMES.append(time.perf_counter() - began)


STEP_TIMES: list[float] = []


def step_time(seconds: float) -> float:
    """Whole random games step by step: answers per second."""
    cards = catalogue()
    rng = random.Random(5)
    answers = 0
    seed = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        game = Game(Setup(players=SEATS, seed=seed), cards)
        game.table.logging = False
        seed += 1
        while (decision := game.decision) is not None:
            game.choose(int(rng.random() * len(decision.options)))
            answers += 1
    return answers / (time.perf_counter() - began)


def iterations_per_second(games: list[Game]) -> float:
    """Iterations of the search at decisions in the middle of games."""
    done = 0
    began = time.perf_counter()
    for seed, game in enumerate(games):
        done += MctsBot(seed, iterations=ITERATIONS).advise(InformationSet(game)).iterations
    return done / (time.perf_counter() - began)


def bot_games(name: str, seconds: float) -> float:
    """Two-player games a second between two bots of the same name; one game at least."""
    games = 0
    began = time.perf_counter()
    while not games or time.perf_counter() - began < seconds:
        game = Game(Setup(SEATS, seed=games), catalogue())
        game.table.logging = False
        bots = [make_bot(name, games), make_bot(name, games + 1)]
        while (decision := game.decision) is not None:
            game.choose(bots[decision.player].choose(InformationSet(game)))
        games += 1
    return games / (time.perf_counter() - began)


def measure(seconds: float) -> dict[str, Any]:
    decisions = decisions_per_second(seconds)
    quiet, amid = positions(30)
    rng = random.Random(3)
    result = {
        "build": "compiled" if not str(engine.__file__).endswith(".py") else "interpreted",
        "decisions": decisions,
        "stepped": step_time(seconds / 2),
        "clone_us": microseconds(Game.clone, quiet + amid),
        "clone_menu_us": microseconds(clone_and_run, quiet),
        "clone_card_us": microseconds(clone_and_run, amid),
        "determinize_us": microseconds(
            lambda g: g.determinize(0, rng.randrange).decision, quiet + amid
        ),
        "view_us": microseconds(lambda g: g.view(0), quiet + amid),
    }
    microseconds(step, quiet + amid, rounds=2)
    result["step_us"] = statistics.median(STEP_TIMES) * 1e6
    result["iterations"] = iterations_per_second(quiet[:10] + amid[:10])
    for name in BOTS:
        result[name] = bot_games(name, seconds)
    return result


def main() -> None:
    amount = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    if "games" in sys.argv:
        times = game_times(int(amount), TWO_BOXES if "boxes" in sys.argv else ())
        print(json.dumps({"times": times}))
    else:
        print(json.dumps(measure(amount)))


if __name__ == "__main__":
    main()
