"""The board as a player sees it: scores, bases side by side, and the cards on them.

Everything is drawn from a view (`Game.view`), never from the state.
"""

from __future__ import annotations

from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from smashup.engine.model.editions import EDITIONS
from smashup.terminal.screens.console import EMPTY_BLOCK, PLAYER_BLOCKS
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import gettext_noop, tr

MIN_BASE_WIDTH = 26
PLACE_LABELS = (gettext_noop("1st"), gettext_noop("2nd"), gettext_noop("3rd"))
VP_GOAL = 15


def render_board(view: dict[str, Any], player_names: PlayerNames) -> Group:
    """Render the heading, scores and bases."""
    parts: list[RenderableType] = [
        render_heading(view, player_names),
        ScoreTable(view, player_names),
    ]
    if view["bases"]:
        parts.append(BaseGrid(view, player_names))
    if view["limbo"]:
        parts.append(render_limbo(view["limbo"]))
    return Group(*parts)


# --- heading and score ----------------------------------------------------------------------


def render_heading(view: dict[str, Any], player_names: PlayerNames) -> Rule:
    """Render the turn, the current player and the phase."""
    phases = {
        "setup": tr("setting up"),
        "start": tr("start of turn"),
        "play": tr("playing cards"),
        "score": tr("scoring bases"),
        "draw": tr("drawing cards"),
        "end": tr("end of turn"),
        "over": tr("game over"),
    }
    title = Text()
    if view["turn"]:
        title.append(tr("Turn {turn}", turn=view["turn"]), style="bold")
        title.append(" · ")
        title.append_text(player_names.name(view["current"]))
        title.append(", ")
    title.append(phases[view["phase"]])
    title.append(" · " + tr(EDITIONS[view["edition"]].title), style="dim")
    return Rule(title, style="dim")


class ScoreTable:
    """One row per player: victory points, card counts, factions, titans set aside."""

    def __init__(self, view: dict[str, Any], player_names: PlayerNames) -> None:
        self.view = view
        self.player_names = player_names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = options.max_width >= 110
        table = Table.grid(padding=(0, 2, 0, 0))
        for _ in range(3):
            table.add_column(no_wrap=True)
        table.add_column()
        for seat in self.view["players"]:
            counts = tr(
                "hand {hand} deck {deck} discard {discard}",
                hand=seat["hand_size"],
                deck=seat["deck_size"],
                discard=len(seat["discard"]),
            )
            table.add_row(
                self._name(seat["index"]),
                self._points(seat, wide),
                Text(counts, style="dim"),
                self._factions_and_titans(seat),
            )
        yield table

    def _name(self, player: int) -> Text:
        name = Text("▶ " if player == self.view["current"] and self.view["turn"] else "  ")
        name.append_text(self.player_names.name(player))
        if player == self.view["you"]:
            name.append(tr(" (you)"), style="dim")
        return name

    def _points(self, seat: dict[str, Any], wide: bool) -> Text:
        """Victory points, with a track to the goal on wide terminals."""
        points = Text(tr("{vp} VP", vp=seat["vp"]).rjust(5), style="bold")
        if wide:
            reached = max(0, min(VP_GOAL, seat["vp"]))
            points.append(" " + "●" * reached, style=self.player_names.style(seat["index"]))
            points.append(EMPTY_BLOCK * (VP_GOAL - reached), style="dim")
        return points

    def _factions_and_titans(self, seat: dict[str, Any]) -> Text:
        belongings = Text(" + ".join(map(tr, seat["factions"])))
        for number, titan in enumerate(seat["aside"]):
            belongings.append("\n" + tr("set aside: ") if number == 0 else ", ", style="dim")
            belongings.append("★ " + tr(titan["name"]) + format_tokens(titan))
        return belongings


def format_tokens(card: dict[str, Any]) -> str:
    """The tokens on a titan, or an empty string."""
    return f" ◇{card['tokens']}" if card.get("tokens") else ""


def render_limbo(cards: list[dict[str, Any]]) -> Text:
    """List cards that are being played or revealed and in no zone yet."""
    line = Text(tr("On the table: "), style="dim")
    names = [tr("a card") if card.get("hidden") else tr(card["name"]) for card in cards]
    line.append(", ".join(names), style="bold")
    return line


# --- bases ----------------------------------------------------------------------------------


