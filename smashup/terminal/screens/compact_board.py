"""The board for short terminals: one line per player, and one or a few per base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from smashup.terminal.screens.advice import format_chance
from smashup.terminal.screens.board import (
    card_sort_key,
    format_tokens,
    players_present,
    render_card_name,
    render_heading,
    render_limbo,
)
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import tr


def render_compact_board(
    view: dict[str, Any], player_names: PlayerNames, chances: Sequence[float]
) -> Group:
    """Render a line per player with all counts, and each base with the cards there."""
    parts: list[RenderableType] = [render_heading(view, player_names)]
    parts += [
        OneLine(_describe_player(seat, view, player_names, chances)) for seat in view["players"]
    ]
    for site in view["bases"]:
        line = _describe_base(site, view)
        if site["text"]:
            line.append("  " + tr(site["text"]), style="dim italic")
        parts.append(OneLine(line))
        present = players_present(site, len(view["players"]))
        parts += [_CardsOfPlayer(site, player, player_names) for player in present]
    return _with_limbo(parts, view)


def render_minimal_board(view: dict[str, Any], player_names: PlayerNames) -> Group:
    """Render one line with all scores, and one line per base with the power there."""
    scores = Text("  ").join(_describe_score(seat, player_names) for seat in view["players"])
    parts: list[RenderableType] = [render_heading(view, player_names), OneLine(scores)]
    for site in view["bases"]:
        line = _describe_base(site, view)
        for player in players_present(site, len(view["players"])):
            line.append("  ").append_text(_describe_power(site, player, player_names))
        parts.append(OneLine(line))
    return _with_limbo(parts, view)


def _with_limbo(parts: list[RenderableType], view: dict[str, Any]) -> Group:
    if view["limbo"]:
        parts.append(OneLine(render_limbo(view["limbo"])))
    return Group(*parts)


class OneLine:
    """A text cut to the width."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = self.text.copy()
        line.truncate(options.max_width, overflow="ellipsis")
        yield line


def _describe_player(
    seat: dict[str, Any], view: dict[str, Any], player_names: PlayerNames, chances: Sequence[float]
) -> Text:
    player = seat["index"]
    line = Text("▶ " if player == view["current"] and view["turn"] else "  ")
    line.append_text(player_names.name(player))
    line.append(tr(" (you)") if player == view["you"] else "", style="dim")
    widest = max(len(name) for name in player_names.names) + len(tr(" (you)"))
    line.pad_right(max(0, 2 + widest - line.cell_len))
    line.append(tr("{vp} VP", vp=seat["vp"]).rjust(7), style="bold")
    if chances:
        line.append(format_chance(chances[player]).rjust(5), style="dim")
    counts = tr(
        "hand {hand} deck {deck} discard {discard}",
        hand=seat["hand_size"],
        deck=seat["deck_size"],
        discard=len(seat["discard"]),
    )
    line.append("  " + counts, style="dim")
    line.append("  " + " + ".join(map(tr, seat["factions"])))
    for titan in seat["aside"]:
        line.append("  ★ " + tr(titan["name"]) + format_tokens(titan))
    return line


def _describe_score(seat: dict[str, Any], player_names: PlayerNames) -> Text:
    """A player's points and cards in hand; short enough for four players on one line."""
    line = player_names.name(seat["index"])
    line.append(" " + tr("{vp} VP", vp=seat["vp"]), style="bold")
    return line.append(" " + tr("hand {hand}", hand=seat["hand_size"]), style="not bold dim")


def _describe_base(site: dict[str, Any], view: dict[str, Any]) -> Text:
    """The name of a base, its power and breakpoint, and the VP it pays."""
    scoring = site["serial"] == view["scoring"]
    line = Text()
    if scoring:
        line.append(tr("SCORING: "), style="bold red")
    line.append(tr(site["name"]), style="bold red" if scoring else "bold")
    ready = site["total"] >= site["breakpoint"]
    line.append(f" {site['total']}/{site['breakpoint']}", style="bold red" if ready else "bold")
    if site["breakpoint"] != site["printed_breakpoint"]:
        line.append(f" ({site['printed_breakpoint']})", style="dim")
    line.append("  " + tr("pays {vp} VP", vp=" · ".join(map(str, site["vp"]))), style="dim")
    return line


def _describe_power(site: dict[str, Any], player: int, player_names: PlayerNames) -> Text:
    """A player's power at a base, and the VP it would earn if the base scored now."""
    line = player_names.name(player).append(f" {site['totals'][player]}")
    for row in site["places"]:
        if row["player"] == player:
            line.append(" → " + tr("{vp} VP", vp=row["vp"]), style="not bold")
    return line


class _CardsOfPlayer:
    """A player's power and cards at a base; lines after the first are indented."""

    def __init__(self, site: dict[str, Any], player: int, player_names: PlayerNames) -> None:
        self.site = site
        self.player = player
        self.player_names = player_names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text("  ").append_text(_describe_power(self.site, self.player, self.player_names))
        cards = [c for c in self.site["cards"] if c["controller"] == self.player]
        for number, card in enumerate(sorted(cards, key=card_sort_key)):
            line.append(", " if number else tr(": "))
            line.append({"titan": "★ ", "action": "◇ "}.get(card.get("type", ""), ""))
            line.append_text(_render_with_actions(card, self.player, self.player_names))
        lines = line.wrap(console, options.max_width - 4)
        for number, piece in enumerate(lines):
            piece.rstrip()
            yield Text("    ").append_text(piece) if number else piece


def _render_with_actions(card: dict[str, Any], player: int, player_names: PlayerNames) -> Text:
    name = render_card_name(card)
    for action in card.get("actions", ()):
        name.append(" + ")
        name.append(tr(action["name"]), style=player_names.style(action["controller"]))
        if action["controller"] != player:
            name.append(f" ({player_names.names[action['controller']]})", style="dim")
    return name
