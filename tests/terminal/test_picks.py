"""Several picks on one line."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from smashup.terminal.game.picks import Picks, parse_picks
from tests.terminal.cli_process import DUEL, Person


@pytest.mark.parametrize(
    ("text", "numbers", "is_final"),
    [
        ("3", (3,), False),
        ("3 5 8", (3, 5, 8), False),
        ("3,5, 8", (3, 5, 8), False),
        ("2-4", (2, 3, 4), False),
        ("1 3-4 e", (1, 3, 4), True),
        ("2 E", (2,), True),
        ("1-99999999999", (999999,), False),
    ],
)
def test_numbers_and_ranges(text: str, numbers: tuple[int, ...], is_final: bool) -> None:
    assert parse_picks(text) == Picks(numbers, is_final)


@pytest.mark.parametrize("text", ["", "e", "-1", "4-2", "1 x", "²", "1--3", "c 3", "1 e 2", "e 1"])
def test_anything_else_is_no_list_of_numbers(text: str) -> None:
    assert parse_picks(text) is None


@pytest.mark.parametrize(("numbers", "invalid"), [((1, 4), None), ((1, 5), 5), ((0,), 0)])
def test_the_first_number_without_an_option_is_named(
    numbers: tuple[int, ...], invalid: int | None
) -> None:
    assert Picks(numbers).first_invalid(4) == invalid


def saved_answers(home: Path) -> list[int]:
    data: dict[str, Any] = json.loads((home / "smashup" / "last-game.json").read_text())
    answers: list[int] = data["answers"]
    return answers


def test_both_factions_of_a_draft_can_be_picked_on_one_line(tmp_path: Path) -> None:
    """The last player of a draft picks twice in a row."""
    words = ("--factions", "draft", "--seats", "random,human", "--first", "1", "--seed", "3")
    with Person(tmp_path, "play", *words) as person:
        person.read()
        assert "There is no option 99" in person.type("2 99")
        shown = person.type("5 7")
        person.type("s")
        assert person.options > 0
        assert "do not go together" not in shown
    assert len(saved_answers(tmp_path)) >= 3


def test_a_play_takes_one_number_at_a_time(tmp_path: Path) -> None:
    with Person(tmp_path, "play", "--seed", "9", "--first", "1", *DUEL) as person:
        person.read()
        person.type("s")
        before = saved_answers(tmp_path)
        assert "Choose one option at a time here." in person.type("1 2")
        person.type("s")
        assert saved_answers(tmp_path) == before


def test_several_cards_are_picked_and_the_choice_ended_on_one_line(tmp_path: Path) -> None:
    words = ("--seats", "human,random", "--factions", "Time Travelers+Sumo Wrestlers", "--seed")
    for seed in range(1, 12):
        rng = random.Random(seed)
        with Person(tmp_path / str(seed), "play", *words, str(seed), "--no-eval") as person:
            shown = person.read()
            for _ in range(120):
                if person.options < 0:
                    break
                if "or several" in shown:
                    after = person.type("1 2 e" if rng.random() < 0.5 else "1-2")
                    if "at most" not in after and "More has to be" not in after:
                        assert "is not a command" not in after
                        assert "do not go together" not in after
                        return
                shown = person.type(str(rng.randint(1, max(1, person.options - 1))))
    pytest.fail("no choice of several came up")
