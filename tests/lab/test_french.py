"""The report in French: all texts, numbers and faction names."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from smashup.cards import catalogue
from smashup.lab.analysis import analyze
from smashup.lab.findings import TIERS, Findings
from smashup.lab.matrix import Matrix
from smashup.lab.report.page import render_page
from smashup.lab.study_store import StudyStore
from smashup.locale import Translator, get_translator, load_translations
from smashup.terminal.main import main
from tests.browser.chromium import launch
from tests.lab.conftest import play_study

pytestmark = pytest.mark.usefixtures("english_afterwards")

FRENCH = {
    "Cyborg Apes": "Singes Cyborgs",
    "Shapeshifters": "Métamorphes",
    "Super Spies": "Super Espions",
    "Time Travelers": "Voyageurs du Temps",
}
"""Factions with an official French name."""
LETTERS = re.compile(r"[^\W\d_]")
FIND_OVERFLOWING = """[...document.querySelectorAll("figure svg text")].filter((text) => {
  const own = text.getBoundingClientRect();
  const all = text.ownerSVGElement.getBoundingClientRect();
  return own.left < all.left - 0.5 || own.right > all.right + 0.5;
}).map((text) => text.textContent)"""
FIND_TOUCHING = """[...document.querySelectorAll("figure svg .value")].filter((value) => {
  const next = value.nextElementSibling.getBoundingClientRect();
  return value.getBoundingClientRect().right > next.left - 3;
}).map((value) => value.textContent)"""


class TextCollector(HTMLParser):
    """Collects all text of a page except commands."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        self.found |= {value or "" for name, value in attrs if name in ("aria-label", "alt")}

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside not in ("code", "script", "style"):
            self.found.add(data)


class LetterlessTranslator(Translator):
    """A language without letters: any remaining word was not translated."""

    def __init__(self) -> None:
        super().__init__({})
        self.asked: set[str] = set()

    def lookup(self, text: str, context: str = "") -> str:
        self.asked.add(text)
        return re.sub(r"\{\w+\}|[^\W\d_]", lambda part: part[0] if len(part[0]) > 1 else "·", text)


def untranslated_names(findings: Findings) -> set[str]:
    """Return the names that are the same in all languages."""
    tiers = {row.tiers for row in findings.factions} | {name for name, _ in TIERS}
    return {*findings.bots, *tiers, findings.version, findings.fingerprint, "openskill"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> StudyStore:
    study = Matrix(bot="quick", factions=(*FRENCH, "Kaiju"), seed=3)
    return play_study(study, 2, tmp_path_factory.mktemp("lab") / "french")


@pytest.fixture(params=["matrix", "tournament"])
def findings(
    request: pytest.FixtureRequest, folder: StudyStore, tournament: StudyStore
) -> Findings:
    return analyze(folder if request.param == "matrix" else tournament)


def test_every_word_can_be_translated(findings: Findings) -> None:
    language = LetterlessTranslator()
    kept = sorted(untranslated_names(findings), key=len, reverse=True)
    known = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in kept))
    found = TextCollector(render_page(findings, language)).found
    assert {text for text in found if LETTERS.search(known.sub("", text))} == set()
    factions = {faction.name for faction in catalogue().factions}
    assert language.asked <= load_translations("fr").keys() | factions


def test_no_english_is_left(findings: Findings) -> None:
    """Texts on both pages are those without a French translation."""
    english, french = (
        TextCollector(render_page(findings, get_translator(lang))).found for lang in ("en", "fr")
    )
    shared = {text for text in english & french if LETTERS.search(text)}
    names = {row.faction for row in findings.hands} | {row.name for row in findings.factions}
    assert shared <= untranslated_names(findings) | names - FRENCH.keys() | {"bot"}
    for name in FRENCH:
        assert not any(name in text for text in french)


def test_factions_have_their_french_names(folder: StudyStore) -> None:
    text = render_page(analyze(folder), get_translator("fr"))
    assert '<html lang="fr">' in text
    assert "<title>Smash Up\u00a0: Quelles Factions gagnent</title>" in text
    for french in FRENCH.values():
        for place in (
            f"<li>{french}<small>",  # the tiers
            f'data-v="{french}">',  # the table
            f">{french}</text>",  # the figures
            f"<title>{french}\n",  # the tooltips
        ):
            assert place in text
    assert "<li>Kaiju<small>" in text


def test_numbers_are_written_as_the_language_does(findings: Findings) -> None:
    def all_of(lang: str) -> str:
        found = TextCollector(render_page(findings, get_translator(lang))).found
        return "\n".join(found).replace(findings.version, "")

    assert re.findall(r"\d\.\d|\d ?%", all_of("fr")) == []
    assert re.search(r"\d,\d\u00a0%", all_of("fr"))
    assert re.findall(r"\d,\d\b|\u00a0", all_of("en")) == []
    assert re.search(r"\d\.\d%", all_of("en"))


def test_english_is_the_default_language(folder: StudyStore) -> None:
    found = analyze(folder)
    text = render_page(found)
    assert text == render_page(found, get_translator("en"))
    assert '<html lang="en">' in text
    assert (
        '<p class="lead">20 games of 2 players, played by <b>quick</b>: every pair of 5 factions'
        " against a field of random opponents. Rules of Culture Shock, printed cards. Intervals"
        " are those of 95%.</p>"
    ) in text
    assert "Tiers: S from 60%, A from 53%, B from 47%, C from 40%, D below." in text
    assert "<li>Cyborg Apes<small>" in text


def test_the_command_says_which_language(
    folder: StudyStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command_line = ["lab", "report", str(folder.path), "--html", str(tmp_path / "page.html")]
    monkeypatch.setenv("COLUMNS", "140")
    shown = {}
    for lang, system in (("fr", "en_GB.UTF-8"), (None, "fr_FR.UTF-8"), (None, "C")):
        monkeypatch.setenv("LC_ALL", system)
        assert main([*command_line, *(["--lang", lang] if lang else [])]) == 0
        written = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert written == render_page(
            analyze(folder), get_translator("en" if system == "C" else "fr")
        )
        shown[system] = capsys.readouterr().out.replace(folder.plan.command, "")
    for name, french in FRENCH.items():
        for system, terminal in shown.items():
            assert (name in terminal, french in terminal) == (system == "C", system != "C")


def test_plain_data_is_the_same_in_all_languages(
    folder: StudyStore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "report", str(folder.path), "--json", "--lang", "fr"]) == 0
    assert '"name": "Cyborg Apes"' in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_words_have_room_in_the_figures(
    folder: StudyStore, tournament: StudyStore, tmp_path: Path, lang: str
) -> None:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        sheet = browser.new_page(viewport={"width": 1280, "height": 900})
        for study in (folder, tournament):
            (tmp_path / "page.html").write_text(
                render_page(analyze(study), get_translator(lang)), encoding="utf-8"
            )
            sheet.goto((tmp_path / "page.html").as_uri())
            assert sheet.evaluate("document.documentElement.scrollWidth") == 1280
            assert sheet.evaluate(FIND_OVERFLOWING) == []
            assert sheet.evaluate(FIND_TOUCHING) == []
        browser.close()
