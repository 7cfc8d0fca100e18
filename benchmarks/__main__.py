"""``make bench``: measure the speed of the engine and compare it with python-chess.

Machines differ and are noisy, so compare ratios to random games of python-chess on one core. Both
engines play the same games in alternating rounds, and the best time of each game counts. The
command fails if a target (`benchmarks.targets`) is missed by more than a tenth; targets of the
compiled engine only count with ``--compiled``, which builds it first. Without that option, the
compiled engine (``make compile``) is measured too if it is up to date.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
from rich.console import Console
from rich.table import Table

from benchmarks import targets
from scripts import compile

ROOT = Path(__file__).resolve().parent.parent
COMPILED = ROOT / "build" / "compiled"
ROUNDS = 6
GAMES = 200
"""Random games of each kind, the same in every round."""

ROWS = (
    ("random games/s, all factions", "games", "{:,.1f}"),
    ("random games/s, first two boxes", "boxes", "{:,.1f}"),
    ("decisions/s (by a policy)", "decisions", "{:,.0f}"),
    ("answers/s (step by step)", "stepped", "{:,.0f}"),
    ("one step, µs", "step_us", "{:,.0f}"),
    ("clone, µs", "clone_us", "{:,.1f}"),
    ("clone ready at a menu, µs", "clone_menu_us", "{:,.0f}"),
    ("clone ready during a card, µs", "clone_card_us", "{:,.0f}"),
    ("determinize, µs", "determinize_us", "{:,.0f}"),
    ("view, µs", "view_us", "{:,.0f}"),
    ("search iterations/s, mid-game", "iterations", "{:,.0f}"),
    ("games/s between random bots", "random", "{:,.2f}"),
    ("games/s between easy bots", "easy", "{:,.2f}"),
    ("games/s between normal bots", "normal", "{:,.2f}"),
    ("games/s between hard bots", "hard", "{:,.2f}"),
)


def chess_times(games: int) -> list[float]:
    """Return the seconds that each of a number of random games of python-chess takes."""
    times = []
    for seed in range(games):
        rng = random.Random(seed)
        began = time.perf_counter()
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        times.append(time.perf_counter() - began)
    return times


def rate(rounds: list[list[float]]) -> float:
    """Return games per second, with the best time of each game over several rounds."""
    best: list[float] = [min(times) for times in zip(*rounds, strict=True)]
    return len(best) / sum(best)


def measure(seconds: float, compiled: bool, *words: str) -> dict[str, Any]:
    """Measure one build in a separate process."""
    path = f"{COMPILED}{os.pathsep}{ROOT}" if compiled else str(ROOT)
    command = [sys.executable, str(ROOT / "benchmarks" / "measure.py"), str(seconds)]
    done = subprocess.run(
        [*command, *words],
        cwd=COMPILED if compiled else ROOT,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        capture_output=True,
        text=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def compare(seconds: float, compiled: bool) -> dict[str, Any]:
    """Measure our games and chess games alternately, so that noise affects both."""
    result = measure(seconds, compiled)
    everything, boxes, theirs = [], [], []
    for _ in range(ROUNDS):
        everything.append(measure(GAMES, compiled, "games")["times"])
        theirs.append(chess_times(GAMES))
        boxes.append(measure(GAMES, compiled, "games", "boxes")["times"])
    result["games"] = rate(everything)
    result["boxes"] = rate(boxes)
    result["chess"] = rate(theirs)
    result["ratio"] = result["games"] / result["chess"]
    result["boxes_ratio"] = result["boxes"] / result["chess"]
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=4.0, help="per measurement")
    parser.add_argument("--compiled", action="store_true", help="build with mypyc and compare")
    options = parser.parse_args()
    if options.compiled and compile.build():
        return 1
    both = compile.is_built()
    if not both:
        print("The compiled engine is not measured: run `make compile` to build it.")
    columns = [compare(options.seconds, compiled=False)]
    if both:
        columns.append(compare(options.seconds, compiled=True))
    table = Table(title="Two-player games with random factions, one core")
    table.add_column("")
    for column in columns:
        table.add_column(column["build"], justify="right")
    for label, key, style in ROWS:
        table.add_row(label, *(style.format(column[key]) for column in columns))
    table.add_row("python-chess random games/s", *(f"{c['chess']:,.1f}" for c in columns))
    for label, key in (("all factions", "ratio"), ("first two boxes", "boxes_ratio")):
        ratios = (f"{column[key]:.2f}x" for column in columns)
        table.add_row(f"ratio to python-chess, {label}", *ratios, style="bold")
    if both:
        plain, compiled = columns
        gain = compiled["ratio"] / plain["ratio"]
        table.add_row("compiled to interpreted", "1.00x", f"{gain:.2f}x", style="bold")
    Console().print(table)
    missed = report_missed(columns[0], targets.INTERPRETED)
    if options.compiled:
        missed |= report_missed(columns[1], targets.COMPILED)
    return 1 if missed else 0


def report_missed(column: dict[str, Any], expected: tuple[targets.Target, ...]) -> bool:
    """Print the targets that a build misses, scaled to this machine; return if there are any."""
    missed = targets.missed_targets(expected, column)
    for target, share in missed:
        figure = target.on_this_machine(column["chess"])
        print(
            f"{column['build']}: {target.label} is {column[target.key]:,.2f},"
            f" {share:.0%} of the target of {figure:,.2f} on this machine."
        )
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
