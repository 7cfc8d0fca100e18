"""The SVG figures of a report, in the chosen language."""

from __future__ import annotations

from html import escape
from typing import Final

from smashup.lab.findings import TIERS, Curve, Findings, IntervalEstimate, PairFinding
from smashup.lab.report.svg import Scale, color_mix, dot, group, line, path, rect, svg, text
from smashup.locale import ENGLISH, Translator

WIDTH: Final = 900
FULL_COLOR_AT: Final = 0.30
"""Distance from the fair win rate at which a color is saturated."""
LEGEND_CELL: Final = 26
"""Width of each of the eleven color steps in the legend."""
SEAT_LABELS: Final = ("goes first", "goes second", "goes third", "goes fourth")
CURVE_LABELS: Final = {"winners": "winners", "others": "others"}


def format_interval(
    estimate: IntervalEstimate, translator: Translator, form: str = ".1f", factor: float = 1
) -> str:
    """Format an interval in words."""
    low, high = (translator.number(factor * end, form) for end in (estimate.low, estimate.high))
    return translator.translate("{low} to {high}", low=low, high=high)


def format_rate(estimate: IntervalEstimate, translator: Translator) -> str:
    value = translator.number(estimate.value, ".1%")
    return f"{value} ({format_interval(estimate, translator, '.0%')})"


# --- pairs ------------------------------------------------------------------------------------


def draw_heat_map(findings: Findings, translator: Translator = ENGLISH) -> str:
    """Draw the win rates of all pairs as a symmetric matrix, strongest factions first."""
    names = [faction.name for faction in findings.factions]
    pairs = {frozenset((pair.a, pair.b)): pair for pair in findings.pairs}
    cell, left, top = 33.0, 168.0, 142.0
    parts = []
    for row, one in enumerate(names):
        y = top + row * cell
        parts.append(text(left - 10, y + cell / 2 + 4, one, "label", "end"))
        parts.append(
            f'<text transform="translate({left + row * cell + cell / 2 + 4:.1f} {top - 10:g})'
            f' rotate(-50)" class="label">{escape(one)}</text>'
        )
        for column, other in enumerate(names):
            x = left + column * cell
            if row == column:
                parts.append(rect(x, y, cell - 2, cell - 2, "self"))
            elif (pair := pairs.get(frozenset((one, other)))) is not None:
                parts.append(_draw_cell(x, y, cell, pair, 1 / findings.players, translator))
    size = left + max(len(names) * cell + 78, 11 * LEGEND_CELL + 30)  # the last headings lean out
    parts += _draw_legend(left, top + len(names) * cell + 14, 1 / findings.players, translator)
    height = top + len(names) * cell + 52
    return svg(size, height, translator.translate("Win rate of every pair of factions"), parts)


def _draw_cell(
    x: float, y: float, cell: float, pair: PairFinding, fair: float, translator: Translator
) -> str:
    won = pair.standing.won
    share = (won.value - fair) / FULL_COLOR_AT
    color = "high" if share > 0 else "low"
    css_class = "number strong" if abs(share) > 0.6 else "number"
    tip = translator.translate(
        "{pair}\nwon {rate} of {games} games\nexpected of the two: {expected}\n"
        "VP a turn {vp} · turns to win {turns}",
        pair=f"{pair.a} + {pair.b}",
        rate=format_rate(won, translator),
        games=won.games,
        expected=translator.number(pair.expected, ".1%"),
        vp=translator.number(pair.standing.vp_per_turn.value, ".2f"),
        turns=translator.number(pair.standing.turns_to_win.value, ".1f"),
    )
    box = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{cell - 2:g}" height="{cell - 2:g}" rx="3"'
        f' style="{color_mix(color, abs(share))}"/>'
    )
    label = text(
        x + cell / 2 - 1, y + cell / 2 + 3.5, f"{100 * won.value:.0f}", css_class, anchor="middle"
    )
    return group([box, label], tip, "hot")


def _draw_legend(x: float, y: float, fair: float, translator: Translator) -> list[str]:
    """Draw the color legend."""
    parts = []
    for step in range(-5, 6):
        share = step / 5
        color = "high" if share > 0 else "low"
        left = x + (step + 5) * LEGEND_CELL
        box = f'<rect x="{left:.1f}" y="{y:g}" width="{LEGEND_CELL}" height="12"'
        parts.append(f'{box} style="{color_mix(color, abs(share))}"/>')
    for step in (-5, 0, 5):
        rate = translator.number(max(0.0, fair + step / 5 * FULL_COLOR_AT), ".0%")
        words = f"≤ {rate}" if step < 0 else f"≥ {rate}" if step > 0 else rate
        parts.append(text(x + (step + 5.5) * LEGEND_CELL, y + 27, words, "tick", "middle"))
    return parts


