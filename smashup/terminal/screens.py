"""Screens other than the question itself: curtain, help, piles, log, the end of the game."""

from __future__ import annotations

from typing import Any

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from smashup.terminal.chronicle import Line
from smashup.terminal.sentences import Voice
from smashup.terminal.translation import tr

LOG_LINES = 16
"""Lines of news shown above the board; `l` shows the rest."""


def clear(console: Console, scrollback: bool = False) -> None:
    """Empty the screen; with ``scrollback``, also what one could scroll back to."""
    if console.is_terminal:
        console.clear()
        if scrollback:
            console.file.write("\x1b[3J")
            console.file.flush()


def news(lines: list[Line], most: int = LOG_LINES) -> RenderableType:
    """The latest lines of a log."""
    hidden = len(lines) - most
    if hidden <= 1:
        return Group(*lines)
    more = Text(tr("… {count} earlier lines: l", count=hidden), style="dim")
    return Group(more, *lines[-most:])


def help_screen() -> RenderableType:
    """What may be typed at the prompt."""
    rows = Table.grid(padding=(0, 3, 0, 0))
    for key, meaning in (
        ("1, 2, 3 …", tr("choose that option")),
        (tr("Enter"), tr("show the question and its options again")),
        ("e", tr("end the phase, pass, or none: whatever says no here")),
        ("b", tr("the board")),
        (tr("c NAME"), tr("a card by name, or c 3 for the card of option 3")),
        ("d", tr("discard piles, and hidden cards you know of")),
        ("l", tr("the whole log")),
        ("h", tr("a hint: what a bot thinks of the options")),
        ("u", tr("undo your last choice (when all others are bots)")),
        ("s", tr("save")),
        ("q", tr("save and quit; Ctrl-D and Ctrl-C do the same")),
        ("?", tr("this help")),
    ):
        rows.add_row(Text(key, style="bold"), meaning)
    legend = Text(
        tr(
            "On a base: Jumper 5 (2) has power 5, printed 2. ● +1 power counter, ★ titan,"
            " ◇ action on the base, + action on a minion, ▽ buried card. «1st → 4 VP» is what"
            " the player would get if the base scored now."
        ),
        style="dim",
    )
    return Group(rows, Text(), legend)


def piles(view: dict[str, Any], voice: Voice) -> RenderableType:
    """Discard piles, and what the player knows of hidden cards."""
    rows = Table.grid(padding=(0, 2, 0, 0))
    for seat in view["players"]:
        player = seat["index"]
        rows.add_row(
            voice.player(player).append(tr(" discard"), style="not bold"), _names(seat["discard"])
        )
        if player != view["you"]:
            known = [card for card in seat["hand"] if not card.get("hidden")]
            if known:
                rows.add_row(
                    voice.player(player).append(tr(" hand"), style="not bold"), _names(known)
                )
        for place in seat["deck_known"]:
            where = tr(" deck, number {number}", number=place["from_top"] + 1)
            rows.add_row(
                voice.player(player).append(where, style="not bold"), tr(place["card"]["name"])
            )
    rows.add_row(Text(tr("base discard")), _names(view["base_discard"]))
    for place in view["base_deck_known"]:
        where = tr("base deck, number {number}", number=place["from_top"] + 1)
        rows.add_row(Text(where), tr(place["card"]["name"]))
    rows.add_row(Text(tr("base deck")), tr("{count} left", count=view["base_deck_size"]))
    if view["madness_size"]:
        rows.add_row(Text(tr("Madness deck")), tr("{count} left", count=view["madness_size"]))
    return rows


def _names(cards: list[dict[str, Any]]) -> Text:
    """Card names with how many of each."""
    counts: dict[str, int] = {}
    for card in cards:
        name = tr(card["name"])
        counts[name] = counts.get(name, 0) + 1
    if not counts:
        return Text(tr("empty"), style="dim")
    return Text(", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counts.items()))


def result(view: dict[str, Any], voice: Voice) -> RenderableType:
    """Who won, and everybody's victory points."""
    winners: list[int] = view["winners"]
    banner = Text(justify="center")
    banner.append("★ ")
    banner.append_text(voice.players(winners))
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
            voice.player(seat["index"]),
            Text(str(seat["vp"]), style="bold"),
            " + ".join(map(tr, seat["factions"])),
        )
    style = voice.style(winners[0]) if winners else ""
    return Group(Panel(banner, border_style=style), Align.center(table))
