"""Teach a small network to play Smash Up: one CPU, a few minutes, nothing but NumPy.

    python examples/train_policy.py                 # learn, then play random for the proof
    python examples/train_policy.py --updates 20    # a short try

The network looks at each option by itself: what it would do, how it stands where it would do it,
which card and which question it is about, and a few facts about the table. It gives every option a
score; the softmax of the scores is how likely the option is taken. It plays all seats and learns
by policy gradient (PPO) from the points that follow each choice, less what is usual in such a
position. The same seed learns the same.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from smashup.bots.statistics import wilson_interval
from smashup.rl import Games, Step, games, unflatten, vocabulary
from smashup.rl.fields import FLAG, ID, OPTION_COLUMNS
from smashup.rl.vocabulary import PURPOSES

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

PLAYERS = 2
HIDDEN = 64
DISCOUNT = 0.97
"""A point is worth a little less for every decision it is away."""
EPOCHS = 4
"""How often each batch is learned from."""
CLIP = 0.2
"""How far chances may move before a batch says nothing more about them."""
ENTROPY = 0.003
"""The worth of keeping an open mind."""

COLUMN = {column.name: i for i, column in enumerate(OPTION_COLUMNS)}
LOOKED_AT = [i for i, column in enumerate(OPTION_COLUMNS) if column.kind != ID]
SCALE = np.array([1.0 if OPTION_COLUMNS[i].kind == FLAG else 8.0 for i in LOOKED_AT], np.float32)


@dataclass
class Positions:
    """Decisions with all their options, one below the other."""

    options: Floats
    """A row an option: facts about it, then about the table."""
    ids: Ints
    """For each option: the card it is about, the card that asks, what the decision is for."""
    slots: Ints
    """The action each row stands for."""
    starts: Ints
    """The first row of each decision."""

    @property
    def counts(self) -> Ints:
        return np.diff(self.starts, append=len(self.slots))

    def spread(self, values: Floats) -> Floats:
        """A value a decision, for each of its options."""
        return np.repeat(values, self.counts)


def facts(observation: Floats) -> Floats:
    """What is told of the table besides the options, a row a position."""
    parts = unflatten(observation, PLAYERS)
    seats, bases = parts["seats"], parts["bases"]
    worth = bases[:, :, -PLAYERS:].sum(axis=1)  # VP if all bases scored now
    told = [
        parts["phase"], parts["current"], parts["decision"], parts["picks"], parts["plays"],
        seats[:, :, 0] / 10, seats[:, :, 1] / 5, seats[:, :, 7] / 20, worth / 10,
    ]  # fmt: skip
    return np.concatenate(told, axis=1)


def look(step: Step) -> tuple[Positions, Floats]:
    """The decisions of all games, and the facts about their tables."""
    table = step.observation["observation"]
    known = facts(table)
    mask = step.observation["action_mask"].astype(bool)
    game, slots = np.nonzero(mask)
    rows = step.observation["options"][game, slots]
    counts = mask.sum(axis=1)
    parts = unflatten(table, PLAYERS)
    ids = (rows[:, COLUMN["kind"]], parts["source"][game, 0], parts["purpose"][game, 0])
    positions = Positions(
        np.concatenate([rows[:, LOOKED_AT] / SCALE, known[game]], axis=1),
        np.stack(ids, axis=1).astype(np.int64),
        slots,
        np.cumsum(counts) - counts,
    )
    return positions, known


class Network:
    """One hidden layer that scores an option."""

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

    def chances(self, at: Positions) -> tuple[Floats, Floats]:
        """How likely each option is taken, and the hidden layer on the way there."""
        into, bias, *of_ids, out = self.weights
        inner = at.options @ into + bias
        for weights, numbers in zip(of_ids, at.ids.T, strict=True):
            inner += weights[numbers]
        hidden = np.tanh(inner)
        scores = hidden @ out
        powers = np.exp(scores - at.spread(np.maximum.reduceat(scores, at.starts)))
        return powers / at.spread(np.add.reduceat(powers, at.starts)), hidden

    def pick(self, at: Positions, rng: np.random.Generator) -> Ints:
        """For each decision a row, drawn by the chances."""
        heights = np.cumsum(self.chances(at)[0].astype(np.float64))
        floors = np.concatenate([[0.0], heights])[at.starts]
        ceilings = heights[at.starts + at.counts - 1]
        rows = np.searchsorted(heights, floors + rng.random(len(floors)) * (ceilings - floors))
        within: Ints = np.clip(rows, at.starts, at.starts + at.counts - 1)
        return within

    def best(self, at: Positions) -> Ints:
        """For each decision the row of the likeliest option."""
        chances, _ = self.chances(at)
        highest = chances == at.spread(np.maximum.reduceat(chances, at.starts))
        rows = np.flatnonzero(highest)
        return rows[np.searchsorted(rows, at.starts)]

    def learn(self, at: Positions, rows: Ints, before: Floats, worth: Floats, rate: float) -> None:
        """Make choices that were worth more than usual likelier: one step of PPO."""
        chances, hidden = self.chances(at)
        ratio = chances[rows] / before
        far = ((worth > 0) & (ratio > 1 + CLIP)) | ((worth < 0) & (ratio < 1 - CLIP))
        pull = np.where(far, 0.0, ratio * worth).astype(np.float32)
        push = -chances * at.spread(pull)
        push[rows] += pull
        logs = np.log(chances + 1e-9)
        mean = np.add.reduceat(chances * logs, at.starts)
        push -= ENTROPY * chances * (logs - at.spread(mean))
        push /= len(at.starts)
        inner = np.outer(push, self.weights[-1]) * (1.0 - hidden**2)
        gradients = [at.options.T @ inner, inner.sum(axis=0)]
        for weights, numbers in zip(self.weights[2:-1], at.ids.T, strict=True):
            gradient = np.zeros_like(weights)
            np.add.at(gradient, numbers, inner)
            gradients.append(gradient)
        self._ascend([*gradients, hidden.T @ push], rate)

    def _ascend(self, gradients: Sequence[Floats], rate: float) -> None:
        """Adam."""
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
    """What was seen, chosen and won in some steps of all games."""

    positions: Positions
    rows: Ints
    """The row chosen at each decision."""
    facts: Floats
    returns: Floats
    """The points that followed for the seat that chose."""
    finished: int
    """Games that ended."""


def play(
    table: Games, step: Step, network: Network, length: int, dice: np.random.Generator
) -> tuple[Step, Batch]:
    """Let the network play all seats for so many steps."""
    seen: list[Positions] = []
    known: list[Floats] = []
    rows: list[Ints] = []
    seats: list[Ints] = []
    rewards: list[Floats] = []
    over: list[NDArray[np.bool_]] = []
    for _ in range(length):
        at, told = look(step)
        row = network.pick(at, dice)
        seen.append(at)
        known.append(told)
        rows.append(row)
        seats.append(step.seats.copy())
        step = table.step(at.slots[row])
        rewards.append(step.rewards.copy())
        over.append(step.done.copy())
    ahead = np.zeros_like(rewards[0])
    returns = []
    for t in reversed(range(length)):
        ahead = rewards[t] + DISCOUNT * ahead * ~over[t][:, None]
        returns.append(ahead[np.arange(table.count), seats[t]])
    positions, chosen = joined(seen, rows)
    finished = int(np.sum(over))
    return step, Batch(
        positions, chosen, np.concatenate(known), np.concatenate(returns[::-1]), finished
    )


def joined(seen: Sequence[Positions], rows: Sequence[Ints]) -> tuple[Positions, Ints]:
    """The positions of several steps as one."""
    sizes = np.array([len(at.slots) for at in seen])
    shifts = np.cumsum(sizes) - sizes
    together = Positions(
        np.concatenate([at.options for at in seen]),
        np.concatenate([at.ids for at in seen]),
        np.concatenate([at.slots for at in seen]),
        np.concatenate([at.starts + by for at, by in zip(seen, shifts, strict=True)]),
    )
    return together, np.concatenate([row + by for row, by in zip(rows, shifts, strict=True)])


def usual(known: Floats, returns: Floats) -> Floats:
    """What is usual in such positions: the plane that fits the returns best."""
    inputs = np.concatenate([known, np.ones((len(known), 1), np.float32)], axis=1)
    square = inputs.T @ inputs + len(inputs) / 1000 * np.eye(inputs.shape[1], dtype=np.float32)
    return inputs @ np.linalg.solve(square, inputs.T @ returns)


def against_random(network: Network, count: int, seed: int, at_once: int = 32) -> int:
    """How many of so many games the network wins against somebody who takes any option.

    Both sit in each seat equally often, and in each place the first games count: short games must
    not count more than long ones.
    """
    dice = np.random.default_rng(seed)
    at_once = min(at_once, count)
    mine = np.arange(at_once) % PLAYERS
    left = np.full(at_once, count // at_once)
    left[: count % at_once] += 1
    won = 0
    with games(at_once, players=PLAYERS) as table:
        step = table.reset(seed)
        while left.any():
            at, _ = look(step)
            rows = at.starts + (dice.random(at_once) * at.counts).astype(np.int64)
            rows = np.where(step.seats == mine, network.best(at), rows)
            step = table.step(at.slots[rows])
            counted = step.done & (left > 0)
            won += int((step.rewards[np.arange(at_once), mine] > 0)[counted].sum())
            left -= counted
    return won


@dataclass(frozen=True)
class Mark:
    """How well the network played at some time."""

    seconds: float
    games: int
    """Games it had learned from."""
    won: int
    played: int

    def __str__(self) -> str:
        interval = wilson_interval(self.won, self.played)
        return (
            f"{self.seconds:6.0f} s {self.games:6} games learned from:"
            f" wins {self.won / self.played:4.0%} against random"
            f" (95 %: {interval.low:.0%} to {interval.high:.0%}, {self.played} games)"
        )


def train(
    updates: int,
    at_once: int = 32,
    length: int = 128,
    processes: int = 1,
    rate: float = 0.01,
    seed: int = 1,
    test_every: int = 10,
    test_games: int = 200,
) -> tuple[Network, list[Mark]]:
    """Learn for so many batches; the network, and how well it played on the way."""
    dice = np.random.default_rng(seed)
    began = time.perf_counter()
    finished = 0
    curve: list[Mark] = []
    with games(at_once, processes, players=PLAYERS, reward="points") as table:
        step = table.reset(seed)
        network = Network(look(step)[0].options.shape[1], dice)
        for update in range(updates + 1):
            if test_games and update % test_every == 0:
                won = against_random(network, test_games, seed=1000)
                curve.append(Mark(time.perf_counter() - began, finished, won, test_games))
                print(curve[-1], flush=True)
            if update == updates:
                break
            step, batch = play(table, step, network, length, dice)
            finished += batch.finished
            worth = batch.returns - usual(batch.facts, batch.returns)
            worth = (worth / (worth.std() + 1e-6)).astype(np.float32)
            before = network.chances(batch.positions)[0][batch.rows]
            for _ in range(EPOCHS):
                slower = rate * (1 - 0.9 * update / updates)
                network.learn(batch.positions, batch.rows, before, worth, slower)
    return network, curve


def picture(curve: Sequence[Mark]) -> str:
    """The learning curve with its intervals, as an SVG that needs nothing else."""
    width, height, left, top = 720, 320, 60, 30
    most = max(mark.games for mark in curve) or 1

    def x(mark: Mark) -> float:
        return left + (width - left - 20) * mark.games / most

    def y(share: float) -> float:
        return top + (height - top - 50) * (1 - share)

    band = [(x(m), y(wilson_interval(m.won, m.played).high)) for m in curve]
    band += [(x(m), y(wilson_interval(m.won, m.played).low)) for m in reversed(curve)]
    line = [(x(m), y(m.won / m.played)) for m in curve]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' width="{width}" height="{height}" font-family="sans-serif" font-size="13" fill="#222">',
        "<title>Games won against random, by games learned from</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="#fbfaf7"/>',
        f'<text x="{left}" y="20" font-weight="bold">Games won against random</text>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        lines.append(
            f'<path d="M{left} {y(share):.1f}H{width - 20}" stroke="#ddd"/>'
            f'<text x="{left - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        )
    for points, style in ((band, 'fill="#2a78c8" opacity="0.2"'), (line, _LINE)):
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        shape = "polygon" if points is band else "polyline"
        lines.append(f'<{shape} points="{path}" {style}/>')
    lines.append(
        f'<text x="{width - 20}" y="{height - 14}" text-anchor="end">'
        f"games learned from: {most}; the band holds 95 in 100</text></svg>\n"
    )
    return "\n".join(lines)


_LINE = 'fill="none" stroke="#2a78c8" stroke-width="2.5"'


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--updates", type=int, default=80, help="batches to learn from")
    parser.add_argument("--games", type=int, default=32, help="games at once")
    parser.add_argument("--processes", type=int, default=1, help="that play them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", type=int, default=100, help="games against random, each time")
    parser.add_argument("--final", type=int, default=1000, help="the same at the end")
    parser.add_argument("--picture", type=Path, default=Path("learning.svg"), help="of the curve")
    parser.add_argument("--network", type=Path, help="where to keep what was learned (.npz)")
    options = parser.parse_args(arguments)
    network, curve = train(
        options.updates,
        options.games,
        processes=options.processes,
        seed=options.seed,
        test_games=options.tests,
    )
    if options.tests:
        options.picture.write_text(picture(curve), encoding="utf-8")
        print(f"The curve is in {options.picture}.")
    if options.network is not None:
        np.savez(options.network, *network.weights)
    if options.final:
        began = time.perf_counter()
        won = against_random(network, options.final, seed=2000)
        share, interval = won / options.final, wilson_interval(won, options.final)
        print(
            f"On {options.final} new deals it wins {share:.1%} against random"
            f" (95 %: {interval.low:.1%} to {interval.high:.1%};"
            f" {time.perf_counter() - began:.0f} s)."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