def draw_scatter(findings: Findings, translator: Translator = ENGLISH) -> str:
    """Draw pairs by VP per turn and win rate."""
    height, left, right, top, bottom = 420, 60, 20, 20, 50
    xs = [pair.standing.vp_per_turn.value for pair in findings.pairs]
    ys = [pair.standing.won.value for pair in findings.pairs]
    x = Scale(min(xs) - 0.02, max(xs) + 0.02, left, WIDTH - right)
    y = Scale(max(0, min(ys) - 0.05), min(1, max(ys) + 0.05), height - bottom, top)
    words = translator.translate("VP for each turn of its own")
    parts = _draw_axes(x, y, height - bottom, left, words, ".0%", translator)
    parts.append(text(left, top - 6, translator.translate("won"), "tick"))
    for pair in findings.pairs:
        won = pair.standing.won
        tip = translator.translate(
            "{pair}\nwon {rate}\nVP a turn {vp}",
            pair=f"{pair.a} + {pair.b}",
            rate=format_rate(won, translator),
            vp=translator.number(pair.standing.vp_per_turn.value, ".2f"),
        )
        kind = "dot up" if won.value > 1 / findings.players else "dot down"
        parts.append(dot(x(pair.standing.vp_per_turn.value), y(won.value), 5, f"{kind} hot", tip))
    return svg(WIDTH, height, translator.translate("Pairs by VP a turn and win rate"), parts)


# --- one row each -----------------------------------------------------------------------------


def draw_tier_chart(findings: Findings, translator: Translator = ENGLISH) -> str:
    """Draw the strengths with intervals on bands of the tiers."""
    step, left, right, top = 26, 178, 150, 30
    rows = findings.factions
    low = min(0.3, *(row.strength.low for row in rows))
    high = max(0.7, *(row.strength.high for row in rows))
    x = Scale(low - 0.01, high + 0.01, left, WIDTH - right)
    bottom = top + step * len(rows)
    parts = []
    edge = x.high
    for name, least in TIERS:
        begin = max(least, x.low)
        if begin < edge:
            parts.append(rect(x(begin), top, x(edge) - x(begin), bottom - top, f"band tier-{name}"))
            parts.append(text((x(begin) + x(edge)) / 2, top - 9, name, "tier", "middle"))
        edge = min(edge, least)
    for tick in x.ticks(8):
        parts.append(line(x(tick), top, x(tick), bottom, "grid"))
        parts.append(text(x(tick), bottom + 17, translator.number(tick, ".0%"), "tick", "middle"))
    for number, row in enumerate(rows):
        y = top + step * (number + 0.5)
        tip = translator.translate(
            "{faction}\n{rate}\n{games} decks",
            faction=row.name,
            rate=format_rate(row.strength, translator),
            games=row.strength.games,
        )
        parts.append(text(left - 10, y + 4, row.name, "label", "end"))
        inside = _draw_whisker(x, y, row.strength, f"tier-{row.tier}")
        parts.append(group(inside, tip, "hot"))
        value = translator.number(row.strength.value, ".1%")
        interval = format_interval(row.strength, translator, ".0f", 100)
        parts += _draw_value(WIDTH - right, y, value, interval)
    title = translator.translate("Strength of the factions with 95% intervals")
    return svg(WIDTH, bottom + 28, title, parts)


def _draw_whisker(x: Scale, y: float, estimate: IntervalEstimate, kind: str) -> list[str]:
    low, high = x.clamp(estimate.low), x.clamp(estimate.high)
    return [
        rect(low - 6, y - 11, high - low + 12, 22, "target"),
        line(low, y, high, y, f"whisker {kind}"),
        line(low, y - 4, low, y + 4, f"whisker {kind}"),
        line(high, y - 4, high, y + 4, f"whisker {kind}"),
        dot(x(estimate.value), y, 5, f"{kind} point"),
    ]


