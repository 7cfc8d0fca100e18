"""`smashup lab compare` and `smashup lab export`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rich.table import Table
from rich.text import Text

from smashup.engine.errors import SaveError, reason
from smashup.lab.analysis import analyze
from smashup.lab.comparison import Comparison, compare_studies
from smashup.lab.records import write_csv
from smashup.lab.study_store import StudyStore
from smashup.terminal.commands.duel import format_decimal, format_percent
from smashup.terminal.screens.console import open_console
from smashup.terminal.translation import current_translator, printable, tr


def run_compare(options: argparse.Namespace) -> int:
    """Print how the factions or bots of two studies differ."""
    first, second = (
        analyze(StudyStore.open(Path(folder).expanduser()))
        for folder in (options.first, options.second)
    )
    comparison = compare_studies(first, second)
    if options.json:
        print(json.dumps(comparison.to_dict(), ensure_ascii=False, indent=2))
        return 0
    console = open_console()
    for number, command in enumerate(comparison.commands, 1):
        console.print(Text(f"{number}: {printable(command)}", "dim"))
    console.print(_difference_table(comparison))
    if comparison.rank_correlation is not None:
        agreement = format_decimal(comparison.rank_correlation)
        console.print(tr("Rank correlation of the two orders: {number}", number=agreement))
    console.print(tr("* The 95% interval of the change does not contain 0."))
    return 0


def run_export(options: argparse.Namespace) -> int:
    """Write the games of a study to a CSV file."""
    store = StudyStore.open(Path(options.folder).expanduser())
    path = Path(options.csv).expanduser() if options.csv else store.path / "games.csv"
    games = store.read_games()
    if games.is_empty():
        raise SaveError("There are no games in {path} yet.", path=str(store.path))
    try:
        write_csv(path, games)
    except OSError as error:
        raise SaveError(
            "The games cannot be written to {path}: {reason}.", path=str(path), reason=reason(error)
        ) from error
    count = games.height // store.plan.study.players
    print(tr("{games} games are in {path}.", games=count, path=printable(str(path))))
    return 0


def _difference_table(comparison: Comparison) -> Table:
    is_matrix = comparison.kind == "matrix"
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(tr("faction") if is_matrix else tr("bot"), no_wrap=True)
    for head in ("1", "2", tr("change"), tr("95% interval")):
        table.add_column(head, justify="right", no_wrap=True)
    for row in comparison.rows:
        if is_matrix:
            values = [format_percent(row.first.value), format_percent(row.second.value)]
            ends = [format_decimal(100 * x, 1, sign=True) for x in (row.change, row.low, row.high)]
        else:
            values = [format_decimal(x.value, 0, sign=True) for x in (row.first, row.second)]
            ends = [format_decimal(x, 0, sign=True) for x in (row.change, row.low, row.high)]
        mark = " *" if row.is_significant else "  "
        name = current_translator().lookup(row.name) if is_matrix else printable(row.name)
        interval = tr("{low} to {high}", low=ends[1], high=ends[2])
        table.add_row(name, *values, ends[0] + mark, interval)
    return table
