"""`smashup duel`: two bots play each other; a table shows which is better."""

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

from smashup.bots.bot_game import Teams
from smashup.bots.duel import Duel, Measurement
from smashup.bots.results_file import ResultsFile
from smashup.bots.statistics import ABOVE, UNDECIDED, Interval, StoppingRule, Tally, expected_rank
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.terminal.card_index import find_faction, fold_name
from smashup.terminal.cli.options import EXIT_INTERRUPTED
from smashup.terminal.cli.setup_options import DRAFT, parse_edition
from smashup.terminal.screens.console import EMPTY_BLOCK, PLAYER_BLOCKS, PLAYER_STYLES, open_console
from smashup.terminal.translation import current_translator, printable, tr

BAR_WIDTH: Final = 50
"""Width of the win rate bar in cells."""


def run(options: argparse.Namespace, cards: Catalogue) -> int:
    """Play the duel and print the result."""
    measurement = _build_measurement(options, cards)
    code = 0
    try:
        _play(measurement)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    if options.json:
        print(
            json.dumps(to_dict(measurement, code == EXIT_INTERRUPTED), ensure_ascii=False, indent=2)
        )
    elif measurement.tally.games == 0:
        print(tr("Stopped before a game was over."), file=sys.stderr)
    else:
        open_console().print(_render_report(measurement, code == EXIT_INTERRUPTED))
    return code


def _build_measurement(options: argparse.Namespace, cards: Catalogue) -> Measurement:
    """Validate the options and build the measurement."""
    for option, number in (("--games", options.games), ("--processes", options.processes)):
        if number is not None and number < 1:
            raise SetupError(
                "{option} needs a number of at least 1, not {number}.", option=option, number=number
            )
    above = options.until_above
    if above is not None and not 0 < above < 1:
        raise SetupError(
            "--until-above needs a win rate between 0 and 1, like 0.75, not {number}.", number=above
        )
    if above is not None and options.until_best:
        raise SetupError("--until-above and --until-best cannot be combined; choose one.")
    duel = Duel(
        options.a,
        options.b,
        options.players,
        options.seed,
        parse_edition(options.edition),
        (options.printing or PRINTED).strip().casefold(),
        parse_teams(options.factions, cards),
        tuple(options.faction_file),
    )
    duel.check(cards)
    results_file = None
    if options.keep is not None:
        results_file = ResultsFile(Path(options.keep).expanduser(), duel, cards)
    rule = StoppingRule(above, options.until_best)
    return Measurement(
        duel, cards, options.games, rule, results_file, options.processes or available_cores()
    )


def parse_teams(text: str | None, cards: Catalogue) -> Teams:
    """Parse the factions of each seat; seats left open are empty."""
    if text is None or not text.strip():
        return ()
    if fold_name(text) == DRAFT:
        raise SetupError("A duel has no draft: name factions, or omit them for random ones.")
    found = []
    for team in text.split(","):
        names = [name.strip() for name in team.split("+") if name.strip()]
        if len(names) > 2:
            raise SetupError(
                "“{team}” names {count} factions; a deck has two.",
                team=team.strip(),
                count=len(names),
            )
        if [fold_name(name) for name in names] == ["random"]:
            names = []
        found.append(tuple(find_faction(cards, name).name for name in names))
    return tuple(found)


def _bot_label(name: str) -> str:
    """The name of a bot; without the folder, if it is from a file."""
    file, colon, cls = name.rpartition(":")
    return printable(f"{Path(file).name}:{cls}" if colon and file.endswith(".py") else name)


def _short_labels(*names: str) -> list[str]:
    """The names of bots for a table: only the class of one from a file, if that is clear."""
    labels = [_bot_label(name) for name in names]
    short = [label.rpartition(":")[2] if ".py:" in label else label for label in labels]
    return short if len(set(short)) == len(short) else labels


def available_cores() -> int:
    """Number of processor cores this process may use."""
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
            f"{_bot_label(duel.a)} – {_bot_label(duel.b)}",
            total=measurement.games,
            completed=measurement.tally.games,
            rate="",
        )
        for _ in games:
            rate = format_percent(measurement.tally.rate)
            progress.update(
                task, completed=measurement.tally.games, rate=tr("{rate} won", rate=rate)
            )


# --- result ---------------------------------------------------------------------------------


def _render_report(measurement: Measurement, stopped: bool) -> Group:
    duel, tally = measurement.duel, measurement.tally
    title = Text(
        tr(
            "{a} against {b}, {players} players, {games} games",
            a=_bot_label(duel.a),
            b=_bot_label(duel.b),
            players=duel.players,
            games=tally.games,
        ),
        style="bold",
    )
    lines: list[RenderableType] = [
        Text(),
        title,
        Text(),
        _win_rate_bar(tally),
        Text(),
        _result_table(measurement),
        Text(),
    ]
    lines.append(Text(_explain_ending(measurement, stopped)))
    results_file = measurement.results_file
    if results_file is not None:
        kept = tr(
            "{path} has {games} games; the same command continues from there.",
            path=printable(str(results_file.path)),
            games=len(results_file.results),
        )
        lines.append(Text(kept))
    return Group(*lines)


