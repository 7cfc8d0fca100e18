"""Train a small network that beats the bot `classic:easy`: one CPU core, NumPy only.

    python examples/train_policy.py                 # train, then play against two bots
    python examples/train_policy.py --updates 20    # a short run

The network scores each option by itself, from what the option does, the state of its base, the card
and the question it is about, and a few numbers about the table. The softmax of the scores gives the
probabilities. It plays all seats and learns by policy gradient (PPO) from the victory points that
follow each choice, relative to a linear baseline. The same seed gives the same network.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from smashup.bots.statistics import wilson_interval
from smashup.rl import MAX_OPTIONS, Games, SmashUpEnv, Step, games, unflatten, vocabulary
from smashup.rl.encoding import Observation
from smashup.rl.fields import FLAG, ID, OPTION_COLUMNS
from smashup.rl.vocabulary import PURPOSES

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

PLAYERS = 2
HIDDEN = 64
DISCOUNT = 0.97
"""Discount of rewards per decision."""
EPOCHS = 4
"""Gradient steps per batch."""
CLIP = 0.2
"""Clip range of PPO."""
ENTROPY = 0.003
"""Weight of the entropy bonus."""
TEST_SEED = 100_000
"""Seed of the test games; training uses small seeds."""

COLUMN = {column.name: i for i, column in enumerate(OPTION_COLUMNS)}
NUMERIC_COLUMNS = [i for i, column in enumerate(OPTION_COLUMNS) if column.kind != ID]
SCALES = np.array(
    [1.0 if OPTION_COLUMNS[i].kind == FLAG else 8.0 for i in NUMERIC_COLUMNS], np.float32
)


@dataclass
class Decisions:
    """Some decisions with all their options, concatenated."""

    options: Floats
    """A row per option: features of the option, then of the table."""
    ids: Ints
    """Per option: the card it is about, the card that asks, the purpose of the decision."""
    actions: Ints
    """The action of each row."""
    starts: Ints
    """The first row of each decision."""

    @property
    def counts(self) -> Ints:
        return np.diff(self.starts, append=len(self.actions))

    def repeat(self, values: Floats) -> Floats:
        """Repeat a value per decision for each of its options."""
        return np.repeat(values, self.counts)


def table_features(table: Floats) -> Floats:
    """Return features of the table, one row per observation."""
    parts = unflatten(table, PLAYERS)
    seats, bases = parts["seats"], parts["bases"]
    vp_now = bases[:, :, -PLAYERS:].sum(axis=1)  # VP if all bases scored now
    features = [
        parts["phase"], parts["current"], parts["decision"], parts["picks"], parts["plays"],
        seats[:, :, 0] / 10, seats[:, :, 1] / 5, seats[:, :, 7] / 20, vp_now / 10,
    ]  # fmt: skip
    return np.concatenate(features, axis=1)


def encode(observation: Observation) -> tuple[Decisions, Floats]:
    """Return the decisions of a batch of observations and the features of their tables."""
    table = observation["observation"]
    features = table_features(table)
    mask = observation["action_mask"].astype(bool)
    game, actions = np.nonzero(mask)
    rows = observation["options"][game, actions]
    counts = mask.sum(axis=1)
    parts = unflatten(table, PLAYERS)
    ids = (rows[:, COLUMN["kind"]], parts["source"][game, 0], parts["purpose"][game, 0])
    decisions = Decisions(
        np.concatenate([rows[:, NUMERIC_COLUMNS] / SCALES, features[game]], axis=1),
        np.stack(ids, axis=1).astype(np.int64),
        actions,
        np.cumsum(counts) - counts,
    )
    return decisions, features


class Network:
    """Scores options with one hidden layer and embeddings of ids."""

    def __init__(self, inputs: int, rng: np.random.Generator) -> None:
        def normal(*shape: int, size: float) -> Floats:
            return (rng.standard_normal(shape) * size).astype(np.float32)

        cards = len(vocabulary().kinds)
        self.weights: list[Floats] = [
            normal(inputs, HIDDEN, size=inputs**-0.5),
            normal(HIDDEN, size=0.0),
            *(normal(size, HIDDEN, size=0.1) for size in (cards, cards, len(PURPOSES))),
            normal(HIDDEN, size=0.01),
        ]
        self._moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self._updates = 0

    def probabilities(self, decisions: Decisions) -> tuple[Floats, Floats]:
        """Return the probability of each option, and the hidden layer."""
        weights, bias, *embeddings, output = self.weights
        inner = decisions.options @ weights + bias
        for embedding, numbers in zip(embeddings, decisions.ids.T, strict=True):
            inner += embedding[numbers]
        hidden = np.tanh(inner)
        scores = hidden @ output
        highest = np.maximum.reduceat(scores, decisions.starts)
        powers = np.exp(scores - decisions.repeat(highest))
        return powers / decisions.repeat(np.add.reduceat(powers, decisions.starts)), hidden

    def sample(self, decisions: Decisions, rng: np.random.Generator) -> Ints:
        """Draw a row for each decision."""
        sums = np.cumsum(self.probabilities(decisions)[0].astype(np.float64))
        low = np.concatenate([[0.0], sums])[decisions.starts]
        last = decisions.starts + decisions.counts - 1
        rows = np.searchsorted(sums, low + rng.random(len(low)) * (sums[last] - low))
        drawn: Ints = np.clip(rows, decisions.starts, last)
        return drawn

    def best(self, decisions: Decisions) -> Ints:
        """Return the row of the most probable option of each decision."""
        found, _ = self.probabilities(decisions)
        highest = decisions.repeat(np.maximum.reduceat(found, decisions.starts))
        rows = np.flatnonzero(found == highest)
        return rows[np.searchsorted(rows, decisions.starts)]

    def update(
        self, decisions: Decisions, rows: Ints, before: Floats, advantages: Floats, rate: float
    ) -> None:
        """Take one gradient step of PPO."""
        found, hidden = self.probabilities(decisions)
        ratio = found[rows] / before
        clipped = ((advantages > 0) & (ratio > 1 + CLIP)) | ((advantages < 0) & (ratio < 1 - CLIP))
        pull = np.where(clipped, 0.0, ratio * advantages).astype(np.float32)
        gradient = -found * decisions.repeat(pull)
        gradient[rows] += pull
        logs = np.log(found + 1e-9)
        mean = np.add.reduceat(found * logs, decisions.starts)
        gradient -= ENTROPY * found * (logs - decisions.repeat(mean))
        gradient /= len(decisions.starts)
        inner = np.outer(gradient, self.weights[-1]) * (1.0 - hidden**2)
        gradients = [decisions.options.T @ inner, inner.sum(axis=0)]
        for weights, numbers in zip(self.weights[2:-1], decisions.ids.T, strict=True):
            summed = np.zeros_like(weights)
            np.add.at(summed, numbers, inner)
            gradients.append(summed)
        self._ascend([*gradients, hidden.T @ gradient], rate)

    def _ascend(self, gradients: Sequence[Floats], rate: float) -> None:
        """Apply Adam."""
        self._updates += 1
        t = self._updates
        for weight, gradient, (first, second) in zip(
            self.weights, gradients, self._moments, strict=True
        ):
            first += 0.1 * (gradient - first)
            second += 0.01 * (gradient**2 - second)
            weight += rate * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.99**t)) + 1e-8)


@dataclass
class Batch:
    """Decisions of some steps of all games, what was chosen and what followed."""

    decisions: Decisions
    rows: Ints
    """The chosen row of each decision."""
    features: Floats
    returns: Floats
    """Discounted rewards of the seat that chose."""
    finished: int
    """Number of games that ended."""


def collect(
    table: Games, step: Step, network: Network, length: int, rng: np.random.Generator
) -> tuple[Step, Batch]:
    """Let the network play all seats for some steps; return the last step and the batch."""
    decisions: list[Decisions] = []
    features: list[Floats] = []
    rows: list[Ints] = []
    seats: list[Ints] = []
    rewards: list[Floats] = []
    done: list[NDArray[np.bool_]] = []
    for _ in range(length):
        found, seen = encode(step.observation)
        row = network.sample(found, rng)
        decisions.append(found)
        features.append(seen)
        rows.append(row)
        seats.append(step.seats.copy())
        step = table.step(found.actions[row])
        rewards.append(step.rewards.copy())
        done.append(step.done.copy())
    ahead = np.zeros_like(rewards[0])
    returns = []
    for t in reversed(range(length)):
        ahead = rewards[t] + DISCOUNT * ahead * ~done[t][:, None]
        returns.append(ahead[np.arange(table.count), seats[t]])
    joined, chosen = concatenate(decisions, rows)
    return step, Batch(
        joined, chosen, np.concatenate(features), np.concatenate(returns[::-1]), int(np.sum(done))
    )


def concatenate(decisions: Sequence[Decisions], rows: Sequence[Ints]) -> tuple[Decisions, Ints]:
    """Join the decisions of several steps."""
    sizes = np.array([len(part.actions) for part in decisions])
    offsets = np.cumsum(sizes) - sizes
    joined = Decisions(
        np.concatenate([part.options for part in decisions]),
        np.concatenate([part.ids for part in decisions]),
        np.concatenate([part.actions for part in decisions]),
        np.concatenate([part.starts + at for part, at in zip(decisions, offsets, strict=True)]),
    )
    return joined, np.concatenate([row + at for row, at in zip(rows, offsets, strict=True)])


def fit_baseline(features: Floats, returns: Floats) -> Floats:
    """Return the returns that a linear model (ridge regression) expects."""
    inputs = np.concatenate([features, np.ones((len(features), 1), np.float32)], axis=1)
    square = inputs.T @ inputs + len(inputs) / 1000 * np.eye(inputs.shape[1], dtype=np.float32)
    return inputs @ np.linalg.solve(square, inputs.T @ returns)


def play_against(network: Network, opponent: str, count: int, seed: int = TEST_SEED) -> int:
    """Return how many games the network wins against a bot; it plays each deal from both seats."""
    won = 0
    for game in range(count):
        env = SmashUpEnv(opponent, game % 2, "arrays", max_options=MAX_OPTIONS)
        observation, info = env.reset(seed=seed + game // 2)
        over = False
        while not over:
            decisions, _ = encode({name: part[None] for name, part in observation.items()})
            action = decisions.actions[network.best(decisions)[0]]
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        won += info.get("winners") == [env.seat]
    return won


def describe(won: int, count: int, opponent: str) -> str:
    interval = wilson_interval(won, count)
    return (
        f"wins {won / count:.1%} of {count} games against {opponent}"
        f" (95% interval {interval.low:.1%} to {interval.high:.1%})"
    )


def train(
    updates: int,
    at_once: int = 32,
    length: int = 128,
    processes: int = 1,
    rate: float = 0.01,
    seed: int = 1,
    test_every: int = 50,
    test_games: int = 0,
) -> Network:
    """Train a network; play test games against `random` on the way."""
    rng = np.random.default_rng(seed)
    began = time.perf_counter()
    finished = 0
    with games(at_once, processes, players=PLAYERS, reward="points") as table:
        step = table.reset(seed)
        network = Network(encode(step.observation)[0].options.shape[1], rng)
        for update in range(updates):
            step, batch = collect(table, step, network, length, rng)
            finished += batch.finished
            advantages = batch.returns - fit_baseline(batch.features, batch.returns)
            advantages = (advantages / (advantages.std() + 1e-6)).astype(np.float32)
            before = network.probabilities(batch.decisions)[0][batch.rows]
            decayed = rate * (1 - 0.9 * update / updates)
            for _ in range(EPOCHS):
                network.update(batch.decisions, batch.rows, before, advantages, decayed)
            if test_games and (update + 1) % test_every == 0:
                result = describe(play_against(network, "random", test_games), test_games, "random")
                minutes = (time.perf_counter() - began) / 60
                print(f"{minutes:5.1f} min, {finished} games: {result}", flush=True)
    return network


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--updates", type=int, default=1200, help="batches to learn from")
    parser.add_argument("--games", type=int, default=32, help="games at once")
    parser.add_argument("--processes", type=int, default=1, help="processes that play them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", type=int, default=40, help="test games during the training")
    parser.add_argument("--final", type=int, default=400, help="test games at the end")
    parser.add_argument("--network", type=Path, help="file for the trained network (.npz)")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    network = train(
        options.updates,
        options.games,
        processes=options.processes,
        seed=options.seed,
        test_games=options.tests,
    )
    print(f"Trained for {(time.perf_counter() - began) / 60:.1f} minutes.")
    if options.network is not None:
        np.savez(options.network, *network.weights)
    for opponent in ("random", "classic:easy") if options.final else ():
        won = play_against(network, opponent, options.final)
        print(f"It {describe(won, options.final, opponent)}.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
