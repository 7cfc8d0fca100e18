"""Measure the engine build that is imported, and print the results as one line of JSON.

Runs as a separate program, so that the interpreted and the compiled engine are measured alike.
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
"""The factions of the first two boxes: fixed, so that results are comparable over time."""
BOTS = ("random", "easy", "normal", "hard")
"""Bots whose games are timed; the expert searches for a fixed time."""
ITERATIONS = 100
WARM_UP = 40
"""Untimed games at the start."""


def random_policy(rng: random.Random) -> Policy:
    """Return a policy that picks options at random."""
    pick = rng.random
    return lambda decision: int(pick() * len(decision.options))


def game_times(games: int, pool: tuple[str, ...] = ()) -> list[float]:
    """Return the seconds that each of a number of random two-player games takes.

    Untimed games come first, because cards are created at their first use.
    """
    times = []
    for seed in range(-WARM_UP, games):
        answer = random_policy(random.Random(seed))
        began = time.perf_counter()
        _play(Setup(SEATS, seed=seed, pool=pool), answer)
        times.append(time.perf_counter() - began)
    return times[WARM_UP:]


def decisions_per_second(seconds: float) -> float:
    """Return the decisions per second of a policy over whole random games."""
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
    """Return games at a play menu, and games while a card resolves."""
    cards = catalogue()
    rng = random.Random(11)
    at_menu: list[Game] = []
    resolving: list[Game] = []
    seed = 0
    while len(at_menu) < count or len(resolving) < count:
        game = Game(Setup(players=SEATS, seed=seed), cards)
        game.table.logging = False
        seed += 1
        for _ in range(rng.randint(30, 150)):
            decision = game.decision
            if decision is None:
                break
            game.choose(rng.randrange(len(decision.options)))
        if game.decision is not None:
            (at_menu if game.at_menu else resolving).append(game)
    return at_menu[:count], resolving[:count]


def microseconds(action: Callable[[Game], object], games: list[Game], rounds: int = 5) -> float:
    """Return the median time of an action over positions."""
    times = []
    for _ in range(rounds):
        for game in games:
            began = time.perf_counter()
            action(game)
            times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e6


def clone_and_run(game: Game) -> None:
    """Clone a game and replay it to its decision."""
    assert game.clone().decision is not None


def step(game: Game) -> None:
    """Time one answer on a clone that is up to date."""
    fork = game.clone()
    decision = fork.decision
    assert decision is not None
    began = time.perf_counter()
    fork.choose(0)
    STEP_TIMES.append(time.perf_counter() - began)


STEP_TIMES: list[float] = []


def step_time(seconds: float) -> float:
    """Return the answers per second of random games played step by step."""
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
    """Return the search iterations per second at decisions in the middle of games."""
    MctsBot(iterations=1).advise(InformationSet(games[0]))  # loads the network
    done = 0
    began = time.perf_counter()
    for seed, game in enumerate(games):
        done += MctsBot(seed, iterations=ITERATIONS).advise(InformationSet(game)).iterations
    return done / (time.perf_counter() - began)


def bot_games(name: str, seconds: float) -> float:
    """Return the two-player games per second between two equal bots; plays at least one game."""
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
    at_menu, resolving = positions(30)
    rng = random.Random(3)
    result = {
        "build": "compiled" if not str(engine.__file__).endswith(".py") else "interpreted",
        "decisions": decisions,
        "stepped": step_time(seconds / 2),
        "clone_us": microseconds(Game.clone, at_menu + resolving),
        "clone_menu_us": microseconds(clone_and_run, at_menu),
        "clone_card_us": microseconds(clone_and_run, resolving),
        "determinize_us": microseconds(
            lambda g: g.determinize(0, rng.randrange).decision, at_menu + resolving
        ),
        "view_us": microseconds(lambda g: g.view(0), at_menu + resolving),
    }
    microseconds(step, at_menu + resolving, rounds=2)
    result["step_us"] = statistics.median(STEP_TIMES) * 1e6
    result["iterations"] = iterations_per_second(at_menu[:10] + resolving[:10])
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
