"""A report as one HTML page that needs nothing else: styles, scripts and drawings are inside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Final

from smashup.engine.editions import EDITIONS
from smashup.lab.findings import TIERS, Estimate, Findings
from smashup.lab.report import figures, tables

THEME_BUTTON: Final = '<button type="button" id="theme">light or dark</button>'


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


def page(findings: Findings) -> str:
    """The whole page."""
    sections = list(_sections(findings))
    links = "".join(f'<a href="#{part.name}">{escape(part.title)}</a>' for part in sections)
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Smash Up: {escape(_title(findings))}</title>",
            f"<style>{_asset('page.css')}{_asset('drawing.css')}</style>",
            f'<header class="top"><h1>{escape(_title(findings))}</h1>',
            f'<p class="lead">{_lead(findings)}</p>',
            f"<nav>{links}{THEME_BUTTON}</nav>{_tiles(findings)}</header>",
            "<main>",
            *(_render(part, findings) for part in sections),
            "</main>",
            f"<footer>{_footer(findings)}</footer>",
            '<div id="tip" aria-hidden="true"></div>',
            f"<script>{_asset('page.js')}</script>",
            "</html>",
            "",
        ]
    )


def picture(drawing: str) -> str:
    """A drawing as a file of its own, for pages that cannot style it."""
    colours = _asset("page.css").partition("* {")[0]
    own = ".back { fill: var(--sheet); }"
    head, _, body = drawing.partition(">")
    width = head.partition('viewBox="0 0 ')[2].partition(" ")[0]
    back = '<rect width="100%" height="100%" rx="10" class="back"/>'
    style = f"<style>{colours}{_asset('drawing.css')}{own}</style>"
    return f'{head} width="{width}">{style}{back}{body}\n'


def _asset(name: str) -> str:
    return files("smashup.lab.report").joinpath(name).read_text(encoding="utf-8")


def _title(findings: Findings) -> str:
    if findings.kind == "matrix":
        return "Which factions win"
    return "Which bots win"


def _lead(findings: Findings) -> str:
    who = ", ".join(f"<b>{escape(bot)}</b>" for bot in findings.bots)
    edition = escape(EDITIONS[findings.edition].title)
    what = (
        f"every pair of {len(findings.factions)} factions against a field of random opponents"
        if findings.kind == "matrix"
        else "a round robin, every deal from every seat"
    )
    return (
        f"{findings.games:,} games of {findings.players} players, played by {who}: {what}."
        f" Rules of {edition}, {escape(findings.printing)} cards. Intervals are those of 95%."
    )


def _tiles(findings: Findings) -> str:
    first = findings.seats[0]
    facts = [
        (f"{findings.games:,}", "games"),
        (f"{findings.turns.value:.1f}", "turns in a game"),
        (f"{findings.bases.value:.1f}", "bases score in a game"),
        (f"{100 * first.value:.1f}%", "won by whoever goes first"),
        (f"{findings.decisions:.0f}", "decisions in a game"),
        (_time(findings.seconds), "of thinking in a game"),
    ]
    tiles = "".join(f'<div class="tile"><b>{fact}</b><span>{of}</span></div>' for fact, of in facts)
    return f'<div class="tiles">{tiles}</div>'


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _sections(findings: Findings) -> Iterator[Section]:
    if findings.kind == "matrix":
        yield from _matrix(findings)
    else:
        yield from _tournament(findings)
    yield Section(
        "first",
        "Going first",
        figures.seat_bars(findings),
        "How often each seat wins; the dashed line is where seats would not matter.",
    )
    yield Section(
        "length",
        "Length of games",
        figures.lengths(findings),
        f"Turns of all players together: {findings.turns.value:.1f} on average"
        f" ({figures.between(findings.turns)}).",
    )
    yield Section(
        "curves",
        "VP by turn",
        figures.vp_curves(findings),
        "Mean VP after each turn, of those who win and of the others; the bands hold eight games"
        " in ten. Finished games stay as they ended.",
    )


def _matrix(findings: Findings) -> Iterator[Section]:
    rule = ", ".join(f"{name} from {100 * least:.0f}%" for name, least in TIERS[:-1])
    yield Section(
        "tiers",
        "Tier list",
        figures.tier_chart(findings),
        "How often a faction would win with an average partner against an average pair. One"
        " model for all games (Bradley and Terry's, with a strength for each faction and seat)"
        f" allows for partners and opponents; intervals by bootstrap over deals. Tiers: {rule},"
        " D below. A faction whose interval touches other tiers might belong there.",
        first=_tier_rows(findings),
        extra=tables.factions(findings),
    )
    yield Section(
        "pairs",
        "Partners",
        figures.heat_map(findings),
        "Win rate in per cent of every pair, all games in which it sat at the table; factions by"
        " strength. Point at a cell for its interval.",
    )
    yield Section(
        "all-pairs",
        "All pairs",
        figures.scatter(findings),
        "Click on a heading to sort. «Bases first»: bases in a game where the pair had the most"
        " power; «broken»: those that scored in its turns. «Expected» is what the strengths of the"
        " two factions give, «together» how many points the pair won more.",
        extra=tables.pairs(findings),
    )
    yield _ratings(findings, "Factions rated as members of teams of two")


def _tier_rows(findings: Findings) -> str:
    rows = []
    for name, _ in TIERS:
        chips = "".join(
            f"<li>{escape(row.name)}<small>{100 * row.strength.value:.0f}%</small></li>"
            for row in findings.factions
            if row.tier == name
        )
        rows.append(
            f'<div><span class="letter" style="background:var(--{name})">{name}</span>'
            f"<ul>{chips}</ul></div>"
        )
    return f'<div class="tiers">{"".join(rows)}</div>'


def _tournament(findings: Findings) -> Iterator[Section]:
    yield _ratings(findings, "Bots rated game by game")
    elo = [(row.name, row.elo) for row in findings.entrants]
    yield Section(
        "elo",
        "Strength",
        figures.forest(elo, "Strength of the bots in Elo points", "{:.0f}", 0),
        "Elo points by one model for all games; 0 is the mean. Intervals by bootstrap over deals.",
        extra=tables.entrants(findings),
    )
    yield Section(
        "meetings",
        "Who beats whom",
        tables.meetings(findings),
        "What the bot on the left won of the games in which the other sat at the table too.",
        wide=False,
    )
    yield Section(
        "hands",
        "In whose hands",
        tables.hands(findings),
        "What each bot won with each faction, whoever the partner and the opponents were.",
        wide=False,
    )


def _ratings(findings: Findings, about: str) -> Section:
    rows = [
        (rating.name, Estimate(rating.mu, rating.low, rating.high, findings.games))
        for rating in findings.ratings
    ]
    return Section(
        "ratings",
        "Ratings",
        figures.forest(rows, "Ratings by openskill", "{:.1f}", 25),
        f"{about} by openskill (Plackett and Luce's model): mu and its 95% interval, 25 is the"
        " start.",
    )


def _render(part: Section, findings: Findings) -> str:
    """A section; beneath it what it means, and how to get it again."""
    body = f'<div class="wide">{part.body}</div>' if part.wide else part.body
    again = (
        f"<code>{escape(findings.command)}</code> · seed {findings.seed} ·"
        f" {findings.games:,} of {findings.games_wanted:,} games"
    )
    return (
        f'<section id="{part.name}"><h2>{escape(part.title)}</h2>'
        f"<figure>{part.first}{body}{part.extra}"
        f"<figcaption>{escape(part.about)}<br>{again}</figcaption></figure></section>"
    )


def _footer(findings: Findings) -> str:
    return (
        f"Played with smashup {escape(findings.version)}, rules {escape(findings.fingerprint)}."
        " The command under each figure plays the same games again. An unofficial fan project:"
        " Smash Up is designed by Paul Peterson and a trademark of Alderac Entertainment Group."
    )
