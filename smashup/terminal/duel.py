"""`smashup duel`: two bots play each other, and a small table tells who is better."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from smashup.bots.duel import Duel, Measurement, Teams
from smashup.bots.ledger import Ledger
from smashup.bots.tally import ABOVE, OPEN, Bar, Interval, Tally, rank_of_equals
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.terminal.look import EMPTY_BLOCK, PLAYER_BLOCKS, PLAYER_STYLES, open_console
from smashup.terminal.lookup import find_faction, folded
from smashup.terminal.parsing import INTERRUPTED
from smashup.terminal.tables import DRAFT, edition_key
from smashup.terminal.translation import current_translator, printable, tr

BAR: Final = 50
"""How wide the bar of the win rate is."""


def run(options: argparse.Namespace, cards: Catalogue) -> int:
    """Play the duel that the options ask for, and show what came of it."""
    measurement = _measurement(options, cards)
    code = 0
    try:
        _play(measurement)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if options.json:
        print(json.dumps(as_data(measurement, code == INTERRUPTED), ensure_ascii=False, indent=2))
    elif measurement.tally.games == 0:
        print(tr("Stopped before a game was over."), file=sys.stderr)
    else:
        open_console().print(_report(measurement, code == INTERRUPTED))
    return code


def _measurement(options: argparse.Namespace, cards: Catalogue) -> Measurement:
    """What is to be measured, checked before anything is played."""
    for option, number in (("--games", options.games), ("--processes", options.processes)):
        if number is not None and number < 1:
            raise SetupError(
                "{option} needs a number from 1 up, not {number}.", option=option, number=number
            )
    above = options.until_above
    if above is not None and not 0 < above < 1:
        raise SetupError(
            "--until-above needs a win rate between 0 and 1, like 0.75, not {number}.", number=above
        )
    if above is not None and options.until_best:
        raise SetupError("--until-above and --until-best are two questions; ask one at a time.")
    duel = Duel(
        options.a,
        options.b,
        options.players,
        options.seed,
        edition_key(options.edition),
        (options.printing or PRINTED).strip().casefold(),
        teams(options.factions, cards),
        tuple(options.faction_file),
    )
    duel.check(cards)
    ledger = None
    if options.keep is not None:
        ledger = Ledger(Path(options.keep).expanduser(), duel, cards)
    bar = Bar(above, options.until_best)
    return Measurement(duel, cards, options.games, bar, ledger, options.processes or _cores())


def teams(text: str | None, cards: Catalogue) -> Teams:
    """The factions given to each seat; what is left open stays open."""
    if text is None or not text.strip():
        return ()
    if folded(text) == DRAFT:
        raise SetupError("There is no draft in a duel: name factions, or leave them to chance.")
    found = []
    for team in text.split(","):
        names = [name.strip() for name in team.split("+") if name.strip()]
        if len(names) > 2:
            raise SetupError(
                "«{team}» names {count} factions; a deck has two.",
                team=team.strip(),
                count=len(names),
            )
        if [folded(name) for name in names] == ["random"]:
            names = []
        found.append(tuple(find_faction(cards, name).name for name in names))
    return tuple(found)


def _cores() -> int:
    """How many games can be played at once without disturbing each other."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _play(measurement: Measurement) -> None:
    console = open_console(stderr=True)
    duel = measurement.duel
    with (
        Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        ) as progress,
        closing(measurement.play()) as games,
    ):
        task = progress.add_task(
            f"{duel.a} – {duel.b}",
            total=measurement.games,
            completed=measurement.tally.games,
            rate="",
        )
        for _ in games:
            rate = percent(measurement.tally.rate)
            progress.update(
                task, completed=measurement.tally.games, rate=tr("{rate} won", rate=rate)
            )


# --- what came of it ------------------------------------------------------------------------


def _report(measurement: Measurement, stopped: bool) -> Group:
    duel, tally = measurement.duel, measurement.tally
    title = Text(
        tr(
            "{a} against {b}, {players} players, {games} games",
            a=printable(duel.a),
            b=printable(duel.b),
            players=duel.players,
            games=tally.games,
        ),
        style="bold",
    )
    lines: list[RenderableType] = [
        Text(),
        title,
        Text(),
        _bar(tally),
        Text(),
        _table(measurement),
        Text(),
    ]
    lines.append(Text(_ending(measurement, stopped)))
    ledger = measurement.ledger
    if ledger is not None:
        kept = tr(
            "{path} has {games} games; the same command goes on from there.",
            path=printable(str(ledger.path)),
            games=len(ledger.results),
        )
        lines.append(Text(kept))
    return Group(*lines)


