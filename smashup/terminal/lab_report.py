"""`smashup lab report`: what the games of a folder add up to, here and as a page."""

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
from smashup.lab.findings import TIERS, Estimate, Findings, PairFinding
from smashup.lab.folder import Folder
from smashup.lab.reckoning import find
from smashup.lab.report.page import page
from smashup.terminal.duel import decimal, percent
from smashup.terminal.look import open_console
from smashup.terminal.translation import current_translator, printable, tr

TIER_STYLES: Final = {
    "S": "bold magenta", "A": "bold red", "B": "bold yellow", "C": "bold green", "D": "bold blue",
}  # fmt: skip
BLOCKS: Final = "▁▂▃▄▅▆▇█"
BAR: Final = 30
NARROW: Final = 100
"""Terminals with fewer columns get shorter bars and names."""
SHORT: Final = 12
SHOWN_PAIRS: Final = 8
"""Pairs shown from either end."""


def run(options: argparse.Namespace) -> int:
    """Write the page, and show the same here."""
    folder = Folder.open(Path(options.folder).expanduser())
    findings = find(folder)
    if options.json:
        print(json.dumps(findings.as_data(), ensure_ascii=False, indent=2))
        return 0
    path = Path(options.html).expanduser() if options.html else folder.path / "report.html"
    try:
        path.write_text(page(findings, current_translator()), encoding="utf-8")
    except OSError as error:
        raise SaveError(
            "The report cannot be written to {path}: {reason}.",
            path=str(path),
            reason=reason(error),
        ) from error
    console = open_console()
    show(findings, console)
    console.print(tr("The same with more, as a page: {path}", path=printable(str(path))))
    if options.open:
        webbrowser.open(path.resolve().as_uri())
    return 0


def show(findings: Findings, console: Console) -> None:
    """The findings on a terminal."""
    for part in _parts(findings.named(current_translator().lookup), console):
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
        narrow = console.width < NARROW
        yield _tiers(findings, SHORT - 2 if narrow else BAR)
        yield _heat_map(findings, SHORT - 1 if narrow else BAR)
        yield _pairs(findings, narrow)
    else:
        yield _bots(findings)
        yield _meetings(findings)
    yield _course(findings)


# --- numbers --------------------------------------------------------------------------------


def _rate(found: Estimate) -> str:
    """A rate and its interval, all in per cent."""
    low, high = (math.floor(100 * end + 0.5) for end in (found.low, found.high))
    return f"{percent(found.value)} ({low}–{high})"


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left", no_wrap=True)
    return table


def _line(values: list[float], most: float = 0) -> str:
    """A curve as small as a word."""
    most = most or max(values, default=0) or 1
    return "".join(BLOCKS[min(7, int(8 * value / most))] for value in values)


# --- factions -------------------------------------------------------------------------------


def _tiers(findings: Findings, wide: int) -> Table:
    """Strengths with their intervals as bars from the lowest to the highest."""
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
            Text(percent(row.strength.value), "bold"),
            f"{percent(row.strength.low)}–{percent(row.strength.high)}",
            bar,
            percent(row.standing.won.value),
            decimal(row.standing.vp_per_turn.value),
        )
    rule = ", ".join(f"{name} ≥ {percent(least)}" for name, least in TIERS[:-1])
    table.caption = tr(
        "Strength: the win rate with an average partner against an average pair ({rule}).",
        rule=rule,
    )
    table.caption_justify = "left"
    return table


def _heat_map(findings: Findings, longest: int) -> Table:
    """Win rates of all pairs; warm colours win."""
    names = [row.name for row in findings.factions]
    pairs = {frozenset((pair.a, pair.b)): pair for pair in findings.pairs}
    table = Table(box=None, pad_edge=False, padding=0, header_style="dim")
    table.add_column(tr("partners, won in %"), no_wrap=True, max_width=longest + 4)
    for number in range(1, len(names) + 1):
        table.add_column(f"{number:3}", justify="right", no_wrap=True)
    for number, one in enumerate(names, 1):
        cells = [_cell(pairs.get(frozenset((one, other))), 1 / findings.players) for other in names]
        table.add_row(f"{number:2} {one[:longest]} ", *cells)
    return table


