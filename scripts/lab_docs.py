"""Write the figures of docs/lab.md and docs/million-games.md from the games of studies.

``python -m scripts.lab_docs STUDY...`` takes folders of `smashup lab`: a matrix, whose tier list
and pictures the page shows; a second matrix by another bot to compare with it; a tournament.
The games are stored in docs/lab/; without folders, the figures are drawn again from these games.
Pictures of the report itself need Chromium; without it they stay as they are.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from smashup.engine.errors import SmashUpError
from smashup.lab.analysis import analyze
from smashup.lab.comparison import compare_studies
from smashup.lab.findings import TIERS, Findings, IntervalEstimate, PairFinding
from smashup.lab.report import figures
from smashup.lab.report.page import make_standalone_svg, render_page
from smashup.lab.study_store import GAMES, MANIFEST, StudyStore
from smashup.terminal.commands import lab_report

ROOT: Final = Path(__file__).resolve().parent.parent
DOCS: Final = ROOT / "docs"
DATA: Final = DOCS / "lab"
MAIN_STUDY: Final = "matrix"
SECOND_STUDY: Final = "matrix-second"
BOTS: Final = "tournament"
BEST_COUNT: Final = 10
WORST_COUNT: Final = 5
MAX_BYTES: Final = 4_000_000
"""Size in bytes above which games are not committed."""
HOURLY_PRICE: Final = 0.04
"""On-demand price of a core per hour in 2025."""
USABLE_SHARE: Final = 0.9
"""Share of machine time that is used, after lost workers and idle ends of runs."""
MACHINES: Final = (
    ("a laptop", 8),
    ("a server", 64),
    ("four servers, with Ray", 256),
    ("sixteen servers, with Ray", 1024),
)


# --- the games --------------------------------------------------------------------------------


def store_games(source: Path, name: str) -> None:
    """Copy the games of a store to docs/lab/ as one file."""
    store = StudyStore.open(source)
    frame = store.read_games()
    target = DATA / name
    shutil.rmtree(target, ignore_errors=True)
    (target / GAMES).mkdir(parents=True)
    part = target / GAMES / "part-000000.parquet"
    frame.write_parquet(part, compression="zstd", compression_level=19)
    if part.stat().st_size > MAX_BYTES:
        raise SystemExit(f"{source} is too large to be kept with the documentation.")
    facts = {**store.manifest, "chunk": store.plan.games}
    (target / MANIFEST).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def store_studies(sources: Sequence[Path]) -> None:
    """Sort folders by kind; the first matrix is the main one of the page."""
    names = {"matrix": [MAIN_STUDY, SECOND_STUDY], "tournament": [BOTS]}
    for source in sources:
        kind = StudyStore.open(source).plan.study.kind
        if not names[kind]:
            raise SystemExit(f"{source} is one {kind} more than the page has room for.")
        store_games(source, names[kind].pop(0))
    if names["matrix"] == [SECOND_STUDY]:
        shutil.rmtree(DATA / SECOND_STUDY, ignore_errors=True)  # it was compared with another one


def read_findings(name: str) -> Findings | None:
    return analyze(StudyStore.open(DATA / name)) if (DATA / name / MANIFEST).exists() else None


# --- tables -----------------------------------------------------------------------------------


def interval(found: IntervalEstimate, places: int = 1, factor: float = 1) -> str:
    return f"{factor * found.low:.{places}f}–{factor * found.high:.{places}f}"


def source(findings: Findings) -> str:
    """Return the source of the figures."""
    part = "" if findings.games == findings.games_wanted else f" of {findings.games_wanted:,}"
    return f"{findings.games:,}{part} games: `{findings.command}`"


def tiers(findings: Findings, second: Findings | None) -> Iterator[str]:
    other = {row.name: row for row in second.factions} if second else {}
    by = f" by `{second.bots[0]}` |" if second else ""
    yield f"| tier | faction | strength | 95% | won | VP a turn | turns to win |{by}"
    yield "|:-:|---|--:|--:|--:|--:|--:|" + ("--:|" if second else "")
    for row in findings.factions:
        also = ""
        if row.name in other:
            compared = other[row.name]
            also = f" {100 * compared.strength.value:.0f}% {compared.tier} |"
        yield (
            f"| **{row.tier}** | {row.name} | {100 * row.strength.value:.1f}%"
            f" | {interval(row.strength, 0, 100)} | {100 * row.standing.won.value:.1f}%"
            f" | {row.standing.vp_per_turn.value:.2f} | {row.standing.turns_to_win.value:.1f} |"
            f"{also}"
        )
    yield ""
    rule = ", ".join(f"{name} from {100 * least:.0f}%" for name, least in TIERS[:-1])
    yield f"Tiers by strength: {rule}, D below. {source(findings)}."
    if second:
        agreement = compare_studies(findings, second).rank_correlation
        yield (
            f"The last column is the strength by another bot ({source(second)}); the two orders"
            f" agree with a rank correlation of {agreement:.2f}."
        )


def pairs(findings: Findings) -> Iterator[str]:
    yield "| pair | won | 95% | VP a turn | turns to win | bases first | bases broken | games |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for row in findings.pairs[:BEST_COUNT]:
        yield _pair(row)
    yield "| … | | | | | | | |"
    for row in findings.pairs[-WORST_COUNT:]:
        yield _pair(row)
    yield ""
    yield f"{source(findings)}."


def _pair(row: PairFinding) -> str:
    found = row.standing
    return (
        f"| {row.a} + {row.b} | {100 * found.won.value:.0f}% | {interval(found.won, 0, 100)}"
        f" | {found.vp_per_turn.value:.2f} | {found.turns_to_win.value:.1f}"
        f" | {found.bases_first.value:.1f} | {found.bases_broken.value:.1f} | {found.won.games} |"
    )


def course(findings: Findings) -> Iterator[str]:
    first = findings.seats[0]
    yield (
        f"Whoever goes first wins {100 * first.value:.1f}% ({interval(first, 1, 100)}). A game"
        f" takes {findings.turns.value:.1f} turns ({interval(findings.turns)}) and"
        f" {findings.decisions:.0f} decisions, and {findings.bases.value:.1f} bases score in it"
        f" ({interval(findings.bases, 2)})."
    )


def bots(findings: Findings) -> Iterator[str]:
    ratings = {rating.name: rating for rating in findings.ratings}
    yield "| bot | rating (openskill) | Elo | 95% | won | 95% | ms a decision |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for row in findings.entrants:
        rating = ratings[row.name]
        yield (
            f"| {row.name} | {rating.mu:.1f} ± {rating.sigma:.1f} | {row.elo.value:+.0f}"
            f" | {row.elo.low:+.0f} to {row.elo.high:+.0f} | {100 * row.standing.won.value:.0f}%"
            f" | {interval(row.standing.won, 0, 100)} | {row.ms:.2f} |"
        )
    yield ""
    yield f"{source(findings)}."


def speed(data: dict[str, Any]) -> Iterator[str]:
    several = list(next(iter(data["bots"].values()))["together"])
    heads = "".join(f" {number} processes |" for number in several if number != "1")
    yield f"| bot | games/s of a core |{heads} core-hours for a million | at ${HOURLY_PRICE} each |"
    yield "|---|--:|" + "--:|" * (heads.count("|") + 2)
    for bot, found in data["bots"].items():
        pace = found["alone"]["per_core_second"]
        base = found["together"].get("1", found["alone"])["per_second"]
        paces = {number: more["per_second"] / base for number, more in found["together"].items()}
        cells = "".join(
            f" {paces[number]:.2f} × |" if number in paces else " – |"
            for number in several
            if number != "1"
        )
        hours = 1e6 / pace / 3600
        yield f"| `{bot}` | {pace:.2f} |{cells} {hours:,.0f} | ${hours * HOURLY_PRICE:,.2f} |"
    machine = data["machine"]
    yield ""
    yield (
        f"Measured on {machine['processor']} ({machine['cores']} cores), Python"
        f" {machine['python']}, {machine['engine']} engine, {data['seconds']:g} s each:"
        " `python -m scripts.lab_speed --write`."
    )


def machines(data: dict[str, Any]) -> Iterator[str]:
    """Return how long a million games take on different machines."""
    paces = {bot: found["alone"]["per_core_second"] for bot, found in data["bots"].items()}
    yield "| machines | cores |" + "".join(f" `{bot}` |" for bot in paces)
    yield "|---|--:|" + "--:|" * len(paces)
    for words, cores in MACHINES:
        spent = [1e6 / (pace * cores * USABLE_SHARE) for pace in paces.values()]
        yield f"| {words} | {cores} |" + "".join(
            f" {format_duration(seconds)} |" for seconds in spent
        )


def format_duration(seconds: float) -> str:
    """Format a duration."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


