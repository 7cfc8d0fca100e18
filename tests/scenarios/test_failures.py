"""Failure reports: who is asked what by which card, how to write each option, and where."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.locale import Translator, get_translator
from smashup.scenarios import cli
from smashup.scenarios.document import parse
from smashup.scenarios.errors import Failure, ScenarioError, ScenarioProblem
from smashup.scenarios.failure_details import format_step
from smashup.scenarios.options import (
    are_indistinguishable,
    describe_option,
    match_options,
    narrow_matches,
)
from smashup.scenarios.runner import run
from smashup.scenarios.table.director import ScenarioDirector

ROOT = Path(__file__).parents[2]


def report_failure(text: str) -> str:
    """Return the report of a scenario that fails."""
    (scenario,) = parse(text, "case.yaml")
    with pytest.raises(ScenarioProblem) as caught:
        run(scenario, catalogue())
    return str(caught.value)


def test_who_is_asked_and_by_which_card() -> None:
    said = report_failure(
        "bases: [B1: {P1: [V4], P2: [V1, V2, V2]}]\nhands: {P1: [Coach Combat]}\n"
        "do:\n  - P1: [play Coach Combat, V9]\n"
    )
    assert said.startswith("case.yaml:4: P1 should choose “V9”, which is not offered.")
    assert "P1 is asked by Coach Combat (turn of P1, phase “play”): " in said
    assert "    - P1: V1\n    - P1: V2\n" in said
    assert "    P1 plays Coach Combat" in said


def test_windows_passed_on_the_way() -> None:
    said = report_failure(
        "fixtures: {Pep: {type: action, special: {timing: before_score}, played: [draw: 1]}}\n"
        "bases: [B1: {P1: [V20]}, B2]\nhands: {P2: [Pep]}\ndo: [P1: end, P1: play Pep]"
    )
    assert "Answered automatically:\n    - P2: pass    (Play a Special" in said


def test_numbers_are_explained() -> None:
    table = (
        "fixtures: {Flag: {type: action, on: base, player_power: 2, breakpoint_change: -3}}\n"
        "bases: [B1: {P1: [V3: {counters: 1, on: [Splice as Nice]}, Flag]}]\n"
    )
    said = report_failure(table + "expect: {power: {V3: 9}}")
    assert said.startswith("case.yaml:3: Power of V3: expected 9, found 6.\nP1's V3 at B1 has 6:\n")
    for part in ("+3 Printed power", "+1 +1 power counters", "+2 Splice as Nice"):
        assert f"    {part}\n" in said
    assert "    +6 V3\n    +2 Flag\n" in report_failure(table + "expect: {total: {B1: {P1: 1}}}")
    assert "P2 at B1 has 0:" in report_failure(table + "expect: {base_total: {B1: 1}}")
    said = report_failure(table + "expect: {breakpoint: {B1: 9}}")
    assert "B1 has 17:\n    +20 Printed breakpoint\n    -3 Flag\n" in said


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("expekt: {}", "expect"),
        ("expect: {hand_sise: {P1: 1}}", "hand_size"),
        ("do: [hapens: {draw: [P1, 1]}]", "happens"),
        ("do: [happens: {distroy: V1}]", "destroy"),
        ("fixtures: {X: {type: minion, pwoer: 3}}", "power"),
        ("fixtures: {X: {type: action, played: [{destory: {}}]}}", "destroy"),
        ("phase: scoer", "score"),
        ("edition: cs", "CS"),
        ("bases: [Tokio]", "Tokyo"),
        ("hands: {P1: [Jumpr]}", "Jumper"),
        ("expect: {power: {Filer: 1}}", ""),
        ("expect: {breakpoint: {B11: 1}}", "B1"),
        ("do: [P1 cannot: play Filer at B1]", "Filler"),
        ("hands: {P1: [V3]}\ndo: [P1: play V3 at B1b]", "P1: play V3 at B1"),
        ("do: [P1: ends]", "P1: end"),
    ],
)
def test_what_was_meant(text: str, meant: str) -> None:
    said = report_failure(text)
    assert f"Did you mean “{meant}”?" in said if meant else "Did you mean" not in said


def test_headings_name_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(
        "- {id: X-1, title: T, edition: [SB, CS], printing: current, expect: {vp: {P1: 3}}}\n"
        "- {id: X-2, edition: [SB, CD], nonsense: 3}\n"
    )
    assert cli.run_files([str(file)]) == 1
    said = capsys.readouterr().out
    assert "FAILED: X-1 [SB, current]  T\n" in said
    assert "FAILED: X-1 [CS, current]  T\n" in said
    assert "CANNOT BE RUN: X-2 [SB, CD, printed]\n" in said
    assert f"  {file}:2: “nonsense” is not allowed here." in said


def test_a_wrong_number_reports_the_pending_question() -> None:
    said = report_failure(
        "fixtures: {Ask: {type: action, played: [may: [draw: 1]]}}\nhands: {P1: [Ask]}\n"
        "do: [P1: play Ask, expect: {hand_size: {P1: 1}}, P1: yes]"
    )
    assert "expected 1, found 0.\nA step is missing: write “P1: yes” or “P1: no”.\n" in said
    assert "P1 is asked by Ask (turn of P1, phase “play”): Use the ability?" in said


def test_expecting_a_question_that_was_not_asked_fails() -> None:
    said = report_failure("expect: {asked: [P2: What]}")
    assert "P2 should have been asked “What” next.\nNo player was asked anything.\n" in said
    said = report_failure("do: [P1: end]\nexpect: {asked: [P2]}")
    asked = (
        "P2 should have been asked something next.\nQuestions so far:\n"
        "    P1: Play cards or end the turn"
    )
    assert asked in said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("title: T\nhands:\n  P1: [V1,\n    Babom]", 4),
        ("title: T\nhands:\n  P1: Babom", 3),
        ("title: T\nbases:\n  - B1\n  - Tokio", 4),
        ("title: T\nbases:\n  - B1:\n      P1:\n        - 2 x Babom", 5),
        ("title: T\nbases:\n  - B1:\n      P1:\n       - V3:\n          on:\n          - Clok", 7),
        ("title: T\ndecks:\n  P1: []\n  P2:\n    - Babom: {owner: P1}", 5),
        ("title: T\nbase_deck:\n  - B1\n  - V1", 4),
        ("title: T\nhands:\n  P1: []\n  P3: []", 4),
        ("title: T\nplayers: 2\nturn: P3", 3),
        ("hello", 1),
        ("title: T\nruns:\n  - hands:\n      P1: [Babom]", 4),
    ],
)  # fmt: skip
def test_the_line_of_what_cannot_be_laid(text: str, line: int) -> None:
    assert report_failure(text).startswith(f"case.yaml:{line}: ")


def test_a_version_in_quotes() -> None:
    assert "write 1 without quotes" in report_failure("scenario_version: '1'\ntitle: T")


def test_headings_are_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A title used as id is printed once, and a very long one is shortened."""
    path = tmp_path / "case.yaml"
    path.write_text(
        "- title: One rule\n  expect: {vp: {P1: 1}}\n"
        f"- id: LONG\n  title: {'word ' * 200}\n  expect: {{vp: {{P1: 1}}}}"
    )
    cli.run_files([str(path)])
    said = capsys.readouterr().out.splitlines()
    assert "FAILED: One rule [CS, printed]" in said
    (heading,) = [line for line in said if "LONG" in line]
    assert len(heading) < 200
    assert heading.endswith("…")


