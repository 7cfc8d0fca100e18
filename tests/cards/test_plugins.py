"""Third-party factions: files and packages, what is refused and why, and the example."""

from __future__ import annotations

import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from smashup.cards import catalogue, plugins
from smashup.cards.conformance import check_faction
from smashup.cards.plugins import FactionError, from_file, installed, with_plugins
from smashup.engine.model.catalogue import Faction
from smashup.terminal.main import main
from tests.engine.test_card_failures import Corner, Grumpy

EXAMPLE = Path(__file__).parents[2] / "examples" / "garden_gnomes.py"
SMALL_FACTION = """
from smashup.cards.language import BaseCard, Card, Faction, Minion

class Rock(Minion):
    name = "Rock"
    power = 2
    copies = {copies}
    text = "{text}"
{method}

class Hill(BaseCard):
    name = "Hill"
    breakpoint = 20
    vp = (4, 2, 1)
    text = "A hill."

FACTION = Faction(name="{name}", set_name="Stones", cards=(Rock,), bases=(Hill,))
"""


def write_faction(folder: Path, copies: int = 20, text: str = "It lies there.", method: str = "",
            name: str = "Rocks") -> Path:  # fmt: skip
    path = folder / "rocks.py"
    path.write_text(SMALL_FACTION.format(copies=copies, text=text, method=method, name=name))
    return path


def test_the_example_is_playable() -> None:
    (gnomes,) = from_file(EXAMPLE)
    report = check_faction(gnomes, catalogue(), games=24)
    assert report.problems == []
    assert report.games == 24


def test_the_guide_shows_the_example_as_it_is() -> None:
    """Every class in docs/your-faction.md is in the example, line for line."""
    guide = (EXAMPLE.parents[1] / "docs" / "your-faction.md").read_text()
    code = EXAMPLE.read_text()
    shown = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    bodies = [block for block in shown if "..." not in block]
    assert len(bodies) >= 4
    for block in bodies:
        body = block[block.find("class ") :] if "class " in block else block
        assert body.strip() in code


def test_a_file_adds_its_faction_and_nothing_else(tmp_path: Path) -> None:
    table, refused = with_plugins([str(write_faction(tmp_path))])
    assert refused == []
    assert [f.name for f in table.factions] == [*(f.name for f in catalogue().factions), "Rocks"]
    assert "Rocks" not in [f.name for f in catalogue().factions]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"copies": 19}, "19 cards in the printing “printed”, not 20"),
        ({"text": ""}, "rocks.py:8: Rock: The card has no text"),
        ({"name": "Kaiju"}, "already"),
        ({"name": ""}, "no name"),
        (
            {"method": "    def after_plya(self, me: Card) -> None: ..."},
            "mean after_play",
        ),
        ({"method": "    def __init__(self) -> None: raise ValueError('no')"}, "ValueError: no"),
    ],
)
def test_a_broken_faction_is_refused(
    tmp_path: Path, changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(FactionError, match=sentence):
        with_plugins([str(write_faction(tmp_path, **changes))])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("def (", "bad.py:1: This is not valid Python (invalid syntax): “def (”."),
        (
            "x = 1\ny = x / 0\n",
            "bad.py:2: The file cannot be loaded: ZeroDivisionError",
        ),
        ("import no_such_module\n", "ModuleNotFoundError"),
        ("x = 1\n", "declares no FACTION"),
        ("FACTION = 3\n", "bad.py:1: FACTION has to be a Faction(...), not 3."),
        ("FACTIONS = 3\n", "bad.py:1: FACTIONS has to be a tuple of Faction(...), not 3."),
    ],
)
def test_a_file_without_a_faction_is_reported(tmp_path: Path, code: str, sentence: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(code)
    with pytest.raises(FactionError, match=re.escape(sentence)):
        from_file(path)
    with pytest.raises(FactionError, match="There is no faction file"):
        from_file(tmp_path / "nothing.py")


def test_a_card_name_may_not_be_taken(tmp_path: Path) -> None:
    path = write_faction(tmp_path)
    path.write_text(path.read_text().replace('name = "Rock"', 'name = "Jumper"'))
    with pytest.raises(FactionError, match="“Jumper” is the name of a card of Time Travelers"):
        with_plugins([str(path)])


def test_installed_packages_are_loaded_and_broken_ones_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_faction(tmp_path)
    (tmp_path / "broken_package.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [
        EntryPoint("rocks", "rocks", plugins.GROUP),
        EntryPoint("broken", "broken_package", plugins.GROUP),
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)
    table, refused = with_plugins()
    assert "Rocks" in [f.name for f in table.factions]
    assert len(refused) == 1
    assert "The package broken cannot be read" in str(refused[0])
    assert [f.name for f in installed(points[0])] == ["Rocks"]
    sys.modules.pop("rocks")


def test_the_command_line_checks_and_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-faction", str(EXAMPLE), "--games", "4"]) == 0
    assert "Garden Gnomes: playable (4 random games" in capsys.readouterr().out
    assert main(["check-faction", str(write_faction(tmp_path, copies=3))]) == 1
    assert "Rocks has 3 cards" in capsys.readouterr().err
    assert main(["cards", "--faction-file", str(tmp_path / "nothing.py")]) == 2
    assert "There is no faction file" in capsys.readouterr().err


def test_a_faction_that_breaks_games_is_found() -> None:
    report = check_faction(Faction("Grumps", "Odd", (Grumpy,), (Corner,)), catalogue(), games=3)
    assert not report.passed
    assert "RuntimeError: grump" in str(report.problems[0])
