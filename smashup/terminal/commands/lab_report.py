"""`smashup lab report`: prints the findings of a study and writes them as an HTML page."""

from __future__ import annotations

import argparse
import json
import math
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from smashup.engine.errors import SaveError, reason
from smashup.lab.analysis import analyze
from smashup.lab.findings import TIERS, Findings, IntervalEstimate, PairFinding
from smashup.lab.report.page import render_page
from smashup.lab.study_store import StudyStore
from smashup.terminal.commands.duel import format_decimal, format_percent
from smashup.terminal.screens.console import open_console
from smashup.terminal.translation import current_translator, printable, tr

TIER_STYLES: Final = {
    "S": "bold magenta", "A": "bold red", "B": "bold yellow", "C": "bold green", "D": "bold blue",
}  # fmt: skip
BLOCKS: Final = "▁▂▃▄▅▆▇█"
BAR_WIDTH: Final = 30
NARROW_COLUMNS: Final = 100
"""Terminals with fewer columns get shorter bars and names."""
SHORT_WIDTH: Final = 12
PAIRS_PER_END: Final = 8
"""How many of the best and of the worst pairs are shown."""


def run(options: argparse.Namespace) -> int:
    """Write the page and print the findings."""
    store = StudyStore.open(Path(options.folder).expanduser())
    findings = analyze(store)
    if options.json:
        print(json.dumps(findings.to_dict(), ensure_ascii=False, indent=2))
        return 0
    path = Path(options.html).expanduser() if options.html else store.path / "report.html"
    try:
        path.write_text(render_page(findings, current_translator()), encoding="utf-8")
    except OSError as error:
        raise SaveError(
            "The report cannot be written to {path}: {reason}.",
            path=str(path),
            reason=reason(error),
        ) from error
    console = open_console()
    print_findings(findings, console)
    console.print(tr("Full report: {path}", path=printable(str(path))))
    if options.open:
        webbrowser.open(path.resolve().as_uri())
    return 0


def print_findings(findings: Findings, console: Console) -> None:
    """Print the findings."""
    for part in _parts(findings.translate_names(current_translator().lookup), console):
        console.print(Padding(part, (0, 0, 1, 2)))


def _parts(findings: Findings, console: Console) -> Iterator[RenderableType]:
    title = tr(
        "{games} games of {players} players, played by {bots}",
        games=findings.games,
        players=findings.players,
        bots=printable(", ".join(findings.bots)),
    )
    head = Text("\n" + title, "bold")
    head.append(f"\n{printable(findings.command)}", "not bold dim")
    yield head
    if findings.factions:
        narrow = console.width < NARROW_COLUMNS
        yield _tier_table(findings, SHORT_WIDTH - 4 if narrow else BAR_WIDTH)
        count = len(findings.factions)
        columns = SHORT_WIDTH + 5 + 3 * count
        if columns <= console.width:
            cell = 4 if columns + count <= console.width else 3
            spare = console.width - columns - (cell - 3) * count
            yield _heat_map(findings, min(BAR_WIDTH, SHORT_WIDTH - 1 + spare), cell)
        else:
            note = tr(
                "The table of all pairs needs a terminal of {columns} columns; the page has it.",
                columns=columns,
            )
            yield Text(note, "dim")
        yield _pair_table(findings, narrow)
    else:
        yield _bot_table(findings)
        yield _head_to_head_table(findings)
    yield _course_table(findings)


# --- numbers --------------------------------------------------------------------------------


def _format_rate(found: IntervalEstimate) -> str:
    """Format a rate and its interval in percent."""
    low, high = (math.floor(100 * end + 0.5) for end in (found.low, found.high))
    return f"{format_percent(found.value)} ({low}–{high})"


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left", no_wrap=True)
    return table


def _sparkline(values: list[float], most: float = 0) -> str:
    """Draw a curve with block characters."""
    most = most or max(values, default=0) or 1
    return "".join(BLOCKS[min(7, int(8 * value / most))] for value in values)


# --- factions -------------------------------------------------------------------------------


def _tier_table(findings: Findings, wide: int) -> Table:
    """Strengths with their intervals as bars on a common scale."""
    low = min(row.strength.low for row in findings.factions)
    high = max(row.strength.high for row in findings.factions)
    table = _table(
        tr("faction"), tr("tier"), tr("strength"), tr("95% interval"), "", tr("won"),
        tr("VP a turn"),
    )  # fmt: skip
    table.columns[4].justify = "left"
    for row in findings.factions:
        start, middle, end = (
            int((value - low) / ((high - low) or 1) * (wide - 1))
            for value in (row.strength.low, row.strength.value, row.strength.high)
        )
        bar = Text(" " * start + "─" * (end - start + 1) + " " * (wide - end - 1))
        bar = Text.assemble(bar[:middle], "●", bar[middle + 1 :], style=TIER_STYLES[row.tier])
        table.add_row(
            row.name,
            Text(row.tier, TIER_STYLES[row.tier]),
            Text(format_percent(row.strength.value), "bold"),
            f"{format_percent(row.strength.low)}–{format_percent(row.strength.high)}",
            bar,
            format_percent(row.standing.won.value),
            format_decimal(row.standing.vp_per_turn.value),
        )
    rule = ", ".join(f"{name} ≥ {format_percent(least)}" for name, least in TIERS[:-1])
    table.caption = tr(
        "Strength: the win rate with an average partner against an average pair ({rule}).",
        rule=rule,
    )
    table.caption_justify = "left"
    return table


