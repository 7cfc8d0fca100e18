"""The sections of a report: what each shows, and what that means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from smashup.lab.findings import TIERS, Estimate, Findings
from smashup.lab.report import figures, tables
from smashup.locale import Tongue


@dataclass(frozen=True)
class Section:
    """A part of the page: its anchor, heading, what it shows and what that means."""

    name: str
    title: str
    body: str
    about: str
    wide: bool = True
    first: str = ""
    """What comes before it."""
    extra: str = ""
    """What comes after it."""


def sections(findings: Findings, tongue: Tongue) -> Iterator[Section]:
    """All of them, in their order."""
    if findings.kind == "matrix":
        yield from _matrix(findings, tongue)
    else:
        yield from _tournament(findings, tongue)
    yield from _course(findings, tongue)


def _matrix(findings: Findings, tongue: Tongue) -> Iterator[Section]:
    say = tongue.say
    rule = ", ".join(
        say("{tier} from {rate}", tier=name, rate=tongue.number(least, ".0%"))
        for name, least in TIERS[:-1]
    )
    yield Section(
        "tiers",
        say("Tier list"),
        figures.tier_chart(findings, tongue),
        say(
            "How often a faction would win with an average partner against an average pair. One"
            " model for all games (Bradley and Terry's, with a strength for each faction and seat)"
            " allows for partners and opponents; intervals by bootstrap over deals. Tiers: {rule},"
            " D below. A faction whose interval touches other tiers might belong there.",
            rule=rule,
        ),
        first=_tier_rows(findings, tongue),
        extra=tables.factions(findings, tongue),
    )
    yield Section(
        "pairs",
        say("Partners"),
        figures.heat_map(findings, tongue),
        say(
            "Win rate in per cent of every pair, all games in which it sat at the table; factions"
            " by strength. Point at a cell for its interval."
        ),
    )
    yield Section(
        "all-pairs",
        say("All pairs"),
        figures.scatter(findings, tongue),
        say(
            "Click on a heading to sort. «Bases first»: bases in a game where the pair had the most"
            " power; «broken»: those that scored in its turns. «Expected» is what the strengths of"
            " the two factions give, «together» how many points the pair won more."
        ),
        extra=tables.pairs(findings, tongue),
    )
    about = say(
        "Factions rated as members of teams of two by openskill (Plackett and Luce's model): mu"
        " and its 95% interval, 25 is the start."
    )
    yield _ratings(findings, about, tongue)


def _tier_rows(findings: Findings, tongue: Tongue) -> str:
    rows = []
    for name, _ in TIERS:
        chips = "".join(
            f"<li>{escape(row.name)}<small>{tongue.number(row.strength.value, '.0%')}</small></li>"
            for row in findings.factions
            if row.tier == name
        )
        rows.append(
            f'<div><span class="letter" style="background:var(--{name})">{name}</span>'
            f"<ul>{chips}</ul></div>"
        )
    return f'<div class="tiers">{"".join(rows)}</div>'


def _tournament(findings: Findings, tongue: Tongue) -> Iterator[Section]:
    say = tongue.say
    about = say(
        "Bots rated game by game by openskill (Plackett and Luce's model): mu and its 95%"
        " interval, 25 is the start."
    )
    yield _ratings(findings, about, tongue)
    elo = [(row.name, row.elo) for row in findings.entrants]
    yield Section(
        "elo",
        say("Strength"),
        figures.forest(elo, say("Strength of the bots in Elo points"), ".0f", 0, tongue),
        say(
            "Elo points by one model for all games; 0 is the mean. Intervals by bootstrap over"
            " deals."
        ),
        extra=tables.entrants(findings, tongue),
    )
    yield Section(
        "meetings",
        say("Who beats whom"),
        tables.meetings(findings, tongue),
        say("What the bot on the left won of the games in which the other sat at the table too."),
        wide=False,
    )
    yield Section(
        "hands",
        say("In whose hands"),
        tables.hands(findings, tongue),
        say("What each bot won with each faction, whoever the partner and the opponents were."),
        wide=False,
    )


def _ratings(findings: Findings, about: str, tongue: Tongue) -> Section:
    rows = [
        (rating.name, Estimate(rating.mu, rating.low, rating.high, findings.games))
        for rating in findings.ratings
    ]
    drawn = figures.forest(rows, tongue.say("Ratings by openskill"), ".1f", 25, tongue)
    return Section("ratings", tongue.say("Ratings"), drawn, about)


def _course(findings: Findings, tongue: Tongue) -> Iterator[Section]:
    say = tongue.say
    yield Section(
        "first",
        say("Going first"),
        figures.seat_bars(findings, tongue),
        say("How often each seat wins; the dashed line is where seats would not matter."),
    )
    yield Section(
        "length",
        say("Length of games"),
        figures.lengths(findings, tongue),
        say(
            "Turns of all players together: {mean} on average ({interval}).",
            mean=tongue.number(findings.turns.value, ".1f"),
            interval=figures.between(findings.turns, tongue),
        ),
    )
    yield Section(
        "curves",
        say("VP by turn"),
        figures.vp_curves(findings, tongue),
        say(
            "Mean VP after each turn, of those who win and of the others; the bands hold eight"
            " games in ten. Finished games stay as they ended."
        ),
    )