def _win_rate_bar(tally: Tally) -> Text:
    """The win rate with its interval, and a mark at the rate of equal players."""
    interval = tally.rate_interval()
    sure = round(interval.low * BAR_WIDTH)
    unsure = max(1, round(interval.high * BAR_WIDTH) - sure)
    fair = round(BAR_WIDTH / tally.players)
    text = Text("  ")
    text.append(PLAYER_BLOCKS[0] * sure, PLAYER_STYLES[0])
    text.append(PLAYER_BLOCKS[2] * unsure, PLAYER_STYLES[0])
    text.append(EMPTY_BLOCK * (BAR_WIDTH - sure - unsure), "dim")
    text.append("  " + format_percent(tally.rate), "bold")
    text.append(" (" + format_interval(interval, format_percent) + ")")
    text.append("\n  " + " " * max(0, fair - 1) + "^ ", "dim")
    text.append(tr("equals: {number}", number=format_percent(1 / tally.players)), "dim")
    return text


def _result_table(measurement: Measurement) -> Table:
    duel, tally = measurement.duel, measurement.tally
    labels = _short_labels(duel.a, duel.b)
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    rows = [
        (
            tr("won by {bot}", bot=labels[0]),
            format_percent(tally.rate),
            tr(
                "95% interval {interval}",
                interval=format_interval(tally.rate_interval(), format_percent),
            ),
        ),
        (
            tr("points ahead"),
            format_decimal(tally.margin, 1, sign=True),
            tr("its VP minus those of its best opponent"),
        ),
    ]
    if duel.players > 2:
        equal = tr("equals: {number}", number=format_decimal(expected_rank(duel.players), 1))
        interval = tr(
            "95% interval {interval}",
            interval=format_interval(tally.rank_interval(), format_decimal),
        )
        rows.append((tr("mean rank"), format_decimal(tally.rank), f"{interval}, {equal}"))
    rows.append((tr("turns in a game"), format_decimal(tally.turns, 1), ""))
    for side, bot in enumerate(labels):
        time = tr("{number} ms", number=format_decimal(tally.milliseconds(side), 1))
        label = tr("{bot} thinks", bot=bot)
        rows.append((label, time, tr("on average per decision with several options")))
    for label, number, remark in rows:
        table.add_row(Text("  " + label), Text(number, "bold", justify="right"), Text(remark))
    return table


def _explain_ending(measurement: Measurement, stopped: bool) -> str:
    """Explain why the duel ended."""
    tally, rule = measurement.tally, measurement.stopping_rule
    args: dict[str, object] = {"bot": _bot_label(measurement.duel.a), "games": tally.games}
    if stopped:
        return tr("Stopped after {games} of {wanted} games.", wanted=measurement.games, **args)
    if rule.win_rate is not None:
        args["bar"] = format_percent(rule.win_rate)
        if measurement.verdict == UNDECIDED:
            return tr("{games} games do not show whether {bot} wins more than {bar}.", **args)
        if measurement.verdict == ABOVE:
            return tr("{bot} wins more than {bar}: the 99% interval lies above it.", **args)
        return tr("{bot} wins less than {bar}: the 99% interval lies below it.", **args)
    if rule.better_rank:
        if measurement.verdict == UNDECIDED:
            return tr("{games} games do not show whether {bot} is better than the others.", **args)
        if measurement.verdict == ABOVE:
            return tr("{bot} is better, by the 99% interval of its mean rank.", **args)
        return tr("{bot} is worse, by the 99% interval of its mean rank.", **args)
    return tr("Each deal was played once from every seat.")


def to_dict(measurement: Measurement, stopped: bool) -> dict[str, Any]:
    """The result as plain data, with 95% intervals."""
    tally = measurement.tally
    rate, rank = tally.rate_interval(), tally.rank_interval()
    return {
        **measurement.duel.to_dict(measurement.cards),
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


def format_decimal(value: float, places: int = 2, sign: bool = False) -> str:
    """Format a number in the current language."""
    return current_translator().number(value, f"{'+' if sign else ''}.{places}f")


def format_percent(value: float) -> str:
    return current_translator().number(math.floor(100 * value + 0.5) / 100, ".0%")


def format_interval(interval: Interval, formatter: Callable[[float], str]) -> str:
    return f"{formatter(interval.low)}–{formatter(interval.high)}"
