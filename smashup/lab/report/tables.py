"""The tables of a report: every number with its interval, and columns that sort."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from smashup.lab.findings import Estimate, Findings, Standing
from smashup.lab.report.figures import sparkline


@dataclass(frozen=True)
class Cell:
    """What is shown, and what it is sorted by."""

    html: str
    value: float | str

    def render(self, kind: str) -> str:
        return f'<td class="{kind}" data-v="{escape(str(self.value))}">{self.html}</td>'


def word(text: str) -> Cell:
    return Cell(escape(text), text)


def number(value: float, places: int = 1) -> Cell:
    return Cell(f"{value:.{places}f}", value)


def estimate(found: Estimate, places: int = 1) -> Cell:
    """A number and its interval; nothing where no game tells."""
    if not found.games:
        return Cell("–", -1)
    dash = " to " if found.low < 0 else "–"
    interval = f"{found.low:.{places}f}{dash}{found.high:.{places}f}"
    return Cell(f"{found.value:.{places}f} <small>{interval}</small>", found.value)


def rate(found: Estimate) -> Cell:
    interval = f"{100 * found.low:.0f}–{100 * found.high:.0f}"
    return Cell(f"{100 * found.value:.1f}% <small>{interval}</small>", found.value)


def table(heads: list[str], rows: list[list[Cell]], words: int = 1) -> str:
    """A table whose first columns are words and the others numbers."""
    kinds = ["words" if column < words else "" for column in range(len(heads))]
    head = "".join(
        f'<th scope="col" class="{kind}"><button type="button">{escape(text)}</button></th>'
        for text, kind in zip(heads, kinds, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(cell.render(kind) for cell, kind in zip(row, kinds, strict=True)) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="table" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


STANDING = ["won", "VP a turn", "turns to win", "bases first", "bases broken", "games"]


def standing(found: Standing) -> list[Cell]:
    return [
        rate(found.won),
        estimate(found.vp_per_turn, 2),
        estimate(found.turns_to_win),
        estimate(found.bases_first, 2),
        estimate(found.bases_broken, 2),
        Cell(f"{found.won.games:,}", found.won.games),
    ]


def factions(findings: Findings) -> str:
    most = max((value for row in findings.factions for value in row.curve), default=1.0)
    rows = [
        [
            word(row.name),
            Cell(
                f'<b style="color:var(--{row.tier})">{row.tier}</b>'
                + (f" <small>{row.tiers}</small>" if len(row.tiers) > 1 else ""),
                -row.strength.value,
            ),
            rate(row.strength),
            *standing(row.standing),
            Cell(sparkline(row.curve, most), row.standing.vp_per_turn.value),
        ]
        for row in findings.factions
    ]
    return table(["faction", "tier", "strength", *STANDING, "VP by round"], rows)


def pairs(findings: Findings) -> str:
    rows = [
        [
            word(f"{row.a} + {row.b}"),
            *standing(row.standing),
            Cell(f"{100 * row.expected:.1f}%", row.expected),
            Cell(f"{100 * row.together:+.1f}", row.together),
        ]
        for row in findings.pairs
    ]
    return table(["pair", *STANDING, "expected", "together"], rows)


def entrants(findings: Findings) -> str:
    ratings = {rating.name: rating for rating in findings.ratings}
    seats = [f"seat {seat + 1}" for seat in range(findings.players)]
    rows = []
    for row in findings.entrants:
        rating = ratings[row.name]
        rows.append(
            [
                word(row.name),
                Cell(f"{rating.mu:.1f} <small>± {rating.sigma:.1f}</small>", rating.mu),
                estimate(row.elo, 0),
                *standing(row.standing),
                estimate(row.rank, 2),
                *(rate(seat) for seat in row.seats),
                number(row.ms, 2),
            ]
        )
    heads = ["bot", "openskill", "Elo by model", *STANDING, "mean rank", *seats, "ms a decision"]
    return table(heads, rows)


def meetings(findings: Findings) -> str:
    found = {(row.a, row.b): row.won for row in findings.meetings}
    names = [row.name for row in findings.entrants]
    rows = [
        [
            word(one),
            *(
                rate(found[one, other]) if (one, other) in found else Cell("–", -1)
                for other in names
            ),
        ]
        for one in names
    ]
    return table(["won by … against", *names], rows)


def hands(findings: Findings) -> str:
    """Factions by bots."""
    found = {(row.faction, row.bot): row.won for row in findings.hands}
    names = [row.name for row in findings.entrants]
    factions = sorted({row.faction for row in findings.hands})
    rows = [
        [
            word(faction),
            *(
                rate(found[faction, bot]) if (faction, bot) in found else Cell("–", -1)
                for bot in names
            ),
        ]
        for faction in factions
    ]
    return table(["won with … by", *names], rows)
