"""`smashup cards`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.terminal.main import main
from tests.terminal.cli_process import run


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the output of `smashup cards` without line breaks."""
    assert main(["cards", *words]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("George en Furie", "Furious George (George en Furie)"),
        ("GEORGE EN FURIE", "Furious George (George en Furie)"),
        ("furious george", "Furious George (George en Furie)"),
        ("its astounding", "It's Astounding"),
        ("Monkey see monkey do", "Monkey See, Monkey Do"),
        ("gigawatt", "1.21 Gigawatts"),
        ("laboratoire primitif", "Monkey Lab (Laboratoire Primitif)"),
        ("clyde", "Clyde 2.0"),
    ],
)
def test_a_card_is_found_by_any_name(
    capsys: pytest.CaptureFixture[str], name: str, card: str
) -> None:
    assert f" {card} " in shown(capsys, *name.split())


def test_a_card_is_shown_in_both_printings_where_they_differ(
    capsys: pytest.CaptureFixture[str],
) -> None:
    both = shown(capsys, "wormhole")
    assert "printed in the box" in both
    assert "reprinted" in both
    assert "reprinted" not in shown(capsys, "wormhole", "--printing", "printed")
    assert "reprinted" not in shown(capsys, "jumper")


@pytest.mark.parametrize("name", ["Time Travelers", "voyageurs du temps", "travelers"])
def test_a_faction_lists_its_cards(capsys: pytest.CaptureFixture[str], name: str) -> None:
    text = shown(capsys, name)
    assert "4× Jumper 2" in text
    assert "Portal Room 22 (2, 3, 1)" in text
    assert "Time Box" in text


def test_without_a_name_it_lists_sets_and_factions(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys)
    assert "Science Fiction Double Feature" in text
    assert "Cyborg Apes 20 10 10 2" in text


def test_a_set_lists_its_factions(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Time Travelers (Voyageurs du Temps)" in shown(capsys, "science fiction")


def test_an_ambiguous_name_lists_all_matches(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "time")
    assert "Time Travelers faction" in text
    assert "Time Raider minion" in text


def test_an_unknown_name_gets_suggestions(tmp_path: Path) -> None:
    done = run(tmp_path, "cards", "Furius Georg")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "Nothing here is called “Furius Georg”. Did you mean Furious George?\n"
    done = run(tmp_path, "cards", "qqqqqq")
    assert done.returncode == 1
    assert "smashup cards" in done.stderr


def test_terminals_without_unicode_get_replacements(tmp_path: Path) -> None:
    done = run(tmp_path, "cards", "Shapeshifters", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "Doppelganger" in done.stdout


def test_text_prints_each_card_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--text", "time travelers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    jumper = [line for line in lines if line.startswith("Jumper ")]
    assert len(jumper) == 1
    assert jumper[0].startswith("Jumper (Time Travelers, minion, power 2, 4 copies): ")
    assert [line for line in lines if line.startswith("Wormhole ")][1].count("reprinted") == 1


def test_text_finds_cards_by_all_words_of_their_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--text", "DESTROY", "minion"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 10
    for line in lines:
        assert "destroy" in line.casefold()
        assert "minion" in line.casefold()
    assert main(["cards", "--text", "destroy", "xyzzy"]) == 1
    assert "No card has all the words of “destroy xyzzy”." in capsys.readouterr().err


def test_json_prints_the_cards_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--json", "wormhole"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["printings"] for row in rows] == [["printed"], ["current"]]
    assert rows[0]["text"] != rows[1]["text"]
    assert main(["cards", "--json", "Portal Room", "--printing", "printed"]) == 0
    (base,) = json.loads(capsys.readouterr().out)
    assert (base["type"], base["breakpoint"], base["vp"]) == ("base", 22, [2, 3, 1])


def test_json_without_a_name_lists_every_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--json", "--printing", "printed"]) == 0
    rows = json.loads(capsys.readouterr().out)
    travelers = [row for row in rows if row["faction"] == "Time Travelers"]
    assert sum(row["copies"] for row in travelers if row["type"] in ("minion", "action")) == 20
    assert {row["faction"] for row in rows} >= {f.name for f in catalogue().factions}
    assert main(["cards", "--json", "xyzzy"]) == 1
    assert "Nothing here is called “xyzzy”." in capsys.readouterr().err
