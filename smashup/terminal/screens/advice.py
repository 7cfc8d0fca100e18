"""Win chances: a bar for all players, a bot's advice on options, a chart of past turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from smashup.bots.bot import Advice, Estimate
from smashup.bots.win_probability import TurnEntry
from smashup.terminal.screens.console import EMPTY_BLOCK, NUMBER_STYLE, PLAYER_BLOCKS
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import current_translator, tr, tr_plural

CHANCES_WIDTH = 24
"""Cells of the bar that all players share."""
OPTION_BAR_WIDTH = 10
"""Cells of an option's bar."""
HEIGHT_BLOCKS = "▁▂▃▄▅▆▇█"
"""Blocks from no chance to a certain win."""


def format_chance(chance: float) -> str:
    return current_translator().number(chance, ".0%")


def render_chances(chances: Sequence[float], player_names: PlayerNames) -> Text:
    """Render every player's win chance as a shared bar and figures."""
    line = Text(tr("Chances: "), style="dim")
    used = 0
    reached = 0.0
    for player, chance in enumerate(chances):
        reached += chance
        filled = CHANCES_WIDTH if player == len(chances) - 1 else round(CHANCES_WIDTH * reached)
        line.append(
            PLAYER_BLOCKS[player] * (filled - used), style=f"not dim {player_names.style(player)}"
        )
        used = filled
    for player, chance in enumerate(chances):
        line.append("  ").append_text(player_names.name(player, weight="not dim"))
        line.append(" " + format_chance(chance), style="not dim")
    return line


# --- advice on options ----------------------------------------------------------------------


def rank_estimates(advice: Advice) -> list[Estimate]:
    """Sort estimates: the pick first, then by visits and win chance."""
    return sorted(
        advice.estimates,
        key=lambda e: (e.option != advice.pick, -e.visits, -e.win_probability, e.option),
    )


def render_advice(
    bot: str,
    advice: Advice,
    decision: Mapping[str, Any],
    order: Sequence[int],
    player_names: PlayerNames,
    max_options: int | None = None,
) -> RenderableType:
    """Render a bot's advice: options with their numbers at the prompt, the pick marked.

    ``order`` is that of the menu: number n on the screen is option ``order[n - 1]``.
    """
    title = Text(tr("Advice from the bot “{bot}”", bot=bot), style="bold")
    best_first = rank_estimates(advice)
    if not best_first:
        return Group(title, Text(tr("It rates all options the same here.")))
    number = {option: n for n, option in enumerate(order, 1)}
    rows = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    rows.add_column("", no_wrap=True)
    rows.add_column("", justify="right", no_wrap=True)
    rows.add_column(tr("chance to win"), no_wrap=True)
    rows.add_column(tr("tried"), justify="right", no_wrap=True)
    rows.add_column("")
    style = player_names.style(decision["player"])
    for estimate in best_first[:max_options]:
        picked = estimate.option == advice.pick
        label = player_names.render(decision["options"][estimate.option]["label"])
        if picked:
            label.stylize("bold")
        rows.add_row(
            Text("▶" if picked else "", style="bold"),
            Text(str(number[estimate.option]), style=NUMBER_STYLE),
            _render_chance(estimate, style),
            str(estimate.visits),
            label,
        )
    parts: list[RenderableType] = [title, rows]
    rest = len(best_first[max_options:]) if max_options is not None else 0
    if rest:
        more = tr_plural(rest, "… and {count} that looks worse", "… and {count} that look worse")
        parts.append(Text(more, style="dim"))
    return Group(*parts)


def _render_chance(estimate: Estimate, style: str) -> Text:
    """Render a bar and a figure; a dash for options the bot never tried."""
    if not estimate.visits:
        return Text(EMPTY_BLOCK * OPTION_BAR_WIDTH + "    –", style="dim")
    full = round(OPTION_BAR_WIDTH * min(1.0, estimate.win_probability))
    bar = Text(PLAYER_BLOCKS[0] * full, style=style)
    bar.append(EMPTY_BLOCK * (OPTION_BAR_WIDTH - full), style="dim")
    return bar.append(format_chance(estimate.win_probability).rjust(5), style="bold default")


# --- history --------------------------------------------------------------------------------


class ChancesChart:
    """Each player's win chance from turn to turn, as a row of blocks."""

    def __init__(self, history: Sequence[TurnEntry], player_names: PlayerNames) -> None:
        self.history = history
        self.player_names = player_names

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
            steps = "".join(height_block(entry["chances"][player]) for entry in shown)
            rows.add_row(
                self.player_names.name(player),
                Text(steps, style=self.player_names.style(player)),
                Text(format_chance(shown[-1]["chances"][player]).rjust(5), style="bold"),
                Text(tr("{vp} VP", vp=vp), style="dim"),
            )
        yield rows


def height_block(chance: float) -> str:
    """Return the block whose height shows a chance."""
    return HEIGHT_BLOCKS[min(len(HEIGHT_BLOCKS) - 1, int(chance * len(HEIGHT_BLOCKS)))]