def _heat_map(findings: Findings, longest: int, cell: int) -> Table:
    """Win rates of all pairs, in cells of some columns; warm colors mean above average."""
    names = [row.name for row in findings.factions]
    pairs = {frozenset((pair.a, pair.b)): pair for pair in findings.pairs}
    table = Table(box=None, pad_edge=False, padding=0, header_style="dim")
    table.add_column(tr("partners, won in %"), no_wrap=True, max_width=longest + 4)
    for number in range(1, len(names) + 1):
        table.add_column(f"{number:{cell}}", justify="right", no_wrap=True)
    for number, one in enumerate(names, 1):
        cells = [
            _heat_cell(pairs.get(frozenset((one, other))), 1 / findings.players, cell)
            for other in names
        ]
        table.add_row(f"{number:2} {one[:longest]} ", *cells)
    return table


def _heat_cell(pair: PairFinding | None, fair: float, cell: int) -> Text:
    if pair is None:
        return Text("·".rjust(cell), "dim")
    won = pair.standing.won.value
    share = max(-1.0, min(1.0, (won - fair) / 0.3))
    strong = abs(share)
    warm, cold, dark = (208, 74, 18), (28, 106, 156), (40, 40, 44)
    color = warm if share > 0 else cold
    red, green, blue = (int(dark[i] + strong * (color[i] - dark[i])) for i in range(3))
    style = Style(color="white", bgcolor=f"rgb({red},{green},{blue})")
    return Text(f"{100 * won:{cell}.0f}", style)


def _pair_table(findings: Findings, narrow: bool) -> Table:
    """The best and the worst pairs."""
    heads = [tr("pair"), tr("won"), tr("VP a turn"), tr("turns to win")]
    if not narrow:
        heads += [tr("bases first"), tr("games")]
    table = _table(*heads)
    rows = findings.pairs
    ends = 2 * PAIRS_PER_END
    shown = rows if len(rows) <= ends else [*rows[:PAIRS_PER_END], None, *rows[-PAIRS_PER_END:]]
    for pair in shown:
        if pair is None:
            table.add_row("…")
            continue
        found = pair.standing
        cells = [
            f"{pair.a} + {pair.b}",
            _format_rate(found.won),
            format_decimal(found.vp_per_turn.value),
            format_decimal(found.turns_to_win.value, 1) if found.turns_to_win.games else "–",
            format_decimal(found.bases_first.value, 1),
            str(found.won.games),
        ]
        table.add_row(*cells[: len(heads)])
    return table


# --- bots -----------------------------------------------------------------------------------


def _bot_table(findings: Findings) -> Table:
    ratings = {rating.name: rating for rating in findings.ratings}
    table = _table(
        tr("bot"), tr("rating"), tr("Elo"), tr("95% interval"), tr("won"), tr("mean rank"),
        tr("ms a decision"),
    )  # fmt: skip
    for row in findings.entrants:
        rating = ratings[row.name]
        low, high = (format_decimal(end, 0, sign=True) for end in (row.elo.low, row.elo.high))
        table.add_row(
            printable(row.name),
            f"{format_decimal(rating.mu, 1)} ± {format_decimal(rating.sigma, 1)}",
            Text(format_decimal(row.elo.value, 0, sign=True), "bold"),
            f"{low} – {high}",
            _format_rate(row.standing.won),
            format_decimal(row.rank.value),
            format_decimal(row.ms, 1),
        )
    return table


def _head_to_head_table(findings: Findings) -> Table:
    found = {(row.a, row.b): row.won for row in findings.meetings}
    names = [row.name for row in findings.entrants]
    table = _table(tr("won by … against"), *(printable(name) for name in names))
    for one in names:
        cells = [_format_rate(found[one, b]) if (one, b) in found else "–" for b in names]
        table.add_row(printable(one), *cells)
    return table


# --- the course of games --------------------------------------------------------------------


def _course_table(findings: Findings) -> Table:
    """Win rates by seat, game lengths and VP by turn."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    seats = tr("won by seat, in turn order"), tr("turns in a game"), tr("VP by turn, winners")
    table.add_row(seats[0], " · ".join(_format_rate(seat) for seat in findings.seats))
    turns = findings.turns
    interval = f"{format_decimal(turns.low, 1)}–{format_decimal(turns.high, 1)}"
    table.add_row(
        seats[1], f"{format_decimal(turns.value, 1)} ({interval})  {_length_histogram(findings)}"
    )
    most = max(value for curve in findings.curves for value in curve.mean)
    for curve, label in zip(findings.curves, (seats[2], tr("VP by turn, others")), strict=True):
        step = -(-len(curve.mean) // BAR_WIDTH)
        drawn = _sparkline(curve.mean[step - 1 :: step], most)
        table.add_row(label, f"{drawn}  {format_decimal(curve.mean[-1], 1)}")
    return table


def _length_histogram(findings: Findings) -> str:
    first, last = min(findings.lengths), max(findings.lengths)
    wide = max(1, -(-(last - first + 1) // BAR_WIDTH))
    bins = [0.0] * ((last - first) // wide + 1)
    for turns, games in findings.lengths.items():
        bins[(turns - first) // wide] += games
    return f"{first} {_sparkline(bins)} {last}"