def _bar(tally: Tally) -> Text:
    """The win rate from 0 to 100%: sure, unsure, and the share that equals would have."""
    interval = tally.rate_interval()
    sure = round(interval.low * BAR)
    unsure = max(1, round(interval.high * BAR) - sure)
    fair = round(BAR / tally.players)
    text = Text("  ")
    text.append(PLAYER_BLOCKS[0] * sure, PLAYER_STYLES[0])
    text.append(PLAYER_BLOCKS[2] * unsure, PLAYER_STYLES[0])
    text.append(EMPTY_BLOCK * (BAR - sure - unsure), "dim")
    text.append("  " + percent(tally.rate), "bold")
    text.append(" (" + between(interval, percent) + ")")
    text.append("\n  " + " " * max(0, fair - 1) + "^ ", "dim")
    text.append(tr("equals: {number}", number=percent(1 / tally.players)), "dim")
    return text


def _table(measurement: Measurement) -> Table:
    duel, tally = measurement.duel, measurement.tally
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    rows = [
        (
            tr("won by {bot}", bot=printable(duel.a)),
            percent(tally.rate),
            tr("95% interval {interval}", interval=between(tally.rate_interval(), percent)),
        ),
        (
            tr("points ahead"),
            decimal(tally.margin, 1, sign=True),
            tr("its VP minus those of the best other"),
        ),
    ]
    if duel.players > 2:
        equal = tr("equals: {number}", number=decimal(rank_of_equals(duel.players), 1))
        interval = tr("95% interval {interval}", interval=between(tally.rank_interval(), decimal))
        rows.append((tr("mean rank"), decimal(tally.rank), f"{interval}, {equal}"))
    rows.append((tr("turns in a game"), decimal(tally.turns, 1), ""))
    for side, bot in enumerate((duel.a, duel.b)):
        time = tr("{number} ms", number=decimal(tally.milliseconds(side), 1))
        label = tr("{bot} thinks", bot=printable(bot))
        rows.append((label, time, tr("on average where there is a choice")))
    for label, number, remark in rows:
        table.add_row(Text("  " + label), Text(number, "bold", justify="right"), Text(remark))
    return table


def _ending(measurement: Measurement, stopped: bool) -> str:
    """Why the duel is over, in a sentence."""
    tally, bar = measurement.tally, measurement.bar
    args: dict[str, object] = {"bot": printable(measurement.duel.a), "games": tally.games}
    if stopped:
        return tr("Stopped after {games} of {wanted} games.", wanted=measurement.games, **args)
    if bar.above is not None:
        args["bar"] = percent(bar.above)
        if measurement.verdict == OPEN:
            return tr("{games} games do not tell whether {bot} wins more than {bar}.", **args)
        if measurement.verdict == ABOVE:
            return tr("{bot} wins more than {bar}: the 99% interval lies above it.", **args)
        return tr("{bot} wins less than {bar}: the 99% interval lies below it.", **args)
    if bar.best:
        if measurement.verdict == OPEN:
            return tr("{games} games do not tell whether {bot} is better than the others.", **args)
        if measurement.verdict == ABOVE:
            return tr("{bot} is better: the 99% interval of its mean rank says so.", **args)
        return tr("{bot} is worse: the 99% interval of its mean rank says so.", **args)
    return tr("Each deal was played once from every seat.")


def as_data(measurement: Measurement, stopped: bool) -> dict[str, Any]:
    """The same as plain data; the intervals are those of 95%."""
    tally = measurement.tally
    rate, rank = tally.rate_interval(), tally.rank_interval()
    return {
        **measurement.duel.facts(measurement.cards),
        "games": tally.games,
        "games_wanted": measurement.games,
        "stopped": stopped,
        "verdict": measurement.verdict,
        "won": round(tally.score, 3),
        "win_rate": round(tally.rate, 4),
        "win_rate_interval": [round(rate.low, 4), round(rate.high, 4)],
        "vp_margin": round(tally.margin, 3),
        "mean_rank": round(tally.rank, 4),
        "mean_rank_interval": [round(rank.low, 4), round(rank.high, 4)],
        "mean_turns": round(tally.turns, 2),
        "ms_per_decision_with_a_choice": {
            "a": round(tally.milliseconds(0), 2),
            "b": round(tally.milliseconds(1), 2),
        },
    }


# --- numbers --------------------------------------------------------------------------------


def decimal(value: float, places: int = 2, sign: bool = False) -> str:
    """A number as the language in use writes it."""
    return current_translator().number(value, f"{'+' if sign else ''}.{places}f")


def percent(value: float) -> str:
    return current_translator().number(math.floor(100 * value + 0.5) / 100, ".0%")


def between(interval: Interval, shown: Callable[[float], str]) -> str:
    return f"{shown(interval.low)}–{shown(interval.high)}"
