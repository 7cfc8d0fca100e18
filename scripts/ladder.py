"""Measure the ladder of bots, stored in docs/ladder/: every level against the next weaker one, and
bots with the network against those without it. Searches need the compiled engine (`make compile`).

``python -m scripts.ladder --games 400 --only normal:easy`` measures one pairing, or continues it;
without ``--only`` it measures all of them, weakest first. Then it writes docs/ladder.md and its
figure from all stored games; ``--write`` only does that. When a bot changes, delete its files in
docs/ladder/ first: results do not record the version of a bot.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from scripts.chart import Row, draw
from smashup.bots.duel import Duel, Measurement
from smashup.bots.levels import CLASSIC, LEVELS
from smashup.bots.results_file import ResultsFile, read_results
from smashup.bots.statistics import Interval, Tally, expected_rank
from smashup.cards import catalogue
from smashup.engine.errors import SmashUpError

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "docs" / "ladder"
GENERATED_MARK: Final = (
    "<!-- Written by `python -m scripts.ladder --write`; edit scripts/ladder.py instead. -->"
)
LARGE_TABLE: Final = 4
"""Players at the larger tables."""


@dataclass(frozen=True)
class Pairing:
    """A row of a table, and the file with its games."""

    a: str
    b: str
    players: int = 2

    @property
    def file(self) -> str:
        suffix = "" if self.players == 2 else f"-{self.players}p"
        return f"{self.a}-{self.b}{suffix}.jsonl".replace(":", "-")

    @property
    def label(self) -> str:
        others = "" if self.players == 2 else f"{self.players - 1} × "
        return f"{self.a} – {others}{self.b}"

    def command(self, games: int) -> str:
        suffix = "" if self.players == 2 else f" --players {self.players}"
        return f"smashup duel {self.a} {self.b}{suffix} --games {games}"


HARD: Final = "mcts:60cpu"
"""A search that plays on the compiled engine as `hard` does on the interpreted one."""
EXPERT: Final = "mcts:350cpu"
"""The same for `expert`."""
MEASURED_LEVELS: Final = ("random", "easy", "normal", HARD, EXPERT)
"""What is measured for each level, weakest first."""
PREDECESSORS: Final = ("normal", "mcts:40cpu", "mcts:250cpu")
"""Bots that are compared with the ones without the network: `normal`, and searches with the budgets
of `classic:hard` and `classic:expert`."""
TWO_PLAYER_PAIRINGS: Final = (
    *(Pairing(a, b) for b, a in pairwise(MEASURED_LEVELS)),
    Pairing("normal", "random"),
    Pairing(EXPERT, "normal"),
)
LARGE_PAIRINGS: Final = (
    *(Pairing(a, b, LARGE_TABLE) for b, a in pairwise(MEASURED_LEVELS)),
    *(Pairing(bot, f"{CLASSIC}{bot}", LARGE_TABLE) for bot in PREDECESSORS),
)
OTHER_PAIRINGS: Final = tuple(Pairing(bot, f"{CLASSIC}{bot}") for bot in PREDECESSORS)


@dataclass(frozen=True)
class PairingResult:
    """The totals of a results file."""

    pairing: Pairing
    tally: Tally
    version: str


def read_pairings(pairings: Sequence[Pairing], folder: Path) -> list[PairingResult]:
    """Return the pairings that have games."""
    found = []
    for pairing in pairings:
        path = folder / pairing.file
        if not path.exists():
            continue
        title, results = read_results(path)
        tally = Tally(pairing.players)
        for result in results:
            tally.add(result)
        if tally.games:
            found.append(PairingResult(pairing, tally, title["version"]))
    return found


# --- measuring --------------------------------------------------------------------------------


def measure(pairing: Pairing, games: int, folder: Path, processes: int, until: float) -> None:
    """Play a pairing up to a number of games or seconds."""
    duel = Duel(pairing.a, pairing.b, pairing.players)
    cards = catalogue()
    duel.check(cards)
    results_file = ResultsFile(folder / pairing.file, duel, cards)
    measurement = Measurement(duel, cards, games, results_file=results_file, processes=processes)
    tally = measurement.tally
    with closing(measurement.play()) as played:
        while time.monotonic() < until and next(played, None) is not None:
            rate = format_percent(tally.rate)
            progress = f"\r{pairing.label}: {tally.games}/{measurement.games}, {rate}"
            print(progress, end="", flush=True)
    print(f"\r{pairing.label}: {tally.games} games, {format_percent(tally.rate)} won")


# --- the page ---------------------------------------------------------------------------------


def render_page(folder: Path) -> str:
    """Render docs/ladder.md."""
    pairs, crowds, others = (
        read_pairings(rows, folder)
        for rows in (TWO_PLAYER_PAIRINGS, LARGE_PAIRINGS, OTHER_PAIRINGS)
    )
    lines = [
        "# Bot ladder",
        "",
        GENERATED_MARK,
        "",
        "The strength of the bots, measured in games against each other. Each deal is played once",
        "with the first bot in each seat, and factions stay with the seats, so both sides get the",
        "same luck. The tables show 95% confidence intervals (Wilson's for win rates) and the mean",
        "milliseconds per decision with more than one option, for the first bot and the others.",
        "",
        "All games were played with the compiled engine, which searches about four times as fast",
        f"as the interpreted one: `{HARD}` and `{EXPERT}` play there like `hard` (250 ms) and",
        "`expert` (1.4 s) on the interpreted engine. `cpu` means milliseconds of processor time,",
        "so that results do not depend on what else the machine does; the column ms shows the time",
        "that passed. `normal` is the bot `greedy`; [bots.md](bots.md) explains how all of them",
        "work. `classic:` bots use the linear evaluation instead of the network.",
        "",
        "| level | what it is like |",
        "|---|---|",
        "| random | Chooses at random. |",
        *(f"| {level.name} | {level.description} |" for level in LEVELS),
        "",
        *_picture_line([*pairs, *crowds, *others]),
        "## Two players",
        "",
        *_table(pairs, folder),
        "",
        f"## One bot against {LARGE_TABLE - 1} others",
        "",
        "Four players. Mean rank 1 is the best;"
        f" equal bots would get {expected_rank(LARGE_TABLE)}.",
        "",
        *_large_table(crowds, folder),
        "",
    ]
    if others:
        lines += ["## With and without the network", "", *_table(others, folder), ""]
    versions = sorted({row.version for row in [*pairs, *crowds, *others]})
    if versions:
        lines += [
            f"Measured with version {', '.join(versions)}. The first column links to the results,",
            "one line per game; `python -m scripts.ladder --games N` plays more games.",
            "",
        ]
    return "\n".join(lines)


def _picture_line(rows: Sequence[PairingResult]) -> list[str]:
    return ["![Bar chart of the win rates and mean ranks below](ladder.svg)", ""] if rows else []


def _table(rows: Sequence[PairingResult], folder: Path) -> list[str]:
    if not rows:
        return ["No results yet."]
    return [
        "| bots | won by the first | 95% interval | games | VP ahead | ms | command |",
        "|---|---:|---:|---:|---:|---:|---|",
        *(
            f"| {_link(row, folder)} | **{format_percent(row.tally.rate)}**"
            f" | {_format_interval(row.tally.rate_interval())} | {row.tally.games}"
            f" | {row.tally.margin:+.1f} | {_format_thinking_times(row.tally)}"
            f" | `{row.pairing.command(row.tally.games)}` |"
            for row in rows
        ),
    ]


def _large_table(rows: Sequence[PairingResult], folder: Path) -> list[str]:
    if not rows:
        return ["No results yet."]
    lines = [
        "| bots | mean rank | 95% interval | won | 95% interval | games | ms | command |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    for row in rows:
        rank = row.tally.rank_interval()
        lines.append(
            f"| {_link(row, folder)} | **{row.tally.rank:.2f}** | {rank.low:.2f}–{rank.high:.2f}"
            f" | {format_percent(row.tally.rate)} | {_format_interval(row.tally.rate_interval())}"
            f" | {row.tally.games} | {_format_thinking_times(row.tally)}"
            f" | `{row.pairing.command(row.tally.games)}` |"
        )
    return lines


def _link(row: PairingResult, folder: Path) -> str:
    return f"[{row.pairing.label}]({folder.name}/{row.pairing.file})"


def _format_thinking_times(tally: Tally) -> str:
    return " / ".join(f"{tally.milliseconds(side):.1f}" for side in (0, 1))


def format_percent(rate: float) -> str:
    return f"{100 * rate:.1f}%"


def _format_interval(interval: Interval) -> str:
    return f"{format_percent(interval.low)}–{format_percent(interval.high)}"


def render_picture(folder: Path) -> str:
    """Render docs/ladder.svg, with longer bars for better bots; empty without games."""
    rates = [
        Row(
            row.pairing.label,
            row.tally.rate,
            row.tally.rate_interval(),
            format_percent(row.tally.rate),
        )
        for row in read_pairings((*TWO_PLAYER_PAIRINGS, *OTHER_PAIRINGS), folder)
    ]
    ranks = []
    for row in read_pairings(LARGE_PAIRINGS, folder):
        found = row.tally.rank_interval()
        share = Interval(_share(found.high), _share(found.low))
        ranks.append(Row(row.pairing.label, _share(row.tally.rank), share, f"{row.tally.rank:.2f}"))
    if not rates and not ranks:
        return ""
    return draw([("Won of two-player games", rates), ("Mean rank of four players", ranks)])


def _share(rank: float) -> float:
    """Scale a rank: 0 for the last, 1 for the first."""
    return (LARGE_TABLE - rank) / (LARGE_TABLE - 1)


def write(folder: Path) -> None:
    """Write the page and its figure from the stored games."""
    folder.mkdir(parents=True, exist_ok=True)
    if drawn := render_picture(folder):
        folder.with_suffix(".svg").write_text(drawn, encoding="utf-8")
    folder.with_suffix(".md").write_text(render_page(folder), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games of each pairing")
    parser.add_argument("--only", metavar="A:B", help="one pairing of two players, or of --players")
    parser.add_argument(
        "--players", type=int, choices=(2, LARGE_TABLE), help="2 if --only is given, else both"
    )
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where results are kept")
    parser.add_argument("--write", action="store_true", help="only write the page")
    options = parser.parse_args(argv)
    players = options.players or (2 if options.only else None)
    wanted = [
        pairing
        for pairing in (*TWO_PLAYER_PAIRINGS, *LARGE_PAIRINGS, *OTHER_PAIRINGS)
        if options.only in (None, f"{pairing.a}:{pairing.b}") and players in (None, pairing.players)
    ]
    if not wanted:
        print(f"There is no pairing {options.only} in the tables.", file=sys.stderr)
        return 2
    until = time.monotonic() + 60 * options.minutes
    try:
        for pairing in [] if options.write else wanted:
            if time.monotonic() < until:
                measure(pairing, options.games, options.folder, options.processes, until)
        write(options.folder)
    except KeyboardInterrupt:
        print()
        write(options.folder)
        return 130
    except SmashUpError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