def _cell(pair: PairFinding | None, fair: float) -> Text:
    if pair is None:
        return Text("  ·", "dim")
    won = pair.standing.won.value
    share = max(-1.0, min(1.0, (won - fair) / 0.3))
    strong = abs(share)
    warm, cold, dark = (208, 74, 18), (28, 106, 156), (40, 40, 44)
    colour = warm if share > 0 else cold
    red, green, blue = (int(dark[i] + strong * (colour[i] - dark[i])) for i in range(3))
    style = Style(color="white", bgcolor=f"rgb({red},{green},{blue})")
    return Text(f"{100 * won:3.0f}"[:3], style)


def _pairs(findings: Findings, narrow: bool) -> Table:
    """The best and the worst pairs."""
    heads = [tr("pair"), tr("won"), tr("VP a turn"), tr("turns to win")]
    if not narrow:
        heads += [tr("bases first"), tr("games")]
    table = _table(*heads)
    rows = findings.pairs
    ends = 2 * SHOWN_PAIRS
    shown = rows if len(rows) <= ends else [*rows[:SHOWN_PAIRS], None, *rows[-SHOWN_PAIRS:]]
    for pair in shown:
        if pair is None:
            table.add_row("…")
            continue
        found = pair.standing
        cells = [
            f"{pair.a} + {pair.b}",
            _rate(found.won),
            decimal(found.vp_per_turn.value),
            decimal(found.turns_to_win.value, 1) if found.turns_to_win.games else "–",
            decimal(found.bases_first.value, 1),
            str(found.won.games),
        ]
        table.add_row(*cells[: len(heads)])
    return table


# --- bots -----------------------------------------------------------------------------------


def _bots(findings: Findings) -> Table:
    ratings = {rating.name: rating for rating in findings.ratings}
    table = _table(
        tr("bot"), tr("rating"), tr("Elo"), tr("95% interval"), tr("won"), tr("mean rank"),
        tr("ms a decision"),
    )  # fmt: skip
    for row in findings.entrants:
        rating = ratings[row.name]
        table.add_row(
            printable(row.name),
            f"{decimal(rating.mu, 1)} ± {decimal(rating.sigma, 1)}",
            Text(decimal(row.elo.value, 0, sign=True), "bold"),
            f"{decimal(row.elo.low, 0, sign=True)} – {decimal(row.elo.high, 0, sign=True)}",
            _rate(row.standing.won),
            decimal(row.rank.value),
            decimal(row.ms, 1),
        )
    return table


def _meetings(findings: Findings) -> Table:
    found = {(row.a, row.b): row.won for row in findings.meetings}
    names = [row.name for row in findings.entrants]
    table = _table(tr("won by … against"), *(printable(name) for name in names))
    for one in names:
        cells = [_rate(found[one, b]) if (one, b) in found else "–" for b in names]
        table.add_row(printable(one), *cells)
    return table


# --- the course of games --------------------------------------------------------------------


def _course(findings: Findings) -> Table:
    """Seats, lengths and VP by turn."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    seats = tr("won by seat, in turn order"), tr("turns in a game"), tr("VP by turn, winners")
    table.add_row(seats[0], " · ".join(_rate(seat) for seat in findings.seats))
    turns = findings.turns
    interval = f"{decimal(turns.low, 1)}–{decimal(turns.high, 1)}"
    table.add_row(seats[1], f"{decimal(turns.value, 1)} ({interval})  {_lengths(findings)}")
    most = max(value for curve in findings.curves for value in curve.mean)
    for curve, label in zip(findings.curves, (seats[2], tr("VP by turn, others")), strict=True):
        step = -(-len(curve.mean) // BAR)
        drawn = _line(curve.mean[step - 1 :: step], most)
        table.add_row(label, f"{drawn}  {decimal(curve.mean[-1], 1)}")
    return table


def _lengths(findings: Findings) -> str:
    first, last = min(findings.lengths), max(findings.lengths)
    wide = max(1, -(-(last - first + 1) // BAR))
    bins = [0.0] * ((last - first) // wide + 1)
    for turns, games in findings.lengths.items():
        bins[(turns - first) // wide] += games
    return f"{first} {_line(bins)} {last}"
