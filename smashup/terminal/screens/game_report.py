"""The analysis of a game: a table of accuracies, and the turning points with their better lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from smashup.analysis.report import GameReport, TurningPoint
from smashup.analysis.reviews import Verdict
from smashup.terminal.screens.advice import format_chance
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import current_translator, tr


def render_report(
    report: GameReport, players: Sequence[int], player_names: PlayerNames
) -> RenderableType:
    """Render the accuracy of the players, and the turning points of their decisions."""
    parts: list[RenderableType] = [_render_accuracy(report, players, player_names), Text()]
    points = [p for p in report["turning_points"] if p["review"]["player"] in players]
    if not points:
        parts.append(Text(tr("No decision gave away a noticeable chance to win.")))
        return Group(*parts)
    parts.append(Text(tr("Turning points"), style="bold"))
    for point in points:
        parts.append(_render_turning_point(point, player_names))
    return Group(*parts)


def _render_accuracy(
    report: GameReport, players: Sequence[int], player_names: PlayerNames
) -> Table:
    rows = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    rows.add_column(tr("player"), no_wrap=True)
    for title in (
        tr("accuracy"), tr("decisions"), tr("good"), tr("inaccuracies"), tr("mistakes"),
        tr("blunders"),
    ):  # fmt: skip
        rows.add_column(title, justify="right")
    for player in players:
        figures = report["players"][player]
        accuracy = figures["accuracy"]
        share = "–" if accuracy is None else current_translator().number(accuracy, ".1%")
        rows.add_row(
            player_names.name(player),
            Text(share, style="bold"),
            str(figures["decisions"]),
            *(str(figures["verdicts"][verdict]) for verdict in Verdict),
        )
    return rows


def _render_turning_point(point: TurningPoint, player_names: PlayerNames) -> RenderableType:
    review = point["review"]
    head = Text()
    head.append(tr("Turn {turn}", turn=review["turn"]), style="bold")
    head.append(" · ").append_text(player_names.name(review["player"]))
    head.append(" · ").append_text(player_names.render(review["question"]))
    played = Text(tr("Played: ")).append_text(player_names.render(review["played_label"]))
    with_played = max(review["chance"] - review["loss"], 0.0)
    played.append("  " + format_chance(with_played), style="bold red")
    better = Text(tr("Better: ")).append_text(player_names.render(review["best_label"]))
    better.append("  " + format_chance(review["chance"]), style="bold green")
    lines: list[RenderableType] = [played, better]
    later = point["line"][1:]
    if later:
        lines.append(Text(tr("Then, for example: ").rstrip(), style="dim"))
        for step in later:
            line = Text("  ")
            if step["player"] != review["player"]:
                line.append_text(player_names.name(step["player"])).append(" · ")
            if step["question"] is not None:
                line.append_text(player_names.render(step["question"])).append(" ")
            lines.append(line.append_text(player_names.render(step["label"])))
    return Group(head, Padding(Group(*lines), (0, 0, 1, 2)))
