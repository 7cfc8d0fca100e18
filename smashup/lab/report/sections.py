"""The sections of a report: figures, tables and captions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from smashup.lab.findings import TIERS, Findings, IntervalEstimate
from smashup.lab.report import figures, tables
from smashup.lab.report.templating import render_template
from smashup.locale import Translator


@dataclass(frozen=True)
class Section:
    """A section of the page."""

    anchor: str
    title: str
    body: str
    caption: str
    wide: bool = True
    before: str = ""
    """HTML above the body."""
    after: str = ""
    """HTML below the body."""


def build_sections(findings: Findings, translator: Translator) -> Iterator[Section]:
    """Yield all sections in order."""
    if findings.kind == "matrix":
        yield from _matrix_sections(findings, translator)
    else:
        yield from _tournament_sections(findings, translator)
    yield from _game_course_sections(findings, translator)


def _matrix_sections(findings: Findings, translator: Translator) -> Iterator[Section]:
    tr = translator.translate
    rule = ", ".join(
        tr("{tier} from {rate}", tier=name, rate=translator.number(least, ".0%"))
        for name, least in TIERS[:-1]
    )
    yield Section(
        "tiers",
        tr("Tier list"),
        figures.draw_tier_chart(findings, translator),
        tr(
            "How often a faction would win with an average partner against an average pair. One"
            " model for all games (Bradley and Terry's, with a strength for each faction and seat)"
            " allows for partners and opponents; intervals by bootstrap over deals. Tiers: {rule},"
            " D below. A faction whose interval touches other tiers might belong there.",
            rule=rule,
        ),
        before=_render_tier_rows(findings, translator),
        after=tables.faction_table(findings, translator),
    )
    yield Section(
        "pairs",
        tr("Partners"),
        figures.draw_heat_map(findings, translator),
        tr(
            "Win rate in per cent of every pair, all games in which it sat at the table; factions"
            " by strength. Point at a cell for its interval."
        ),
    )
    yield Section(
        "all-pairs",
        tr("All pairs"),
        figures.draw_scatter(findings, translator),
        tr(
            "Click on a heading to sort. “Bases first”: bases in a game where the pair had the most"
            " power; “broken”: those that scored in its turns. “Expected” is what the strengths of"
            " the two factions give, “together” how many points the pair won more."
        ),
        after=tables.pair_table(findings, translator),
    )
    caption = tr(
        "Factions rated as members of teams of two by openskill (Plackett and Luce's model): mu"
        " and its 95% interval, 25 is the start."
    )
    yield _ratings_section(findings, caption, translator)


def _render_tier_rows(findings: Findings, translator: Translator) -> str:
    tiers = [
        (
            name,
            [
                (row.name, translator.number(row.strength.value, ".0%"))
                for row in findings.factions
                if row.tier == name
            ],
        )
        for name, _ in TIERS
    ]
    return render_template("tiers.html", tiers=tiers)


def _tournament_sections(findings: Findings, translator: Translator) -> Iterator[Section]:
    tr = translator.translate
    caption = tr(
        "Bots rated game by game by openskill (Plackett and Luce's model): mu and its 95%"
        " interval, 25 is the start."
    )
    yield _ratings_section(findings, caption, translator)
    elo = [(row.name, row.elo) for row in findings.entrants]
    yield Section(
        "elo",
        tr("Strength"),
        figures.draw_forest_plot(
            elo, tr("Strength of the bots in Elo points"), ".0f", 0, translator
        ),
        tr(
            "Elo points by one model for all games; 0 is the mean. Intervals by bootstrap over"
            " deals."
        ),
        after=tables.bot_table(findings, translator),
    )
    yield Section(
        "meetings",
        tr("Who beats whom"),
        tables.head_to_head_table(findings, translator),
        tr("What the bot on the left won of the games in which the other sat at the table too."),
        wide=False,
    )
    yield Section(
        "hands",
        tr("In whose hands"),
        tables.bot_faction_table(findings, translator),
        tr("What each bot won with each faction, whoever the partner and the opponents were."),
        wide=False,
    )


def _ratings_section(findings: Findings, caption: str, translator: Translator) -> Section:
    rows = [
        (rating.name, IntervalEstimate(rating.mu, rating.low, rating.high, findings.games))
        for rating in findings.ratings
    ]
    drawn = figures.draw_forest_plot(
        rows, translator.translate("Ratings by openskill"), ".1f", 25, translator
    )
    return Section("ratings", translator.translate("Ratings"), drawn, caption)


def _game_course_sections(findings: Findings, translator: Translator) -> Iterator[Section]:
    tr = translator.translate
    yield Section(
        "first",
        tr("Going first"),
        figures.draw_seat_bars(findings, translator),
        tr("How often each seat wins; the dashed line is where seats would not matter."),
    )
    yield Section(
        "length",
        tr("Length of games"),
        figures.draw_length_histogram(findings, translator),
        tr(
            "Turns of all players together: {mean} on average ({interval}).",
            mean=translator.number(findings.turns.value, ".1f"),
            interval=figures.format_interval(findings.turns, translator),
        ),
    )
    yield Section(
        "curves",
        tr("VP by turn"),
        figures.draw_vp_curves(findings, translator),
        tr(
            "Mean VP after each turn, of those who win and of the others; the bands hold eight"
            " games in ten. Finished games stay as they ended."
        ),
    )
