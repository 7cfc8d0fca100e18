"""The tables of a report: every number with its interval, and columns that sort."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from unicodedata import normalize

from smashup.lab.findings import Estimate, Findings, Standing
from smashup.lab.report.figures import between, sparkline
from smashup.locale import Translator


@dataclass(frozen=True)
class Cell:
    """What is shown, and what it is sorted by."""

    html: str
    value: float | str

    def render(self, kind: str) -> str:
        return f'<td class="{kind}" data-v="{escape(str(self.value))}">{self.html}</td>'


def word(text: str) -> Cell:
    return Cell(escape(text), text)


def number(value: float, form: str, translator: Translator) -> Cell:
    return Cell(translator.number(value, form), value)


def estimate(found: Estimate, translator: Translator, form: str = ".1f") -> Cell:
    """A number and its interval; nothing where no game tells."""
    if not found.games:
        return Cell("–", -1)
    interval = f"{translator.number(found.low, form)}–{translator.number(found.high, form)}"
    if found.low < 0:
        interval = between(found, translator, form)
    return Cell(f"{translator.number(found.value, form)} <small>{interval}</small>", found.value)


def rate(found: Estimate, translator: Translator) -> Cell:
    interval = f"{100 * found.low:.0f}–{100 * found.high:.0f}"
    return Cell(f"{translator.number(found.value, '.1%')} <small>{interval}</small>", found.value)


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


def standing_heads(translator: Translator) -> list[str]:
    tr = translator.translate
    return [
        tr("won"), tr("VP a turn"), tr("turns to win"), tr("bases first"), tr("bases broken"),
        tr("games"),
    ]  # fmt: skip


def standing(found: Standing, translator: Translator) -> list[Cell]:
    return [
        rate(found.won, translator),
        estimate(found.vp_per_turn, translator, ".2f"),
        estimate(found.turns_to_win, translator),
        estimate(found.bases_first, translator, ".2f"),
        estimate(found.bases_broken, translator, ".2f"),
        number(found.won.games, ",", translator),
    ]


def factions(findings: Findings, translator: Translator) -> str:
    tr = translator.translate
    most = max((value for row in findings.factions for value in row.curve), default=1.0)
    rows = [
        [
            word(row.name),
            Cell(
                f'<b style="color:var(--{row.tier})">{row.tier}</b>'
                + (f" <small>{row.tiers}</small>" if len(row.tiers) > 1 else ""),
                -row.strength.value,
            ),
            rate(row.strength, translator),
            *standing(row.standing, translator),
            Cell(sparkline(row.curve, most, translator), row.standing.vp_per_turn.value),
        ]
        for row in findings.factions
    ]
    heads = [tr("faction"), tr("tier"), tr("strength")]
    return table([*heads, *standing_heads(translator), tr("VP by round")], rows)


def pairs(findings: Findings, translator: Translator) -> str:
    tr = translator.translate
    rows = [
        [
            word(f"{row.a} + {row.b}"),
            *standing(row.standing, translator),
            number(row.expected, ".1%", translator),
            Cell(translator.number(100 * row.together, "+.1f"), row.together),
        ]
        for row in findings.pairs
    ]
    heads = [tr("pair"), *standing_heads(translator), tr("expected"), tr("together")]
    return table(heads, rows)


def entrants(findings: Findings, translator: Translator) -> str:
    tr = translator.translate
    ratings = {rating.name: rating for rating in findings.ratings}
    seats = [tr("seat {number}", number=seat + 1) for seat in range(findings.players)]
    rows = []
    for row in findings.entrants:
        rating = ratings[row.name]
        mu, sigma = translator.number(rating.mu, ".1f"), translator.number(rating.sigma, ".1f")
        rows.append(
            [
                word(row.name),
                Cell(f"{mu} <small>± {sigma}</small>", rating.mu),
                estimate(row.elo, translator, ".0f"),
                *standing(row.standing, translator),
                estimate(row.rank, translator, ".2f"),
                *(rate(seat, translator) for seat in row.seats),
                number(row.ms, ".2f", translator),
            ]
        )
    heads = [tr("bot"), "openskill", tr("Elo by model"), *standing_heads(translator)]
    return table([*heads, tr("mean rank"), *seats, tr("ms a decision")], rows)


def meetings(findings: Findings, translator: Translator) -> str:
    found = {(row.a, row.b): row.won for row in findings.meetings}
    names = [row.name for row in findings.entrants]
    rows = [
        [
            word(one),
            *(
                rate(found[one, other], translator) if (one, other) in found else Cell("–", -1)
                for other in names
            ),
        ]
        for one in names
    ]
    return table([translator.translate("won by … against"), *names], rows)


def hands(findings: Findings, translator: Translator) -> str:
    """Factions by bots."""
    found = {(row.faction, row.bot): row.won for row in findings.hands}
    names = [row.name for row in findings.entrants]
    factions = sorted({row.faction for row in findings.hands}, key=_by_letters)
    rows = [
        [
            word(faction),
            *(
                rate(found[faction, bot], translator) if (faction, bot) in found else Cell("–", -1)
                for bot in names
            ),
        ]
        for faction in factions
    ]
    return table([translator.translate("won with … by"), *names], rows)


def _by_letters(name: str) -> str:
    """Names sort by their letters, whatever accents they wear."""
    return normalize("NFD", name)