def test_names_and_quotes_in_french(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cards have one name throughout: the one that steps are written with."""
    path = tmp_path / "case.yaml"
    path.write_text(
        "- bases: [Monkey Lab: {P1: [Furious George, Baboom]}]\n"
        "  expect: {power: {Furious George: 30}}\n"
        "- vp: {P9: 3}\n"
    )
    cli.run_files([str(path)], translator=get_translator("fr"))
    said = capsys.readouterr().out
    assert "Monkey Lab" in said
    assert "Laboratoire" not in said
    assert "George en Furie" not in said
    assert "«\u00a0vp\u00a0», «\u00a0P9\u00a0»\u00a0: " in said


# --- how options are written ----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_every_option_can_be_written(seed: int) -> None:
    """Through random games: what a failure proposes is a step that means this very option."""
    dice = random.Random(seed)
    edition = dice.choice(["SB", "CD", "CS"])
    game = Game(Setup(players=dice.choice([2, 3]), seed=seed, edition=edition), catalogue())
    game.table.table_script = ScenarioDirector()
    unclear = 0
    for _ in range(250):
        decision = game.decision
        if decision is None:
            break
        position = dice.randrange(len(decision.options))
        text = describe_option(game, decision, position)
        meant = narrow_matches(game, decision, match_options(game, decision, text))
        if len(meant) != 1 or not are_indistinguishable(game, decision, [position, *meant]):
            unclear += 1
        game.choose(position)
    assert unclear == 0


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("play V3 at B1", "P1: play V3 at B1"),
        ("V3 #2", 'P1: "V3 #2"'),
        ("“... Really?”", "P1: “... Really?”"),
        ("Oh, No!", "P1: Oh, No!"),
        ("'Tis", 'P1: "\'Tis"'),
        ("Draw: two", 'P1: "Draw: two"'),
        ("!x", 'P1: "!x"'),
        ("3", 'P1: "3"'),
    ],
)
def test_steps_are_quoted_where_they_must_be(text: str, written: str) -> None:
    assert format_step(0, text) == written


# --- more that can be said ------------------------------------------------------------------


def test_shuffles_are_counted() -> None:
    table = "bases: [B1: {P1: [V1, V2]}]\ndecks: {P2: []}\ndiscards: {P2: [V5, V6]}\n"
    both = "do: [happens: {shuffle: V1}, happens: {draw: [P2, 1]}]\n"
    held = both + "expect: {shuffled: [P1, P2]}\n"
    (scenario,) = parse(table + held)
    run(scenario, catalogue())
    (scenario,) = parse(table + both + "expect: {shuffled: {P1: 1, P2: 1}}")
    run(scenario, catalogue())
    assert "expected 2, found 1" in report_failure(table + both + "expect: {shuffled: {P1: 2}}")
    said = report_failure(table + "expect: {shuffled: P1}")
    assert "The deck of P1 should have been shuffled." in said
    (scenario,) = parse(
        "setup: {factions: {P1: [Kaiju, Luchadors], P2: [Ignobles, Mounties]}}\n"
        "expect: {shuffled: {P1: 0, P2: 0}}"
    )
    run(scenario, catalogue())


def test_who_asks_can_be_expected() -> None:
    table = "bases: [B1: {P1: [V4], P2: [V1, V2]}]\nhands: {P1: [Coach Combat]}\n"
    (scenario,) = parse(
        table
        + "do: [P1: play Coach Combat, expect: {asks: {player: P1, by: Coach Combat}}, P1: V1]"
    )
    run(scenario, catalogue())
    assert "should come from V4" in report_failure(
        table + "do: [P1: play Coach Combat]\nexpect: {asks: {by: V4}}"
    )


def test_the_last_word_may_leave_a_question_open() -> None:
    table = "fixtures: {Ask: {type: action, played: [may: [draw: 1]]}}\nhands: {P1: [Ask]}\n"
    (scenario,) = parse(table + "do: [P1: play Ask, expect: {asks: {player: P1, only: [yes, no]}}]")
    run(scenario, catalogue())
    (scenario,) = parse(table + "do: [P1: play Ask, P1 can: yes]")
    with pytest.raises(Failure, match="pending at the end"):
        run(scenario, catalogue())


def test_runs_have_notes() -> None:
    (scenario,) = parse("id: X\nturn: P1\nnote: all\nruns: [{name: one, note: only this}]")
    assert scenario.data["note"] == "only this"
    run(scenario, catalogue())


@pytest.mark.parametrize("version", ["scenario_version: 1", ""])
def test_the_language_has_a_version(version: str) -> None:
    (scenario,) = parse(f"id: X\nturn: P1\n{version}")
    run(scenario, catalogue())
    (scenario,) = parse("id: X\nscenario_version: 2")
    with pytest.raises(ScenarioError, match="reads version 1 of the language, not “2”"):
        run(scenario, catalogue())


def test_factions_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from smashup.terminal.main import main

    case = tmp_path / "case.yaml"
    case.write_text(
        "bases: [B1]\nhands: {P1: [Gnome King]}\ndo: [P1: play Gnome King at B1]\n"
        "expect: {power: {Gnome King: 5}}\n"
    )
    assert main(["scenario", str(case)]) == 1
    assert "There is no card called “Gnome King”" in capsys.readouterr().out
    gnomes = str(ROOT / "examples/garden_gnomes.py")
    assert main(["scenario", str(case), "--faction-file", gnomes]) == 0
    assert main(["scenario", str(case), "--faction-file", "missing.py"]) == 2
    assert "missing.py" in capsys.readouterr().err


def test_all_messages_can_be_translated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every sentence goes through the language: here one whose every text is marked."""

    class Marked(dict[str, str]):
        def get(self, text: str, default: object = None) -> str:
            return f"¤{text}¤"

    file = tmp_path / "case.yaml"
    file.write_text(
        "- {id: X-1, expect: {vp: {P1: 3}}}\n"
        "- {id: X-2, hands: {P1: [V3]}, do: [P1: play V3 at B9]}\n"
        "- {id: X-3, nonsense: 3}\n"
        "- {id: X-4, bases: [B1: {P1: [V3]}], expect: {power: {V3: 4}}}\n"
    )
    assert cli.run_files([str(file)], translator=Translator(Marked())) == 1
    for line in capsys.readouterr().out.splitlines():
        assert "¤" in line or line.startswith("      - P1: "), line