def _draw_value(x: float, y: float, value: str, interval: str) -> list[str]:
    """Draw a value at the end of its row, followed by its interval."""
    after = max(62, 12 + 9.5 * len(value))
    return [text(x + 12, y + 4, value, "value"), text(x + after, y + 4, interval, "tick")]


def draw_forest_plot(
    rows: list[tuple[str, IntervalEstimate]],
    title: str,
    form: str,
    middle: float,
    translator: Translator,
) -> str:
    """Draw values with intervals, one per row."""
    step, left, right, top = 26, 178, 150, 12
    low = min(row.low for _, row in rows)
    high = max(row.high for _, row in rows)
    margin = 0.05 * ((high - low) or 1)
    x = Scale(low - margin, high + margin, left, WIDTH - right)
    bottom = top + step * len(rows)
    parts = []
    for tick in x.ticks(8):
        parts.append(line(x(tick), top, x(tick), bottom, "grid"))
        parts.append(text(x(tick), bottom + 17, translator.number(tick, "g"), "tick", "middle"))
    if x.low < middle < x.high:
        parts.append(line(x(middle), top, x(middle), bottom, "fair"))
    for number, (name, estimate) in enumerate(rows):
        y = top + step * (number + 0.5)
        value, interval = (
            translator.number(estimate.value, form),
            format_interval(estimate, translator, form),
        )
        tip = f"{name}\n{value} ({interval})"
        parts.append(text(left - 10, y + 4, name, "label", "end"))
        parts.append(group(_draw_whisker(x, y, estimate, "plain"), tip, "hot"))
        parts += _draw_value(WIDTH - right, y, value, interval)
    return svg(WIDTH, bottom + 28, title, parts)


def draw_seat_bars(findings: Findings, translator: Translator = ENGLISH) -> str:
    """Draw the win rate of each seat, with a line at the fair rate."""
    step, left, right, top = 40, 100, 150, 12
    x = Scale(0, max(0.6, *(seat.high for seat in findings.seats)), left, WIDTH - right)
    bottom = top + step * len(findings.seats)
    parts = []
    for tick in x.ticks(8):
        parts.append(line(x(tick), top, x(tick), bottom, "grid"))
        parts.append(text(x(tick), bottom + 17, translator.number(tick, ".0%"), "tick", "middle"))
    for number, seat in enumerate(findings.seats):
        y = top + step * (number + 0.5)
        words = translator.translate(SEAT_LABELS[number])
        inside = [
            rect(left, y - 11, x(seat.value) - left, 22, "bar"),
            line(x(seat.low), y, x(seat.high), y, "whisker over"),
            line(x(seat.low), y - 5, x(seat.low), y + 5, "whisker over"),
            line(x(seat.high), y - 5, x(seat.high), y + 5, "whisker over"),
        ]
        parts.append(text(left - 10, y + 4, words, "label", "end"))
        tip = translator.translate(
            "{seat}: won {rate} of {games} games",
            seat=words,
            rate=format_rate(seat, translator),
            games=seat.games,
        )
        parts.append(group(inside, tip, "hot"))
        value, interval = (
            translator.number(seat.value, ".1%"),
            format_interval(seat, translator, ".1f", 100),
        )
        parts += _draw_value(WIDTH - right, y, value, interval)
    fair = x(1 / findings.players)
    parts.append(line(fair, top, fair, bottom, "fair"))
    return svg(WIDTH, bottom + 28, translator.translate("Win rate by seat"), parts)


# --- the course of games ----------------------------------------------------------------------