class BaseGrid:
    """The bases side by side, in as few rows as the width allows."""

    def __init__(self, view: dict[str, Any], player_names: PlayerNames) -> None:
        self.view = view
        self.player_names = player_names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        sites = self.view["bases"]
        in_a_row = max(1, min(len(sites), options.max_width // MIN_BASE_WIDTH))
        rows = -(-len(sites) // in_a_row)
        in_a_row = -(-len(sites) // rows)
        width = options.max_width // in_a_row
        inner = options.update(width=width - 4, height=None)
        for start in range(0, len(sites), in_a_row):
            row = sites[start : start + in_a_row]
            insides = [
                render_base(site, len(self.view["players"]), self.player_names) for site in row
            ]
            tallest = max(len(console.render_lines(x, inner, pad=False)) for x in insides)
            grid = Table.grid()
            for _ in row:
                grid.add_column(width=width)
            grid.add_row(
                *(
                    self._panel(site, content, width, tallest + 2)
                    for site, content in zip(row, insides, strict=True)
                )
            )
            yield grid

    def _panel(self, site: dict[str, Any], content: Group, width: int, height: int) -> Panel:
        scoring = site["serial"] == self.view["scoring"]
        title = Text(tr(site["name"]), style="bold not dim")
        if scoring:
            title = Text(tr("SCORING: ") + tr(site["name"]), style="bold red")
        title.truncate(width - 6, overflow="ellipsis")
        ready = site["total"] >= site["breakpoint"]
        return Panel(
            content,
            title=title,
            subtitle=Text(tr("pays {vp} VP", vp=" · ".join(map(str, site["vp"]))), style="dim"),
            border_style="red" if scoring else "bold" if ready else "dim",
            height=height,
        )


def render_base(site: dict[str, Any], players: int, player_names: PlayerNames) -> Group:
    """Render the content of a base's panel: its bar, its text, and each player's cards."""
    parts: list[RenderableType] = [PowerBar(site, player_names)]
    if site["text"]:
        parts.append(Text(tr(site["text"]), style="dim"))
    if site["counters"]:
        parts.append(Text(_format_counters(site)))
    for player in players_present(site, players):
        parts.append(_player_line(site, player, player_names))
        cards = Table.grid()
        cards.add_column(width=2)
        cards.add_column()
        for card in sorted(site["cards"], key=card_sort_key):
            if card["controller"] == player:
                _add_card(cards, card, player, player_names)
        parts.append(cards)
    return Group(*parts)


def card_sort_key(card: dict[str, Any]) -> int:
    """Sort titans first, then minions, actions and buried cards."""
    if card.get("buried"):
        return 3
    return ("titan", "minion", "action").index(card["type"])


class PowerBar:
    """Each player's share of the breakpoint as a bar with figures."""

    def __init__(self, site: dict[str, Any], player_names: PlayerNames) -> None:
        self.site = site
        self.player_names = player_names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        site = self.site
        full_up = site["total"] >= site["breakpoint"]
        figures = Text(" ")
        figures.append(
            f"{site['total']}/{site['breakpoint']}", style="bold red" if full_up else "bold"
        )
        if site["breakpoint"] != site["printed_breakpoint"]:
            figures.append(f" ({site['printed_breakpoint']})", style="dim")
        room = max(0, options.max_width - figures.cell_len)
        full = max(1, site["breakpoint"], site["total"])
        bar = Text(no_wrap=True)
        used = 0
        power = 0
        for player, total in enumerate(site["totals"]):
            power += max(0, total)
            filled = max(used, min(room, power * room // full))
            bar.append(
                PLAYER_BLOCKS[player] * (filled - used), style=self.player_names.style(player)
            )
            used = filled
        bar.append(EMPTY_BLOCK * (room - used), style="dim")
        bar.append_text(figures)
        yield bar


def players_present(site: dict[str, Any], players: int) -> list[int]:
    """Players with cards or power here, sorted by place, then by power."""
    place = {row["player"]: row["place"] for row in site["places"]}
    here = {card["controller"] for card in site["cards"]}
    present = [p for p in range(players) if p in here or p in place or site["totals"][p]]
    return sorted(present, key=lambda p: (place.get(p, 9), -site["totals"][p], p))


def _player_line(site: dict[str, Any], player: int, player_names: PlayerNames) -> Table:
    """A player's power here, and the VP it would earn if the base scored now."""
    line = Table.grid(expand=True)
    line.add_column(ratio=1)
    line.add_column(justify="right", no_wrap=True)
    power = player_names.name(player).append(f" {site['totals'][player]}")
    worth = Text()
    for row in site["places"]:
        if row["player"] == player:
            worth = Text(
                tr("{place} → {vp} VP", place=tr(PLACE_LABELS[row["place"] - 1]), vp=row["vp"]),
                style=player_names.style(player),
            )
    line.add_row(power, worth)
    return line


# --- cards in play --------------------------------------------------------------------------


def render_card_name(card: dict[str, Any]) -> Text:
    """Render name, power (and printed power if different) and counters of a card in play."""
    if card.get("hidden"):
        return Text(tr("▽ buried card"), style="dim")
    line = Text(tr(card["name"]))
    if card.get("buried"):
        line = Text("▽ " + tr(card["name"]), style="dim")
        line.append(tr(" (buried)"))
    printed = card.get("printed_power", 0)
    power = card.get("power", printed)
    if card["type"] == "minion" or power:
        line.append(f" {power}", style="bold")
        if power != printed and card["type"] == "minion":
            line.append(f" ({printed})", style="dim")
    line.append(_format_counters(card) + format_tokens(card))
    return line


def _format_counters(card: dict[str, Any]) -> str:
    count = card.get("counters", 0)
    if not count:
        return ""
    return " " + ("●" * count if count <= 3 else f"●×{count}")


def _add_card(rows: Table, card: dict[str, Any], player: int, player_names: PlayerNames) -> None:
    """Add a card in play and, below it, its actions in the colors of their controllers."""
    name = render_card_name(card)
    name.stylize_before(player_names.style(player))
    rows.add_row({"titan": "★", "action": "◇"}.get(card.get("type", ""), ""), name)
    for action in card.get("actions", ()):
        on = Text("+ ")
        on.append(tr(action["name"]), style=player_names.style(action["controller"]))
        if action["controller"] != player:
            on.append(f" ({player_names.names[action['controller']]})", style="dim")
        rows.add_row("", on)
