"""``make tune``: fit the weights of the bots' evaluation to new games.

Bots play each other, and the features of each seat are recorded every few turns. The weights
maximize the likelihood of the winners (softmax regression by Newton's method). The first games are
played by the random policy, which needs no weights. Then greedy bots play two rounds with the
weights found so far, with some random moves so that games differ; their fewer but better games
have a higher weight. The same seed gives the same weights, which are written to
smashup/bots/weights.json together with their history.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Iterator
from functools import partial
from math import log
from pathlib import Path
from random import Random

from rich.progress import track

from smashup.bots.evaluation import (
    FEATURES,
    WEIGHTS,
    Weights,
    compute_features,
    linear_evaluator,
    softmax,
)
from smashup.bots.greedy import GreedyBot
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import NoisyBot
from smashup.bots.rollout_policies import random_policy
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup

FILE = Path(__file__).resolve().parent.parent / "smashup" / "bots" / "weights.json"
MISTAKE_RATE = 0.12
"""How often greedy bots choose at random, so that games differ."""
RIDGE = 1e-3
"""Ridge penalty per position."""
NEWTON_STEPS = 12
SAMPLE_EVERY = 3
"""Turns between two recorded positions, as neighboring ones are similar."""
QUICK_GAMES = 16
"""Games of the random policy per game of greedy bots."""
GREEDY_WEIGHT = 4.0
"""Weight of a position from greedy bots."""

ZERO_WEIGHTS: Weights = (0.0,) * len(FEATURES)

Position = tuple[list[list[float]], list[int], float]
"""The features of each seat, the winning seats, and the weight of the position."""


def play(seed: int, weights: Weights | None) -> list[Position]:
    """Play one game of 2 to 4 players and return its positions."""
    rng = Random(seed)
    game = Game(Setup(rng.choice((2, 2, 3, 4)), seed=seed), catalogue())
    game.table.logging = False
    rows: list[list[list[float]]] = []
    turn = rng.randrange(SAMPLE_EVERY) - SAMPLE_EVERY

    def note(decision: Decision) -> None:
        nonlocal turn
        state = decision.table.state
        if state.turn >= turn + SAMPLE_EVERY:
            turn = state.turn
            rows.append(compute_features(game))

    if weights is None:
        quick = random_policy(rng.random)

        def answer(decision: Decision) -> int:
            note(decision)
            return quick(decision)

        game.play_out(answer)
    else:
        bot = NoisyBot(seed, GreedyBot(seed, linear_evaluator(weights), samples=1), MISTAKE_RATE)
        while (decision := game.decision) is not None:
            note(decision)
            game.choose(bot.choose(InformationSet(game)))
    counts = 1.0 if weights is None else GREEDY_WEIGHT
    return [(row, game.table.state.winners, counts) for row in rows]


def collect_positions(games: int, seed: int, weights: Weights | None, what: str) -> list[Position]:
    """Return the positions of many games, played in parallel."""
    found: list[Position] = []
    with multiprocessing.Pool() as pool:
        results = pool.imap(partial(play, weights=weights), range(seed, seed + games), chunksize=4)
        for positions in track(results, what, total=games):
            found += positions
    return found


def loss(positions: list[Position], weights: Weights) -> float:
    """Return the mean negative log-likelihood of the winners per position."""
    total = 0.0
    for rows, winners, _ in positions:
        shares = softmax([dot(weights, row) for row in rows])
        total -= log(max(sum(shares[w] for w in winners), 1e-9))
    return total / len(positions)


def dot(weights: Weights, row: list[float]) -> float:
    return sum(w * x for w, x in zip(weights, row, strict=True))


def fit(positions: list[Position], weights: Weights = ZERO_WEIGHTS) -> Weights:
    """Return the weights with the highest likelihood of the winners, starting from given ones."""
    size = len(FEATURES)
    whole = sum(counts for _, _, counts in positions)
    for _ in range(NEWTON_STEPS):
        gradient = [-RIDGE * w for w in weights]
        curve = [[RIDGE if i == j else 0.0 for j in range(size)] for i in range(size)]
        for rows, winners, counts in positions:
            share = counts / whole
            chance = softmax([dot(weights, row) for row in rows])
            mean = [
                sum(p * row[i] for p, row in zip(chance, rows, strict=True)) for i in range(size)
            ]
            for seat, row in enumerate(rows):
                won = share / len(winners) if seat in winners else 0.0
                for i in range(size):
                    gradient[i] += won * (row[i] - mean[i])
                apart = [row[i] - mean[i] for i in range(size)]
                weight = share * chance[seat]
                for i, a in enumerate(apart):
                    if a:
                        line = curve[i]
                        by = weight * a
                        for j, b in enumerate(apart):
                            line[j] += by * b
        step = solve(curve, gradient)
        weights = tuple(w + d for w, d in zip(weights, step, strict=True))
        if max(abs(d) for d in step) < 1e-3:
            break
    return weights


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve linear equations by elimination."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for i in range(size):
        best = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for r in range(i + 1, size):
            by = rows[r][i] / rows[i][i]
            for k in range(i, size + 1):
                rows[r][k] -= by * rows[i][k]
    found = [0.0] * size
    for i in reversed(range(size)):
        rest = sum(rows[i][k] * found[k] for k in range(i + 1, size))
        found[i] = (rows[i][size] - rest) / rows[i][i]
    return found


def run_stages(games: int, seed: int) -> Iterator[tuple[str, Weights, float]]:
    """Yield weights, each fitted to games played with the previous ones."""
    known = collect_positions(QUICK_GAMES * games, seed, None, "Quick players")
    weights = fit(known)
    yield "quick players", weights, loss(known, weights)
    for number in (1, 2):
        positions = collect_positions(
            games, seed + number * 1_000_000, weights, f"Greedy bots {number}"
        )
        known += positions
        weights = fit(known, weights)
        yield f"greedy bots {number}", weights, loss(positions, weights)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=500, help="greedy games in each of two rounds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--dry-run", action="store_true", help="print the weights without writing them"
    )
    options = parser.parse_args()
    weights = WEIGHTS
    history = []
    for name, found, surprise in run_stages(options.games, options.seed):
        weights = found
        history.append({"stage": name, "loss": round(surprise, 4)})
        print(f"After {name}: loss {surprise:.4f}")
        for feature, weight in zip(FEATURES, weights, strict=True):
            print(f"  {feature:<14} {weight:+.4f}")
    if not options.dry_run:
        data = {
            "command": f"python -m scripts.tune --games {options.games} --seed {options.seed}",
            "history": history,
            "weights": {f: round(w, 5) for f, w in zip(FEATURES, weights, strict=True)},
        }
        FILE.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
