"""``make bench``: how fast the engine is, beside python-chess in the same run.

Machines differ and are noisy; the ratio to random games of python-chess on one core is what to
compare. Floor for the interpreted engine: 2; aim: 5. It is a measurement, not a test: a ratio below
the floor is told, and nothing fails. ``--compiled`` builds with mypyc first.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
COMPILED = ROOT / "build" / "compiled"
FLOOR = 2.0
ROUNDS = 5

ROWS = (
    ("random games/s, all factions", "games", "{:,.1f}"),
    ("random games/s, first two boxes", "boxes", "{:,.1f}"),
    ("decisions/s (by a policy)", "decisions", "{:,.0f}"),
    ("answers/s (step by step)", "stepped", "{:,.0f}"),
    ("one step, µs", "step_us", "{:,.0f}"),
    ("clone, µs", "clone_us", "{:,.1f}"),
    ("clone ready at a menu, µs", "clone_menu_us", "{:,.0f}"),
    ("clone ready amid a card, µs", "clone_card_us", "{:,.0f}"),
    ("determinize, µs", "determinize_us", "{:,.0f}"),
    ("view, µs", "view_us", "{:,.0f}"),
)


def chess_games(seconds: float) -> float:
    """Random games per second of python-chess, the yardstick."""
    rng = random.Random(7)
    games = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        games += 1
    return games / (time.perf_counter() - began)


def measure(seconds: float, compiled: bool, *words: str) -> dict[str, Any]:
    """Measure one build in a process of its own."""
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
    """Our games and chess games in turns, so that noise meets both; medians of the ratios."""
    result = measure(seconds, compiled)
    everything, boxes, theirs = [], [], []
    for _ in range(ROUNDS):
        everything.append(measure(seconds / 2, compiled, "games")["games"])
        theirs.append(chess_games(seconds / 2))
        boxes.append(measure(seconds / 2, compiled, "games", "boxes")["games"])
    result["games"] = statistics.median(everything)
    result["boxes"] = statistics.median(boxes)
    result["chess"] = statistics.median(theirs)
    result["ratio"] = statistics.median(o / t for o, t in zip(everything, theirs, strict=True))
    result["boxes_ratio"] = statistics.median(o / t for o, t in zip(boxes, theirs, strict=True))
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="per measurement")
    parser.add_argument("--compiled", action="store_true", help="build with mypyc and compare")
    options = parser.parse_args()
    if (
        options.compiled
        and subprocess.run(
            [sys.executable, "-m", "scripts.compile"], cwd=ROOT, check=False
        ).returncode
    ):
        return 1
    columns = [compare(options.seconds, compiled=False)]
    if options.compiled:
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
    Console().print(table)
    below = [
        label
        for label, key in (("all factions", "ratio"), ("the first two boxes", "boxes_ratio"))
        if columns[0][key] < FLOOR
    ]
    if below:
        words = " and with ".join(below)
        print(f"The interpreted engine is below its floor of {FLOOR}x with {words}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
