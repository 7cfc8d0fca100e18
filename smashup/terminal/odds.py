"""Chances to win, drawn: a bar for the table, a bot's opinion of the options, the way so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from smashup.bots.bot import Advice, Estimate
from smashup.bots.insight import Entry
from smashup.terminal.look import EMPTY_BLOCK, NUMBER_STYLE, PLAYER_BLOCKS
from smashup.terminal.sentences import Voice
from smashup.terminal.translation import tr

WIDTH = 24
"""Cells of the bar all seats share."""
SHORT = 10
"""Cells of an option's bar."""
STEPS = "▁▂▃▄▅▆▇█"
"""From no chance to a win."""


def percent(chance: float) -> str:
    return f"{round(100 * chance)}%"


def outlook_line(chances: Sequence[float], voice: Voice) -> Text:
    """Every seat's chance to win: a bar they share, and the figures."""
    line = Text(tr("Chances: "), style="dim")
    used = 0
    reached = 0.0
    for player, chance in enumerate(chances):
        reached += chance
        upto = WIDTH if player == len(chances) - 1 else round(WIDTH * reached)
        line.append(PLAYER_BLOCKS[player] * (upto - used), style=f"not dim {voice.style(player)}")
        used = upto
    for player, chance in enumerate(chances):
        line.append("  ").append_text(voice.player(player, weight="not dim"))
        line.append(" " + percent(chance), style="not dim")
    return line


# --- what a bot thinks of the options -------------------------------------------------------


def ranked(advice: Advice) -> list[Estimate]:
    """The options, best first: the pick, then what was tried most and did best."""
    return sorted(
        advice.estimates, key=lambda e: (e.option != advice.pick, -e.visits, -e.chance, e.option)
    )


def opinion(
    bot: str,
    advice: Advice,
    decision: Mapping[str, Any],
    order: Sequence[int],
    voice: Voice,
    most: int | None = None,
) -> RenderableType:
    """A bot's advice: each option with its number at the prompt, the pick marked.

    ``order`` is that of the menu: number n on the screen is option ``order[n - 1]``.
    """
    title = Text(tr("What the bot «{bot}» thinks", bot=bot), style="bold")
    best_first = ranked(advice)
    if not best_first:
        return Group(title, Text(tr("It makes no difference between the options here.")))
    number = {option: n for n, option in enumerate(order, 1)}
    rows = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    rows.add_column("", no_wrap=True)
    rows.add_column("", justify="right", no_wrap=True)
    rows.add_column(tr("chance to win"), no_wrap=True)
    rows.add_column(tr("tried"), justify="right", no_wrap=True)
    rows.add_column("")
    style = voice.style(decision["player"])
    for estimate in best_first[:most]:
        picked = estimate.option == advice.pick
        label = voice.sentence(decision["options"][estimate.option]["label"])
        if picked:
            label.stylize("bold")
        rows.add_row(
            Text("▶" if picked else "", style="bold"),
            Text(str(number[estimate.option]), style=NUMBER_STYLE),
            _chance(estimate, style),
            str(estimate.visits),
            label,
        )
    parts: list[RenderableType] = [title, rows]
    rest = len(best_first[most:]) if most is not None else 0
    if rest:
        parts.append(Text(tr("… and {count} that look worse", count=rest), style="dim"))
    return Group(*parts)


def _chance(estimate: Estimate, style: str) -> Text:
    """A little bar and the figure; a dash for what was never tried."""
    if not estimate.visits:
        return Text(EMPTY_BLOCK * SHORT + "    –", style="dim")
    full = round(SHORT * min(1.0, estimate.chance))
    bar = Text(PLAYER_BLOCKS[0] * full, style=style)
    bar.append(EMPTY_BLOCK * (SHORT - full), style="dim")
    return bar.append(percent(estimate.chance).rjust(5), style="bold default")


# --- the way so far -------------------------------------------------------------------------


class Chart:
    """How each seat's chance went from turn to turn: a line of steps a seat."""

    def __init__(self, history: Sequence[Entry], voice: Voice) -> None:
        self.history = history
        self.voice = voice

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.history:
            yield Text(tr("No turn is over yet."), style="dim")
            return
        shown = self.history[-max(10, options.max_width - 40) :]
        first, last = shown[0]["turn"], shown[-1]["turn"]
        title = tr("Chances after turns {first} to {last}", first=first, last=last)
        if first == last:
            title = tr("Chances after turn {turn}", turn=last)
        yield Text(title, style="bold")
        rows = Table.grid(padding=(0, 2, 0, 0))
        for _ in range(4):
            rows.add_column(no_wrap=True)
        for player, vp in enumerate(shown[-1]["vp"]):
            steps = "".join(step(entry["chances"][player]) for entry in shown)
            rows.add_row(
                self.voice.player(player),
                Text(steps, style=self.voice.style(player)),
                Text(percent(shown[-1]["chances"][player]).rjust(4), style="bold"),
                Text(tr("{vp} VP", vp=vp), style="dim"),
            )
        yield rows


def step(chance: float) -> str:
    """A chance as a block of some height."""
    return STEPS[min(len(STEPS) - 1, int(chance * len(STEPS)))]