def draw_length_histogram(findings: Findings, translator: Translator = ENGLISH) -> str:
    """Draw a histogram of game lengths in turns."""
    height, left, right, top, bottom = 300, 60, 20, 20, 46
    counts = findings.lengths
    first, last = min(counts), max(counts)
    wide = max(1, -(-(last - first + 1) // 60))
    bins: dict[int, int] = {}
    for turns, games in counts.items():
        begin = first + (turns - first) // wide * wide
        bins[begin] = bins.get(begin, 0) + games
    x = Scale(first, last + 1, left, WIDTH - right)
    y = Scale(0, 1.12 * max(bins.values()) / findings.games, height - bottom, top)
    words = translator.translate("turns, of all players together")
    parts = _draw_axes(x, y, height - bottom, left, words, ".1%", translator)
    for begin, games in sorted(bins.items()):
        share = games / findings.games
        width = x(begin + wide) - x(begin) - 1
        tip = translator.translate(
            "{turns} turns: {games} games, {rate}",
            turns=_format_turns(begin, wide, translator),
            games=games,
            rate=translator.number(share, ".1%"),
        )
        parts.append(rect(x(begin), y(share), width, height - bottom - y(share), "bar hot", tip))
    mean = findings.turns.value
    parts.append(line(x(mean + 0.5), top, x(mean + 0.5), height - bottom, "fair"))
    words = translator.translate("mean {mean}", mean=translator.number(mean, ".1f"))
    parts.append(text(x(mean + 0.5) + 6, top + 10, words, "tick"))
    return svg(WIDTH, height, translator.translate("Length of games in turns"), parts)


def _format_turns(begin: int, wide: int, translator: Translator) -> str:
    if wide == 1:
        return str(begin)
    return translator.translate("{low} to {high}", low=begin, high=begin + wide - 1)


def draw_vp_curves(findings: Findings, translator: Translator = ENGLISH) -> str:
    """Draw the VP after each turn, of winners and of the others."""
    height, left, top, bottom = 380, 60, 20, 46
    longest = max(len(translator.translate(CURVE_LABELS[curve.label])) for curve in findings.curves)
    right = max(90, 20 + 8 * longest)
    turns = len(findings.curves[0].mean)
    most = max(value for curve in findings.curves for value in (*curve.high, 15))
    x = Scale(1, max(2, turns), left, WIDTH - right)
    y = Scale(0, most, height - bottom, top)
    parts = _draw_axes(
        x, y, height - bottom, left, translator.translate("turn of the game"), "g", translator
    )
    parts.append(line(left, y(15), WIDTH - right, y(15), "fair"))
    parts.append(text(left + 6, y(15) - 6, translator.translate("15 VP end the game"), "tick"))
    for curve in findings.curves:
        parts += _draw_curve(curve, x, y, translator)
    return svg(WIDTH, height, translator.translate("VP by turn"), parts)


def _draw_curve(curve: Curve, x: Scale, y: Scale, translator: Translator) -> list[str]:
    whose = translator.translate(CURVE_LABELS[curve.label])
    there = [(x(turn), y(value)) for turn, value in enumerate(curve.high, 1)]
    back = [(x(turn), y(value)) for turn, value in enumerate(curve.low, 1)]
    points = [(x(turn), y(value)) for turn, value in enumerate(curve.mean, 1)]
    parts = [
        f'<path d="{path([*there, *reversed(back)])}Z" class="area {curve.label}"/>',
        f'<path d="{path(points)}" class="curve {curve.label}"/>',
    ]
    for turn, (px, py) in enumerate(points, 1):
        tip = translator.translate(
            "{whose}, after turn {turn}\n{vp} VP on average\n8 in 10 have {low} to {high}",
            whose=whose,
            turn=turn,
            vp=translator.number(curve.mean[turn - 1], ".1f"),
            low=translator.number(curve.low[turn - 1], ".0f"),
            high=translator.number(curve.high[turn - 1], ".0f"),
        )
        parts.append(dot(px, py, 2.5, f"{curve.label} knot hot", tip))
    last = points[-1]
    parts.append(text(last[0] + 8, last[1] + 4, whose, f"label {curve.label}-text"))
    return parts


def draw_sparkline(values: list[float], most: float, translator: Translator) -> str:
    """Draw a curve of the size of a word."""
    x = Scale(0, max(1, len(values) - 1), 1, 79)
    y = Scale(0, most or 1, 19, 2)
    points = [(x(number), y(value)) for number, value in enumerate(values)]
    drawn = f'<path d="{path(points)}" class="curve winners"/>' if points else ""
    return svg(80, 20, translator.translate("VP by round"), [drawn])


def _draw_axes(
    x: Scale, y: Scale, floor: float, left: float, words: str, form: str, translator: Translator
) -> list[str]:
    """Draw grid lines with their values, and the label of the x axis."""
    parts = []
    for tick in x.ticks(12):
        parts.append(text(x(tick), floor + 17, translator.number(tick, "g"), "tick", "middle"))
    for tick in y.ticks(6):
        parts.append(line(left, y(tick), x.end, y(tick), "grid"))
        parts.append(text(left - 8, y(tick) + 4, translator.number(tick, form), "tick", "end"))
    parts.append(text((left + x.end) / 2, floor + 38, words, "tick", "middle"))
    return parts
