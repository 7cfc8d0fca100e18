"""The sortable tables of a report, with an interval for every estimate."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from unicodedata import normalize

from smashup.lab.findings import Findings, IntervalEstimate, Performance
from smashup.lab.report.figures import draw_sparkline, format_interval
from smashup.lab.report.templating import render_template
from smashup.locale import Translator


@dataclass(frozen=True)
class Cell:
    """The HTML of a cell, and its sort key."""

    html: str
    value: float | str


def text_cell(text: str) -> Cell:
    return Cell(escape(text), text)


def number_cell(value: float, form: str, translator: Translator) -> Cell:
    return Cell(translator.number(value, form), value)


def estimate_cell(found: IntervalEstimate, translator: Translator, form: str = ".1f") -> Cell:
    """A value with its interval; a dash without games."""
    if not found.games:
        return Cell("–", -1)
    interval = f"{translator.number(found.low, form)}–{translator.number(found.high, form)}"
    if found.low < 0:
        interval = format_interval(found, translator, form)
    return Cell(f"{translator.number(found.value, form)} <small>{interval}</small>", found.value)


def rate_cell(found: IntervalEstimate, translator: Translator) -> Cell:
    interval = f"{100 * found.low:.0f}–{100 * found.high:.0f}"
    return Cell(f"{translator.number(found.value, '.1%')} <small>{interval}</small>", found.value)


def render_table(heads: list[str], rows: list[list[Cell]], words: int = 1) -> str:
    """Render a table; the first ``words`` columns are text, the others numbers."""
    kinds = ["words" if column < words else "" for column in range(len(heads))]
    return render_template("table.html", heads=heads, kinds=kinds, rows=rows)


def performance_headings(translator: Translator) -> list[str]:
    tr = translator.translate
    return [
        tr("won"), tr("VP a turn"), tr("turns to win"), tr("bases first"), tr("bases broken"),
        tr("games"),
    ]  # fmt: skip


def performance_cells(found: Performance, translator: Translator) -> list[Cell]:
    return [
        rate_cell(found.won, translator),
        estimate_cell(found.vp_per_turn, translator, ".2f"),
        estimate_cell(found.turns_to_win, translator),
        estimate_cell(found.bases_first, translator, ".2f"),
        estimate_cell(found.bases_broken, translator, ".2f"),
        number_cell(found.won.games, ",", translator),
    ]


def faction_table(findings: Findings, translator: Translator) -> str:
    tr = translator.translate
    most = max((value for row in findings.factions for value in row.curve), default=1.0)
    rows = [
        [
            text_cell(row.name),
            Cell(
                f'<b style="color:var(--{row.tier})">{row.tier}</b>'
                + (f" <small>{row.tiers}</small>" if len(row.tiers) > 1 else ""),
                -row.strength.value,
            ),
            rate_cell(row.strength, translator),
            *performance_cells(row.standing, translator),
            Cell(draw_sparkline(row.curve, most, translator), row.standing.vp_per_turn.value),
        ]
        for row in findings.factions
    ]
    heads = [tr("faction"), tr("tier"), tr("strength")]
    return render_table([*heads, *performance_headings(translator), tr("VP by round")], rows)


def pair_table(findings: Findings, translator: Translator) -> str:
    tr = translator.translate
    rows = [
        [
            text_cell(f"{row.a} + {row.b}"),
            *performance_cells(row.standing, translator),
            number_cell(row.expected, ".1%", translator),
            Cell(translator.number(100 * row.synergy, "+.1f"), row.synergy),
        ]
        for row in findings.pairs
    ]
    heads = [tr("pair"), *performance_headings(translator), tr("expected"), tr("together")]
    return render_table(heads, rows)


def bot_table(findings: Findings, translator: Translator) -> str:
    tr = translator.translate
    ratings = {rating.name: rating for rating in findings.ratings}
    seats = [tr("seat {number}", number=seat + 1) for seat in range(findings.players)]
    rows = []
    for row in findings.entrants:
        rating = ratings[row.name]
        mu, sigma = translator.number(rating.mu, ".1f"), translator.number(rating.sigma, ".1f")
        rows.append(
            [
                text_cell(row.name),
                Cell(f"{mu} <small>± {sigma}</small>", rating.mu),
                estimate_cell(row.elo, translator, ".0f"),
                *performance_cells(row.standing, translator),
                estimate_cell(row.rank, translator, ".2f"),
                *(rate_cell(seat, translator) for seat in row.seats),
                number_cell(row.ms, ".2f", translator),
            ]
        )
    heads = [tr("bot"), "openskill", tr("Elo by model"), *performance_headings(translator)]
    return render_table([*heads, tr("mean rank"), *seats, tr("ms a decision")], rows)


def head_to_head_table(findings: Findings, translator: Translator) -> str:
    found = {(row.a, row.b): row.won for row in findings.meetings}
    names = [row.name for row in findings.entrants]
    rows = [
        [
            text_cell(one),
            *(
                rate_cell(found[one, other], translator) if (one, other) in found else Cell("–", -1)
                for other in names
            ),
        ]
        for one in names
    ]
    return render_table([translator.translate("won by … against"), *names], rows)


def bot_faction_table(findings: Findings, translator: Translator) -> str:
    """Win rates by faction and bot."""
    found = {(row.faction, row.bot): row.won for row in findings.hands}
    names = [row.name for row in findings.entrants]
    factions = sorted({row.faction for row in findings.hands}, key=_sort_key)
    rows = [
        [
            text_cell(faction),
            *(
                rate_cell(found[faction, bot], translator)
                if (faction, bot) in found
                else Cell("–", -1)
                for bot in names
            ),
        ]
        for faction in factions
    ]
    return render_table([translator.translate("won with … by"), *names], rows)


def _sort_key(name: str) -> str:
    """Decompose a name, so that accented letters sort with their base letters."""
    return normalize("NFD", name)
