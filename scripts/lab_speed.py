"""Measure how many games per second the laboratory plays, for docs/million-games.md.

``python -m scripts.lab_speed --seconds 30`` plays the matrix with each bot, with one process and
with several, and shows the games per second; ``--write`` stores them in docs/lab/speed.json and
updates the table of the page. Measure on an idle machine. The speed of one process is measured by
wall-clock time and by processor time; on a busy machine only the latter is meaningful.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from scripts.lab_docs import DATA, write_speed
from smashup.lab.executor import Chunk
from smashup.lab.game_runner import play_game
from smashup.lab.local_pool import LocalPool
from smashup.lab.matrix import Matrix

BOTS: Final = ("quick", "random", "easy", "normal", "mcts:300it")
MAX_GAMES: Final = 100_000
MIN_GAMES: Final = 5
"""Minimum number of games."""
MIN_GAMES_IN_TIME: Final = 10
"""Bots that play fewer games in the time are not measured with several processes."""


def measure_one_process(bot: str, seconds: float) -> dict[str, float]:
    """Measure the current process."""
    study = Matrix(bot=bot)
    cards = study.cards()
    play_game(study.game_spec(0, cards), cards)
    began, worked, games = time.perf_counter(), time.process_time(), 0
    for games in count(1):
        play_game(study.game_spec(games, cards), cards)
        if games >= MIN_GAMES and time.perf_counter() - began > seconds:
            break
    return {
        "games": games,
        "per_second": games / (time.perf_counter() - began),
        "per_core_second": games / (time.process_time() - worked),
    }


def measure_processes(bot: str, processes: int, seconds: float, chunk: int) -> dict[str, float]:
    """Measure several processes, from the moment when all of them have started."""
    study = Matrix(bot=bot)
    chunks = [Chunk(n, range(n * chunk, (n + 1) * chunk)) for n in range(MAX_GAMES // chunk)]
    done, began = 0, 0.0
    with LocalPool(study, processes) as executor, closing(executor.play(chunks)) as played:
        for number, _ in enumerate(played):
            if number < processes:
                began = time.perf_counter()
                continue
            done += chunk
            if time.perf_counter() - began > seconds:
                break
        spent = time.perf_counter() - began
    return {"games": done, "per_second": done / spent}


def measure(bots: Sequence[str], processes: Sequence[int], seconds: float) -> dict[str, Any]:
    """Measure everything and return plain data."""
    found: dict[str, Any] = {}
    for bot in bots:
        one = measure_one_process(bot, seconds)
        # Errands of about a fifth of a second, so that few are under way at the end.
        chunk = max(1, round(one["per_core_second"] / 5))
        fit = one["per_second"] * seconds >= MIN_GAMES_IN_TIME
        several = (
            {str(n): measure_processes(bot, n, seconds, chunk) for n in processes} if fit else {}
        )
        found[bot] = {"alone": one, "together": several}
        print(f"{bot}: {one['per_core_second']:.2f} games/s of a core", file=sys.stderr)
    return {
        "machine": {
            "cores": os.cpu_count() or 1,
            "processor": _processor(),
            "python": platform.python_version(),
            "engine": "compiled" if _is_compiled() else "interpreted",
        },
        "seconds": seconds,
        "bots": found,
    }


def _is_compiled() -> bool:
    file = sys.modules["smashup.engine.game"].__file__ or ""
    return not file.endswith(".py")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor()


def show(data: dict[str, Any]) -> None:
    table = Table(title="Two-player games of the matrix")
    for head in ("bot", "games/s of a core", "games/s by the clock"):
        table.add_column(head, justify="right")
    several = next(iter(data["bots"].values()))["together"]
    for number in several:
        table.add_column(f"{number} processes", justify="right")
    for bot, found in data["bots"].items():
        one = found["alone"]
        cells = [
            f"{more['per_second']:.2f} ({more['per_second'] / one['per_second']:.2f}x)"
            for more in found["together"].values()
        ]
        table.add_row(bot, f"{one['per_core_second']:.2f}", f"{one['per_second']:.2f}", *cells)
    Console().print(table)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bots", default=",".join(BOTS))
    parser.add_argument(
        "--processes", default="1,2", help="numbers of processes to measure, like 1,2,8"
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement")
    parser.add_argument(
        "--write", action="store_true", help="store the results and update the table of the page"
    )
    options = parser.parse_args(argv)
    processes = [int(number) for number in options.processes.split(",") if number]
    data = measure(options.bots.split(","), processes, options.seconds)
    show(data)
    if options.write:
        DATA.mkdir(parents=True, exist_ok=True)
        (DATA / "speed.json").write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        write_speed()
    return 0


if __name__ == "__main__":
    sys.exit(main())
