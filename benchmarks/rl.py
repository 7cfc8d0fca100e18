"""Measure the steps per second of `smashup.rl` and of similar environments in the same run.

    python -m benchmarks.rl               # one table: ours, PettingZoo's, OpenSpiel's
    python -m benchmarks.rl --vector      # many games in step: by number of games and processes
    python -m benchmarks.rl --options     # how many options decisions have

Each environment is observed and steps with a random legal action until the time is up. Environments
alternate in rounds, so that noise affects all of them, and the best round of each counts. Those
that are not installed are skipped: ``pip install "pettingzoo[classic]"`` adds them.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.bots.rollout_policies import random_policy
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.decisions import OPTION_KINDS
from smashup.engine.model.editions import EDITIONS
from smashup.engine.model.setup import Setup
from smashup.rl import MAX_OPTIONS, games, raw_env
from smashup.rl.settings import GameFactory, make_settings

Steps = Iterator[None]
"""An endless sequence of steps."""

REFERENCE = "PettingZoo chess_v6"
GAME_COUNT = 32


# --- ours -------------------------------------------------------------------------------------


def our_environment() -> Steps:
    yield from pettingzoo_steps(raw_env())


def our_games() -> Steps:
    """Count a step of every game."""
    rng = np.random.default_rng(1)
    with games(GAME_COUNT) as table:
        step = table.reset(1)
        while True:
            counts = step.observation["action_mask"].sum(axis=1)
            step = table.step((rng.random(GAME_COUNT) * counts).astype(np.int64))
            for _ in range(GAME_COUNT):
                yield


def our_matches() -> Steps:
    """Play without observations."""
    rng = random.Random(1)
    factory = GameFactory(make_settings())
    while True:
        match = factory.deal(rng.getrandbits(60))
        while not match.is_over:
            match.act(rng.randrange(match.page.shown))
            yield


# --- others -----------------------------------------------------------------------------------


def pettingzoo_steps(env: Any) -> Steps:
    rng = np.random.default_rng(1)
    while True:
        env.reset(seed=int(rng.integers(1 << 30)))
        for _ in env.agent_iter():
            seen, _, over, cut, info = env.last()
            if over or cut:
                env.step(None)
                continue
            mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
            legal = np.flatnonzero(mask)
            env.step(int(legal[int(rng.random() * len(legal))]))
            yield


def pettingzoo_classic(name: str) -> Callable[[], Steps]:
    def steps() -> Steps:
        yield from pettingzoo_steps(importlib.import_module(f"pettingzoo.classic.{name}").raw_env())

    return steps


def openspiel(name: str) -> Callable[[], Steps]:
    """Count the decisions of players, each with the observation of the player who decides."""

    def steps() -> Steps:
        import pyspiel

        if name.startswith("python_"):  # importing registers the game
            ours = name == "python_smash_up"
            importlib.import_module("smashup.rl.openspiel" if ours else "open_spiel.python.games")
        rng = random.Random(1)
        game = pyspiel.load_game(name)
        remembers = not game.get_type().provides_observation_tensor
        while True:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, chances)[0])
                    continue
                player = state.current_player()
                if remembers:
                    state.information_state_tensor(player)
                else:
                    state.observation_tensor(player)
                state.apply_action(rng.choice(state.legal_actions()))
                yield

    return steps


def python_chess() -> Steps:
    import chess

    rng = random.Random(1)
    while True:
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
            yield


ENVIRONMENTS: dict[str, Callable[[], Steps]] = {
    "smashup.rl environment (PettingZoo)": our_environment,
    f"smashup.rl games, {GAME_COUNT} in step": our_games,
    "smashup.rl match, nothing observed": our_matches,
    "smashup.rl in OpenSpiel": openspiel("python_smash_up"),
    REFERENCE: pettingzoo_classic("chess_v6"),
    "PettingZoo connect_four_v3": pettingzoo_classic("connect_four_v3"),
    "PettingZoo go_v5": pettingzoo_classic("go_v5"),
    "PettingZoo hanabi_v5": pettingzoo_classic("hanabi_v5"),
    "PettingZoo leduc_holdem_v4": pettingzoo_classic("leduc_holdem_v4"),
    "PettingZoo texas_holdem_v4": pettingzoo_classic("texas_holdem_v4"),
    "python-chess, nothing observed": python_chess,
    "OpenSpiel chess (C++)": openspiel("chess"),
    "OpenSpiel gin_rummy (C++)": openspiel("gin_rummy"),
    "OpenSpiel hanabi (C++)": openspiel("hanabi"),
    "OpenSpiel hearts (C++)": openspiel("hearts"),
    "OpenSpiel python_block_dominoes (Python)": openspiel("python_block_dominoes"),
}


def rate(steps: Steps, seconds: float) -> float:
    """Return steps per second of processor time, which depends less on other programs."""
    done = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for _ in range(GAME_COUNT):
            next(steps)
        done += GAME_COUNT
    return done / spent


def compare(seconds: float, rounds: int) -> None:
    running: dict[str, Steps] = {}
    missing: list[str] = []
    for name, begin in ENVIRONMENTS.items():
        try:
            steps = begin()
            rate(steps, 0.2)  # warm
            running[name] = steps
        except (ImportError, AttributeError, KeyError, RuntimeError) as error:
            missing.append(f"{name} ({type(error).__name__})")
    best = dict.fromkeys(running, 0.0)
    for number in range(rounds):
        print(f"round {number + 1} of {rounds} ...", file=sys.stderr, flush=True)
        for name, steps in running.items():
            best[name] = max(best[name], rate(steps, seconds))
    table = Table(title="Random play, one core")
    table.add_column("environment")
    table.add_column("steps/s", justify="right")
    table.add_column(f"relative to {REFERENCE}", justify="right")
    yardstick = best.get(REFERENCE, 0.0)
    for name, speed in best.items():
        ratio = f"{speed / yardstick:.2f}x" if yardstick else "-"
        table.add_row(name, f"{speed:,.0f}", ratio)
    Console(width=100).print(table)
    if missing:
        print("Left out, not installed here:", ", ".join(missing))


def vector(seconds: float, rounds: int, processes: list[int]) -> None:
    """Measure steps per second by the number of games and processes."""
    table = Table(title="Games in step: steps/s")
    table.add_column("games")
    for count in processes:
        table.add_column(f"{count} process{'es' * (count > 1)}", justify="right")
    rng = np.random.default_rng(1)
    for many in (1, 8, 32, 128):
        row = []
        for count in processes:
            if many < count:
                row.append("-")
                continue
            best = 0.0
            with games(many, count) as playing:
                step = playing.reset(1)
                for _ in range(rounds):
                    done = 0
                    began = time.perf_counter()
                    while (spent := time.perf_counter() - began) < seconds:
                        counts = step.observation["action_mask"].sum(axis=1)
                        step = playing.step((rng.random(many) * counts).astype(np.int64))
                        done += many
                    best = max(best, done / spent)
            row.append(f"{best:,.0f}")
        table.add_row(str(many), *row)
    Console(width=100).print(table)


def options(seconds: float) -> None:
    """Measure how many options decisions have, for different tables and policies."""
    counts: Counter[int] = Counter()
    most: Counter[str] = Counter()
    lengths: list[int] = []
    names = [faction.name for faction in catalogue().factions]
    began = time.perf_counter()
    number = 0
    while time.perf_counter() - began < seconds:
        rng = random.Random(number)
        players = 2 + number % 3
        pairs = tuple(tuple(rng.sample(names, 2)) for _ in range(players))
        setup = Setup(
            players=players,
            factions=pairs,
            edition=rng.choice(list(EDITIONS)),
            printing=rng.choice(PRINTINGS),
            seed=number,
            optional_titans=True,
        )
        game = Game(setup, catalogue())
        game.table.logging = False
        bot = make_bot("easy", number)
        quick = random_policy(rng.random)
        style = number % 40
        number += 1
        while (decision := game.decision) is not None:
            size = len(decision.options)
            counts[size] += 1
            sort = OPTION_KINDS[decision.kind]
            most[sort] = max(most[sort], size)
            if style == 0:
                game.choose(bot.choose(InformationSet(game)))
            elif style < 20:
                game.choose(quick(decision))
            else:
                game.choose(rng.randrange(size))
        lengths.append(len(game.answers))
    total = counts.total()
    print(f"{number} games, {total:,} decisions; the longest game had {max(lengths)}")
    for limit in (16, 32, 64, 96, MAX_OPTIONS, 192):
        over = sum(n for size, n in counts.items() if size > limit)
        print(f"more than {limit:3} options: {over:7,} decisions, {over / total:.4%}")
    print("most options:", ", ".join(f"{sort} {size}" for sort, size in most.most_common()))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="per measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--vector", action="store_true")
    parser.add_argument("--options", action="store_true")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args(arguments)
    if given.options:
        options(given.seconds)
    elif given.vector:
        vector(given.seconds, given.rounds, given.processes)
    else:
        compare(given.seconds, given.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