# --- pages and pictures -----------------------------------------------------------------------


def replace_section(page_path: Path, name: str, lines: Iterator[str]) -> None:
    """Replace the lines between the markers of this name in a page."""
    text = page_path.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: python -m scripts.lab_docs -->", f"<!-- /{name} -->"
    pattern = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{page_path.name} has no place for {name}.")
    body = "\n".join([begin, "", *lines, "", end])
    page_path.write_text(pattern.sub(lambda _: body, text), encoding="utf-8")


def write_speed() -> None:
    path = DATA / "speed.json"
    if path.exists():
        data = json.loads(path.read_text(encoding="utf-8"))
        replace_section(DOCS / "million-games.md", "speed", speed(data))
        replace_section(DOCS / "million-games.md", "machines", machines(data))


def render_charts(findings: Findings) -> dict[str, str]:
    """Write the tables of the matrix."""
    return {
        "tiers": figures.draw_tier_chart(findings),
        "pairs": figures.draw_heat_map(findings),
        "curves": figures.draw_vp_curves(findings),
        "lengths": figures.draw_length_histogram(findings),
        "seats": figures.draw_seat_bars(findings),
    }


def write_charts(findings: Findings) -> None:
    """Write the figures of the matrix."""
    for name, drawing in render_charts(findings).items():
        (DATA / f"{name}.svg").write_text(make_standalone_svg(drawing), encoding="utf-8")
    console = Console(
        record=True, width=104, file=io.StringIO(), force_terminal=True, color_system="truecolor",
        highlight=False, markup=False, emoji=False,
    )  # fmt: skip
    lab_report.print_findings(findings, console)
    svg = console.export_svg(title="smashup lab report")
    # The fonts of whoever looks at it are good enough: a picture should fetch nothing.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    (DATA / "terminal.svg").write_text(svg, encoding="utf-8")


