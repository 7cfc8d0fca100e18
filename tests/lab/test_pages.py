"""The laboratory pages match the games in docs/lab/."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import pytest

from scripts import lab_docs
from scripts.lab_docs import BOTS, DATA, DOCS, MAIN_STUDY, SECOND_STUDY, read_findings


def shown(page: str, name: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name}: [^>]*-->\n\n(.*?)\n\n<!-- /{name} -->", text, re.DOTALL)
    assert found is not None, f"{page} has no figures of {name}"
    return found[1].splitlines()


def test_the_tables_are_those_of_the_games() -> None:
    matrix, second, tournament = (
        read_findings(MAIN_STUDY),
        read_findings(SECOND_STUDY),
        read_findings(BOTS),
    )
    assert matrix is not None
    assert tournament is not None
    wanted: dict[str, Iterable[str]] = {
        "tiers": lab_docs.tiers(matrix, second),
        "pairs": lab_docs.pairs(matrix),
        "course": lab_docs.course(matrix),
        "bots": lab_docs.bots(tournament),
    }
    for name, lines in wanted.items():
        stale = f"{name} is stale: python -m scripts.lab_docs"
        assert shown("lab.md", name) == list(lines), stale


def test_the_pictures_say_what_the_games_do() -> None:
    matrix = read_findings(MAIN_STUDY)
    assert matrix is not None
    for name, drawing in lab_docs.render_charts(matrix).items():
        words = re.compile(r">([^<>]+)</(?:text|title)>")
        stale = f"{name}.svg is stale: python -m scripts.lab_docs"
        text = (DATA / f"{name}.svg").read_text(encoding="utf-8")
        assert words.findall(text) == words.findall(drawing), stale


def test_the_pace_is_the_measured_one() -> None:
    data = json.loads((DATA / "speed.json").read_text(encoding="utf-8"))
    assert shown("million-games.md", "speed") == list(lab_docs.speed(data))
    assert shown("million-games.md", "machines") == list(lab_docs.machines(data))


def test_durations_as_people_say_them() -> None:
    durations = (20, 89, 600, 5400, 36000, 864000)
    assert [lab_docs.format_duration(seconds) for seconds in durations] == [
        "20 s", "89 s", "10 min", "2 h", "10 h", "10 days",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["tiers", "pairs", "curves", "lengths", "seats", "terminal"])
def test_pictures_fetch_nothing(name: str) -> None:
    text = (DATA / f"{name}.svg").read_text(encoding="utf-8")
    assert "url(http" not in text
    assert "@font-face" not in text
