"""Commands at the prompt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.cli_process import AGAINST_RANDOM, DUEL, Person, run


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    with Person(tmp_path, "play", "--seed", "9", "--first", "1", *AGAINST_RANDOM) as player:
        player.read()
        yield player


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("0", "There is no option 0"),
        ("999", "There is no option 999"),
        ("9" * 5000, "There is no option 999"),
        ("²", "is not a command"),
        ("-1", "is not a command"),
        ("dance", "“dance” is not a command"),
        ("[bold]x", "“[bold]x” is not a command"),
        ("c", "Which card?"),
        ("c jumpr", "Did you mean Jumper"),
        ("c Jumper", "minion, power 2, 4 copies"),
        ("c 1", "copies"),
        ("c 99", "There is no option 99"),
        ("c {end}", "Option {end} has no card."),
        ("?", "save and quit"),
        ("d", "P2 discard"),
        ("l", "Turn 1"),
        ("b", "pays"),
        ("s", "Saved in"),
        ("u", "There is nothing to undo."),
        ("", "End turn"),
    ],
)
def test_commands_print_and_ask_again(person: Person, line: str, answer: str) -> None:
    options = person.options
    end = options
    shown = person.type(line.replace("{end}", str(end)))
    assert answer.replace("{end}", str(end)) in shown
    assert person.options == options


def test_e_ends_the_phase(person: Person) -> None:
    assert "Turn 2: P2." in person.type("e")


def test_undo_reverts_the_last_choice(person: Person, tmp_path: Path) -> None:
    person.type("1")
    person.type("s")
    path = tmp_path / "smashup" / "last-game.json"
    before = json.loads(path.read_text())["answers"]
    assert "You undid your last choice." in person.type("u")
    person.type("s")
    after = json.loads(path.read_text())["answers"]
    assert len(after) < len(before)
    assert before[: len(after)] == after


def test_undo_needs_a_single_human(tmp_path: Path) -> None:
    with Person(tmp_path, "play", "--seats", "human,human", "--seed", "2", *DUEL) as person:
        person.read()
        person.type("")
        assert "only when all other players are bots" in person.type("u")


def test_a_decision_with_one_option_is_answered_automatically(tmp_path: Path) -> None:
    with Person(tmp_path, "play", "--seed", "9", "--first", "1", *AGAINST_RANDOM) as person:
        person.play(lambda options: 1, most=60)
    assert "(only choice)" in person.output


def test_labels_can_be_typed(tmp_path: Path) -> None:
    with Person(tmp_path, "play", "--seed", "9", *AGAINST_RANDOM) as person:
        shown = person.read()
        for _ in range(300):
            if "1  Yes" in shown:
                break
            shown = person.type("1")
        shown = person.type("y")
    assert "is not a command" not in shown


def test_names_in_saves_cannot_control_the_terminal(tmp_path: Path) -> None:
    run(tmp_path, "play", "--seed", "9", *AGAINST_RANDOM, typed="q\n")
    path = tmp_path / "smashup" / "last-game.json"
    data = json.loads(path.read_text())
    data["seats"] = ["human:\x1b[2JEve", "random:Bo\r\n"]
    path.write_text(json.dumps(data))
    done = run(tmp_path, "play", "--resume", typed="q\n")
    assert "\x1b" not in done.stdout
    assert "[2JEve" in done.stdout
