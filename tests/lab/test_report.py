"""The report: a self-contained page, and a summary on the terminal."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markupsafe import escape
from playwright.sync_api import Page, sync_playwright
from rich.console import Console

from smashup.lab.analysis import analyze
from smashup.lab.findings import Findings
from smashup.lab.report import figures
from smashup.lab.report.page import make_standalone_svg, render_page
from smashup.lab.study_store import StudyStore
from smashup.terminal.commands.lab_report import print_findings
from smashup.terminal.main import main
from tests.browser.chromium import launch


class ResourceCollector(HTMLParser):
    """Collects the URLs a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href") and not (value or "").startswith("#"):
                self.found.append(f"{tag} {name}={value}")


def test_the_page_is_self_contained(found: Findings) -> None:
    text = render_page(found)
    links = ResourceCollector()
    links.feed(text)
    assert links.found == []
    assert "url(" not in text
    assert "@import" not in text
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    for row in found.factions:
        assert row.name in text
    assert text.count(f"<code>{escape(found.command)}</code>") == text.count("<figcaption>") == 7
    assert "seed 5" in text


def test_pictures_are_files_of_their_own(found: Findings) -> None:
    for drawn in (
        figures.draw_heat_map(found),
        figures.draw_tier_chart(found),
        figures.draw_vp_curves(found),
    ):
        root = ElementTree.fromstring(make_standalone_svg(drawn))
        assert root.tag.endswith("svg")
        assert root.get("width")


def test_a_report_of_few_games(tmp_path: Path, matrix: StudyStore) -> None:
    """One chunk is enough for a report, even with pairs without games."""
    (tmp_path / "manifest.json").write_bytes((matrix.path / "manifest.json").read_bytes())
    chunk = tmp_path / matrix.chunk_path(3).relative_to(matrix.path)
    chunk.parent.mkdir()
    chunk.write_bytes(matrix.chunk_path(3).read_bytes())
    few = analyze(StudyStore.open(tmp_path))
    assert few.games == 7
    assert "7 of 60 games" in render_page(few)


@pytest.fixture(scope="module")
def browser_page(matrix: StudyStore) -> Iterator[Page]:
    path = matrix.path / "page.html"
    path.write_text(render_page(analyze(matrix)), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        sheet = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
        sheet.goto(path.as_uri())
        yield sheet
        browser.close()
    path.unlink()


def test_it_works_in_a_browser(browser_page: Page) -> None:
    sheet = browser_page
    assert sheet.evaluate("document.documentElement.scrollWidth") == 390
    assert sheet.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 20, 24)"
    sheet.click("#theme")
    assert sheet.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(247, 245, 240)"
    sheet.locator("#pairs g.hot").first.hover()
    assert " + " in sheet.inner_text("#tip")
    assert "won" in sheet.inner_text("#tip")


def test_tables_sort(browser_page: Page) -> None:
    column = "[...document.querySelectorAll('#all-pairs tbody tr')].map(r => +r.cells[2].dataset.v)"
    button = browser_page.locator("#all-pairs thead button").nth(2)
    button.click()
    values = browser_page.evaluate(column)
    assert values == sorted(values, reverse=True)
    button.click()
    assert browser_page.evaluate(column) == sorted(values)


@pytest.mark.parametrize("columns", ["80", "140"])
def test_the_same_on_a_terminal(
    matrix: StudyStore,
    tmp_path: Path,
    columns: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    html = tmp_path / "out.html"
    assert main(["lab", "report", str(matrix.path), "--html", str(html)]) == 0
    shown = capsys.readouterr().out
    assert "60 games of 2 players, played by quick" in shown
    assert "Luchadors" in shown
    assert "turns to win" in shown
    assert str(html) in shown.replace("\n", "")
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert max(len(row) for row in shown.splitlines()) <= int(columns)


@pytest.mark.parametrize(("columns", "is_spaced"), [(164, False), (165, True)])
def test_win_rates_of_100_percent_are_kept_apart_where_there_is_room(
    columns: int, is_spaced: bool
) -> None:
    findings = analyze(StudyStore.open(Path("docs/lab/matrix")))
    console = Console(width=columns, file=io.StringIO())
    print_findings(findings, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    (row,) = (line for line in shown.splitlines() if line.startswith("   1 Aliens"))
    assert (" 100" in row) == is_spaced
    assert max(len(line) for line in shown.splitlines()) <= columns


@pytest.mark.parametrize(("columns", "fits"), [(80, False), (127, False), (128, True)])
def test_the_table_of_pairs_is_shown_where_it_fits(columns: int, fits: bool) -> None:
    findings = analyze(StudyStore.open(Path("docs/lab/matrix")))
    console = Console(width=columns, file=io.StringIO())
    print_findings(findings, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert ("partners, won" in shown) == fits
    assert ("needs a terminal of" in shown) == (not fits)
    assert " VP a turn" in shown.splitlines()[4]
    assert "…\n" not in shown.replace("  …", "")


def test_a_tournament_on_a_terminal(
    tournament: StudyStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "report", str(tournament.path), "--html", str(tmp_path / "o.html")]) == 0
    shown = capsys.readouterr().out
    assert "Elo" in shown
    assert "won by" in shown
    assert "Who beats whom" in (tmp_path / "o.html").read_text(encoding="utf-8")


def test_plain_data(matrix: StudyStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "report", str(matrix.path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 60
    assert len(data["pairs"]) == 10
