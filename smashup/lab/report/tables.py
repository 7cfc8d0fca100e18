"""The tables of a report: every number with its interval, and columns that sort."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from unicodedata import normalize

from smashup.lab.findings import Estimate, Findings, Standing
from smashup.lab.report.figures import between, sparkline
from smashup.locale import Tongue


@dataclass(frozen=True)
class Cell:
    """What is shown, and what it is sorted by."""

    html: str
    value: float | str

    def render(self, kind: str) -> str:
        return f'<td class="{kind}" data-v="{escape(str(self.value))}">{self.html}</td>'


def word(text: str) -> Cell:
    return Cell(escape(text), text)


def number(value: float, form: str, tongue: Tongue) -> Cell:
    return Cell(tongue.number(value, form), value)


def estimate(found: Estimate, tongue: Tongue, form: str = ".1f") -> Cell:
    """A number and its interval; nothing where no game tells."""
    if not found.games:
        return Cell("–", -1)
    interval = f"{tongue.number(found.low, form)}–{tongue.number(found.high, form)}"
    if found.low < 0:
        interval = between(found, tongue, form)
    return Cell(f"{tongue.number(found.value, form)} <small>{interval}</small>", found.value)


def rate(found: Estimate, tongue: Tongue) -> Cell:
    interval = f"{100 * found.low:.0f}–{100 * found.high:.0f}"
    return Cell(f"{tongue.number(found.value, '.1%')} <small>{interval}</small>", found.value)


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


def standing_heads(tongue: Tongue) -> list[str]:
    say = tongue.say
    return [
        say("won"), say("VP a turn"), say("turns to win"), say("bases first"), say("bases broken"),
        say("games"),
    ]  # fmt: skip


def standing(found: Standing, tongue: Tongue) -> list[Cell]:
    return [
        rate(found.won, tongue),
        estimate(found.vp_per_turn, tongue, ".2f"),
        estimate(found.turns_to_win, tongue),
        estimate(found.bases_first, tongue, ".2f"),
        estimate(found.bases_broken, tongue, ".2f"),
        number(found.won.games, ",", tongue),
    ]


def factions(findings: Findings, tongue: Tongue) -> str:
    say = tongue.say
    most = max((value for row in findings.factions for value in row.curve), default=1.0)
    rows = [
        [
            word(row.name),
            Cell(
                f'<b style="color:var(--{row.tier})">{row.tier}</b>'
                + (f" <small>{row.tiers}</small>" if len(row.tiers) > 1 else ""),
                -row.strength.value,
            ),
            rate(row.strength, tongue),
            *standing(row.standing, tongue),
            Cell(sparkline(row.curve, most, tongue), row.standing.vp_per_turn.value),
        ]
        for row in findings.factions
    ]
    heads = [say("faction"), say("tier"), say("strength")]
    return table([*heads, *standing_heads(tongue), say("VP by round")], rows)


def pairs(findings: Findings, tongue: Tongue) -> str:
    say = tongue.say
    rows = [
        [
            word(f"{row.a} + {row.b}"),
            *standing(row.standing, tongue),
            number(row.expected, ".1%", tongue),
            Cell(tongue.number(100 * row.together, "+.1f"), row.together),
        ]
        for row in findings.pairs
    ]
    heads = [say("pair"), *standing_heads(tongue), say("expected"), say("together")]
    return table(heads, rows)


def entrants(findings: Findings, tongue: Tongue) -> str:
    say = tongue.say
    ratings = {rating.name: rating for rating in findings.ratings}
    seats = [say("seat {number}", number=seat + 1) for seat in range(findings.players)]
    rows = []
    for row in findings.entrants:
        rating = ratings[row.name]
        mu, sigma = tongue.number(rating.mu, ".1f"), tongue.number(rating.sigma, ".1f")
        rows.append(
            [
                word(row.name),
                Cell(f"{mu} <small>± {sigma}</small>", rating.mu),
                estimate(row.elo, tongue, ".0f"),
                *standing(row.standing, tongue),
                estimate(row.rank, tongue, ".2f"),
                *(rate(seat, tongue) for seat in row.seats),
                number(row.ms, ".2f", tongue),
            ]
        )
    heads = [say("bot"), "openskill", say("Elo by model"), *standing_heads(tongue)]
    return table([*heads, say("mean rank"), *seats, say("ms a decision")], rows)


def meetings(findings: Findings, tongue: Tongue) -> str:
    found = {(row.a, row.b): row.won for row in findings.meetings}
    names = [row.name for row in findings.entrants]
    rows = [
        [
            word(one),
            *(
                rate(found[one, other], tongue) if (one, other) in found else Cell("–", -1)
                for other in names
            ),
        ]
        for one in names
    ]
    return table([tongue.say("won by … against"), *names], rows)


def hands(findings: Findings, tongue: Tongue) -> str:
    """Factions by bots."""
    found = {(row.faction, row.bot): row.won for row in findings.hands}
    names = [row.name for row in findings.entrants]
    factions = sorted({row.faction for row in findings.hands}, key=_by_letters)
    rows = [
        [
            word(faction),
            *(
                rate(found[faction, bot], tongue) if (faction, bot) in found else Cell("–", -1)
                for bot in names
            ),
        ]
        for faction in factions
    ]
    return table([tongue.say("won with … by"), *names], rows)


def _by_letters(name: str) -> str:
    """Names sort by their letters, whatever accents they wear."""
    return normalize("NFD", name)