def take_screenshots(findings: Findings) -> None:
    """Take screenshots of the report, light and dark."""
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import ChromiumUnavailable, launch

    with sync_playwright() as playwright:
        try:
            browser = launch(playwright)
        except ChromiumUnavailable as missing:
            print(f"The pictures of the report stay as they are: {missing}", file=sys.stderr)
            return
        for theme in ("light", "dark"):
            sheet = browser.new_page(viewport={"width": 1060, "height": 1180})
            sheet.emulate_media(color_scheme="light" if theme == "light" else "dark")
            sheet.set_content(render_page(findings))
            sheet.screenshot(path=str(DATA / f"report-{theme}.png"))
        browser.close()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="STUDY")
    parser.add_argument(
        "--no-photographs",
        action="store_true",
        help="do not take pictures of the report, which need a browser",
    )
    options = parser.parse_args(argv)
    try:
        store_studies(options.folders)
        matrix, second, tournament = (
            read_findings(name) for name in (MAIN_STUDY, SECOND_STUDY, BOTS)
        )
    except SmashUpError as error:
        print(error, file=sys.stderr)
        return 2
    lab = DOCS / "lab.md"
    if matrix is not None:
        replace_section(lab, "tiers", tiers(matrix, second))
        replace_section(lab, "pairs", pairs(matrix))
        replace_section(lab, "course", course(matrix))
        write_charts(matrix)
        if not options.no_photographs:
            take_screenshots(matrix)
    if tournament is not None:
        replace_section(lab, "bots", bots(tournament))
    write_speed()
    return 0


if __name__ == "__main__":
    sys.exit(main())
