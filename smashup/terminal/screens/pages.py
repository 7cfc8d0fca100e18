"""Screens besides the board and the question: help, piles, recent log lines, result."""

from __future__ import annotations

from typing import Any

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from smashup.terminal.game.annotated_log import AnnotatedLine
from smashup.terminal.screens.decision_screen import MAX_NEWS_LINES
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import tr


def clear_screen(console: Console, scrollback: bool = False) -> None:
    """Clear the screen, and with ``scrollback`` its history."""
    if console.is_terminal:
        console.clear()
        if scrollback:
            console.file.write("\x1b[3J")
            console.file.flush()


def render_news(lines: list[AnnotatedLine], max_lines: int = MAX_NEWS_LINES) -> RenderableType:
    """Render the latest lines of a log."""
    hidden = len(lines) - max_lines
    if hidden <= 1:
        return Group(*lines)
    more = Text(tr("… {count} earlier lines: l", count=hidden), style="dim")
    return Group(more, *lines[-max_lines:])


def render_help() -> RenderableType:
    """Render the list of commands and symbols."""
    rows = Table.grid(padding=(0, 3, 0, 0))
    for key, meaning in (
        ("1, 2, 3 …", tr("choose that option")),
        ("1 3, 2-4, 1 3 e", tr("choose several, where you may; e ends the choice")),
        (tr("Enter"), tr("back to the decision; the next page of its options")),
        ("e", tr("end the phase, pass, or none: the option that declines")),
        ("b", tr("the whole board with all texts")),
        (tr("c NAME"), tr("a card: in hand, in play, or any; c 3 is the card of option 3")),
        ("d", tr("discard piles, and hidden cards you know of")),
        ("l", tr("the whole log")),
        ("h", tr("a hint: a bot's advice on the options")),
        ("u", tr("undo your last choice (when all others are bots)")),
        ("s", tr("save")),
        ("q", tr("save and quit; Ctrl-D and Ctrl-C do the same")),
        ("?", tr("this help")),
    ):
        rows.add_row(Text(key, style="bold"), meaning)
    legend = Text(
        tr(
            "On a base: Jumper 5 (2) has power 5, printed 2. ● +1 power counter, ★"
            " titan, ◇ action on the base, + action on a minion, ▽ buried card. “1st →"
            " 4 VP” is what the player would get if the base scored now."
        ),
        style="dim",
    )
    return Group(rows, Text(), legend)


def render_piles(view: dict[str, Any], player_names: PlayerNames) -> RenderableType:
    """Render discard piles and known hidden cards."""
    rows = Table.grid(padding=(0, 2, 0, 0))
    for seat in view["players"]:
        player = seat["index"]
        rows.add_row(
            player_names.name(player).append(tr(" discard"), style="not bold"),
            _count_names(seat["discard"]),
        )
        if player != view["you"]:
            known = [card for card in seat["hand"] if not card.get("hidden")]
            if known:
                rows.add_row(
                    player_names.name(player).append(tr(" hand"), style="not bold"),
                    _count_names(known),
                )
        for place in seat["deck_known"]:
            where = tr(" deck, number {number}", number=place["from_top"] + 1)
            rows.add_row(
                player_names.name(player).append(where, style="not bold"), tr(place["card"]["name"])
            )
    rows.add_row(Text(tr("base discard")), _count_names(view["base_discard"]))
    for place in view["base_deck_known"]:
        where = tr("base deck, number {number}", number=place["from_top"] + 1)
        rows.add_row(Text(where), tr(place["card"]["name"]))
    rows.add_row(Text(tr("base deck")), tr("{count} left", count=view["base_deck_size"]))
    if view["madness_size"]:
        rows.add_row(Text(tr("Madness deck")), tr("{count} left", count=view["madness_size"]))
    return rows


def _count_names(cards: list[dict[str, Any]]) -> Text:
    """List card names with their counts."""
    counts: dict[str, int] = {}
    for card in cards:
        name = tr(card["name"])
        counts[name] = counts.get(name, 0) + 1
    if not counts:
        return Text(tr("empty"), style="dim")
    return Text(", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counts.items()))


def render_result(view: dict[str, Any], player_names: PlayerNames) -> RenderableType:
    """Render the winners and all victory points."""
    winners: list[int] = view["winners"]
    banner = Text(justify="center")
    banner.append("★ ")
    banner.append_text(player_names.join(winners))
    text = tr(" wins!") if len(winners) == 1 else tr(" share the win!")
    banner.append(text + " ★")
    banner.stylize("bold")
    table = Table(box=None, padding=(0, 2))
    table.add_column("")
    table.add_column(tr("Player"))
    table.add_column(tr("VP"), justify="right")
    table.add_column(tr("Factions"))
    order = sorted(view["players"], key=lambda s: (s["index"] not in winners, -s["vp"]))
    for seat in order:
        table.add_row(
            "★" if seat["index"] in winners else "",
            player_names.name(seat["index"]),
            Text(str(seat["vp"]), style="bold"),
            " + ".join(map(tr, seat["factions"])),
        )
    style = player_names.style(winners[0]) if winners else ""
    return Group(Panel(banner, border_style=style), Align.center(table))
